"""What one stranger may take of the page: middleware that counts bodies, uploads and waiting requests."""

import contextlib
import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.utils import get_space, get_upload_folder
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from polyrouge.page.limits import LIMITS
from polyrouge.page.visitor import VISITORS
from polyrouge.page.wording import say

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]


def address_of(request: Any) -> str:
    """Return the network address of who has sent a request: of IPv6 the network, in a Space what its proxy says.

    A proxy appends to ``X-Forwarded-For``, and the Space's own have private addresses: the last public one is the
    visitor's, whatever he has written before it.
    """
    client = getattr(request, "client", None)
    address = client.host if client else ""
    if get_space() is not None:
        for forwarded in reversed((request.headers.get("x-forwarded-for") or "").split(",")):
            if (known := _parsed(forwarded.strip())) is not None and known.is_global:
                address = str(known)
                break
    known = _parsed(address)
    return str(ipaddress.ip_network((known, 64), strict=False)) if known is not None and known.version == 6 else address


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


def folder_bytes(folder: Path) -> int:
    """Return how many bytes the files in a folder have."""
    sizes = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # it has just been deleted
            sizes += path.lstat().st_size
    return sizes


class StrangerLimits:
    """Refuses requests that are too large, or too many of one visitor, before anything of them is parsed."""

    def __init__(self, app: Any, page: gr.Blocks) -> None:
        self._app, self._page = app, page

    async def __call__(self, scope: MutableMapping[str, Any], receive: _Receive, send: _Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            request = Request(scope)
            try:
                of_upload = scope["path"].rstrip("/").endswith("/upload")
                receive = self._upload(request, receive) if of_upload else await self._body(request, receive)
            except HTTPException as error:
                await JSONResponse({"detail": error.detail}, error.status_code)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _body(self, request: Request, receive: _Receive) -> _Receive:
        """Read the whole body, and return what hands it on."""
        most = LIMITS.body_megabytes * 1_000_000
        too_large = HTTPException(413, say("en", "limitBody", most=LIMITS.body_megabytes))
        if _length(request) > most:
            raise too_large
        parts: list[bytes] = []
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                raise HTTPException(400, "The request was broken off.")
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > most:
                raise too_large
            more = message.get("more_body", False)
        body = b"".join(parts)
        self._check_waiting(request, body)
        waiting: list[_Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> _Message:
            return waiting.pop() if waiting else await receive()

        return replay

    def _check_waiting(self, request: Request, body: bytes) -> None:
        """Refuse a request of a visitor of whom many wait or run."""
        path = request.scope["path"]
        if "/call/" not in path and not path.rstrip("/").endswith("/queue/join"):
            return
        session, lane = None, "calls"
        if "/call/" not in path:
            try:
                call = json.loads(body)
                session, function = call.get("session_hash"), call.get("fn_index")
            except (ValueError, AttributeError, RecursionError):
                return  # Gradio refuses it
            known = self._page.fns.get(function) if isinstance(function, int) else None
            lane = known.concurrency_id if known is not None else ""
        queue, address = self._page._queue, address_of(request)
        events = [event for events in queue.event_queue_per_concurrency_id.values() for event in list(events.queue)]
        events += [event for events in queue.active_jobs for event in events or ()]
        of_address = [event for event in events if address_of(event.request) == address]
        n_session = sum(event.session_hash == session for event in events)
        n_calls = sum(event.concurrency_id == "calls" for event in of_address)
        for n, most in (
            (n_session, LIMITS.waiting_of_session),
            (len(of_address), LIMITS.waiting_of_address),
            (n_calls if lane == "calls" else 0, LIMITS.calls_of_address),
        ):
            if n >= most:
                raise HTTPException(429, say("en", "limitWaiting", n=n))

    def _upload(self, request: Request, receive: _Receive) -> _Receive:
        """Return what hands an upload on while it is within the limits."""
        address = address_of(request)
        most = LIMITS.systems * LIMITS.file_megabytes * 1_000_000
        room = LIMITS.store_megabytes * 1_000_000 - folder_bytes(Path(get_upload_folder()))
        room = min(room, LIMITS.address_megabytes * 1_000_000 - VISITORS.bytes_of(address))
        if room < max(1, _length(request)) and _length(request) <= most:
            raise HTTPException(413, say("en", "limitStore"))
        if _length(request) > most:
            raise HTTPException(413, say("en", "limitBody", most=most // 1_000_000))
        delimiter = b"--" + request.headers.get("content-type", "").partition("boundary=")[2].strip('" ').encode()
        size = n_parts = 0
        tail = b""

        async def counted() -> _Message:
            nonlocal size, n_parts, tail
            message = await receive()
            body = message.get("body", b"")
            size += len(body)
            joined = tail + body
            n_parts += joined.count(delimiter)
            tail = joined[max(0, len(joined) - len(delimiter) + 1) :]
            if size > min(most, room):
                raise HTTPException(413, say("en", "limitBody", most=min(most, room) // 1_000_000))
            if n_parts > LIMITS.upload_parts + 1:
                raise HTTPException(413, say("en", "limitParts", most=LIMITS.upload_parts))
            return message

        return counted


def _length(request: Request) -> int:
    """Return how many bytes a request says it has."""
    length = request.headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0
