"""Files as evaluation tools write them: nested values, numbered objects, conversations, spreadsheets."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyrouge.files.file_rows import InputFileError
from polyrouge.files.paired_texts import open_paired_texts

# A row of each file, with the fields that lm_eval 0.4.13 and crfm-helm 0.5 wrote; what nobody reads is left out.
# Those of OpenCompass, TRL and lighteval 0.13 are by their sources.
LM_EVAL = {
    "doc_id": 0,
    "doc": {"id": "zh-001", "summary": "a cat", "refs": ["a cat", "the cat"]},
    "target": "a cat",
    "arguments": {"gen_args_0": {"arg_0": "Summarize: ...", "arg_1": {"until": ["\n"]}}},
    "resps": [["a dog"]],
    "filtered_resps": ["a dog"],
    "filter": "none",
    "metrics": ["exact_match"],
    "doc_hash": "67",
    "exact_match": 0.0,
}
OPENCOMPASS = {"0": {"origin_prompt": "...", "prediction": "a dog", "gold": "a cat"}}
HELM = {
    "adapter_spec": {"method": "generation", "substitutions": [], "stop_sequences": []},
    "request_states": [
        {
            "instance": {
                "input": {"text": "Summarize"},
                "references": [{"output": {"text": "a cat"}, "tags": ["correct"]}],
                "split": "test",
                "id": "id1",
            },
            "train_trial_index": 0,
            "request": {"model": "simple/model1", "prompt": "Summarize"},
            "result": {
                "success": True,
                "embedding": [],
                "completions": [{"text": "a dog", "logprob": 0.0, "tokens": []}],
                "cached": False,
            },
        }
    ],
}
TRL = {
    "prompt": [{"role": "user", "content": "Summarize"}],
    "completion": [{"role": "assistant", "content": "a dog"}],
    "answer": "a cat",
}
CHAT = {
    "response": [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": "a dog"},
        {"role": "tool", "content": "y"},
    ],
    "ground_truth": "a cat",
}
LIGHTEVAL = {
    "doc": {"query": "Summarize", "choices": ["a cat"], "gold_index": [0]},
    "model_response": {"input": "Summarize", "text": ["a dog"], "text_post_processed": None},
    "metric": {"rougeL": 0.5},
}


def pairs(path, predictions=(), references=()):
    with open_paired_texts([str(path)], prediction_columns=predictions, reference_columns=references) as texts:
        rows = texts.whole()
    return rows.predictions[0], rows.references


@pytest.mark.parametrize(
    ("name", "content", "predictions", "references", "expected"),
    [
        ("samples.jsonl", LM_EVAL, (), (), "a cat"),
        ("samples.jsonl", LM_EVAL, ("resps[0][0]",), ("doc.summary",), "a cat"),
        ("samples.jsonl", LM_EVAL, (), ("doc.refs",), ["a cat", "the cat"]),
        ("opencompass.json", OPENCOMPASS, (), (), "a cat"),
        (
            "scenario_state.json",
            HELM,
            ("result.completions[0].text",),
            ("instance.references[0].output.text",),
            "a cat",
        ),
        ("completions.jsonl", TRL, (), (), "a cat"),
        ("chat.jsonl", CHAT, (), (), "a cat"),
        ("details.parquet", LIGHTEVAL, ("model_response.text[0]",), ("doc.choices[0]",), "a cat"),
        ("dotted.jsonl", {"a.b": "a dog", "a": {"b": "x"}, "gold": "a cat"}, ("a.b",), (), "a cat"),
    ],
)
def test_what_tools_write(tmp_path, name, content, predictions, references, expected):
    path = tmp_path / name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist([content]), path)
    else:
        path.write_text(json.dumps(content))

    assert pairs(path, predictions, references) == (["a dog"], [expected])


@pytest.mark.parametrize("column", ["doc.title", "doc.refs[5]", "target[0].x"])
def test_a_path_that_leads_nowhere_names_the_row(tmp_path, column):
    (tmp_path / "x.jsonl").write_text(json.dumps(LM_EVAL))
    pq.write_table(pa.Table.from_pylist([LM_EVAL]), tmp_path / "x.parquet")

    with pytest.raises(InputFileError, match=r"x.jsonl, line 1: there is no '" + column.replace("[", r"\[")):
        pairs(tmp_path / "x.jsonl", (), (column,))
    with pytest.raises(InputFileError, match=r"x.parquet, row 1: there is no '" + column.replace("[", r"\[")):
        pairs(tmp_path / "x.parquet", (), (column,))


def test_an_unknown_column_is_refused_as_before(tmp_path):
    (tmp_path / "x.jsonl").write_text(json.dumps(LM_EVAL))

    with pytest.raises(InputFileError, match=r"Unknown column 'dok.summary'"):
        pairs(tmp_path / "x.jsonl", (), ("dok.summary",))


def test_a_spreadsheet_is_refused_with_what_to_do(tmp_path):
    (tmp_path / "x.xlsx").write_bytes(b"PK\x03\x04rest")

    with pytest.raises(InputFileError, match=r"x.xlsx is a spreadsheet; save the sheet as CSV \(UTF-8\) and give that"):
        pairs(tmp_path / "x.xlsx")
