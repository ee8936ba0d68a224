"""``Rouge.for_trainer``: every shape that a Trainer hands over, read as the same texts, or refused with what to set."""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

import copy
import gc
import json
import pickle
import re
import sys
import tracemalloc
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from late_modules import LateModule
from trainer_parts import CharacterTokenizer, EvalPrediction

from polyrouge import Rouge, RougeWarning
from polyrouge.training import process_group, trainer
from polyrouge.training.trainer import preprocess_logits_for_metrics

PREDICTIONS = ["今天天气很好", "明天下雨", "他们明天来"]
REFERENCES = ["今天天气不错", "明天下雨", "她今天来了吗"]
PROMPTS = ["天气如何", "雨", "谁来"]
ROWS = [{"source": "".join(PREDICTIONS + PROMPTS), "target": "".join(REFERENCES)}]
TOKENIZER = CharacterTokenizer(ROWS)
PAD, EOS = TOKENIZER.pad_token_id, TOKENIZER.eos_token_id
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])
EXPECTED = ROUGE.compute(PREDICTIONS, REFERENCES)
VOCABULARY = len(TOKENIZER)
torch = LateModule("torch")


@pytest.fixture(autouse=True, params=["stand-ins", pytest.param("Transformers", marks=pytest.mark.training)])
def parts(request, monkeypatch):
    """Each test runs with stand-ins, and in the group ``training`` with the real classes."""
    if request.param == "Transformers":
        import tiny_parts
        import transformers

        monkeypatch.setitem(globals(), "TOKENIZER", tiny_parts.tiny_tokenizer(ROWS))
        monkeypatch.setitem(globals(), "EvalPrediction", transformers.EvalPrediction)


def shape_params(shapes):
    """A parameter a row; rows of tensors are made late, in the group ``training``."""
    return [
        pytest.param(
            lambda row=row: row() if callable(row) else row,
            id=name,
            marks=pytest.mark.training if callable(row) else (),
        )
        for name, row in shapes.items()
    ]


def ids_of(texts):
    return [TOKENIZER(text)["input_ids"] for text in texts]


def padded(rows, padding, left=False, width=None):
    width = width or max(map(len, rows))
    return np.array(
        [[padding] * (width - len(row)) + row if left else row + [padding] * (width - len(row)) for row in rows]
    )


PRED = padded(ids_of(PREDICTIONS), PAD, width=9)
LABELS = padded(ids_of(REFERENCES), -100)


def evaluation(rows=slice(None)):
    """An evaluation of some rows."""
    return EvalPrediction(PRED[rows], LABELS[rows])


def in_batches(metrics, batches):
    """The result of an evaluation batch by batch, which only the last one gives."""
    *first, last = batches
    assert [metrics(batch, compute_result=False) for batch in first] == [{}] * len(first)
    return metrics(last, compute_result=True)


class DeviceTensor:
    """A tensor of another device: numpy gets at it by way of ``cpu`` only."""

    def __init__(self, values):
        self._values = values
        self.shape, self.dtype, self.is_detached = values.shape, values.dtype, False

    def __array__(self, *_args, **_options):
        msg = "can't convert cuda:0 device type tensor to numpy"
        raise TypeError(msg)

    def detach(self):
        return self

    def cpu(self):
        return torch.from_numpy(self._values)


def one_hot(ids):
    return np.eye(VOCABULARY, dtype=np.float32)[ids]


def logits_for(labels, causal):
    """Logits whose argmax gives PREDICTIONS where there are labels."""
    ids = np.full_like(labels, EOS)
    for row, text, label in zip(ids, ids_of(PREDICTIONS), labels, strict=True):
        places = np.flatnonzero(label != -100)
        row[places] = (text + [EOS] * len(places))[: len(places)]
    if causal:
        ids = np.concatenate([ids[:, 1:], ids[:, :1]], axis=1)
    return one_hot(ids)


# Labels of teacher forcing have as many places as the longest of both texts.
WIDE = padded([row + [EOS] * (9 - len(row)) for row in ids_of(REFERENCES)], -100)
CAUSAL = padded([[-100] * len(p) + r for p, r in zip(PROMPTS, WIDE.tolist(), strict=True)], -100)
PROMPT_IDS = padded([row[:-1] for row in ids_of(PROMPTS)], PAD, left=True)
WIDER_PROMPT_IDS = np.pad(PROMPT_IDS, ((0, 0), (0, 3)), constant_values=-100)
WITH_PROMPT = np.concatenate([PROMPT_IDS, PRED], axis=1)
LEFT_LABELS = padded(ids_of(REFERENCES), -100, left=True)
MASKED = np.concatenate([np.full_like(PROMPT_IDS, -100), LABELS], axis=1)
ONE_BY_ONE = [PRED[:2], PRED[2:, :7]], [LABELS[:2], LABELS[2:]]

# name: predictions, labels, inputs, options
SHAPES = {
    "arrays": (PRED, LABELS, None, {}),
    "arrays padded by -100 across batches": (np.where(PRED == PAD, -100, PRED), LABELS, None, {}),
    "labels padded by the padding id": (PRED, np.where(LABELS == -100, PAD, LABELS), None, {}),
    "tensors": lambda: (torch.tensor(PRED), torch.tensor(LABELS), None, {}),
    "tensors on another device": lambda: (DeviceTensor(PRED), DeviceTensor(LABELS), None, {}),
    "unsigned ids": (PRED.astype(np.uint16), LABELS, None, {}),
    "tuple, ids first": ((PRED, np.zeros((3, 9), np.float32)), LABELS, None, {}),
    "several labels": (PRED, (LABELS, np.zeros((3, 2), int)), None, {}),
    "mapping of a generation": ({"sequences": PRED, "scores": None}, LABELS, None, {}),
    "batches of arrays": (*ONE_BY_ONE, None, {}),
    "batches of tuples": ([(part, part * 0.5) for part in ONE_BY_ONE[0]], ONE_BY_ONE[1], None, {}),
    "ragged lists": (ids_of(PREDICTIONS), ids_of(REFERENCES), None, {}),
    "ragged batches": ([ids_of(PREDICTIONS[:2]), ids_of(PREDICTIONS[2:])], ids_of(REFERENCES), None, {}),
    "rows of tensors": lambda: ([torch.tensor(row) for row in ids_of(PREDICTIONS)], LABELS, None, {}),
    "array of lists": (np.array(ids_of(PREDICTIONS), dtype=object), LABELS, None, {}),
    "a sequence axis of one": (PRED[:, np.newaxis], LABELS, None, {}),
    "texts": (PREDICTIONS, REFERENCES, None, {}),
    "batches of texts": ([PREDICTIONS[:2], PREDICTIONS[2:]], [REFERENCES[:2], REFERENCES[2:]], None, {}),
    "texts and lists of references": (PREDICTIONS, [[text] for text in REFERENCES], None, {}),
    "ids and texts": (PRED, REFERENCES, None, {}),
    "inputs of an encoder": (PRED, LABELS, PROMPT_IDS, {}),
    "inputs of speech": (PRED, LABELS, np.zeros((3, 8, 4), np.float32), {}),
    "prompt by the inputs": (WITH_PROMPT, LABELS, PROMPT_IDS, {}),
    "prompt by inputs as asked": lambda: (WITH_PROMPT, LABELS, torch.tensor(PROMPT_IDS), {"strip_prompt": "inputs"}),
    "prompt by inputs padded by -100": (WITH_PROMPT, LABELS, WIDER_PROMPT_IDS, {}),
    "prompt by the batch of inputs": lambda: (WITH_PROMPT, LABELS, {"input_ids": torch.tensor(PROMPT_IDS)}, {}),
    "prompt and labels of its width": (WITH_PROMPT, LEFT_LABELS, PROMPT_IDS, {}),
    "prompt masked by the trainer": (np.concatenate([np.full_like(PROMPT_IDS, PAD), PRED], axis=1), MASKED, None, {}),
}  # fmt: skip


@pytest.mark.parametrize("shape", shape_params(SHAPES))
def test_every_shape_is_read_as_the_same_texts(shape, request):
    predictions, labels, inputs, options = shape()
    name = request.node.callspec.id
    metrics = ROUGE.for_trainer(TOKENIZER, **options)

    result = metrics(EvalPrediction(predictions=predictions, label_ids=labels, inputs=inputs, losses=np.zeros(3)))

    has_ids = "texts" not in name or "ids" in name
    assert result == EXPECTED | ({"gen_len": sum(map(len, ids_of(PREDICTIONS))) / 3} if has_ids else {})
    assert {type(value) for value in result.values()} == {float}


ODD_INPUTS = np.concatenate([PROMPT_IDS[:1], PROMPT_IDS[:1], PROMPT_IDS[2:]])  # the second row is not its own
MIXED = PREDICTIONS[0], TOKENIZER.decode(WITH_PROMPT[1], skip_special_tokens=True), PREDICTIONS[2]


@pytest.mark.parametrize("size", [3, 2, 1])
def test_a_row_without_its_inputs_leaves_no_prompt_in_the_others(size):
    """By batches too, in which all rows begin with their inputs or none does."""
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False)
    arrays = WITH_PROMPT, LABELS, ODD_INPUTS
    batches = [EvalPrediction(*(each[i : i + size] for each in arrays)) for i in range(0, 3, size)]

    for _ in range(2):  # and in the next evaluation again
        with pytest.warns(RougeWarning, match="1 of [23] predictions so far do not begin with their inputs") as caught:
            assert in_batches(metrics, batches) == ROUGE.compute(MIXED, REFERENCES)

        assert len(caught) == 1
        assert f"(predictions[{1 % size}] for one)" in str(caught[0].message)


def test_a_row_without_a_prompt_is_no_row_without_its_inputs():
    inputs = np.where(np.arange(3)[:, np.newaxis] == 1, -100, PROMPT_IDS)
    predictions = [WITH_PROMPT[0], PRED[1], WITH_PROMPT[2]]
    for rule in ("auto", "inputs"):
        metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False, strip_prompt=rule)
        assert metrics(EvalPrediction(predictions, LABELS, inputs)) == EXPECTED


def test_several_sequences_are_stripped_one_by_one():
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False, num_return_sequences=2, sequences="best")
    predictions = [row for both in zip(WITH_PROMPT, PRED, strict=True) for row in both]

    with pytest.warns(RougeWarning, match=r"3 of 6 predictions so far .*\(predictions\[1\] for one\)"):
        result = metrics(EvalPrediction(predictions, LABELS, PROMPT_IDS))

    assert result == EXPECTED


LOGITS = {
    "decoder-only": (logits_for(CAUSAL, True), CAUSAL),
    "decoder-only, bfloat16": lambda: (torch.tensor(logits_for(CAUSAL, True)).bfloat16(), torch.tensor(CAUSAL)),
    "decoder-only, tuple": ((logits_for(CAUSAL, True), [np.zeros((3, 2))]), CAUSAL),
    "decoder-only, batches": ([logits_for(CAUSAL, True)[i : i + 1] for i in range(3)], [CAUSAL[:1], CAUSAL[1:]]),
    "encoder-decoder": ((logits_for(WIDE, False), np.zeros((3, 4, 16), np.float32)), WIDE),
}


@pytest.mark.parametrize("logits", shape_params(LOGITS))
def test_logits_are_held_against_the_labels_with_a_warning(logits):
    predictions, labels = logits()
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False)

    with pytest.warns(RougeWarning, match="Seq2SeqTrainer generates with predict_with_generate=True; Trainer can't"):
        result = metrics(EvalPrediction(predictions, labels))

    assert result == ROUGE.compute(PREDICTIONS, [TOKENIZER.decode(row, skip_special_tokens=True) for row in WIDE])


@pytest.mark.parametrize(
    "logits",
    shape_params({name: LOGITS[name] for name in ("decoder-only", "decoder-only, bfloat16", "encoder-decoder")}),
)
def test_argmax_before_gathering_gives_the_same_without_a_warning(logits):
    logits, labels = logits()
    ids = preprocess_logits_for_metrics(logits, labels)

    result = ROUGE.for_trainer(TOKENIZER)(EvalPrediction(ids, labels))
    assert {key: result[key] for key in EXPECTED} == EXPECTED


def test_causal_overrides_what_the_outputs_look_like():
    metrics = ROUGE.for_trainer(TOKENIZER, causal=False)

    ids = metrics.preprocess_logits_for_metrics(logits_for(WIDE, False), WIDE)

    assert TOKENIZER.batch_decode(ids, skip_special_tokens=True) == PREDICTIONS
    assert preprocess_logits_for_metrics(logits_for(WIDE, False), None).shape == WIDE.shape


# name: predictions, labels, inputs, options, error, what the message must say
WRONG = {
    "scores of a classifier": (np.zeros((3, 5)), LABELS, None, {}, ValueError, "predict_with_generate=True"),
    "one id a sample": (PRED[:, 0], LABELS, None, {}, ValueError, "preprocess_logits_for_metrics"),
    "labels of a regression": (PRED, np.zeros((3, 1)), None, {}, ValueError, "label_names=['labels']"),
    "no samples": (PRED[:0], LABELS[:0], None, {}, ValueError, "nothing was evaluated"),
    "several sequences": (np.repeat(PRED, 2, axis=0), LABELS, None, {}, ValueError, "num_return_sequences=2"),
    "prompt but no inputs": (WITH_PROMPT, MASKED, None, {}, ValueError, "include_for_metrics=['inputs']"),
    "inputs of an encoder": (PRED, LABELS, PROMPT_IDS, {"strip_prompt": "inputs"}, ValueError, "strip_prompt=False"),
    "no tokens in inputs": (PRED, LABELS, PROMPT_IDS * 0 - 100, {"strip_prompt": "inputs"}, ValueError, "only -100"),
    "other inputs": (
        *(WITH_PROMPT, MASKED, np.roll(PROMPT_IDS, 1, axis=0), {}, ValueError),
        "No prediction begins with its inputs, so they can't say where it ends. Set strip_prompt=False",
    ),
    "inputs asked for": (PRED, LABELS, None, {"strip_prompt": "inputs"}, ValueError, "include_for_metrics=['inputs']"),
    "no outputs": (None, LABELS, None, {}, ValueError, "predict_with_generate=True under Seq2SeqTrainer"),
    "mapping of something else": ({"pooler_output": PRED}, LABELS, None, {}, ValueError, "predict_with_generate=True"),
    "no logits": ((), LABELS, None, {}, ValueError, "use_liger_kernel=False"),
    "text and number": ([["a"], ["b", 1]], ["a"] * 3, None, {}, TypeError, "predictions[1][1] is 1 (int) among texts"),
    "too few inputs": (WITH_PROMPT, LABELS, PROMPT_IDS[:2], {}, ValueError, "give the inputs of each"),
    "logits of another width": (one_hot(PRED), LABELS, None, {}, ValueError, "predict_with_generate=True"),
    "logits and texts": (one_hot(PRED), REFERENCES, None, {}, ValueError, "predict_with_generate=True"),
    "negative ids": (np.where(PRED == PAD, -1, PRED), LABELS, None, {}, ValueError, "-100"),
    "something else": (object(), LABELS, None, {}, TypeError, "predict_with_generate=True"),
    "texts and ids": ([PRED, PREDICTIONS], LABELS, None, {}, TypeError, "mixes ids and texts"),
    "fewer samples than cut to": (PRED, LABELS, None, {"num_samples": 2}, ValueError, "number of samples"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:The predictions are logits")
@pytest.mark.parametrize("name", WRONG)
def test_wrong_shape_says_what_to_set(name):
    *arrays, options, error, part = WRONG[name]
    with pytest.raises(error, match=re.escape(part)):
        ROUGE.for_trainer(TOKENIZER, **options)(EvalPrediction(*arrays))


def test_an_eval_prediction_or_a_pair_is_taken():
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False)
    assert metrics((PRED, LABELS)) == metrics([PRED, LABELS]) == EXPECTED
    assert ROUGE.for_trainer()((PREDICTIONS, REFERENCES)) == EXPECTED
    rounded = {key: round(value, 4) for key, value in EXPECTED.items()}
    assert ROUGE.for_trainer(digits=4)((PREDICTIONS, REFERENCES)) == rounded != EXPECTED
    for odd in (PRED, ["ab", "cd"], (PRED, LABELS, PROMPT_IDS), "ab", None):
        with pytest.raises(TypeError, match=r"takes the EvalPrediction of a Trainer, or the pair \(predictions, label"):
            metrics(odd)


def test_where_the_labels_begin_says_nothing_of_the_prompt():
    """Left-padded to the width of the inputs, they would leave two ids of the prompts."""
    labels = padded([row[:1] for row in ids_of(REFERENCES)], -100, left=True, width=PROMPT_IDS.shape[1])
    with pytest.raises(ValueError, match=r"Set include_for_metrics=\['inputs'\] \(TrainingArguments\) to have it"):
        ROUGE.for_trainer(TOKENIZER)(EvalPrediction(WITH_PROMPT, labels))
    assert ROUGE.for_trainer(TOKENIZER)(EvalPrediction(WITH_PROMPT, labels, PROMPT_IDS))["gen_len"] < 7


@pytest.mark.parametrize("method", [ROUGE.compute, ROUGE.for_trainer])
def test_a_method_in_place_of_compute_metrics_says_what_to_write(method):
    with pytest.raises(TypeError, match=r"was called with an EvalPrediction.*rouge\.for_trainer\(tokenizer\)"):
        method(evaluation(), compute_result=True)


@pytest.mark.parametrize(
    ("tokenizer", "options", "error", "part"),
    [
        ("gpt2", {}, TypeError, "which can't decode token ids; give the tokenizer"),
        (SimpleNamespace(tokenizer=3), {}, TypeError, "which can't decode token ids; give the tokenizer"),
        (TOKENIZER, {"num_sample": 3}, TypeError, "Did you mean 'num_samples'?"),
        (TOKENIZER, {"use_aggregator": False}, ValueError, "a Trainer logs numbers"),
        (TOKENIZER, {"num_samples": [3, True]}, TypeError, "num_samples is True"),
        (TOKENIZER, {"num_samples": 0}, ValueError, "num_samples is 0"),
        (TOKENIZER, {"sequences": "worst"}, ValueError, "choose one of first, best, mean"),
        (TOKENIZER, {"strip_prompt": "labels"}, ValueError, "choose one of auto, inputs, False"),
        (TOKENIZER, {"save_samples": 5}, TypeError, "save_samples is 5; give the path of a folder"),
        (TOKENIZER, {"sequences": "best", "aggregate": "micro", "multi_reference": "first"}, ValueError, "use 'first'"),
        (TOKENIZER, {"save_samples": __file__}, ValueError, "give a folder"),
        (None, {}, ValueError, "give for_trainer the tokenizer"),
        (TOKENIZER, {"postprocess": lambda *texts: texts[0]}, TypeError, "must return a pair"),
        (TOKENIZER, {"postprocess": lambda one, two: (one[1:], two)}, ValueError, "keep their number and order"),
    ],
)
def test_bad_use_is_refused(tokenizer, options, error, part):
    with pytest.raises(error, match=re.escape(part)):
        Rouge("zh_char").for_trainer(tokenizer, **options)(evaluation())


QUESTIONS = [{"id": str(i), "prediction_text": text} for i, text in enumerate(PREDICTIONS)]
ANSWERS = [{"id": str(i), "answers": {"text": [text], "answer_start": [0]}} for i, text in enumerate(REFERENCES)]


def test_rows_of_questions_are_scored_as_their_texts():
    """As QuestionAnsweringSeq2SeqTrainer of Transformers' run_seq2seq_qa.py makes them."""
    metrics = ROUGE.for_trainer(TOKENIZER)
    assert metrics(EvalPrediction(QUESTIONS, ANSWERS)) == EXPECTED
    assert metrics(EvalPrediction(QUESTIONS[::-1], ANSWERS)) == EXPECTED  # matched by their ids
    several = [{**ANSWERS[0], "answers": {"text": [REFERENCES[0], PREDICTIONS[0]]}}, *ANSWERS[1:]]
    expected = ROUGE.compute(PREDICTIONS, [[REFERENCES[0], PREDICTIONS[0]], *([text] for text in REFERENCES[1:])])
    assert metrics(EvalPrediction(QUESTIONS, several)) == expected


@pytest.mark.parametrize(
    ("questions", "answers", "message"),
    [
        (QUESTIONS[:2], ANSWERS, "The id '2' is not once among the predictions and once among the labels"),
        ([*QUESTIONS[:2], QUESTIONS[1]], ANSWERS, "The id '1' is not once"),
        (QUESTIONS, [*ANSWERS[:2], {"id": "2", "answers": {"text": []}}], "label_ids[2]['answers'] holds no answer"),
    ],
)
def test_rows_of_questions_that_do_not_fit(questions, answers, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        ROUGE.for_trainer(TOKENIZER)(EvalPrediction(questions, answers))


def test_minus_100_is_padding_else_end_of_text_else_nothing():
    for pad, eos in [("<pad>", "</s>"), (None, "</s>"), (None, None)]:
        tokenizer = copy.deepcopy(TOKENIZER)
        tokenizer.pad_token, tokenizer.eos_token = pad, eos
        predictions = [row[:-1] for row in ids_of(PREDICTIONS)]  # without </s>, which may be no special token now
        labels = [row[:-1] for row in ids_of(REFERENCES)]
        result = ROUGE.for_trainer(tokenizer)(EvalPrediction(padded(predictions, -100), padded(labels, -100)))
        assert result == EXPECTED | {"gen_len": 5.0}


@pytest.mark.filterwarnings("ignore:An interval of")
@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"output": "all", "confidence": 0.5},
        {"empty": "skip"},
        {"aggregate": "running_mean"},
        {"aggregate": "numpy_mean"},
        {"aggregate": "f_of_means"},
        {"aggregate": "micro", "output": "all", "multi_reference": "pooled"},
        {"weights": (0.2, 0.3, 0.5), "round_each": 3, "scale": 100},
        {"confidence": 0.9, "scale": 100, "round_each": 4},  # as llama_factory
    ],
    ids=str,
)
def test_settings_of_the_aggregate(tmp_path, options, batched):
    processor = SimpleNamespace(tokenizer=TOKENIZER)
    metrics = ROUGE.for_trainer(processor, gen_len=False, save_samples=tmp_path, **options)

    result = in_batches(metrics, [evaluation([0, 1]), evaluation([2])]) if batched else metrics(evaluation())

    assert result == ROUGE.compute(PREDICTIONS, REFERENCES, **options)
    saved = [row["rouge1"] for row in read_lines(tmp_path / "evaluation-000001.jsonl")]
    assert saved == ROUGE.score(PREDICTIONS, REFERENCES, **options)["rouge1"].tolist()


def test_postprocess_changes_both_sides():
    def first_two(*sides):
        return [[text[:2] for text in side] for side in sides]

    result = ROUGE.for_trainer(TOKENIZER, postprocess=first_two, gen_len=False)(evaluation())

    assert result == ROUGE.compute(*first_two(PREDICTIONS, REFERENCES))


@pytest.mark.parametrize("rule", ["first", "best", "mean"])
@pytest.mark.parametrize("batched", [False, True])
def test_several_sequences_a_sample(rule, batched):
    groups = [["今天天气不好", "今天天气不错"], ["下雨", "明天下雨"], ["来", "她今天来"]]
    scores = [ROUGE.score([group[i] for group in groups], REFERENCES) for i in range(2)]
    combine = {"first": lambda both: both[0], "best": np.max, "mean": np.mean}[rule]
    expected = {
        key: np.mean([combine(both) for both in np.stack([each[key] for each in scores], 1)]) for key in EXPECTED
    }
    ids = padded(ids_of([text for group in groups for text in group]), PAD)
    metrics = ROUGE.for_trainer(TOKENIZER, num_return_sequences=2, sequences=rule, num_samples=3)
    labels = np.concatenate([LABELS, LABELS[:1]])
    ids = np.concatenate([ids, ids[:2]])
    batches = [EvalPrediction(ids[:4], labels[:2]), EvalPrediction(ids[4:], labels[2:])]

    result = in_batches(metrics, batches) if batched else metrics(EvalPrediction(ids, labels))

    assert result.pop("gen_len") == np.mean([len(text) + 1 for group in groups for text in group])
    assert result == pytest.approx(expected, abs=1e-15)


def test_repeated_samples_are_cut_off():
    metrics = ROUGE.for_trainer(TOKENIZER, num_samples=3)

    for batches in ([[0, 1, 2, 0, 1]], [[0, 1], [2, 0], [1]], [[0, 1, 2], [0, 1]]):
        result = in_batches(metrics, map(evaluation, batches))
        assert {key: result[key] for key in EXPECTED} == EXPECTED
    with pytest.warns(RougeWarning, match="num_samples=3, but the evaluation had only 2 samples"):
        metrics(evaluation([0, 1]))


def test_number_of_samples_for_each_of_several_sets():
    metrics = ROUGE.for_trainer(TOKENIZER, num_samples=[3, 2], gen_len=False)
    for _ in range(2):
        assert metrics(evaluation([0, 1, 2, 0])) == EXPECTED
        assert metrics(evaluation([0, 1, 0, 1])) == ROUGE.compute(PREDICTIONS[:2], REFERENCES[:2])


@pytest.mark.filterwarnings("ignore:An interval of")
@pytest.mark.parametrize("array", [np.array, pytest.param(lambda rows: torch.tensor(rows), marks=pytest.mark.training)])
@pytest.mark.parametrize("options", [{"output": "all", "confidence": 0.9}, {"num_samples": 3}])
def test_batches_give_what_all_at_once_gives_and_leave_nothing(options, array):
    metrics = ROUGE.for_trainer(TOKENIZER, **options)
    whole = metrics(evaluation())

    for _ in range(2):
        batches = [EvalPrediction(array(PRED[[i]]), array(LABELS[[i]])) for i in range(2)]
        assert in_batches(metrics, [*batches, evaluation([2])]) == whole


def test_failing_batch_leaves_nothing_behind():
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False)
    metrics(evaluation([0]), compute_result=False)
    with pytest.raises(ValueError, match="predictions for"):
        metrics(EvalPrediction(PRED[:1], LABELS), compute_result=False)

    assert metrics(evaluation(), compute_result=True) == EXPECTED
    with pytest.raises(ValueError, match=r"^predictions\[1\] holds the lone surrogate"):
        in_batches(ROUGE.for_trainer(), [EvalPrediction(["a"], ["a"]), EvalPrediction(["\ud83d"], ["a"])])


def test_whole_evaluation_and_reset_drop_what_batches_left():
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False)
    metrics(evaluation([0]), compute_result=False)
    with pytest.warns(RougeWarning, match="ended before its result; the scores of its 1 samples are dropped"):
        assert metrics(evaluation()) == EXPECTED
    metrics(evaluation([0]), compute_result=False)
    metrics.reset()
    assert metrics(evaluation(), compute_result=True) == EXPECTED


class Loader:
    """A data loader."""


def test_an_evaluation_that_ended_early_is_dropped_when_another_begins(monkeypatch):
    """accelerate lists the data loaders in use; one that was not read to its end stays in the list."""
    state = SimpleNamespace()  # with its public attributes alone
    monkeypatch.setitem(sys.modules, "accelerate.state", SimpleNamespace(GradientState=lambda: state))
    metrics = ROUGE.for_trainer(TOKENIZER, gen_len=False)
    one, other = Loader(), Loader()

    for loaders in ([None, one], [None, one, one], [None, one, other], [None]):
        state.dataloader_references = loaders
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            in_first = [metrics(evaluation([i]), compute_result=False) for i in (0, 1)]
        messages = [f"{each.message}" for each in caught]
        assert (in_first, len(messages)) == ([{}, {}], 0 if loaders == [None, one] else 1)
        assert all("the scores of its 2 samples are dropped" in each for each in messages)
    assert metrics(evaluation([2]), compute_result=True) == EXPECTED


def test_of_each_sample_a_number_of_each_type_is_kept():
    """Of the first thousands it keeps the texts, for its warnings."""
    metrics, batch = ROUGE.for_trainer(TOKENIZER), evaluation([0, 1, 2] * 1_000)
    for _ in range(4):
        metrics(batch, compute_result=False)
    tracemalloc.start()
    metrics(batch, compute_result=False)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 50 * 3_000


def test_threads_are_shared_out_among_the_processes_of_a_machine(monkeypatch):
    seen = []
    score = trainer.score_samples
    monkeypatch.setattr(trainer, "score_samples", lambda *given: seen.append(given[2].threads) or score(*given))
    monkeypatch.setattr(process_group.os, "sched_getaffinity", lambda _: range(8), raising=False)
    for processes in ("1", "4", "16", "none"):
        monkeypatch.setenv("LOCAL_WORLD_SIZE", processes)
        ROUGE.for_trainer(TOKENIZER)(evaluation())
    ROUGE.for_trainer(TOKENIZER, threads=3)(evaluation())

    assert seen == [8, 2, 1, 8, 3]


@pytest.fixture
def ranks(monkeypatch):
    """The ranks of two processes of torch.distributed; the messages of the first reach the second."""
    messages = []

    def broadcast(rank, message, src):
        assert src == 0
        if rank == 0:
            messages.append(list(message))
        else:
            message[:] = messages.pop(0)

    def each_rank():
        for rank in range(2):
            group = SimpleNamespace(get_rank=partial(int, rank), get_world_size=partial(int, 2))
            group.broadcast_object_list = partial(broadcast, rank)
            monkeypatch.setattr(process_group, "_torch_distributed", lambda group=group: group)
            yield rank

    return each_rank()


def test_first_process_computes_and_sends(ranks, monkeypatch):
    for rank in ranks:
        if rank == 1:
            monkeypatch.setattr(trainer, "score_samples", None)
        metrics = ROUGE.for_trainer(TOKENIZER, first_process_only=True, gen_len=False)
        assert in_batches(metrics, [evaluation([0]), evaluation([1, 2])]) == EXPECTED


def test_failure_of_the_first_process_reaches_the_others(ranks):
    for rank in ranks:
        with pytest.raises(RuntimeError if rank else ValueError, match="predictions for 3 rows"):
            ROUGE.for_trainer(TOKENIZER, first_process_only=True)(EvalPrediction(PRED[:2], LABELS))


def read_lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("batched", [False, True])
def test_samples_are_saved_with_their_scores(tmp_path, batched):
    folder = tmp_path / "samples" / "run"
    metrics = ROUGE.for_trainer(TOKENIZER, save_samples=folder, scale=100, output="all", num_samples=3)
    for _ in range(2):
        if batched:
            metrics(evaluation([0, 1]), compute_result=False)
            assert not list(folder.glob("*.jsonl"))[1:]
            metrics(evaluation([2, 0]), compute_result=True)
        else:
            metrics(evaluation([0, 1, 2, 0]))

    assert sorted(path.name for path in folder.iterdir()) == ["evaluation-000001.jsonl", "evaluation-000002.jsonl"]
    rows = read_lines(folder / "evaluation-000002.jsonl")
    scores = ROUGE.score(PREDICTIONS, REFERENCES, scale=100)
    assert rows == [
        {"id": i, "prediction": PREDICTIONS[i], "references": [REFERENCES[i]]}
        | {key: column[i] for key, column in scores.items()}
        for i in range(3)
    ]


def test_samples_of_several_sequences_and_of_none(tmp_path):
    metrics = ROUGE.for_trainer(save_samples=tmp_path, num_return_sequences=2, empty="skip", sequences="best")
    with pytest.warns(RougeWarning, match="left 1 of 2 samples"):
        metrics(EvalPrediction(["", "天", "", ""], ["天", "雨"]))

    first, second = read_lines(tmp_path / "evaluation-000001.jsonl")
    assert (first["prediction"], first["predictions"], first["rouge1"]) == ("", ["", "天"], 1.0)
    assert second["rouge1"] is None


def test_unfinished_samples_are_removed(tmp_path):
    metrics = ROUGE.for_trainer(TOKENIZER, save_samples=tmp_path, digits=5)
    metrics(evaluation([0, 1]), compute_result=False)
    assert [path.name for path in tmp_path.iterdir()] == ["evaluation-000001.jsonl.part"]
    sent = pickle.loads(pickle.dumps(metrics))  # noqa: S301 our own
    metrics.reset()
    assert list(tmp_path.iterdir()) == []
    assert sent(evaluation()) == metrics(evaluation()) == ROUGE.for_trainer(TOKENIZER, digits=5)(evaluation())


def test_only_the_first_process_saves_samples(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    ROUGE.for_trainer(TOKENIZER, save_samples=tmp_path / "samples")(evaluation())

    assert list(tmp_path.iterdir()) == []


def test_sentence_breaks_are_looked_for_in_all_batches():
    texts = ["今天天气很好。明天下雨。", "雨"]
    metrics = Rouge("zh_char").for_trainer()
    cut, whole = (EvalPrediction([text], [text]) for text in texts)
    in_batches(metrics, [whole, cut])  # no warning, which is an error here
    metrics(whole)  # nor here
    with pytest.warns(RougeWarning, match=r"no text has a sentence break .*sentence_split='auto' cuts them"):
        in_batches(metrics, [EvalPrediction(["Rain. Wind."], ["rain"]), whole])
