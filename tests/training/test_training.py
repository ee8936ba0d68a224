"""The recipes of ``examples/`` and the metric inside real training: Transformers, accelerate and TRL on the CPU."""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false, reportFunctionMemberAccess=false
# (transformers and datasets say less in their annotations than they take)

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import evaluate
import evaluate_distributed
import evaluation_harnesses
import numpy as np
import pytest
import reward_training
import torch
import train_causal
import train_seq2seq
from datasets import Dataset
from tiny_parts import read_rows, tiny_causal_model, tiny_seq2seq_model, tiny_tokenizer
from torch.utils.data import DataLoader
from transformers import (
    DataCollatorForSeq2Seq,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    Trainer,
    TrainingArguments,
)

from polyrouge import Rouge, RougeWarning
from polyrouge.training.trainer import TrainerMetrics

ROOT = Path(__file__).resolve().parents[2]
ROWS = read_rows(10)
TOKENIZER = tiny_tokenizer(ROWS)
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])
TYPES = ROUGE.settings.rouge_types
COMMON = {"use_cpu": True, "report_to": "none", "disable_tqdm": True, "per_device_eval_batch_size": 4}

torch.set_num_threads(1)  # models this small are faster so, above all where other work runs beside
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


def by_hand(predictions, labels):
    """Predictions and references as the scripts decode them that everybody copies."""
    texts = []
    for ids in (predictions, labels):
        filled = np.where(np.asarray(ids) == -100, TOKENIZER.pad_token_id, ids)
        texts.append(TOKENIZER.batch_decode(filled, skip_special_tokens=True))
    return texts


def scores_of(metrics, prefix="eval"):
    return {name: metrics[f"{prefix}_{name}"] for name in TYPES}


def seq2seq_data():
    return Dataset.from_list(ROWS).map(
        lambda row: dict(TOKENIZER(row["source"], text_target=row["target"])), remove_columns=["source", "target"]
    )


def seq2seq_trainer(folder, metrics, **arguments):
    torch.manual_seed(0)
    model = tiny_seq2seq_model(TOKENIZER)
    return Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(output_dir=str(folder), **COMMON, **arguments),
        eval_dataset=seq2seq_data(),
        processing_class=TOKENIZER,
        data_collator=DataCollatorForSeq2Seq(TOKENIZER, model),
        compute_metrics=metrics,
    )


def spied(monkeypatch):
    """What Trainers hand to the metric from now on, as (predictions, labels)."""
    handed = []
    call = TrainerMetrics.__call__

    def spy(self, prediction, compute_result=None):
        handed.append((np.array(prediction.predictions), np.array(prediction.label_ids)))
        return call(self, prediction, compute_result)

    monkeypatch.setattr(TrainerMetrics, "__call__", spy)
    return handed


# Recipes


@pytest.fixture(scope="module")
def seq2seq(tmp_path_factory):
    """A run of the recipe: its folder, its trainer, what it handed to the metric, and what it logged."""
    folder = tmp_path_factory.mktemp("seq2seq")
    with pytest.MonkeyPatch.context() as patch:
        handed = spied(patch)
        trainer = train_seq2seq.main(str(folder), steps=40)
    logged = [entry for entry in trainer.state.log_history if "eval_rouge1" in entry]
    return SimpleNamespace(folder=folder, trainer=trainer, handed=handed, logged=logged)


def test_seq2seq_recipe_logs_what_decoding_by_hand_gives(seq2seq):
    logged = seq2seq.logged
    assert len(logged) == len(seq2seq.handed) == 2
    for entry, (predictions, labels) in zip(logged, seq2seq.handed, strict=True):
        expected = ROUGE.compute(*by_hand(predictions, labels), scale=100)
        assert scores_of(entry) == {key: round(value, 4) for key, value in expected.items()}
        filled = np.where(predictions == -100, TOKENIZER.pad_token_id, predictions)
        assert entry["eval_gen_len"] == round(np.count_nonzero(filled != TOKENIZER.pad_token_id, axis=1).mean(), 4)
    assert logged[-1]["eval_rouge2"] > 0


def test_seq2seq_recipe_ends_with_the_best_checkpoint(seq2seq):
    trainer = seq2seq.trainer
    logged = {entry["step"]: entry["eval_rouge2"] for entry in seq2seq.logged}
    assert trainer.state.best_metric == max(logged.values()) > min(logged.values())
    assert trainer.evaluate()["eval_rouge2"] == trainer.state.best_metric
    assert trainer.state.best_model_checkpoint == f"{seq2seq.folder}/checkpoint-{max(logged, key=logged.__getitem__)}"


def test_seq2seq_recipe_saves_the_samples_of_each_evaluation(seq2seq):
    logged = [scores_of(entry) for entry in seq2seq.logged]
    files = sorted((seq2seq.folder / "samples").iterdir())[:2]
    assert [path.name for path in files] == ["evaluation-000001.jsonl", "evaluation-000002.jsonl"]
    for path, metrics, handed in zip(files, logged, seq2seq.handed, strict=True):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        predictions, references = by_hand(*handed)
        assert [row["prediction"] for row in rows] == predictions
        assert [row["references"] for row in rows] == [[text] for text in references]
        assert metrics == {name: round(np.mean([row[name] for row in rows]), 4) for name in TYPES}


def causal_scores_by_hand(trainer, data):
    """Argmax of the model's own logits for the places that have a label."""
    predictions, references = [], []
    for row in data:
        logits = trainer.model(torch.tensor([row["input_ids"]])).logits[0]
        start = next(i for i, label in enumerate(row["labels"]) if label != -100)
        predictions.append(TOKENIZER.decode(logits[start - 1 : -1].argmax(-1), skip_special_tokens=True))
        references.append(TOKENIZER.decode(row["labels"][start:], skip_special_tokens=True))
    return ROUGE.compute(predictions, references)


def test_causal_recipe_logs_what_decoding_by_hand_gives(tmp_path, monkeypatch):
    handed = spied(monkeypatch)
    trainer = train_causal.main(str(tmp_path), steps=10)

    last = trainer.state.log_history[-3:-1]
    trainer.model.eval()
    sets = trainer.eval_dataset
    assert len(handed) == 2 * (2 + 3)  # two evaluations of two sets, in batches of four
    assert scores_of(last[0], "eval_first") == causal_scores_by_hand(trainer, sets["first"])
    assert scores_of(last[1], "eval_all") == causal_scores_by_hand(trainer, sets["all"])
    assert 0 < last[1]["eval_all_rouge1"] < 1


def test_reward_recipe_raises_its_reward():
    means = reward_training.main(steps=15)

    assert np.mean(means[-3:]) > 1.5 * np.mean(means[:3])


def test_trl_trains_with_the_reward(tmp_path):
    from trl import GRPOConfig, GRPOTrainer

    tokenizer = tiny_tokenizer(ROWS)
    reward = Rouge("zh_char").as_reward(references="answer")
    handed = []

    def spy(**given):
        handed.append(given)
        return reward(**given)

    spy.__name__ = reward.__name__
    trainer = GRPOTrainer(
        model=tiny_causal_model(tokenizer),
        reward_funcs=[spy, reward],
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([{"prompt": row["source"], "answer": row["target"]} for row in ROWS]),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            bf16=False,
            use_cpu=True,
            report_to="none",
            disable_tqdm=True,
            max_steps=2,
            num_generations=4,
            per_device_train_batch_size=4,
            max_completion_length=8,
            logging_steps=1,
            save_strategy="no",
        ),
    )
    trainer.train()

    logged = [entry["rewards/rougeL/mean"] for entry in trainer.state.log_history if "reward" in entry]
    expected = [np.mean(ROUGE.score(each["completions"], each["answer"])["rougeL"]) for each in handed]
    assert logged == pytest.approx(expected, rel=1e-6)  # TRL keeps float32
    assert len(handed) == 2
    assert len(handed[0]["completions"]) == 4


def test_harness_functions_score_one_sample_each():
    references = ["今天天气不错", "今天是个好天气"]
    expected = ROUGE.compute(["今天天气很好"], [references])

    assert evaluation_harnesses.process_results({"target": references}, ["今天天气很好", "另一个"]) == expected
    one = evaluation_harnesses.process_results({"target": references[0]}, ["今天天气很好"])
    assert one == ROUGE.compute(["今天天气很好"], references[:1])
    doc = SimpleNamespace(get_golds=lambda: references)
    response = SimpleNamespace(final_text=["今天天气很好", "另一个"])
    assert evaluation_harnesses.lighteval_scores(doc=doc, model_response=response) == expected
    assert {type(value) for value in expected.values()} == {float}


def test_two_processes_with_an_uneven_last_batch_give_the_number_of_one(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]
    launched = subprocess.run(
        [*launch, "--main_process_port", "0", str(ROOT / "examples" / "evaluate_distributed.py")],
        capture_output=True,
        env=environment | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"},
        text=True,
        timeout=900,
    )
    assert launched.returncode == 0, launched.stderr
    printed = [json.loads(line) for line in launched.stdout.splitlines() if line.startswith('{"process"')]

    single = evaluate_distributed.main(str(tmp_path))

    assert sorted((each["process"], each["of"]) for each in printed) == [(0, 2), (1, 2)]
    alone = single["all at once"]
    assert 0 < alone["eval_rouge2"] < alone["eval_rouge1"] < 1
    for way, result in [*single.items(), *printed[0]["results"].items(), *printed[1]["results"].items()]:
        assert result == alone, way


# What Trainers hand over


@pytest.mark.parametrize(
    "arguments",
    [
        {"eval_do_concat_batches": False},
        {"eval_accumulation_steps": 1},
        {"eval_use_gather_object": True},
        {"include_for_metrics": ["inputs", "loss"]},
        {"batch_eval_metrics": True, "include_for_metrics": ["inputs", "loss"]},
        {"generation_num_beams": 2},
    ],
    ids=str,
)
def test_generation_under_each_argument_of_the_trainer(tmp_path, arguments):
    trainer = seq2seq_trainer(
        tmp_path, ROUGE.for_trainer(TOKENIZER), predict_with_generate=True, generation_max_length=26, **arguments
    )
    whole = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval")
    if arguments.get("eval_do_concat_batches", True):
        predictions, labels = by_hand(whole.predictions, whole.label_ids)
    else:
        parts = [by_hand(*batch) for batch in zip(whole.predictions, whole.label_ids, strict=True)]
        predictions, labels = ([text for texts in column for text in texts] for column in zip(*parts, strict=True))

    assert scores_of(whole.metrics) == ROUGE.compute(predictions, labels)


def test_logits_of_a_real_encoder_decoder_model(tmp_path):
    trainer = seq2seq_trainer(tmp_path, ROUGE.for_trainer(TOKENIZER))
    with pytest.warns(RougeWarning, match="Set predict_with_generate=True"):
        whole = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval")
    logits, labels = whole.predictions[0], whole.label_ids
    predictions, references = by_hand(np.where(labels == -100, -100, logits.argmax(-1)), labels)

    assert scores_of(whole.metrics) == ROUGE.compute(predictions, references)
    trainer.preprocess_logits_for_metrics = trainer.compute_metrics.preprocess_logits_for_metrics
    assert scores_of(trainer.evaluate()) == scores_of(whole.metrics)


def test_several_sequences_of_a_real_model(tmp_path):
    metrics = ROUGE.for_trainer(TOKENIZER, num_return_sequences=2, sequences="best")
    trainer = seq2seq_trainer(tmp_path, metrics, predict_with_generate=True)
    options = {"num_beams": 2, "num_return_sequences": 2, "max_length": 26}
    whole = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval", **options)

    predictions, references = by_hand(whole.predictions, whole.label_ids)
    assert len(predictions) == 2 * len(references)
    each = [ROUGE.score(predictions[i::2], references) for i in range(2)]
    best = {name: np.maximum(each[0][name], each[1][name]).mean() for name in TYPES}
    assert scores_of(whole.metrics) == pytest.approx(best, abs=1e-15)
    trainer.compute_metrics = ROUGE.for_trainer(TOKENIZER)
    with pytest.raises(ValueError, match="num_return_sequences=2"):
        trainer.evaluate(**options)


@pytest.mark.parametrize("by_batch", [False, True])
def test_prompts_of_a_decoder_only_model_are_stripped(tmp_path, by_batch):
    torch.manual_seed(0)
    width, answer = 12, 6
    rows = []
    for row in ROWS:
        prompt = TOKENIZER(row["source"] + row["target"])["input_ids"][: width - len(rows) % 3]
        label = TOKENIZER(row["target"])["input_ids"][:answer]
        rows.append(
            {
                "input_ids": [TOKENIZER.pad_token_id] * (width - len(prompt)) + prompt,
                "attention_mask": [0] * (width - len(prompt)) + [1] * len(prompt),
                "labels": label + [-100] * (width - len(label)),
            }
        )
    trainer = Seq2SeqTrainer(
        model=tiny_causal_model(TOKENIZER),
        args=Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            **COMMON,
            predict_with_generate=True,
            generation_max_length=width + answer,
            include_for_metrics=["inputs"],
            batch_eval_metrics=by_batch,
        ),
        eval_dataset=Dataset.from_list(rows),
        processing_class=TOKENIZER,
        compute_metrics=ROUGE.for_trainer(TOKENIZER),
    )
    whole = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval")

    assert (whole.predictions[:, :width] == [row["input_ids"] for row in rows]).all()
    predictions, references = by_hand(whole.predictions[:, width:], whole.label_ids)
    assert scores_of(whole.metrics) == ROUGE.compute(predictions, references)
    assert whole.metrics["eval_gen_len"] <= answer


@pytest.mark.parametrize("loader", ["a new one", "the same one"])
def test_aborted_evaluation_leaves_nothing_behind(tmp_path, loader):
    metrics = ROUGE.for_trainer(TOKENIZER)
    trainer = seq2seq_trainer(
        tmp_path, metrics, predict_with_generate=True, generation_max_length=26, batch_eval_metrics=True
    )
    expected = scores_of(trainer.evaluate())
    if loader == "the same one":
        kept = trainer.get_eval_dataloader()
        trainer.get_eval_dataloader = lambda _=None: kept
    step = trainer.prediction_step
    steps = []

    def fail_at_second(*args, **options):
        steps.append(None)
        if len(steps) == 2:
            message = "out of memory"
            raise RuntimeError(message)
        return step(*args, **options)

    trainer.prediction_step = fail_at_second
    with pytest.raises(RuntimeError, match="out of memory"):
        trainer.evaluate()
    with pytest.warns(RougeWarning, match="the scores of its 4 samples are dropped"):
        assert scores_of(trainer.evaluate()) == expected
    assert scores_of(trainer.evaluate()) == expected


# Loaded through evaluate


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """The metric as evaluate copies it, with a cache of its own."""
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", evaluate.config.HF_MODULES_CACHE)
    rouge = evaluate.load(str(ROOT / "rouge_metric.py"), "zh_char", rouge_types=TYPES, cache_dir=str(tmp_path / "rows"))
    assert type(rouge).__module__.startswith("evaluate_modules.")
    return rouge


def test_loaded_metric_serves_a_trainer(tmp_path, loaded):
    metrics = loaded.for_trainer(TOKENIZER, save_samples=tmp_path / "samples")
    assert isinstance(metrics, TrainerMetrics)
    trainer = seq2seq_trainer(tmp_path, metrics, predict_with_generate=True, batch_eval_metrics=True)
    whole = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval")

    assert scores_of(whole.metrics) == ROUGE.compute(*by_hand(whole.predictions, whole.label_ids))
    assert len(list((tmp_path / "samples").iterdir())) == 1


@pytest.mark.parametrize("road", ["package", "evaluate"])
def test_functions_travel_to_data_loader_workers(road, request):
    rouge = ROUGE if road == "package" else request.getfixturevalue("loaded")
    predictions, references = ["今天天气很好", "明天下雨"], ["今天天气不错", "明天下雨"]
    batch = {"prediction": predictions, "references": references}
    expected = ROUGE.compute(predictions, references, use_aggregator=False)

    loader = DataLoader(
        [batch] * 2, batch_size=None, num_workers=1, collate_fn=rouge.score_batch, multiprocessing_context="spawn"
    )

    assert list(loader) == [expected] * 2


def test_trainer_pickles_the_metric_to_its_workers(tmp_path, loaded):
    """A data set that holds the metric's callables goes to the workers of the Trainer's own loader."""

    class Rows(torch.utils.data.Dataset):
        def __init__(self):
            self.rows = list(seq2seq_data())
            self.metrics, self.reward = loaded.for_trainer(TOKENIZER), loaded.as_reward(references="answer")

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            assert self.reward(["天气"], answer=["天气"]) == [1.0]
            assert self.metrics(SimpleNamespace(predictions=["天气"], label_ids=["天气"]))["rouge1"] == 1.0
            return self.rows[index]

    model = tiny_seq2seq_model(TOKENIZER)
    trainer = Trainer(
        model=model,
        args=TrainingArguments(output_dir=str(tmp_path), **COMMON, dataloader_num_workers=1),
        eval_dataset=Rows(),
        data_collator=DataCollatorForSeq2Seq(TOKENIZER, model),
        compute_metrics=loaded.for_trainer(TOKENIZER),
        preprocess_logits_for_metrics=loaded.for_trainer(TOKENIZER).preprocess_logits_for_metrics,
    )

    assert set(scores_of(trainer.evaluate())) == set(TYPES)
