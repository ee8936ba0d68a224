"""Files on the page: uploads, their columns, their report; a hostile one ends nothing but its own process."""

import gc
import gzip
import json
import multiprocessing
import re
import shutil
from html import unescape
from urllib.parse import parse_qs, parse_qsl

import gradio as gr
import job_works
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import report_file
from bombs import BOMBS
from news import columns, news

from polyrouge import Rouge
from polyrouge.files.slices import NO_SLICES
from polyrouge.metric import metric_in_points
from polyrouge.page.choices import Choice, read_link
from polyrouge.page.files_tab import FilesTab, frame_html, mapping_of, result_html
from polyrouge.page.job import _PROCESSES, CancelledError, Job, Mapping, Step
from polyrouge.page.limits import Limits
from polyrouge.page.score_views import means_html
from polyrouge.page.visitor import Visitor, Visitors
from polyrouge.page.wording import PageError, say
from polyrouge.report import write_report

pytestmark = pytest.mark.hub
STAGES = ("reading", "scoring", "comparing", "sources", "slices", "writing", "examining")
COLUMNS = Mapping(["prediction"], ["reference"])


@pytest.fixture
def visitor(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "kept"))
    visitor = Visitor()
    yield visitor
    visitor.leave()
    assert list((tmp_path / "kept").glob("*")) == []


def add(visitor, folder, name, content):
    """Upload a file: bytes, a text, or rows for JSONL."""
    if isinstance(content, list):
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
    (folder / "upload").mkdir()
    path = folder / "upload" / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        visitor.add(path)
        assert path.exists()  # others may have uploaded the same
    finally:
        shutil.rmtree(path.parent)


def letters(*words):
    return [{"prediction": word, "reference": "a b"} for word in words]


def scored(visitor, mapping=COLUMNS, choice=Choice()):  # noqa: B008 it is a tuple
    *steps, result = visitor.score(visitor.begin(), mapping, choice)
    stages = [step.stage for step in steps]
    assert stages == sorted(stages, key=STAGES.index)
    return result


def index_of(result):
    """What the report has of all its numbers."""
    return report_file.index_of(result.report.read_text(encoding="utf-8"))


def texts_of(result):
    """The predictions of each row of the report, worst first."""
    rows = report_file.rows_of(result.report.read_text(encoding="utf-8"))
    return [[text["text"] for text in row["predictions"]] for row in rows]


def test_each_file_is_a_system_in_the_order_that_is_chosen(visitor, tmp_path):
    texts = {"a": ("a", "b"), "b.x": ("a b", "x"), "c": ("x", "x")}
    for name, words in texts.items():
        add(visitor, tmp_path, f"{name}.jsonl", letters(*words))

    result = scored(visitor)

    assert result.names == list(texts)
    assert texts_of(result) == [["a", "a b", "x"], ["b", "x", "x"]]  # the rows of the first system score the same
    result = scored(visitor, COLUMNS._replace(files=["c.jsonl", "a.jsonl"]))
    assert result.names == ["c", "a"]
    assert texts_of(result) == [["x", "a"], ["x", "b"]]


def test_columns_of_one_file_are_systems_and_files_may_name_them_differently(visitor, tmp_path):
    add(visitor, tmp_path, "a.jsonl", [{f"p{n}": f"a {n}" for n in range(5)} | {"reference": "a"}])

    result = scored(visitor, Mapping(["p4", "p0", "p2"], ["reference"]))

    assert result.names == ["p4", "p0", "p2"]
    assert texts_of(result) == [["a 4", "a 0", "a 2"]]
    add(visitor, tmp_path, "b.jsonl", [{"output": "b", "reference": "a"}])
    assert texts_of(scored(visitor, Mapping(["p1"], ["reference"]))) == [["a 1", "b"]]
    with pytest.raises(PageError) as raised:
        scored(visitor, Mapping(["p1", "output"], ["reference"]))
    assert raised.value.key == "oneColumn"


def test_rows_of_several_files_are_joined_by_their_ids(visitor, tmp_path):
    for name, ids in (("a", "xyz"), ("b", "zxy")):
        rows = [{"id": each, "prediction": f"{name} {each}", "reference": f"a {each}"} for each in ids]
        add(visitor, tmp_path, f"{name}.jsonl", rows)

    result = scored(visitor, COLUMNS._replace(id="id"))

    assert index_of(result)["ids"] == ["x", "y", "z"]
    assert texts_of(result) == [["a x", "b x"], ["a y", "b y"], ["a z", "b z"]]
    with pytest.raises(ValueError, match="all systems need the same references"):  # by place
        scored(visitor)
    add(visitor, tmp_path, "b.jsonl", [{"id": "w", "prediction": "b", "reference": "a"}])
    with pytest.raises(ValueError, match=r"a\.jsonl.*Or choose no column of ids") as raised:
        scored(visitor, COLUMNS._replace(id="id"))
    assert "--id-column" not in str(raised.value)


def test_the_report_is_the_one_that_is_written_for_these_texts(visitor, tmp_path):
    keys = ("id", "prediction", "prediction_b", "references")
    rows = [
        {key: row[key] for key in keys}
        | {"topic": "abc"[n % 3], "n": n % 7, "document": " ".join(row["references"]), "url": f"u{n}"}
        for n, row in enumerate(news("zh"))
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "news.parquet")
    visitor.add(tmp_path / "news.parquet")
    guess = visitor.files["news.parquet"].guess
    roles = [list(guess.predictions), list(guess.references), guess.id, guess.source]
    assert roles == [["prediction", "prediction_b"], ["references"], "id", "document"]
    ids, first, second, references, topics, numbers, sources = columns(rows, *keys, "topic", "n", "document")
    options = {"name": "prediction", "others": {"prediction_b": second}, "ids": ids}
    options["rouge"] = Rouge("zh_char", scale=100, confidence=0.95, output="all")

    def check(mapping, **more):
        result = scored(visitor, mapping, Choice("zh_char"))
        same = write_report(tmp_path / "same.html", first, references, **options, **more)
        assert result.report.read_bytes() == same.read_bytes()
        return result

    check(guess, guessed={"topic": topics, "n": numbers}, sources=sources)
    check(guess._replace(source="", slices=["topic"]), metadata={"topic": topics})
    result = check(guess._replace(source="", slices=[NO_SLICES]), slices=False)
    assert "已完成：34 行，2 个系统。" in result_html(result, "zh")
    assert str(result.report) in frame_html(result)


def test_the_link_of_a_report_has_its_key_and_settings(visitor, tmp_path):
    add(visitor, tmp_path, "<b> & ä.jsonl", letters("a b", "a"))
    choice = Choice("zh_char", ("rouge1",), nfkc=True)

    result = scored(visitor, COLUMNS, choice)

    assert index_of(result)["key"] == result.key
    html = frame_html(result)
    assert "<b>" not in html
    (link,) = re.findall('data-link="(.*?)"', html)
    asked = parse_qs(unescape(link))
    assert [asked["report"], asked["file"], asked["rows"]] == [[result.key], ["<b> & ä.jsonl"], ["2"]]
    assert read_link(dict(parse_qsl(asked["settings"][0]))) == (choice, [])


def test_what_can_be_chosen_of_files(visitor, tmp_path):
    assert mapping_of(visitor, "en")[1]["visible"] is False
    row = {"prediction": "a", "prediction_b": "b", "reference": "a", "id": 1, "n": 2}
    add(visitor, tmp_path, "a.jsonl", [row])
    note, files, *menus = mapping_of(visitor, "en")
    assert "a.jsonl: jsonl, columns prediction, prediction_b, reference, id, n." in note
    assert files["visible"] is False
    assert [menu["value"] for menu in menus] == [["prediction", "prediction_b"], ["reference"], "id", "", []]
    add(visitor, tmp_path, "b.jsonl", [row])
    note, files, predictions, *_ = mapping_of(visitor, "zh")
    assert "b.jsonl：jsonl，列：prediction、prediction_b、reference、id、n。" in note
    assert (files["visible"], files["value"]) == (True, ["a.jsonl", "b.jsonl"])
    assert predictions["value"] == ["prediction"]  # of each file, which is a system
    add(visitor, tmp_path, "a.jsonl", letters("a"))  # in the place of the first
    assert {name: len(file.columns) for name, file in visitor.files.items()} == {"a.jsonl": 2, "b.jsonl": 5}


@pytest.mark.parametrize(
    ("mapping", "key"),
    [
        (Mapping(["prediction"]), "noPredictionColumn"),
        (Mapping([], ["reference"]), "noPredictionColumn"),
        (Mapping(["reference", "prediction"], ["prediction"]), "sameColumn"),
        (COLUMNS._replace(source="reference"), "sourceColumn"),
        (Mapping([f"p{n}" for n in range(13)], ["reference"]), "limitSystems"),
    ],
)
def test_columns_must_be_chosen_and_differ(visitor, tmp_path, mapping, key):
    with pytest.raises(PageError, match="Upload a file first"):
        scored(visitor, Mapping())
    with pytest.raises(PageError, match="deleted, as this page had been idle"):
        scored(visitor)
    add(visitor, tmp_path, "a.jsonl", letters("a"))

    with pytest.raises(PageError) as raised:
        scored(visitor, mapping)

    assert raised.value.key == key


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.jsonl", '{"prediction": "a", "reference": "b"}\n{"prediction": \n', "bad.jsonl, line 2"),
        ("bad.parquet", b"not parquet", "bad.parquet"),
        ("lines.txt", "just\nlines\n", "lines.txt"),
    ],
    ids=["line", "parquet", "kind"],
)
def test_a_broken_file_is_named_without_its_folder(visitor, tmp_path, name, content, message):
    def score_it():
        add(visitor, tmp_path, name, content)
        scored(visitor)

    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        score_it()

    assert "/" not in str(raised.value)


def test_limits_of_files(visitor, tmp_path, monkeypatch):
    many = [{"prediction": "a", "reference": "a"} | {f"prediction_{n}": "a" for n in range(20)}]
    add(visitor, tmp_path, "0.jsonl", many)
    assert len(visitor.files["0.jsonl"].guess.predictions) == 12
    for number in range(1, 12):
        add(visitor, tmp_path, f"{number}.jsonl", letters("a"))
    with pytest.raises(PageError, match="13 systems"):
        add(visitor, tmp_path, "one_more.jsonl", letters("a"))
    visitor.leave()
    add(visitor, tmp_path, "rows.jsonl", letters("a") * 20_001)
    with pytest.raises(PageError, match="more than 20,000 rows"):
        scored(visitor)
    visitor.leave()
    row = json.dumps({"prediction": "a" * 100_000, "reference": "b"}) + "\n"
    add(visitor, tmp_path, "texts.jsonl.gz", gzip.compress(row.encode() * 301))
    with pytest.raises(PageError, match="more than 30 million characters"):
        scored(visitor)
    visitor.leave()
    monkeypatch.setattr("polyrouge.page.visitor.LIMITS", Limits(file_megabytes=1))
    with pytest.raises(PageError, match=r"large\.jsonl has 2\.0 MB"):
        add(visitor, tmp_path, "large.jsonl", letters("a") * 50_000)
    assert visitor.files == {}


def children():
    return [each for each in multiprocessing.active_children() if each.is_alive()]


@pytest.mark.parametrize("work", ["fills_memory", "fills_the_disk", "ends_at_once", "answers_too_much", "sleeps"])
def test_a_job_that_takes_too_much_is_ended(visitor, work):
    seconds, expected = (1, ("limitTime", {"most": 1})) if work == "sleeps" else (None, ("limitMemory", {}))

    with pytest.raises(PageError) as raised:
        list(Job(getattr(job_works, work), visitor.folder, seconds=seconds).steps())

    assert (raised.value.key, raised.value.values) == expected
    assert children() == []


def test_an_unexpected_error_keeps_its_message_for_itself(visitor, capfd):
    with pytest.raises(RuntimeError, match=r"^ZeroDivisionError$"):
        list(Job(job_works.fails, visitor.folder, "a text").steps())

    assert "a text" not in "".join(capfd.readouterr())


def test_means_come_first_and_stay_when_the_report_takes_too_long(visitor, tmp_path, monkeypatch):
    add(visitor, tmp_path, "a.jsonl", [{"prediction": "a b c", "b": "a x", "reference": "a b d"}] * 50)
    mapping = COLUMNS._replace(predictions=["prediction", "b"])
    *steps, _ = visitor.score(visitor.begin(), mapping, Choice())
    (means,) = [step.means for step in steps if step.means]
    rouge = metric_in_points("default")
    for name, text in (("prediction", "a b c"), ("b", "a x")):
        expected = rouge.compute(predictions=[text], references=["a b d"])
        assert means[name] == pytest.approx({key: expected[key] for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")})

    def too_long(*_):
        yield Step("comparing", 0, 0, means)
        yield Step("slices", 1, 2)
        raise PageError("limitTime", most=60)

    tab = FilesTab.__new__(FilesTab)
    tab.status, tab.frame = "status", "frame"
    monkeypatch.setattr(visitor, "score", too_long)
    *statuses, last = tab._run(visitor, "en", 1, [], ["prediction"], ["reference"], "", "", [], *Choice())
    table = means_html(means, "en")
    assert "66.67" in table
    assert all(table in status["status"] for status in [*statuses, last])
    assert "more than 60 seconds" in last["status"]
    assert say("en", "meansOnly") in last["status"]


@pytest.mark.parametrize("how", ["cancel", "leave", "close"])
def test_a_job_that_is_not_wanted_any_more_leaves_nothing(visitor, tmp_path, how):
    rows = [{"prediction": f"a b c {n % 7}", "reference": f"a b {n % 3}"} for n in range(20_000)]
    add(visitor, tmp_path, "a.jsonl", rows)
    steps = visitor.score(visitor.begin(), COLUMNS, Choice("lawrouge"))
    next(steps)
    assert visitor.is_busy
    assert len(children()) == 1

    if how == "close":
        steps.close()
    else:
        getattr(visitor, how)()
        with pytest.raises(CancelledError):
            list(steps)

    assert not visitor.is_busy
    assert children() == []
    if how != "leave":
        assert [path.name for path in visitor.folder.iterdir()] == ["a.jsonl"]


def test_a_new_job_takes_the_place_of_the_one_before(visitor, tmp_path):
    add(visitor, tmp_path, "a.jsonl", letters("a", "b"))
    result = scored(visitor)
    assert result.report.exists()
    tab = FilesTab.__new__(FilesTab)
    tab.status = tab.frame = tab.report = "status"

    number, *_ = FilesTab._begin(visitor, "en")
    assert not result.report.exists()
    assert "Cancelled" in FilesTab._cancel(visitor, "en")
    (status,) = tab._run(visitor, "en", number, [], ["prediction"], ["reference"], "", "", [], *Choice())
    assert "Cancelled" in status["status"]
    assert FilesTab._cancel(visitor, "en") == gr.skip()
    assert scored(visitor).n_rows == 2


def test_a_job_is_cancelled_before_its_process_begins(visitor, tmp_path, monkeypatch):
    add(visitor, tmp_path, "a.jsonl", letters("a", "b"))
    acquire = _PROCESSES.acquire
    monkeypatch.setattr(_PROCESSES, "acquire", lambda **options: visitor.cancel() or acquire(**options))
    with pytest.raises(CancelledError):
        list(visitor.score(visitor.begin(), COLUMNS, Choice()))

    assert not visitor.is_busy
    assert visitor.scored is None
    assert [path.name for path in visitor.folder.iterdir()] == ["a.jsonl"]
    assert children() == []


def test_of_two_jobs_that_wait_the_later_is_scored(visitor, tmp_path):
    add(visitor, tmp_path, "a.jsonl", letters("a", "b"))
    first, second = visitor.begin(), visitor.begin()

    with pytest.raises(CancelledError):
        next(visitor.score(first, COLUMNS, Choice("lawrouge")))
    assert visitor.is_busy
    *_, result = visitor.score(second, COLUMNS, Choice())
    assert result.choice == Choice()
    with pytest.raises(CancelledError):
        next(visitor.score(first, COLUMNS, Choice("lawrouge")))
    assert visitor.scored == result
    with pytest.raises(PageError):
        next(visitor.score(visitor.begin(), COLUMNS._replace(predictions=["reference"]), Choice()))
    assert not visitor.is_busy  # a job whose files are refused waits no longer


@pytest.mark.filterwarnings("ignore:Implicitly:ResourceWarning")
@pytest.mark.usefixtures("visitor")
def test_files_go_with_an_idle_or_forgotten_visitor(tmp_path):
    visitors = Visitors()
    idle = visitors.visitor("session", "address")
    add(idle, tmp_path, "a.jsonl", letters("a"))
    idle.begin()
    idle.last_use -= 60 * Limits().idle_minutes + 1
    visitors.sweep()
    assert list(idle.files) == ["a.jsonl"]  # a job is on its way
    idle.cancel()
    visitors.sweep()
    assert idle.files == {}
    other = Visitor()
    add(other, tmp_path, "a.jsonl", letters("a"))
    folder = other.folder
    del other
    gc.collect()
    assert not folder.exists()


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_nothing_but_its_own_job(visitor, tmp_path, name, monkeypatch):
    """Small files that unpack to gigabytes: the server takes no memory for them, and scores the next file."""
    add(visitor, tmp_path, "good.jsonl", letters("a"))
    (tmp_path / "upload").mkdir()
    path = tmp_path / "upload" / name
    BOMBS[name](path)
    before = psutil.Process().memory_info().rss

    def score_it():
        visitor.add(path)
        scored(visitor, Mapping(["prediction"], ["references"], files=[name]))

    with monkeypatch.context() as patch:
        patch.setattr("polyrouge.page.job.LIMITS", Limits(seconds=5))
        with pytest.raises(ValueError):  # noqa: PT011 whichever limit it meets first
            score_it()

    assert psutil.Process().memory_info().rss < before + 30_000_000
    assert children() == []
    assert scored(visitor, COLUMNS._replace(files=["good.jsonl"])).n_rows == 1
