"""The recipes of ``examples/`` and the metric inside real training: Transformers, accelerate and TRL on the CPU."""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false, reportFunctionMemberAccess=false
# (transformers and datasets say less in their annotations than they take)

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import reward_training
import torch
import train_causal
import train_seq2seq
from datasets import Dataset
from tiny_parts import read_rows, tiny_causal_model, tiny_seq2seq_model, tiny_tokenizer
from transformers import (
    DataCollatorForSeq2Seq,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
)

from polyrouge import Rouge
from polyrouge.training.trainer import TrainerMetrics

ROOT = Path(__file__).resolve().parents[2]
ROWS = read_rows(10)
TOKENIZER = tiny_tokenizer(ROWS)
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])
TYPES = ROUGE.settings.rouge_types
COMMON = {"use_cpu": True, "report_to": "none", "disable_tqdm": True, "per_device_eval_batch_size": 4}

torch.set_num_threads(1)  # models this small are faster so, above all where other work runs beside
pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]


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
