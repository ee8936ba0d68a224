"""The page's endpoints, called by ``gradio_client`` and by an MCP client."""

import asyncio
import contextlib
import json
import re
import subprocess
import threading
from dataclasses import replace

import gradio
import gradio_client
import httpx
import psutil
import pytest
from command_runs import write_rows
from page_server import ROOT, running_page
from page_visitor import PageVisitor, wait_for

from polyrouge import CONVENTIONS, Rouge, compare_conventions
from polyrouge.page import endpoints
from polyrouge.page.job import start_forkserver
from polyrouge.page.limits import LIMITS
from polyrouge.page.wording import say

pytestmark = [
    pytest.mark.hub,
    pytest.mark.xdist_group("page clients"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]
MARKER = "text-of-a-visitor"
PARAMETERS = ["predictions", "references", "convention", "settings"]
MOST = len(CONVENTIONS)
TEXTS, NAMES = {"n": 20_001, "most": LIMITS.call_texts}, {"n": MOST + 1, "most": MOST}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_page(tmp_path_factory.mktemp("page")) as (address, process, printed):
        yield address, process, printed
        said = printed.read_text(encoding="utf-8")
        assert MARKER not in said
        assert "Traceback" not in said


@pytest.fixture(scope="module")
def client(server):
    return gradio_client.Client(server[0], verbose=False)


def test_score_gives_what_compute_gives(client):
    predictions, references = ["今天天气很好", "a b c"], [["今天天气不错", "天气好"], ["a c"]]
    rouge = Rouge("zh_word", scale=100, output="all")

    answer = client.predict(predictions, references, "zh_word", api_name="/score")

    assert rouge.compute(predictions, references) == answer["scores"]
    assert rouge.signature() == answer["signature"]
    answer = client.predict(predictions=["a b"], references=["a b c"], api_name="/score")  # without settings
    assert Rouge(scale=100, output="all").compute(["a b"], ["a b c"]) == answer["scores"]
    answer = client.predict(["a b"], ["a b c"], "default", {"scale": 1}, api_name="/score")
    assert Rouge(output="all").compute(["a b"], ["a b c"]) == answer["scores"]


@pytest.mark.parametrize("page", ["pipelines.md", "pipelines.zh.md"])
def test_calls_of_the_documents_by_curl(server, page):
    """Each POST and GET as documented, but for the address and the id, answers as documented."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").replace("http://127.0.0.1:7860", server[0])
    calls = re.findall(
        r"\$ (curl -s \S+/call/(\w+) .*)\n.*\n\$ (curl -sN \S+/)\S+\n(event: .*\ndata: .*)\.\.\.\n", text
    )
    assert {name for _, name, *_ in calls} == {"score", "compare", "compare_systems"}
    assert len(calls) == text.count("$ curl") / 2
    for post, _, get, answer in calls:
        event = json.loads(subprocess.check_output(["/bin/sh", "-c", post]))["event_id"]
        assert subprocess.check_output(["/bin/sh", "-c", get + event], text=True).startswith(answer)


@pytest.mark.parametrize(("settings", "scale"), [([], 100), ([{"scale": 1}], 1)])
def test_compare_says_what_differs_and_takes_a_scale(client, settings, scale):
    texts, names = (["今天天气很好"], [["今天天气不错"]]), ["default", "rouge_chinese"]

    answer = client.predict(*texts, names, *settings, api_name="/compare")

    assert answer["conventions"][0]["scores"]["rouge1"] == Rouge(scale=scale).compute(*texts)["rouge1"]
    expected = compare_conventions(*texts, names, scale=scale)
    assert expected.to_dict() == {row["name"]: row["scores"] for row in answer["conventions"]}
    assert "counts distinct n-grams" in answer["conventions"][1]["differences"]
    assert expected.to_markdown() == answer["markdown"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(([f"{MARKER} a", None], [["b"], ["c"]]), "is None", id="no text"),
        pytest.param((["a"], [["b"]], ["coco"], {"beta": 2}), "setting of /compare 'beta'.*one of scale", id="beta"),
        pytest.param((["a"], [["b"]], ["coco"], {"scale": "x"}), r"\"scale\" is 'x'; give a number", id="scale"),
        pytest.param((["a"], [["b"]], "default", {"jieba_dict": "/etc/passwd"}), "'jieba_dict'", id="path"),
        pytest.param(([MARKER * 20_000], [["b"]]), "this page takes 200,000", id="characters"),
        pytest.param((["a"], [[""] * 20_000], ["coco"]), say("en", "limitTexts", **TEXTS), id="references"),
        pytest.param((["a"], [["b"]], ["coco"] * (MOST + 1)), say("en", "limitConventions", **NAMES), id="conventions"),
    ],
)
def test_what_is_wrong_is_told_to_the_caller(client, arguments, message):
    compares = any("coco" in each for each in arguments[2:])
    with pytest.raises(gradio_client.exceptions.AppError, match=message):
        client.predict(*arguments, api_name="/compare" if compares else "/score")


@pytest.mark.parametrize("endpoint", ["/score", "/compare_systems"])
def test_every_endpoint_takes_small_gaps_only(client, endpoint):
    texts = [["a", "a"]] * (2 if endpoint == "/compare_systems" else 1)
    for rouge_type in ("rougeS", "rougeSU101"):
        with pytest.raises(gradio_client.exceptions.AppError, match="gaps of at most 100; give one, such as rougeS4"):
            client.predict(*texts, [["b"], ["b"]], "default", {"rouge_types": [rouge_type]}, api_name=endpoint)
    client.predict(*texts, [["b"], ["b"]], "default", {"rouge_types": ["rougeSU100"]}, api_name=endpoint)


def test_a_call_ends_at_its_deadline_and_leaves_no_process(monkeypatch):
    start_forkserver()
    before = psutil.Process().children(recursive=True)
    costly = ["a b c d e " * 9_900], [["e a d b c " * 9_900]], "default", {"rouge_types": ["rougeW"]}

    with monkeypatch.context() as patch:
        patch.setattr(endpoints, "LIMITS", replace(LIMITS, call_seconds=1))
        with pytest.raises(gradio.Error, match="1 second"):
            endpoints.score(*costly)

    assert set(psutil.Process().children(recursive=True)) - set(before) <= set(psutil.Process().children())
    assert endpoints.score(["a"], [["a"]])["scores"]["rouge1"] == 100


def test_only_named_endpoints_are_public(client):
    named = client.view_api(return_format="dict", print_info=False)["named_endpoints"]

    assert set(named) == {"/score", "/compare", "/compare_systems"}
    assert [each["parameter_name"] for each in named["/score"]["parameters"]] == PARAMETERS


def test_mcp_tools_give_the_same(server):
    import mcp
    from mcp.client import streamable_http as http

    async def ask():
        async with (
            http.streamablehttp_client(f"{server[0]}/gradio_api/mcp/") as (read, write, _),
            mcp.ClientSession(read, write) as session,
        ):
            await session.initialize()
            tools = {tool.name.split("_rouge_")[-1]: tool for tool in (await session.list_tools()).tools}
            name = next(tool for tool in tools if tool.endswith("score"))
            arguments = {"predictions": ["the cat sat"], "references": [["the cat sat on the mat"]]}
            answer = await session.call_tool(tools[name].name, {**arguments, "convention": "rouge_score"})
            return tools, tools[name], answer

    tools, tool, answer = asyncio.run(ask())
    info = httpx.get(f"{server[0]}/gradio_api/info").json()["named_endpoints"]
    api = {name.removeprefix("/"): each["description"] for name, each in info.items()}

    assert len(tools) == 3
    assert sorted(tool.inputSchema["properties"]) == sorted(PARAMETERS)
    for each in tools.values():  # each argument is described to its end
        for argument in each.inputSchema["properties"].values():
            assert argument["description"].endswith(".")
            assert argument["description"] in api[each.name.split("_rouge_")[-1]]
    assert not answer.isError
    scores = json.loads(answer.content[0].text)["scores"]
    assert Rouge("rouge_score", scale=100, output="all").compute(["the cat sat"], ["the cat sat on the mat"]) == scores


def test_a_visitor_who_leaves_frees_the_job_and_the_files(server, tmp_path):
    address, process, printed = server
    rows = ({"prediction": f"甲乙丙丁 {n % 7} " * 20, "reference": f"甲丙 {n % 3} " * 20} for n in range(15_000))
    path = write_rows(tmp_path / "rows.jsonl", rows)
    files = printed.parent / "files"

    def processes():
        return len(psutil.Process(process.pid).children(recursive=True))

    def score(page):
        with contextlib.suppress(Exception):  # the connection ends before the job
            page.fire("file-run", "click")

    with PageVisitor(address) as page:
        page.upload("file-upload", path)
        assert "rows.jsonl" in page.shown("file-note")
        page.set("file-choice", "lawrouge")  # counted by the plain engine: it takes a quarter of a minute
        before = processes()
        threading.Thread(target=score, args=(page,), daemon=True).start()
        wait_for(lambda: processes() > before)
        assert list(files.glob("*/polyrouge-*/*/")) != []

    wait_for(lambda: processes() <= before)
    wait_for(lambda: list(files.glob("*/polyrouge-*")) == [])
