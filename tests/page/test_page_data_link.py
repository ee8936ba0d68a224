"""A link names files by their addresses: the browser fetches them, and they are uploaded as its visitor does it."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, urlencode, urlsplit

import pytest
from news import EXAMPLES
from page_visits import score_files

from polyrouge.page.limits import LIMITS

EXAMPLE = (EXAMPLES / "en_news.jsonl").read_bytes()

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("page"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


class FileRequest(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, dict(self.headers)))
        body = self.server.bodies.get(self.path)
        self.send_response(404 if body is None else 200)
        if not self.path.startswith("/closed"):
            self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()  # its length is not told
        self.wfile.write(body or b"")

    def log_message(self, format, *args):
        pass


@contextmanager
def serving(bodies):
    """Serves files to other pages, but for those below ``/closed``."""
    with ThreadingHTTPServer(("127.0.0.1", 0), FileRequest) as files:
        files.bodies, files.asked = bodies, []
        files.address = f"http://127.0.0.1:{files.server_address[1]}"
        threading.Thread(target=files.serve_forever).start()
        try:
            yield files
        finally:
            files.shutdown()


@pytest.fixture
def follow(opened, windows):
    """Opens a link; returns the window, whose requests and errors the test checks."""
    used = []

    def follow_link(data, more=(), locale="en-US"):
        query = urlencode([*(("data", each) for each in data), *more])
        opened(f"/?{query}", locale=locale, ready="#file-asked .pr-data p")
        used.append(windows(locale))
        return used[-1]

    yield follow_link
    for window in used:
        window.requests.clear()
        window.problems.clear()


def told(window, text):
    """What the page says of the link, once a text is in it."""
    window.page.locator("#file-asked .pr-data", has_text=text).wait_for()
    return window.page.locator("#file-asked .pr-data p").all_inner_texts()


def test_a_link_opens_files_by_the_browser_alone(follow, server):
    bodies = {"/bart/preds.jsonl": EXAMPLE, "/t5/preds.jsonl": EXAMPLE}
    with serving(bodies) as files:
        data = [files.address + path for path in bodies]
        window = follow(data, [("convention", "rouge_score")])
        page = window.page
        (sentence,) = told(window, "The link opened")
        assert "bart-preds.jsonl, t5-preds.jsonl from 127.0.0.1" in sentence
        page.locator("#file-note", has_text="t5-preds.jsonl").wait_for()
        assert page.locator("#file-frame iframe").count() == 0  # nothing is scored by itself

        report = score_files(page)
        assert "tok:ascii" in report.locator(".signature").first.inner_text()  # of the link's convention
        agents = [headers["User-Agent"] for _, headers in files.asked]
        assert len(agents) == len(data)
        assert all("Mozilla" in agent for agent in agents)  # the server of the page has asked for nothing
        assert not any({"Cookie", "Referer", "Authorization"} & headers.keys() for _, headers in files.asked)
        assert {url for url in window.requests if not url.startswith((server[0], "data:", "blob:", "about:"))} == set(
            data
        )
        window.no_problems()


# Of what is told: CORS, too large, another kind, an answer without the file.
WORDS = ["（CORS）", f"超过 {LIMITS.file_megabytes} MB", "notes.txt：本页读取", "返回 404"]


def test_what_is_not_opened_is_told_of_each_address(follow, server):
    bodies = {
        "/closed/a.jsonl": EXAMPLE,
        "/large.jsonl": b"x" * (LIMITS.file_megabytes * 1_000_000 + 1),
        "/notes.txt": b"text",
        f"/{quote('<b>新闻 100%.jsonl')}": EXAMPLE,
    }
    with serving(bodies) as files:
        data = [files.address + path for path in bodies]
        window = follow([*data[:3], "missing.jsonl", data[3]], locale="zh-CN")
        *failures, opened = told(window, "已按链接")
        assert [word in failure for word, failure in zip(WORDS, failures, strict=True)] == [True] * 4
        assert f"{server[0]}/missing.jsonl" in failures[-1]  # beside the page
        assert "<b>新闻 100%.jsonl" in opened
        window.page.locator("#file-note", has_text="新闻 100").wait_for()
        assert "/notes.txt" not in [path for path, _ in files.asked]
        assert window.page.locator("#file-asked b, #file-note b").count() == 0


def test_a_link_of_another_scheme_opens_nothing(follow, server):
    addresses = ["ftp://a.example/a.jsonl", "javascript:alert(1)//a.jsonl", "file:///a.jsonl"]
    window = follow([*addresses, f"{server[0]}/a.jsonl"])
    sentences = told(window, "begin with http:// or https://")
    assert [address in sentence for address, sentence in zip(addresses, sentences, strict=True)] == [True] * 3
    assert "/a.jsonl" not in [urlsplit(url).path for url in window.requests]
