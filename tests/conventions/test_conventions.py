"""Conventions against the scores that the real tools gave, row by row."""

import json
import math
import re
from collections import defaultdict

import pytest
import shared_data
from derived_texts import claims, golden_counts, read
from golden_conventions import FILES, OWN_FILES, RELEASE_TABLES, convention_of, need_of, prepared, with_tables

from polyrouge import CONVENTIONS, Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

N_PRINTED = 6108, 4020  # without tables, and with
N_OWN_PRINTED = 3426, 2030
_MEASURES = {"p": "_precision", "r": "_recall", "f": ""}


def rouge_of(row: dict, file: str, engine: str) -> Rouge:
    """The metric that a golden row stands for, with its types; what its tool refuses is refused."""
    name, settings = convention_of(file, row["setting"])
    types = [written.partition("-")[0] for written in row.get("scores", {}) if written not in ("weighted", "skipped")]
    if "weighted" in row.get("scores", {}):
        types = ["rouge1", "rouge2", "rougeL"]
    if types:
        settings = {**settings, "rouge_types": types}
    if "default_recursion_limit" in row["setting"]:
        settings = {**settings, "on_error": "score"}
    elif "swallowed" not in row["setting"] and CONVENTIONS[name].settings.on_error != "zero":
        settings = {**settings, "on_error": "raise"}
    return Rouge(name, engine=engine, **with_tables(settings))


def scores_of(rouge: Rouge, file: str, rows: list[dict]) -> list[dict]:
    """Our scores of the rows of a setting, in one call: by type and measure, or by column where all are left out."""
    data = [shared_data.data_rows(row["data_file"])[row["id"]] for row in rows]
    setting, expected = rows[0]["setting"], rows[0].get("scores", {})
    predictions = [prepared(file, setting, each["prediction"]) for each in data]
    references = [[prepared(file, setting, text) for text in each["references"]] for each in data]
    if "weighted" in expected:
        columns = rouge.compute(predictions, references, output="all", use_aggregator=False)
    else:
        columns = {name: column.tolist() for name, column in rouge.score(predictions, references).items()}
    if expected == {"skipped": True}:
        return [{name: column[place] for name, column in columns.items()} for place in range(len(rows))]
    return [
        {
            written: {m: columns[f"{written.partition('-')[0]}{suffix}"][place] for m, suffix in _MEASURES.items()}
            for written in expected
        }
        for place in range(len(rows))
    ]


def agrees(expected: dict, ours: dict, file: str) -> bool:
    """Equal to the last bit; torchmetrics, which is single precision, to its last digit."""
    if expected == {"skipped": True}:
        return all(math.isnan(value) for value in ours.values())
    for name, measures in expected.items():
        for measure, value in measures.items():
            got = ours[name][measure]
            if got != value and not (file == "torchmetrics" and abs(got - value) < 1e-6):
                return False
    return True


NEED_LANGUAGES = [(file, "languages") for file in ("sumeval", "ultraeval_13a", "ultraeval_zh", "xlsum_multilingual")]
NEED_PEERS = [(file, "peers") for file in ("lveval_zh_opencompass", "py_rouge", "sacrerouge_python", "sumeval")]


def check_golden_rows(file: str, engine: str, need: str) -> None:
    """The rows of a file that need this, all of a setting in one call; what the tool refuses, row by row."""
    groups, wrong, n = defaultdict(list), [], 0
    for row in shared_data.golden_rows(file):
        if need_of(file, row["setting"]) == need:
            place = len(groups) if "error" in row else ""  # by itself
            groups[json.dumps([row["setting"], list(row.get("scores", ())), place])].append(row)
            n += 1
    for rows in groups.values():
        rouge = rouge_of(rows[0], file, engine)
        if "error" in rows[0]:
            try:
                wrong.append((rows[0]["id"], rows[0]["setting"], rows[0]["error"], scores_of(rouge, file, rows)))
            except ValueError:
                continue
        else:
            for row, ours in zip(rows, scores_of(rouge, file, rows), strict=True):
                if not agrees(row["scores"], ours, file):
                    wrong.append((row["id"], row["setting"], row["scores"], ours))
    print(f"{file}.jsonl, {engine} engine: {n - len(wrong)} of {n} rows agree")
    if not n and not shared_data.SHARED.is_dir():
        pytest.skip("all of its texts belong to others")
    assert n
    assert not wrong, (len(wrong), wrong[:3])


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize(
    ("file", "need"),
    [
        *((file, "") for file in FILES if not file.startswith(("lveval", "ultraeval"))),
        *(pytest.param(*each, marks=pytest.mark.languages) for each in NEED_LANGUAGES),
        *(pytest.param(*each, marks=pytest.mark.peers) for each in NEED_PEERS),
    ],
)
def test_golden_rows_agree(file, need, engine):
    check_golden_rows(file, engine, need)


@shared_data.needs_shared
@pytest.mark.parametrize("file", [file for file in FILES if file not in OWN_FILES])
def test_own_rows_are_those_of_the_tools(file):
    rows = [
        row for row in shared_data.read_rows("golden", f"{file}.jsonl") if row["data_file"] == shared_data.OWN_TEXTS
    ]
    own = [row for row in shared_data.golden_rows(file) if row["data_file"] == shared_data.OWN_TEXTS]
    assert sorted(map(json.dumps, own)) == sorted(map(json.dumps, rows))


def test_documents_count_the_rows():
    """Of our own texts first; of those of others where they are."""
    own, theirs = golden_counts()
    text = read("docs/conventions.md")
    written = claims(text)
    assert {name: count for name, (count, _) in written.items()} == {
        name: own[name] for name in own | theirs | dict.fromkeys(["coco", "longbench", "lcsts"], 0)
    }
    last_cells = re.findall(r"^\| `(\w+)` \|(?:[^|\n]*\|){4}([^|\n]*)\|$", text, re.MULTILINE)
    unclaimed = [name for name, cell in last_cells if not re.search(r"\d \+ \d|\d live", cell)]
    assert not unclaimed, f"docs/conventions.md does not say how many rows of these tools agree: {unclaimed}"
    assert len(last_cells) >= len(written)
    if shared_data.SHARED.is_dir():
        assert {name: count for name, (_, count) in written.items()} == {name: theirs[name] for name in own | theirs}
        assert f" {theirs.total():,} rows of texts that belong to others" in text


def test_each_file_of_golden_rows_has_its_reader():
    assert {path.stem for path in (shared_data.TESTS / "golden").glob("*.json")} <= set(FILES)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([{"rows": {}}], r"tool\.json, group 1: malformed; give"),
        ([{"setting": {}, "rows": {"edge-99": {"error": "x"}}}], "group 1: malformed row 'edge-99': no text of"),
        ([{"setting": {}, "rows": {"ID": {"score": 1}}}], "malformed row 'ID': .*give .*scores"),
        ([{"setting": {}, "rows": {"ID": {"scores": {"rouge1": {"f": "0.5"}}}}}], "malformed row 'ID'"),
        ([{"setting": {}, "rows": {"ID": {"error": None}}}], "malformed row 'ID'"),
    ],
    ids=["group", "id", "keys", "number", "error"],
)
def test_a_malformed_golden_row_is_named_with_its_file(tmp_path, written, message):
    name = "edge-00-identical-zh"
    (tmp_path / "tool.json").write_text(json.dumps(written).replace("ID", name), encoding="utf-8")
    with pytest.raises(ValueError, match=message.replace("ID", name)):
        shared_data.own_rows("tool", tmp_path)


@shared_data.needs_shared
def test_each_golden_row_is_in_a_group():
    needs = {(file, need_of(file, row["setting"])) for file in FILES for row in shared_data.golden_rows(file)}
    assert {each for each in needs if each[1]} == {*NEED_LANGUAGES, *NEED_PEERS}


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("tables", [False, pytest.param(True, marks=pytest.mark.peers)])
def test_rouge155_rows_agree(engine, tables):
    """P, R and F of ROUGE-1.5.5 as printed, all rows of the same options in one call; which of its metrics die."""
    groups, wrong, compared = defaultdict(list), [], 0
    for row in shared_data.rouge155_rows():
        options = row["options"]
        if (options["stem"] or options["remove_stopwords"]) != tables:
            continue
        settings = {name: options[name] for name in ("alpha", "max_words", "max_bytes")}
        if options["multi_ref"] == "best":
            settings["multi_reference"] = "best_recall"
        if tables:
            settings |= {"use_stemmer": options["stem"], "word_tables": RELEASE_TABLES}
        if options["remove_stopwords"]:
            settings["stop_words"] = "rouge155"
        if options["w_weight"]:
            settings["weight"] = options["w_weight"]
        for written in [*row["scores"], *row.get("errors", ())]:
            groups[json.dumps([settings, written, written in row["scores"]])].append(row)
    for key, rows in groups.items():
        settings, written, is_scored = json.loads(key)
        name = written.replace("*", "").partition("-")[0]
        rouge = Rouge("rouge155", rouge_types=[name], engine=engine, on_error="raise", **with_tables(settings))
        predictions = ["\n".join(row["prediction"]) for row in rows]
        references = [["\n".join(lines) for lines in row["references"]] for row in rows]
        compared += len(rows)
        if not is_scored:
            for prediction, texts in zip(predictions, references, strict=True):
                with pytest.raises(ValueError, match="rougeW of a reference without tokens"):
                    rouge.score([prediction], [texts])
            continue
        columns = rouge.score(predictions, references)
        for place, row in enumerate(rows):
            ours = {measure: float(columns[f"{name}{suffix}"][place]) for measure, suffix in _MEASURES.items()}
            if ours != row["scores"][written]:
                wrong.append((row["id"], row["variant"], written, row["scores"][written], ours))
    print(f"rouge155.jsonl, {engine} engine: {compared - len(wrong)} of {compared} metrics agree")
    assert compared == (N_PRINTED if shared_data.SHARED.is_dir() else N_OWN_PRINTED)[tables]
    assert not wrong, (len(wrong), wrong[:3])


# What no golden row can see


@pytest.mark.parametrize("name", ["llama_factory", "ms_swift", "longbench_zh", "opencompass_zh"])
def test_jieba_behind_a_segmentation_is_in_the_signature(name, tmp_path):
    (tmp_path / "words.txt").write_text("今天天气很 5 n\n", encoding="utf-8")
    with_words = Rouge(name, jieba_dict=tmp_path / "words.txt")
    assert "|hmm:yes|jieba:" in Rouge(name).signature()
    assert "|dict:words.txt#" in with_words.signature()
    texts = ["今天天气很好"], ["今天天气很差"]
    assert with_words.compute(*texts)["rougeL"] != Rouge(name).compute(*texts)["rougeL"]


WORDS = " ".join(f"w{i}" for i in range(991))  # on which the tool goes beyond Python's limit of recursion


def test_what_is_too_deep_for_a_tool_is_refused():
    with pytest.raises(ValueError, match=r"predictions\[1\].*990 steps"):
        Rouge("pltrdy", on_error="raise").compute(["a b c", WORDS], ["a b c", WORDS])


def test_longbench_scores_its_tool_s_errors_zero():
    rouge = Rouge("longbench")
    assert rouge.compute([WORDS, ""], [WORDS, "a"], use_aggregator=False) == {"rougeL": [0.0, 0.0]}
    assert rouge.compute([WORDS], [WORDS], on_error="score")["rougeL"] == pytest.approx(100)
