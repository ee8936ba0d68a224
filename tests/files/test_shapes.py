"""Files in the shapes that tools and people write, made anew from three rows: read without options, or with a remedy."""

# ruff: noqa: ARG005, E501 a shape a line

import json
import subprocess

import pyarrow as pa
import pytest
from command_runs import run
from paired_files import pairs_of, read, write_jsonl, write_table

from polyrouge.files.pairs import open_pairs
from polyrouge.files.table import InputFileError

IDS = ["d7", "d3", "d9"]
P = ["the cat sat", "a dog ran home", "rain fell"]
R = ["the cat sat down", "the dog ran home", "it rained all day"]
ROWS = list(zip(IDS, P, R, strict=True))


def message(text):
    return {"role": "assistant", "content": text}


def said(text):
    return [{"role": "user", "content": "x"}, message(text)]


def shared(text):
    """A conversation of ShareGPT, with thanks at its end."""
    return [{"from": "human", "value": "x"}, {"from": "gpt", "value": text}, {"from": "human", "value": "thanks"}]


def questions(rows):
    """A file like SQuAD, an article with two paragraphs."""
    asked = [{"id": n, "question": "x", "answers": [{"text": r, "answer_start": 1}] if r else [], "is_impossible": not r} for n, r in rows]  # fmt: skip
    return json.dumps({"version": "v2.0", "data": [{"title": "x", "id": "a", "paragraphs": [{"context": "x", "qas": asked[:1]}, {"context": "x", "qas": asked[1:]}]}]})  # fmt: skip


def choice(text):
    return {"index": 0, "message": message(text), "finish_reason": "stop"}


def lines(make):
    return "".join(f"{json.dumps(make(name, p, r))}\n" for name, p, r in ROWS)


def by_id(make):
    return {name: make(p, r) for name, p, r in ROWS}


# What one file holds, by its name; each gives P and R.
ONE_FILE = {
    "columns beside a name": ("a.json", json.dumps({"model": "m", "predictions": P, "references": R})),
    "OpenCompass, details with their type": ("a.json", json.dumps({"rouge1": 40.0, "details": {"type": "GEN", **{str(n): {"prompt": "x", "predictions": p, "references": r} for n, (_, p, r) in enumerate(ROWS)}}})),
    "Gemini, in parts": ("a.jsonl", lines(lambda n, p, r: {"candidates": [{"content": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": p[:3]}, {"text": p[3:]}]}}], "reference": r})),
    "LangChain": ("a.jsonl", lines(lambda n, p, r: {"messages": [{"type": "human", "content": "x"}, {"type": "ai", "content": p}, {"type": "human", "content": "thanks"}], "reference": r})),
    "messages of tools": ("a.jsonl", lines(lambda n, p, r: {"messages": [{"type": "ai", "content": p}, {"type": "tool", "content": "x"}], "reference": r})),
    "lm-eval": ("a.jsonl", lines(lambda n, p, r: {"doc_id": n, "doc": {"article": "x", "summary": r}, "target": r, "arguments": {"gen_args_0": {"arg_0": "x"}}, "resps": [[p]], "filtered_resps": [p], "filter": "none", "doc_hash": "h"})),
    "lm-eval, lists of lists": ("a.jsonl", lines(lambda n, p, r: {"doc_id": n, "target": r, "resps": [[p]], "filtered_resps": [[p]]})),
    "OpenCompass": ("a.json", json.dumps({str(n): {"origin_prompt": "x", "prediction": p, "gold": r} for n, (_, p, r) in enumerate(ROWS)}, indent=4)),
    "OpenCompass, results": ("a.json", json.dumps({"rouge1": 40.0, "details": {str(n): {"pred": p, "answer": r, "correct": False} for n, (_, p, r) in enumerate(ROWS)}})),
    "HELM": ("a.json", json.dumps({"adapter_spec": {"method": "generation", "instructions": "x"}, "request_states": [{"instance": {"input": {"text": "x"}, "references": [{"output": {"text": r}, "tags": ["correct"]}], "split": "test", "id": n}, "result": {"success": True, "completions": [{"text": p, "logprob": 0, "tokens": []}]}} for n, p, r in ROWS], "annotator_specs": [{"class_name": "x", "args": {}}]}, indent=2)),
    "evalscope, reviews": ("a.jsonl", lines(lambda n, p, r: {"index": 0, "input": "x", "target": r, "sample_score": {"score": {"value": {"Rouge-L-R": 0.5}, "extracted_prediction": p, "prediction": f"thoughts {p}", "metadata": {}}, "sample_id": n}})),
    "ms-swift": ("a.jsonl", lines(lambda n, p, r: {"response": p, "labels": r, "logprobs": None, "messages": [{"role": "user", "content": "x"}, message(p)]})),
    "DeepEval": ("a.json", json.dumps({"testFile": "t.py", "testCases": [{"name": n, "input": "x", "actualOutput": p, "expectedOutput": r, "metricsData": []} for n, p, r in ROWS], "conversationalTestCases": [], "metricsScores": [{"metric": "m", "scores": [0.5]}], "testPassed": 3})),
    "Inspect": ("a.json", json.dumps({"status": "success", "eval": {"task": "t", "model": "m"}, "samples": [{"id": n, "epoch": 1, "input": "x", "target": r, "output": {"model": "m", "choices": [choice(p)]}} for n, p, r in ROWS]})),
    "flexeval": ("a.jsonl", lines(lambda n, p, r: {"lm_output": p, "finish_reason": "stop", "references": [r], "extra_info": {}})),
    "FlashRAG": ("a.json", json.dumps([{"id": n, "question": "x", "golden_answers": [r], "output": {"pred": p, "metric_score": {}}} for n, p, r in ROWS])),
    "SummEval": ("a.jsonl", lines(lambda n, p, r: {"id": n, "decoded": p, "expert_annotations": [{"coherence": 2}], "references": [r, "x"], "model_id": "M1"})),
    "parts of a message": ("a.jsonl", lines(lambda n, p, r: {"choices": [{"message": {"role": "assistant", "content": [{"type": "text", "text": p}]}}], "reference": r})),
    "null in the first row": ("a.jsonl", lines(lambda n, p, r: {"note": None if n == "d7" else "x", "prediction": p, "reference": r})),
    "lists of one": ("a.jsonl", lines(lambda n, p, r: {"predict": [p], "label": r})),
    "columns, and scores": ("a.json", json.dumps({"rouge1": 0.4, "generated": P, "targets": R, "ids": [1, 2, 3]}, indent=1)),
    "pandas, columns": ("a.json", json.dumps({"prediction": dict(zip("012", P, strict=True)), "reference": dict(zip("012", R, strict=True))})),
    "pandas, named index": ("a.json", json.dumps(by_id(lambda p, r: {"prediction": p, "reference": r}))),
    "pandas, split": ("a.json", json.dumps({"columns": ["prediction", "reference"], "index": [0, 1, 2], "data": [[p, r] for _, p, r in ROWS]})),
    "pandas, table": ("a.json", json.dumps({"schema": {"fields": [{"name": "prediction", "type": "string"}, {"name": "reference", "type": "string"}], "pandas_version": "1.4.0"}, "data": [{"index": n, "prediction": p, "reference": r} for n, (_, p, r) in enumerate(ROWS)]})),
    "promptfoo, with its test": ("a.json", json.dumps({"results": {"results": [{"response": {"output": p}, "vars": {"article": "x", "reference": r}, "testCase": {"vars": {"article": "x", "reference": r}, "assert": [{"type": "rouge-n", "value": "x"}]}} for _, p, r in ROWS]}})),
    "one JSON line": ("a", json.dumps({"data": [{"prediction": p, "reference": r} for _, p, r in ROWS]}) + "\n"),
    "a list of objects called .txt": ("a.txt", json.dumps([{"prediction": p, "reference": r} for _, p, r in ROWS], indent=1)),
    "evaluation table of MLflow": ("eval_results_table.json", json.dumps({"columns": ["inputs", "ground_truth", "outputs", "token_count"], "data": [["x", r, p, 3] for _, p, r in ROWS]})),
    "table of Weights & Biases": ("a.table.json", json.dumps({"columns": ["prompt", "prediction", "reference"], "data": [["x", p, r] for _, p, r in ROWS], "ncols": 3, "nrows": 3, "column_types": {"params": {}}})),
    "MLflow, expectations": ("a.jsonl", lines(lambda n, p, r: {"inputs": {"question": "x"}, "outputs": p, "expectations": {"expected_response": r}})),
    "SQuAD's answers in a row": ("a.jsonl", lines(lambda n, p, r: {"id": n, "title": "x", "answers": {"text": [r], "answer_start": [1]}, "prediction": p})),
    "objects with a text": ("a.jsonl", lines(lambda n, p, r: {"input": {"q": "x"}, "output": {"text": p}, "expected": {"text": r, "n": 1}})),
    "names with full stops": ("a.csv", "id,inputs.question,outputs.answer,reference_outputs.answer\n" + "".join(f"{n},x,{p},{r}\n" for n, p, r in ROWS)),
    "Azure": ("a.json", json.dumps({"rows": [{"inputs.query": "x", "inputs.response": p, "inputs.ground_truth": r, "outputs.rouge.f1": 0.5} for _, p, r in ROWS], "metrics": {"rouge.f1": 0.5}, "studio_url": None})),
    "evals of OpenAI": ("a.jsonl", lines(lambda n, p, r: {"item": {"question": "x", "reference_answer": r}, "sample": {"output_text": p, "model": "m"}})),
    "evals of OpenAI of old": ("a.jsonl", lines(lambda n, p, r: {"run_id": "r", "type": "match", "data": {"expected": r, "sampled": p, "picked": None}})),
    "promptfoo, all of it": ("a.json", json.dumps({"results": {"prompts": [{"raw": "x", "label": "x"}], "results": [{"prompt": {"raw": "x", "label": "x"}, "provider": {"id": "m", "label": "x"}, "response": {"output": p, "finishReason": "stop"}, "vars": {"article": "x", "expected": r}} for _, p, r in ROWS]}, "config": {"tests": []}})),
    "LawBench": ("a.json", json.dumps({str(n): {"origin_prompt": "x", "prediction": p, "refr": r} for n, (_, p, r) in enumerate(ROWS)})),
    "RULER": ("a.jsonl", lines(lambda n, p, r: {"index": n, "pred": p, "input": "x", "outputs": [r], "others": {}})),
    "Inspect, thoughts": ("a.json", json.dumps({"samples": [{"id": n, "target": r, "output": {"model": "m", "choices": [choice([{"type": "reasoning", "reasoning": "x", "text": "x"}, {"type": "text", "text": p}])]}} for n, p, r in ROWS]})),
    "Anthropic, a search before the answer": ("a.jsonl", lines(lambda n, p, r: {"output": [{"type": "text", "text": "I look."}, {"type": "server_tool_use", "name": "web_search"}, {"type": "web_search_tool_result", "content": []}, {"type": "text", "text": p[:3]}, {"type": "text", "text": p[3:]}], "reference": r})),
    "a call, its result and the answer": ("a.jsonl", lines(lambda n, p, r: {"messages": [{"role": "assistant", "content": "I look.", "tool_calls": [{"id": "1"}]}, {"role": "tool", "content": "x"}, {"role": "assistant", "content": p, "tool_calls": None}], "reference": r})),
    "Gemini, code before the answer": ("a.jsonl", lines(lambda n, p, r: {"candidates": [{"content": {"role": "model", "parts": [{"text": "I count."}, {"executableCode": {"code": "1"}}, {"codeExecutionResult": {"output": "1"}}, {"text": p}]}}], "reference": r})),
    "Label Studio": ("a.json", json.dumps([{"id": n, "data": {"text": "x"}, "annotations": [{"id": 1, "result": [{"value": {"text": [r]}, "from_name": "s", "type": "textarea"}]}], "predictions": [{"model_version": "m", "result": [{"value": {"text": [p]}, "from_name": "s"}]}]} for n, (_, p, r) in enumerate(ROWS)])),
    "Gemini without a role": ("a.json", json.dumps([{"prompt": "x", "candidates": [{"content": {"parts": [{"text": p}]}}], "reference": r} for _, p, r in ROWS])),
    "Ollama": ("a.jsonl", lines(lambda n, p, r: {"model": "m", "created_at": "2026", "message": message(p), "done": True, "reference": r})),
    "DashScope": ("a.jsonl", lines(lambda n, p, r: {"request_id": n, "output": {"text": p, "finish_reason": "stop"}, "usage": {}, "reference": r})),
    "Cohere": ("a.jsonl", lines(lambda n, p, r: {"generations": [{"text": p}], "reference": r})),
    "T5X": ("a.jsonl", lines(lambda n, p, r: {"inputs": {"inputs_pretokenized": "x", "targets_pretokenized": r}, "prediction": p})),
    "AutoRAG": ("a.jsonl", lines(lambda n, p, r: {"qid": n, "query": "x", "generated_texts": p, "generation_gt": [r], "retrieval_gt": [["x"]]})),
    "RAGChecker": ("a.json", json.dumps({"results": [{"query_id": n, "query": "x", "gt_answer": r, "response": p, "retrieved_context": [{"doc_id": "1", "text": "x"}]} for n, p, r in ROWS]})),
}  # fmt: skip


@pytest.mark.parametrize("shape", ONE_FILE)
def test_one_file_is_read_without_options(tmp_path, shape):
    name, content = ONE_FILE[shape]
    (tmp_path / name).write_text(content, encoding="utf-8")

    predictions, references = pairs_of(tmp_path / name)

    assert predictions == P
    assert [row if isinstance(row, str) else row[0] for row in references] == R


# Columns of texts as tools and people call them: predictions, references, and others.
FLAT = """
predict,label,prompt; response,reference,user_input; answer,ground_truth,question,contexts; pred,answers,all_classes
response,output,instruction,input; predicted,actual; Generated Summary,Summary,ID,Article; decoded,abstract,article
mt,ref,src; model_answer,reference_answer,question_id; summary_pred,summary_gold,article; output,gts,input
completion,solution,prompt; prediction,summarization,article; y_pred,y_true; Generated Summary,Original Summary,Article
prediction,answer,text,annotator; 模型输出,参考答案,原文; 模型生成的回答,正确答案,问题,参考资料; 预测值,真实值
输出,预期输出,输入; 生成标题,标题,正文
"""


@pytest.mark.parametrize("names", [names for line in FLAT.split("\n") for names in line.split("; ") if names])
def test_columns_are_known_by_their_names(tmp_path, names):
    predictions, references, *others = names.split(",")
    rows = [dict.fromkeys(others, "x y") | {references: r, predictions: p} for _, p, r in ROWS]

    assert pairs_of(write_jsonl(tmp_path / "a.jsonl", rows)) == (P, R)


@pytest.mark.parametrize(
    ("first", "second"),
    [("ref1", "ref2"), ("summary", "summary2"), ("Reference 1", "Reference 2"), ("reference", "reference_2"), ("references[0]", "references[1]"), ("参考1", "参考2"), ("summary1", "summary2")],
)  # fmt: skip
def test_numbered_columns_are_the_references_of_a_row(tmp_path, first, second):
    """As in DialogSum; of ``reference`` and ``reference_2``, the first was read alone."""
    (tmp_path / "a.csv").write_text(
        f"prediction,topic1,topic2,{first},{second}\n" + "".join(f"{p},x,y,{r},it is {n} here\n" for n, p, r in ROWS),
        "utf-8",
    )

    with open_pairs([str(tmp_path / "a.csv")]) as pairs:
        rows = pairs.read_all()
    assert (rows.predictions, rows.references) == ([P], [[r, f"it is {n} here"] for n, _, r in ROWS])
    assert pairs.notes == []


@pytest.mark.parametrize("other", ["7", "d7", "0.5"])
def test_numbers_and_names_are_no_further_references(tmp_path, other):
    (tmp_path / "a.csv").write_text("prediction,summary,summary2\n" + "".join(f"{p},{r},{other}\n" for _, p, r in ROWS))

    with open_pairs([str(tmp_path / "a.csv")]) as pairs:
        assert pairs.read_all().references == R
        assert pairs.notes == []


@pytest.mark.parametrize("missing", [{"ref2": None}, {"ref2": float("nan")}, {}])
def test_a_row_may_have_fewer_references(tmp_path, missing):
    rows = [{"prediction": p, "ref1": r, "ref2": "x y"} for _, p, r in ROWS[:2]]
    path = write_jsonl(tmp_path / "a.jsonl", [*rows, {"prediction": P[2], "ref1": R[2], **missing}])
    assert pairs_of(path)[1] == [[R[0], "x y"], [R[1], "x y"], [R[2]]]

    path = write_jsonl(tmp_path / "b.jsonl", [*rows, {"prediction": P[2], "ref1": None, **missing}])
    with pytest.raises(InputFileError, match=r"line 3: 'ref1' is null"):
        pairs_of(path)


def test_a_row_of_a_folder_may_have_fewer_references(tmp_path):
    rows = [{"prediction": p, "ref1": r, "ref2": "x y" if n == "d7" else None} for n, p, r in ROWS]
    (tmp_path / "in").mkdir()
    path = write_table(tmp_path / "in" / "a.parquet", pa.Table.from_pylist(rows))

    of_folder = run("score", tmp_path / "in", "-o", tmp_path / "out", "--run-on", "local", "-f", "json")
    assert of_folder.exit_code == 0, of_folder.stderr
    assert json.loads(of_folder.stdout)["scores"] == json.loads(run("score", path, "-f", "json").stdout)["scores"]


def test_empty_cells_of_further_references_are_missing(tmp_path):
    (tmp_path / "a.csv").write_text('prediction,ref1,ref2\na b,a c,\nd e,d f,""\n')

    assert pairs_of(tmp_path / "a.csv")[1] == [["a c"], ["d f", ""]]
    assert read([tmp_path / "a.csv"] * 2).references == [["a c"], ["d f", ""]]  # of two systems


def test_details_of_lighteval_are_read(tmp_path):
    rows = [{"doc": {"query": "x", "choices": [r], "gold_index": [0]}, "metric": {"rouge1": 0.5}, "model_response": {"text": [f"thoughts {p}"], "text_post_processed": [p]}} for _, p, r in ROWS]  # fmt: skip
    path = write_table(tmp_path / "a.parquet", pa.Table.from_pylist(rows))

    assert pairs_of(path) == (P, [[r] for r in R])

    for row in rows:  # as where the model gives no thoughts
        row["model_response"]["text_post_processed"] = None
    assert pairs_of(write_table(tmp_path / "b.parquet", pa.Table.from_pylist(rows)))[0] == [f"thoughts {p}" for p in P]


def test_conversations_in_parquet_are_texts(tmp_path):
    """As TRL logs the completions."""
    rows = [{"step": 1, "prompt": said("x")[:1], "completion": [message(p)], "ground_truth": r} for _, p, r in ROWS]

    assert pairs_of(write_table(tmp_path / "a.parquet", pa.Table.from_pylist(rows))) == (P, R)


def batch(name, p):
    body = {"id": "chatcmpl", "object": "chat.completion", "model": "m", "choices": [choice(p)]}
    return {"id": f"batch_req_{p}", "custom_id": name, "response": {"status_code": 200, "request_id": "r", "body": body}, "error": None}  # fmt: skip


def jsonl(rows):
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def batch_of_responses(name, p):
    """A line of OpenAI's endpoint /v1/responses: reasoning stands before some messages, a call before others."""
    beside = {"type": "reasoning", "summary": []} if name == ROWS[0][0] else {"type": "web_search_call", "id": "w"}
    written = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "annotations": [], "text": p}],
    }
    output = [written] if name == ROWS[1][0] else [beside, written]
    return {"id": "b", "custom_id": name, "response": {"status_code": 200, "body": {"output": output, "model": "m"}}}


# A file of predictions and one of references, in other orders.
TWO_FILES = {
    "batch of OpenAI and vLLM": ("p.jsonl", jsonl(batch(n, p) for n, p, _ in ROWS), "r.jsonl", jsonl({"custom_id": n, "reference": r} for n, _, r in reversed(ROWS))),
    "batch of OpenAI's Responses": ("p.jsonl", jsonl(batch_of_responses(n, p) for n, p, _ in ROWS), "r.jsonl", jsonl({"custom_id": n, "reference": r} for n, _, r in reversed(ROWS))),
    "batch of Anthropic": ("p.jsonl", jsonl({"custom_id": n, "result": {"type": "succeeded", "message": {"role": "assistant", "content": [{"type": "text", "text": p}]}}} for n, p, _ in ROWS), "r.jsonl", jsonl({"custom_id": n, "reference": r} for n, _, r in reversed(ROWS))),
    "batch of Bedrock": ("p.jsonl", jsonl({"recordId": n, "modelInput": {"messages": []}, "modelOutput": {"role": "assistant", "content": [{"type": "text", "text": p}]}} for n, p, _ in ROWS), "r.jsonl", jsonl({"recordId": n, "reference": r} for n, _, r in reversed(ROWS))),
    "batch of Bedrock, Nova": ("p.jsonl", jsonl({"recordId": n, "modelInput": {}, "modelOutput": {"output": {"message": {"role": "assistant", "content": [{"text": p}]}}}} for n, p, _ in ROWS), "r.jsonl", jsonl({"recordId": n, "reference": r} for n, _, r in reversed(ROWS))),
    "batch of Bedrock, Llama": ("p.jsonl", jsonl({"recordId": n, "modelInput": {"prompt": "x"}, "modelOutput": {"generation": p}} for n, p, _ in ROWS), "r.jsonl", jsonl({"recordId": n, "reference": r} for n, _, r in reversed(ROWS))),
    "batch of Gemini": ("p.jsonl", jsonl({"key": n, "response": {"candidates": [{"content": {"parts": [{"text": p}], "role": "model"}}]}} for n, p, _ in ROWS), "r.jsonl", jsonl({"key": n, "reference": r} for n, _, r in reversed(ROWS))),
    "outputs of vLLM": ("p.jsonl", jsonl({"request_id": n, "prompt": "x", "outputs": [{"index": 0, "text": p, "finish_reason": "stop"}]} for n, p, _ in ROWS), "r.txt", "".join(f"{r}\n" for r in R)),
    "pipeline of Transformers": ("p.json", json.dumps([[{"generated_text": p}] for p in P]), "r.txt", "".join(f"{r}\n" for r in R)),
    "evalscope, predictions": ("p.jsonl", jsonl({"index": n, "model": "m", "model_output": {"choices": [choice(p)]}, "messages": [message(p)]} for n, p, _ in ROWS), "r.jsonl", jsonl({"index": n, "target": r} for n, _, r in reversed(ROWS))),
    **{key: ("p.jsonl", jsonl({key: n, "output": p} for n, p, _ in ROWS), "r.jsonl", jsonl({key: n, "summary": r} for n, _, r in reversed(ROWS))) for key in ("index", "idx", "question_id", "sample_id", "task_id", "instance_id", "qid", "questionId", "fname")},
    "AlpacaEval": ("p.json", json.dumps([{"instruction": "x", "output": p, "generator": "m"} for p in P]), "r.json", json.dumps([{"instruction": "x", "output": r, "generator": "gold"} for r in R])),
    "HELM, one of two correct": ("p.json", json.dumps([{"instance_id": n, "predicted_text": p} for n, p, _ in ROWS]), "r.json", json.dumps([{"references": [{"output": {"text": "wrong"}, "tags": []}, {"output": {"text": r}, "tags": ["correct"]}], "id": n} for n, _, r in ROWS])),
    "HELM, display": ("p.json", json.dumps([{"instance_id": n, "predicted_text": p, "train_trial_index": 0, "stats": {}} for n, p, _ in ROWS]), "r.json", json.dumps([{"input": {"text": "x"}, "references": [{"output": {"text": r}, "tags": ["correct"]}], "split": "test", "id": n} for n, _, r in reversed(ROWS)])),
    "ShareGPT": ("p.json", json.dumps([{"id": n, "conversations": shared(p)} for n, p, _ in ROWS]), "r.json", json.dumps([{"id": n, "conversations": shared(r), "system": "x", "tools": "[]"} for n, _, r in reversed(ROWS)])),
    "messages": ("p.jsonl", jsonl({"messages": [{"role": "user", "content": "x"}, {"role": "model", "content": p}], "category": "x", "domain": "x"} for p in P), "r.jsonl", jsonl({"messages": said(r), "category": "x"} for r in R)),
    "contents of Gemini": ("p.jsonl", jsonl({"key": n, "contents": [{"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": [{"text": p}]}]} for n, p, _ in ROWS), "r.jsonl", jsonl({"key": n, "reference": r} for n, _, r in reversed(ROWS))),
    "SQuAD": ("p.json", json.dumps(by_id(lambda p, _: p)), "r.json", questions([(n, r) for n, _, r in reversed(ROWS)])),
    "SQuAD, metrics": ("p.jsonl", jsonl({"id": n, "prediction_text": p} for n, p, _ in ROWS), "r.jsonl", jsonl({"id": n, "answers": {"text": [r], "answer_start": [1]}} for n, _, r in reversed(ROWS))),
    "five captions of COCO": ("p.json", json.dumps([{"image_id": n, "caption": p} for n, p, _ in ROWS]), "r.json", json.dumps({"images": [{"id": 1}], "annotations": [{"image_id": n, "id": 5 * i + k, "caption": f"{r}{' x' * k}"} for k in range(5) for i, (n, _, r) in enumerate(reversed(ROWS))]})),
    "objects of lists by id": ("p.json", json.dumps(by_id(lambda p, _: [p])), "r.json", json.dumps(dict(reversed(by_id(lambda _, r: [r]).items())))),
    "lists of lists of references": ("p.json", json.dumps(P, indent=1), "r.json", json.dumps([[r] for r in R])),
    "texts in JSON lines": ("p.jsonl", jsonl(P), "r.jsonl", jsonl(R)),
    "GEM, texts": ("p.json", json.dumps({"values": P, "task": "x", "language": "en"}), "r.json", json.dumps({"values": [{"target": [r]} for r in R], "language": "en"})),
    "GEM, objects": ("p.json", json.dumps({"values": [{"generated": p} for p in P], "language": "en"}), "r.json", json.dumps({"values": [{"target": r} for r in R], "language": "en"})),
    "GEM, a submission": ("p.json", json.dumps({"submission_name": "m", "param_count": 1, "tasks": {"xsum_test": {"values": P, "keys": IDS}}}), "r.jsonl", jsonl({"id": n, "target": r} for n, _, r in reversed(ROWS))),
    "vllm bench serve": ("p.json", json.dumps({"date": "20261128", "backend": "vllm", "num_prompts": 3, "input_lens": [3, 4, 5], "ttfts": [0.1] * 3, "itls": [[0.1]] * 3, "generated_texts": P, "errors": [""] * 3}), "r.txt", "".join(f"{r}\n" for r in R)),
    "Moses": ("p.txt", "".join(f"{n} ||| {p} ||| LM0= -20.1 Distortion0= 0 ||| -12.3\n" for n, p in enumerate(P)), "r.txt", "".join(f"{r}\n" for r in R)),
    "the n best of Moses": ("p.nbest", "".join(f"{n} ||| {p}{worse} ||| F0= -1 ||| -1.5 ||| 0-0\n" for n, p in enumerate(P) for worse in ("", " worse")), "r.txt", "".join(f"{r}\n" for r in R)),
    "OpenCompass and a list": ("p.json", json.dumps({str(n): {"prediction": p} for n, p in enumerate(P)}), "r.json", json.dumps([{"id": n, "reference": R[n]} for n in (2, 0, 1)])),
}  # fmt: skip


@pytest.mark.parametrize("shape", TWO_FILES)
def test_two_files_are_joined(tmp_path, shape):
    first, content, second, references = TWO_FILES[shape]
    (tmp_path / first).write_text(content, encoding="utf-8")
    (tmp_path / second).write_text(references, encoding="utf-8")

    rows = read([tmp_path / first], [tmp_path / second])

    assert rows.predictions == [P]
    assert [row if isinstance(row, str) else row[0] for row in rows.references] == R


# What is refused first, with the option that its message names, which then works.
NAMED = {
    "Argilla": (jsonl({"id": n, "status": "completed", "fields": {"text": "x"}, "suggestions": {"gist": {"value": p, "agent": "m"}}, "responses": {"gist": [{"value": r, "user_id": "u"}]}} for n, p, r in ROWS), "'suggestions.gist.value'", ["-p", "suggestions.gist.value", "-r", "responses.gist[0].value"]),
    "Argilla, flat": (jsonl({"id": n, "text": "x", "gist.suggestion": p, "gist.suggestion.agent": "m", "gist.responses": [r], "gist.responses.users": ["u"]} for n, p, r in ROWS), "'gist.responses[0]'", ["-p", "gist.suggestion", "-r", "gist.responses[0]"]),
    "an answer and a conversation": (jsonl({"conversations": shared(r), "prediction": p} for _, p, r in ROWS), "Texts are in 'conversations'. Say so with --reference-column", ["-r", "conversations"]),
    "assertions of promptfoo": (jsonl({"response": {"output": p}, "provider": {"label": "x"}, "testCase": {"assert": [{"type": "rouge-n", "value": r}]}} for _, p, r in ROWS), "'testCase.assert[0].value'", ["-r", "testCase.assert[0].value"]),
    "answers in both files": (jsonl({"question_type": "x", "answers": [p], "gold": r} for _, p, r in ROWS), "'answers[0]'", ["-p", "answers[0]"]),
    "turns": (jsonl({"model_id": "m", "choices": [{"index": 0, "turns": [p, "x"]}], "reference": [r]} for _, p, r in ROWS), "'choices[0].turns[0]'", ["-p", "choices[0].turns[0]"]),
}  # fmt: skip


@pytest.mark.parametrize("shape", NAMED)
def test_the_path_that_a_refusal_names_works(tmp_path, shape):
    content, says, options = NAMED[shape]
    (tmp_path / "a.jsonl").write_text(content, encoding="utf-8")

    refused = run("score", tmp_path / "a.jsonl")
    assert refused.exit_code == 2
    assert says in refused.stderr

    plain = write_jsonl(tmp_path / "b.jsonl", [{"prediction": p, "reference": r} for _, p, r in ROWS])
    read_by_path = run("score", tmp_path / "a.jsonl", *options, "-f", "json")
    assert read_by_path.exit_code == 0, read_by_path.stderr
    assert json.loads(read_by_path.stdout)["scores"] == json.loads(run("score", plain, "-f", "json").stdout)["scores"]


def test_questions_without_an_answer_are_left_out(tmp_path):
    (tmp_path / "p.json").write_text(json.dumps(by_id(lambda p, _: p) | {"none": ""}))
    (tmp_path / "r.json").write_text(questions([("none", ""), *((n, r) for n, _, r in ROWS)]))
    files = [tmp_path / "p.json"], [tmp_path / "r.json"]

    with pytest.raises(InputFileError, match=r"row 1: 'answers\[\]\.text' is an empty list; .* that have one: where="):
        read(*files)
    (tmp_path / "p.json").write_text(json.dumps(by_id(lambda p, _: p)))
    assert read(*files, where=["is_impossible=False"]).references == [[r] for r in R]


def test_the_command_for_segments_gives_their_lines(tmp_path):
    """SGML of WMT was scored line by line, with its tags: 0.72 for 0.55."""
    segments = "".join(f'<seg id="{n}"> {r} </seg>\n' for n, r in enumerate(R))
    (tmp_path / "r.sgm").write_text(f'<refset setid="x" trglang="en">\n<doc docid="d">\n{segments}</doc>\n</refset>\n')

    with pytest.raises(InputFileError, match="is SGML; save its segments as lines: sed") as caught:
        pairs_of(tmp_path / "r.sgm")
    command = str(caught.value).partition("lines: ")[2].removesuffix(".")
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)  # noqa: S602 our own command
    assert [line.strip() for line in (tmp_path / "new.txt").read_text().splitlines()] == R


PAIR = [json.dumps({"prediction": p, "reference": r}) for _, p, r in ROWS]


@pytest.mark.parametrize(
    "content",
    [
        "".join(f"{line},\n" for line in PAIR),
        ",\r\n".join(PAIR),
        "\n".join(['{"model": "m", "seed": 1}', *PAIR]),
    ],
)
def test_the_command_for_lines_of_json_gives_rows(tmp_path, content):
    (tmp_path / "a.jsonl").write_text(content, encoding="utf-8")

    with pytest.raises(InputFileError) as caught:
        pairs_of(tmp_path / "a.jsonl")
    command = str(caught.value).rpartition("out: ")[2]
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)  # noqa: S602 our own command
    assert pairs_of(tmp_path / "new.jsonl") == (P, R)


@pytest.mark.parametrize("start", ["prediction,reference", "sep=,\nprediction,reference", "prediction,reference,,"])
def test_what_spreadsheets_add_is_no_row_and_rows_of_empty_cells_are_refused(tmp_path, start):
    """Such a row may be two empty texts, so that none goes in silence."""
    more = "," * start.endswith(",,") * 2
    rows = start + "\n" + "".join(f"{p},{r}{more}\n" for _, p, r in ROWS)
    (tmp_path / "a.csv").write_text(f"{rows}\n", encoding="utf-8")
    assert pairs_of(tmp_path / "a.csv") == (P, R)

    (tmp_path / "b.csv").write_text(f"{rows},{more}\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"empty cell.* Take out rows of empty cells"):
        pairs_of(tmp_path / "b.csv")
    assert pairs_of(tmp_path / "b.csv", empty_cells="text")[0] == [*P, ""]


def written(path, content):
    """The path of a file of rows, of JSON or of a text."""
    if not isinstance(content, str):
        return write_jsonl(path.with_suffix(".jsonl"), content)
    path = path.with_suffix(".json" if content[0] in "[{" else ".txt")
    path.write_text(content, encoding="utf-8")
    return str(path)


def slugs(names, column):
    return [{"slug": name, column: "a text"} for name in names]


def of_systems(systems):
    return [
        {"doc": f"{n}", "system": system, "output": P[n % 2], "reference": R[n % 2]} for n, system in enumerate(systems)
    ]


def with_ids(ids):
    return [{"id": n, "output": p} for n, p in zip(ids, P, strict=True)]


def tagged(texts):
    return "".join(f"<summary>{text}</summary>\n" for text in texts)


def with_lists(column):
    return [{"prediction": p, column: [r, "and more"]} for _, p, r in ROWS]


def beside(first, second):
    """Predictions and references with values of a column x."""
    return (
        [{"x": value, "prediction": p} for value, p in zip(first, P, strict=True)],
        [{"x": value, "reference": r} for value, r in zip(second, R, strict=True)],
    )


def of_helm(n, p, r, **more):
    references = [{"output": {"text": r}, "tags": ["correct"]}]
    return {"instance": {"id": n, "references": references, **more}, "result": {"completions": [{"text": p}]}}


# Documents that count more than once.
FILTERS = "strict-match", "flexible-extract"
FILTERED = [{"doc_id": n, "target": r, "filtered_resps": [p], "filter": name} for name in FILTERS for n, p, r in ROWS]
PERTURBED = [*(of_helm(*row) for row in ROWS), *(of_helm(n, "", r, perturbation={"name": "typos"}) for n, _, r in ROWS)]

# Predictions, references if they have a file of their own, options, and a part of the only note; None where there is none.
NOTED = {
    "values in the next rows": (slugs("abc", "prediction"), slugs("bcd", "reference"), {}, "join them: id_column='slug'"),
    "values in other rows": (slugs("abc", "prediction"), slugs("adb", "reference"), {}, "id_column='slug'"),
    "numbers in the next rows": (slugs((1, 2, 3), "prediction"), slugs((2, 3, 4), "reference"), {}, "id_column='slug'"),
    "numbers that may be equal by chance": (slugs((1, 2, 3), "prediction"), slugs((7, 1, 9), "reference"), {}, None),
    "one value in the same row": (slugs("abc", "prediction"), slugs("ade", "reference"), {}, None),
    "other values": (slugs("abc", "prediction"), slugs("def", "reference"), {}, None),
    "a row for each reference": ([{"id": 1, "prediction": "a", "reference": text} for text in "ab"], None, {}, "Several references of a text are a list in one row."),
    "equal values": (*beside("abc", "abc"), {}, None),
    "values that are not unique": (*beside("aab", "aba"), {}, None),
    "numbers that measure": (*beside((1.5, 2.5, 3.5), (2.5, 3.5, 1.5)), {}, None),
    "truths": (*beside((True, False, True), (False, True, True)), {}, None),
    "other numbers": (*beside((1, 2, 4), (1, 4, 3)), {}, "id_column='x'"),
    "a value that is missing": (*beside((None, "a", "b"), ("a", "b", None)), {}, None),
    "filters": (FILTERED, None, {}, "line 4: the 'doc_id' 'd7' is there for the second time, so a document counts more than once. 'filter' has 'strict-match' and 'flexible-extract'. Score the rows of one: where='filter=strict-match'."),
    "perturbations": (PERTURBED, None, {}, "Score the rows of one: where='instance.perturbation.name=none'."),
    "without perturbations": (PERTURBED, None, {"where": ["instance.perturbation.name=none"]}, None),
    "several systems": (of_systems("aabb"), None, {}, "has the predictions of several systems ('system': 'a', 'b'), and the scores are those of all. Score one: where='system=a'."),
    "one of several systems": (of_systems("aabb"), None, {"where": ["system=a"]}, None),
    "one system": (of_systems("aaaa"), None, {}, None),
    "a system a row": (of_systems("abcd"), None, {}, None),
    "ids that begin all lines": ("".join(f"utt{n} {p}\n" for n, p in enumerate(P)), "".join(f"utt{n} {r}\n" for n, r in enumerate(R)), {}, "begin with the same ids, which are scored as words"),
    "a list of summaries": (with_lists("summary"), None, {}, "each is a reference by itself"),
    "a list of references": (with_lists("references"), None, {}, None),
    "tags of a model": (tagged(P), tagged(R), {}, None),
    "ids in order": (with_ids((0, 1, 2)), "\n".join(R), {}, None),
    "numbers that are no places": (with_ids((7, 3, 9)), "\n".join(R), {}, None),
    "names in no order": (with_ids(("b1", "a3", "a2")), "\n".join(R), {}, None),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTED)
def test_what_may_be_meant_otherwise_is_noted(tmp_path, case):
    predictions, references, options, part = NOTED[case]
    files = [written(tmp_path / "p", predictions)], [written(tmp_path / "r", references)] if references else []
    with open_pairs(*files, **options) as pairs:
        pairs.read_all()
    assert [str(note) for note in pairs.notes if part is None or part not in str(note)] == []
    assert len(pairs.notes) == (part is not None)


# What can't be guessed


REFUSED = {
    "numbered outputs": ([{"prediction": p, "output1": r, "output2": "x"} for _, p, r in ROWS], "which column holds the references"),
    "a label of classes": ([{"prediction": f"text {n} is here", "label": "ab"[n % 2], "gist": f"the gist of {n} is"} for n in range(12)], "the column 'label' has 2 different texts in 12 rows, so it hardly holds the references; 'gist' may. Say so with reference_column."),
    "systems as columns": ([{"source": n, "reference": r, "bart": p, "t5": p} for n, p, r in ROWS], "which column holds the predictions? It has 'source', 'reference', and 'bart', 't5' may each be a system. Say so with prediction_column."),
    "other columns are no systems": ([{"Status": "ok", "url": "https://a.b/c", "created_at": "2026-01-01 10:00", "winner": "model_a"}], "It has 'Status', 'url', 'created_at', 'winner'. Say so"),
    "batches": ([{"predictions": P, "references": R}, {"predictions": P[:2], "references": R[:2]}], "Name one: prediction_column='predictions[0]'. If a row is a batch, with 'references', write a row for each of its pairs."),
    "samples of lm-eval": ([{"filtered_resps": [[p, p]], "target": r} for _, p, r in ROWS], "Name one: prediction_column='filtered_resps[0][0]'."),
    "likelihoods of choices": ([{"filtered_resps": [["-1.2", "False"], ["-2.3", "True"]], "target": "1"}], "holds numbers, such as likelihoods of choices. Only generated texts have a ROUGE"),
    "what was asked": ([{"messages": [{"role": "user", "content": "x"}], "reference": r} for r in R], "which column holds the predictions? It has 'messages', 'reference'."),
    "deep texts": ([{"run": {"answer": {"body": p}}, "by": "x", "reference": r} for _, p, r in ROWS], "which column holds the predictions? It has 'run', 'by', 'reference'. Texts are in 'run.answer.body', 'by', 'reference'."),
    "a message that calls a tool": ([{"output": {"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "tool_use"}]}, "reference": r} for r in R], "Texts are in 'output.role', 'output.content', 'reference'."),
    "Label Studio without predictions": ([{"id": n, "data": {"text": "x"}, "annotations": [{"result": [{"value": {"text": [r]}}]}], "predictions": []} for n, _, r in ROWS], "which column holds the predictions?"),
    "null in a batch": ([{"id": "b", "custom_id": n, "response": {"body": {"choices": [{"message": {"content": None}}]}}} for n in IDS], "which column holds the predictions? It has 'id', 'custom_id', 'response'."),
    "options of a choice": ([{"doc": {"choices": [r, "no"]}, "model_response": {"text": [p]}} for _, p, r in ROWS], "Texts are in 'doc.choices[0]'."),
    "choices of a request for two": ([{"choices": [choice("x"), choice(p)], "reference": r} for _, p, r in ROWS], "'choices' holds lists of up to 2 texts, such as beams or samples. Name one: prediction_column='choices[0].message'."),
    "what speakers say": ([{"messages": [{"speaker": "Amanda", "content": p}], "reference": r} for _, p, r in ROWS], "which column holds the predictions? It has 'messages', 'reference'."),
}  # fmt: skip


HEADED = "reference\nred fox\nred fox\n"
REFUSED_PAIRS = {
    "a batch, and lines": ([{"custom_id": f"request-{n}", "output": P[n]} for n in (2, 0, 1)], "\n".join(R), "'custom_id'"),
    "an index, and lines": ([{"index": n, "output": P[n]} for n in (2, 0, 1)], "\n".join(R), "'index'"),
    "ids in objects": ([{"meta": {"id": n}, "output": p} for n, p, _ in ROWS], [{"meta": {"id": n}, "summary": r} for n, _, r in reversed(ROWS)], "id_column='meta.id'"),
    "ids in lines": ("".join(f"utt{n} {P[n]}\n" for n in range(3)), "".join(f"utt{n} {R[n]}\n" for n in (2, 0, 1)), "begin with the same ids, in another order"),
    "SRT": ("1\n00:00:01,000 --> 00:00:02,000\nred fox\n", HEADED, "is subtitles"),
    "WebVTT": ("WEBVTT\n\n00:01.000 --> 00:02.000\nred fox\n", f"{HEADED}red fox\n", "is subtitles"),
    "documents of TREC": ("<DOC>\n<TEXT>\nred fox\n</TEXT>\n</DOC>\n", f"{HEADED}red fox\nred fox\n", "is SGML"),
    "a summary of DUC": ('<SUM DOCSET="d1">\nred fox\n</SUM>\n', HEADED, "is SGML"),
    "columns of tabs": ("d1\tred fox\nd2\tblue cat\n", "red fox\nblue cat\n", "each line has 2 parts between tabs"),
    "names of columns": ("predictions\nred fox\nred fox\n", HEADED, "look like names of columns"),
    "rows below": (json.dumps({"results": {name: [json.loads(line) for line in PAIR] for name in "ab"}}), "\n".join(R), """jq '.["results"]["a"]'"""),
    "a list of beams": (json.dumps([[p, p] for p in P]), "\n".join(R), "Write the first of each to a file: jq 'map(.[0])'"),
    "tasks": (json.dumps({"submission_name": "m", "tasks": {"a_val": {"values": P}, "b": {"values": P}}}), "\n".join(R), "jq '.tasks[\"a_val\"]'"),
    "NaN in the first row": ('{"prediction": NaN}\n{"prediction": "b"}\n', "a\nb\n", "line 1: 'prediction' is nan"),
}  # fmt: skip


@pytest.mark.parametrize(("predictions", "references", "message"), REFUSED_PAIRS.values(), ids=REFUSED_PAIRS)
def test_pairs_that_would_be_others_are_refused(tmp_path, predictions, references, message):
    with pytest.raises(InputFileError) as caught:
        read([written(tmp_path / "p", predictions)], [written(tmp_path / "r", references)])

    assert message in str(caught.value)


@pytest.mark.parametrize(("rows", "message"), REFUSED.values(), ids=REFUSED)
def test_what_can_not_be_guessed_is_refused_with_what_works(tmp_path, rows, message):
    with pytest.raises(InputFileError) as caught:
        read([write_jsonl(tmp_path / "a.jsonl", rows)])

    assert message in str(caught.value)


# What a model writes before it calls a tool is no answer.
CALL = {"type": "function", "function": {"name": "look", "arguments": "{}"}}
UNANSWERED = {
    "Anthropic": {"output": [{"type": "text", "text": "I look."}, {"type": "tool_use", "name": "look", "input": {}}]},
    "Anthropic, in a batch": {"result": {"message": {"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "name": "look"}]}}},
    "OpenAI": {"choices": [{"message": {"role": "assistant", "content": "I look.", "tool_calls": [CALL]}}]},
    "OpenAI of old": {"choices": [{"message": {"role": "assistant", "content": "I look.", "function_call": {"name": "look"}}}]},
    "OpenAI's Responses": {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]}, {"type": "function_call", "name": "look"}]},
    "Gemini": {"candidates": [{"content": {"role": "model", "parts": [{"text": "I look."}, {"functionCall": {"name": "look"}}]}}]},
    "messages": {"messages": [*said("I look.")[:1], {"role": "assistant", "content": "I look.", "tool_calls": [CALL]}, {"role": "tool", "content": "x"}]},
}  # fmt: skip
ANSWERED = {
    "output": [{"type": "text", "text": "red fox"}],
    "choices": [choice("red fox")],
    "candidates": [{"content": {"role": "model", "parts": [{"text": "red fox"}]}}],
    "messages": said("red fox"),
    "result": {"message": {"role": "assistant", "content": [{"type": "text", "text": "red fox"}]}},
}


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("shape", UNANSWERED)
def test_a_call_of_a_tool_is_no_answer(tmp_path, shape, is_first):
    column = next(iter(UNANSWERED[shape]))
    rows = [UNANSWERED[shape], {column: ANSWERED[column]}]
    path = write_jsonl(tmp_path / "a.jsonl", [{**row, "reference": "x"} for row in (rows if is_first else rows[::-1])])

    line = 1 if is_first else 2
    with pytest.raises(InputFileError, match=f"line {line}: .* ends with a call of a tool, so it holds no answer"):
        read([path])


def test_lines_of_predictions_are_in_the_order_of_the_references(tmp_path):
    (tmp_path / "p.txt").write_text("\n".join(P), encoding="utf-8")
    path = write_jsonl(tmp_path / "r.jsonl", [{"id": n, "summary": r} for n, r in zip((7, 9, 8), R, strict=True)])
    assert read([tmp_path / "p.txt"], [path]).references == R


@pytest.mark.parametrize("value", [{}, {"output": None}, {"output": {"choices": []}}])
def test_rows_that_are_left_out_need_no_text(tmp_path, value):
    rows = [{"ok": True, "output": {"text": p}, "reference": r} for _, p, r in ROWS]
    path = write_jsonl(tmp_path / "a.jsonl", [*rows, {"ok": False, "reference": "x", **value}])
    for written in ("ok=True", "ok=true"):
        assert read([path], prediction_columns=["output.text"], where=[written]).predictions == [P]
    with pytest.raises(InputFileError, match=r"there is no 'output\.text'"):
        read([path], prediction_columns=["output.text"])
    with pytest.raises(ValueError, match="'status'"):
        read([path], where=["status=1"])


def test_rows_that_are_left_out_may_have_empty_cells(tmp_path):
    rows = "".join(f"{n},{p},{r}\n" for n, (_, p, r) in enumerate(ROWS))
    (tmp_path / "a.csv").write_text(f"status,prediction,reference\n{rows}9,,x\n", encoding="utf-8")

    assert read([tmp_path / "a.csv"], where=["status=1"]).predictions == [P[1:2]]
    with pytest.raises(InputFileError, match="is an empty cell"):
        read([tmp_path / "a.csv"])


def test_lists_that_were_all_written_as_texts_are_noted_once(tmp_path):
    rows = [{"a": p, "b": p, "reference": json.dumps([r, r])} for _, p, r in ROWS]

    ran = run("compare", write_jsonl(tmp_path / "a.jsonl", rows), "-p", "a", "-p", "b")

    assert ran.stderr.count("written as one text") == 1, ran.stderr


def test_what_tells_copies_apart_may_be_missing_in_some_rows(tmp_path):
    rows = [{"id": n, "seed": 1, "prediction": p, "reference": r} for n, p, r in ROWS]
    del rows[2]["seed"]

    assert pairs_of(write_jsonl(tmp_path / "a.jsonl", rows)) == (P, R)


def test_the_first_row_of_a_column_without_a_name_is_no_name(tmp_path):
    for name, texts in (("p.csv", P), ("r.csv", R)):
        (tmp_path / name).write_text("".join(f"{text} in the evening\n" for text in texts), encoding="utf-8")

    with pytest.raises(InputFileError, match=r"If the first line is a row like the others: header=False"):
        read([tmp_path / "p.csv"], [tmp_path / "r.csv"])
