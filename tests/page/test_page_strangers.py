"""The page among strangers: long and hostile texts, equal and broken-off uploads, large bodies, many calls at once."""

import asyncio
import contextlib
import dataclasses
import json
import os
import random
import signal
import socket
import time
import types

import httpx
import psutil
import pytest
from page_server import running_page
from page_visitor import PageVisitor, wait_for

from polyrouge.page import job, strangers, visitor
from polyrouge.page.choices import Choice
from polyrouge.page.limits import LIMITS
from polyrouge.page.server_folder import delete_folders_of_dead_servers, lock
from polyrouge.page.strangers import address_of
from polyrouge.page.text_views import render_try
from polyrouge.page.wording import PageError, say

pytestmark = [pytest.mark.hub, pytest.mark.xdist_group("page strangers")]
MARKER = "a-text-of-a-stranger"
ROWS = b'{"prediction": "a", "reference": "a b"}\n'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_page(tmp_path_factory.mktemp("strangers")) as (address, process, printed):
        yield address, process, printed
        assert MARKER not in printed.read_text(encoding="utf-8")


def folder_of(printed):
    (folder,) = (printed.parent / "files").glob("polyrouge-page-*")
    return folder


def typed(page, prediction, references):
    page.set("try-prediction", prediction)
    page.set("try-references", references)
    page.fire("try-prediction", "change")
    return page.shown("try-status")


def test_the_largest_texts_end_at_their_deadline_in_their_own_process(server):
    address, process, _ = server
    with PageVisitor(address) as page:
        before = psutil.Process(process.pid).memory_info().rss
        status = typed(page, "a.\n" * 3_333, "\n---\n".join(["a b\n" * 1_860] * 2))

        assert status == "" or say("en", "limitTime", most=LIMITS.text_seconds) in status
        assert psutil.Process(process.pid).memory_info().rss < before + 100_000_000
        # Longer than what is scored at once; on a busy machine the deadline may end it.
        wait_for(lambda: typed(page, "a b " * 400, "a c " * 400) == "")
        assert "pr-scores" in page.shown("try-scores")


def test_the_longest_texts_in_colour_fit_into_the_answer_of_their_process():
    """Each character is a token in a tag of its own, and JSON writes it as six bytes."""
    rng = random.Random(0)
    prediction, *references = (
        "".join(rng.choices("今年上半全市地区生产总值", k=size)) for size in (LIMITS.text, 7_500, 7_500)
    )
    answer = render_try(prediction, "\n---\n".join(references), Choice(), "zh")
    assert 2_000_000 < len(json.dumps(("result", answer))) < job._LONGEST_ANSWER


def test_a_long_run_of_combining_marks_is_refused(server):
    with PageVisitor(server[0]) as page:
        assert say("en", "limitMarks", most=LIMITS.marks) in typed(page, "a" + "\u0301" * 101, "b")
        assert typed(page, "a" + "\u0301" * 100, "b") == ""


def test_equal_files_belong_to_each_of_their_visitors(server, tmp_path):
    path = tmp_path / "homework.jsonl"
    path.write_bytes(ROWS * 3)
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(PageVisitor(server[0])) for _ in range(3)]
        for page in pages:
            page.send("file-upload", path)  # all, before the first is taken
        for page in pages:
            page.fire("file-upload", "upload")
            assert "homework.jsonl" in page.shown("file-note")
        for page in pages:
            page.fire("file-run", "click")
            assert "pr-report" in page.shown("file-frame"), page.shown("file-status")
            assert not any("value" in value for value in page.last)  # a report that was removed does not come back


def test_an_upload_that_is_gone_is_told_without_its_path(server, tmp_path):
    path = tmp_path / "gone.jsonl"
    path.write_bytes(b"{}\n")
    with PageVisitor(server[0]) as page:
        page.send("file-upload", path)
        for upload in folder_of(server[2]).glob("*/gone.jsonl"):
            upload.unlink()
        page.fire("file-upload", "upload")
        assert say("en", "gone") in page.shown("file-note")


def test_the_address_is_what_the_proxy_of_a_space_says(monkeypatch):
    def request(forwarded, host="10.0.0.1"):
        return types.SimpleNamespace(
            client=types.SimpleNamespace(host=host), headers={"x-forwarded-for": forwarded} if forwarded else {}
        )

    assert address_of(request("8.8.8.8")) == "10.0.0.1"  # no Space: anybody may have written it
    monkeypatch.setattr(strangers, "get_space", lambda: "polyrouge/rouge_metric")
    assert address_of(request("1.1.1.1, 8.8.8.8, 10.1.2.3")) == "8.8.8.8"
    assert address_of(request("nonsense")) == "10.0.0.1"
    assert address_of(request("", "2001:db8::1")) == address_of(request("", "2001:db8::2"))


def answer_of(path, *, headers=(), body=b"{}", events=()):
    """The status and the words of the page's limits, or None where they hand the request on."""
    sent, handed_on = [], []

    async def app(_scope, receive, _send):
        handed_on.append(await receive())

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    queue = types.SimpleNamespace(
        event_queue_per_concurrency_id={"calls": types.SimpleNamespace(queue=list(events))}, active_jobs=[None]
    )
    page = types.SimpleNamespace(_queue=queue, fns={1: types.SimpleNamespace(concurrency_id="texts")})
    scope = {"type": "http", "method": "POST", "path": path, "headers": list(headers), "client": ("1.2.3.4", 5)}
    asyncio.run(strangers.StrangerLimits(app, page)(scope, receive, send))
    assert bool(sent) != bool(handed_on)
    return (sent[0]["status"], json.loads(sent[1]["body"])["detail"]) if sent else None


def test_waiting_requests_of_a_session_and_of_an_address_are_counted():
    def waiting(n, session, host, lane="texts"):
        request = types.SimpleNamespace(client=types.SimpleNamespace(host=host), headers={})
        return [types.SimpleNamespace(session_hash=session, request=request, concurrency_id=lane)] * n

    join = {"path": "/gradio_api/queue/join", "body": b'{"session_hash": "mine", "fn_index": 1}'}
    of_session, of_address = LIMITS.waiting_of_session, LIMITS.waiting_of_address
    assert answer_of(**join, events=waiting(of_session - 1, "mine", "1.2.3.4")) is None
    told = say("en", "limitWaiting", n=of_session)
    assert answer_of(**join, events=waiting(of_session, "mine", "1.2.3.4")) == (429, told)
    assert answer_of(**join, events=waiting(of_address - 1, "another", "1.2.3.4")) is None
    told = say("en", "limitWaiting", n=of_address)
    assert answer_of(**join, events=waiting(of_address, "another", "1.2.3.4")) == (429, told)
    assert answer_of(**join, events=waiting(of_address, "another", "4.3.2.1")) is None
    calls = waiting(LIMITS.calls_of_address, "another", "1.2.3.4", "calls")
    told = say("en", "limitWaiting", n=LIMITS.calls_of_address)
    assert answer_of("/gradio_api/call/score", events=calls) == (429, told)
    assert answer_of(**join, events=calls) is None  # who types has a lane of its own


def test_uploads_and_what_the_page_keeps_have_a_size(monkeypatch, tmp_path):
    monkeypatch.setattr(strangers, "get_upload_folder", lambda: str(tmp_path))
    monkeypatch.setattr(strangers, "VISITORS", types.SimpleNamespace(bytes_of={"1.2.3.4": 0}.__getitem__))
    most = LIMITS.systems * LIMITS.file_megabytes

    def upload(size):
        return answer_of("/gradio_api/upload", headers=[(b"content-length", b"%d" % size)])

    assert upload(most * 1_000_000) is None
    assert upload(most * 1_000_000 + 1) == (413, say("en", "limitBody", most=most))
    monkeypatch.setattr(strangers, "LIMITS", dataclasses.replace(LIMITS, store_megabytes=1))
    (tmp_path / "file").write_bytes(b"a" * 900_000)
    assert upload(100_000) is None
    assert upload(100_001) == (413, say("en", "limitStore"))
    monkeypatch.setattr(strangers, "LIMITS", dataclasses.replace(LIMITS, address_megabytes=1))
    monkeypatch.setattr(strangers, "VISITORS", types.SimpleNamespace(bytes_of={"1.2.3.4": 1_000_000}.__getitem__))
    assert upload(1) == (413, say("en", "limitStore"))


def test_a_job_waits_for_a_process_and_says_that_all_are_busy(tmp_path):
    with contextlib.ExitStack() as stack:
        for _ in range(LIMITS.processes):
            assert job._PROCESSES.acquire(blocking=False)
            stack.callback(job._PROCESSES.release)
        with pytest.raises(PageError):
            list(job.Job(print, tmp_path, wait=1).steps())


def test_wrong_calls_leave_no_text_in_the_log(server):
    address, _, printed = server
    with httpx.Client(base_url=f"{address}/gradio_api", timeout=60) as http, PageVisitor(address) as page:
        for name in ("score", "compare", "compare_systems"):
            wrong = [[[MARKER]], [MARKER], [{MARKER: MARKER}], [[MARKER], [[MARKER]], MARKER, MARKER], [[[MARKER]], 1]]
            for data in wrong:
                event = http.post(f"/call/{name}", json={"data": data}).json()["event_id"]
                assert "event: " in http.get(f"/call/{name}/{event}").text
        for component, event in (("try-prediction", "change"), ("file-run", "click"), ("file-upload", "upload")):
            page.fire_with(component, event, [MARKER])
            page.fire_with(component, event, [{MARKER: [MARKER]}] * 30)
        http.post("/queue/join", content=b'{"data": "' + MARKER.encode())
    said = printed.read_text(encoding="utf-8")
    assert MARKER not in said
    assert "is left out" in said  # Gradio had something to say


def test_bodies_are_limited_before_they_are_parsed(server):
    address, process, _ = server
    before = psutil.Process(process.pid).memory_info().rss
    with httpx.Client(base_url=f"{address}/gradio_api", timeout=60) as http:
        large = b'{"data": [["' + b"a" * 2_000_000 + b'"]]}'
        assert http.post("/call/score", content=large).status_code == 413
        assert http.post("/call/score", content=(large[n : n + 9_999] for n in range(0, len(large), 9_999))).is_error
        many = {"files": [("files", (f"{n}.jsonl", ROWS)) for n in range(500)]}
        assert http.post("/upload", **many).status_code == 413
    assert psutil.Process(process.pid).memory_info().rss < before + 60_000_000


def test_what_nobody_takes_is_swept(monkeypatch, tmp_path):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    visitors = visitor.Visitors()
    kept = visitors.visitor("session", "address")
    (kept.folder / "a.jsonl").write_bytes(ROWS)
    assert visitors.bytes_of("address") == len(ROWS)
    for name, minutes in (("tmpold", LIMITS.upload_minutes + 1), ("tmpnew", 0)):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (time.time() - 60 * minutes,) * 2)

    visitors.sweep()

    assert {path.name for path in tmp_path.iterdir()} == {"tmpnew", kept.folder.name}
    kept.leave()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_leaves_no_process_and_no_upload(tmp_path, how):
    with running_page(tmp_path) as (address, process, printed):
        with socket.create_connection(
            (address.removeprefix("http://").split(":")[0], int(address.split(":")[-1]))
        ) as raw:
            raw.sendall(
                b"POST /gradio_api/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n"
                b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
                b'Content-Disposition: form-data; name="files"; filename="a.jsonl"\r\n\r\n' + b"a" * 10_000
            )
            wait_for(lambda: any(path.is_file() for path in folder_of(printed).rglob("*")))
        costly = {"data": [["a b c d e " * 9_900], [["e a d b c " * 9_900]], "default", {"rouge_types": ["rougeW"]}]}
        children = set(psutil.Process(process.pid).children(recursive=True))
        httpx.post(f"{address}/gradio_api/call/score", json=costly, timeout=60)
        wait_for(lambda: set(psutil.Process(process.pid).children(recursive=True)) - children)
        children = psutil.Process(process.pid).children(recursive=True)

        process.send_signal(how)
        process.wait(60)

        wait_for(lambda: not any(child.is_running() and child.status() != "zombie" for child in children))
        if how == signal.SIGTERM:
            assert list((tmp_path / "files").glob("polyrouge-page-*")) == []


def test_the_next_server_deletes_what_a_killed_one_left(tmp_path):
    dead, living, new, foreign = (
        tmp_path / name for name in ("polyrouge-page-a", "polyrouge-page-b", "polyrouge-page-c", "other")
    )
    for folder in (dead, living, new, foreign):
        (folder / "upload").mkdir(parents=True)
    for folder in (dead, living, foreign):
        os.utime(folder, (time.time() - 3600,) * 2)

    descriptor = lock(living)
    assert descriptor is not None
    delete_folders_of_dead_servers(tmp_path)
    os.close(descriptor)

    assert {folder.name for folder in tmp_path.iterdir()} == {living.name, new.name, foreign.name}
