"""What a job of the page may do wrong, as functions that a process of its own can import."""

import os
import time

from polyrouge.page import job


def fills_memory(_tell):
    return len(bytes(10_000_000_000))


def fills_the_disk(_tell):
    with open("large", "wb") as file:
        file.truncate(600_000_000)


def ends_at_once(_tell):
    os.abort()


def sleeps(_tell):
    time.sleep(600)


def answers_too_much(_tell):
    return "a" * job._LONGEST_ANSWER


def fails(_tell, text):
    raise ZeroDivisionError(text)
