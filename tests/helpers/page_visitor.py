"""A visitor of the page, as a browser speaks to it: the events of its components, which gradio_client can not call."""

from __future__ import annotations

import contextlib
import json
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
from gradio_client.utils import apply_diff


def wait_for(condition: Callable[[], bool]) -> None:
    """Until something is so; fails after two minutes."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


class PageVisitor:
    """One open page; closing it ends the connection that tells the page that its visitor is there.

    Args:
        address: of the page.
    """

    def __init__(self, address: str) -> None:
        self._http = httpx.Client(base_url=f"{address}/gradio_api", timeout=120)
        self._key = uuid.uuid4().hex
        config = self._http.get(f"{address}/config").raise_for_status().json()
        self.last: list[Any] = []  # what the last event sent at its end, which a browser shows again
        self._values = {each["id"]: each["props"].get("value") for each in config["components"]}
        self._ids = {each["props"].get("elem_id"): each["id"] for each in config["components"]}
        self._events: dict[tuple[int, str], list[dict[str, Any]]] = {}
        self._next = {}  # of an event that follows another
        for each in config["dependencies"]:
            for component, event in each["targets"]:
                self._events.setdefault((component, event), []).append(each)
            if each["trigger_after"] is not None:
                self._next[each["trigger_after"]] = each
        heartbeat = self._http.build_request("GET", f"/heartbeat/{self._key}")
        self._heartbeat = self._http.send(heartbeat, stream=True)

    def __enter__(self) -> PageVisitor:
        return self

    def __exit__(self, *_: object) -> None:
        self._heartbeat.close()
        self._http.close()

    def set(self, name: str, value: Any) -> None:
        """Type something into a component, named by its ``elem_id``."""
        self._values[self._ids[name]] = value

    def shown(self, name: str) -> Any:
        """What a component shows."""
        return self._values[self._ids[name]]

    def send(self, name: str, path: Path) -> None:
        """Send a file for a component that takes several; ``fire`` gives it to the page."""
        with path.open("rb") as content:
            sent = self._http.post("/upload", files={"files": (path.name, content)}).raise_for_status()
        file = {"path": sent.json()[0], "orig_name": path.name, "meta": {"_type": "gradio.FileData"}}
        self.set(name, [file])

    def upload(self, name: str, path: Path) -> None:
        """Give a file to a component that takes several."""
        self.send(name, path)
        self.fire(name, "upload")

    def fire_with(self, name: str, event: str, data: list[Any]) -> None:
        """Let an event happen with data that no browser sends, and wait for its end if the page takes it."""
        function = self._events[self._ids[name], event][0]
        with contextlib.suppress(httpx.HTTPStatusError):
            if function["queue"]:
                list(self._messages(function, data))
            else:
                self._http.post(f"/run/{function['id']}", json=self._body(function, data))

    def download(self, name: str) -> bytes:
        """The file that a component offers."""
        return self._http.get(f"/file={self.shown(name)['path']}").raise_for_status().content

    def fire(self, name: str, event: str) -> None:
        """Let an event of a component happen, with those that follow it, and wait for them."""
        for each in self._events[self._ids[name], event]:
            following: dict[str, Any] | None = each
            while following is not None:
                if following["backend_fn"]:
                    self._run(following)
                following = self._next.get(following["id"])

    def _body(self, event: dict[str, Any], data: list[Any]) -> dict[str, Any]:
        return {"data": data, "fn_index": event["id"], "session_hash": self._key}

    def _messages(self, event: dict[str, Any], data: list[Any]) -> Iterator[dict[str, Any]]:
        """What the page says of an event until it has ended."""
        sent = self._http.post("/queue/join", json=self._body(event, data)).raise_for_status().json()
        with self._http.stream("GET", "/queue/data", params={"session_hash": self._key}) as lines:
            for line in lines.iter_lines():
                message = json.loads(line[5:]) if line.startswith("data:") else {}
                if message.get("event_id") == sent["event_id"]:
                    yield message
                    if message["msg"] == "process_completed":
                        return

    def _run(self, event: dict[str, Any]) -> None:
        inputs = [self._values[each] for each in event["inputs"]]
        if not event["queue"]:
            answer = self._http.post(f"/run/{event['id']}", json=self._body(event, inputs)).raise_for_status().json()
            self._show(event, answer["data"])
            return
        data: list[Any] | None = None  # what a generator sends after the first time are differences
        for message in self._messages(event, inputs):
            if message["msg"] in ("process_generating", "process_completed"):
                if not message["success"]:
                    raise RuntimeError(json.dumps(message["output"]))
                self.last = message["output"]["data"]
                if data is None:
                    data = self.last
                elif message["msg"] == "process_generating":
                    data = [apply_diff(*pair) for pair in zip(data, self.last, strict=True)]
                self._show(event, data)

    def _show(self, event: dict[str, Any], data: list[Any]) -> None:
        for component, value in zip(event["outputs"], data, strict=True):
            if isinstance(value, dict) and value.get("__type__") == "update":
                if "value" in value:
                    self._values[component] = value["value"]
            else:
                self._values[component] = value
