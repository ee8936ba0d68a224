"""Packages that the fast tests do without: imported when a test of another group first uses them."""

import importlib

import pytest


class LateModule:
    """A module that is imported at the first look into it."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str):
        return getattr(importlib.import_module(self._name), name)


def hub_params(table: dict) -> list:
    """A parameter a row; those whose names begin with polars or datasets are of the group ``hub``."""
    return [
        pytest.param(value, id=name, marks=pytest.mark.hub if name.startswith(("polars", "datasets")) else ())
        for name, value in table.items()
    ]
