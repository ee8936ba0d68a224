"""The recipes of ``examples/`` and the metric inside real training: Transformers, accelerate and TRL on the CPU."""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false, reportFunctionMemberAccess=false
# (transformers and datasets say less in their annotations than they take)

from types import SimpleNamespace

import evaluate_causal
import numpy as np
import pytest
import reward_training
import torch
import train_causal
import train_seq2seq
from datasets import Dataset
from tiny_parts import read_rows, tiny_causal_model, tiny_tokenizer
from transformers import set_seed

from polyrouge import Rouge, RougeWarning
from polyrouge.training.trainer import TrainerMetrics

ROWS = read_rows(10)
TOKENIZER = tiny_tokenizer(ROWS)
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])
TYPES = ROUGE.settings.rouge_types

torch.set_num_threads(1)  # faster for models this small
pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]


def by_hand(predictions, labels):
    """Predictions and references as the scripts decode them that everybody copies."""
    filled = (np.where(np.asarray(ids) == -100, TOKENIZER.pad_token_id, ids) for ids in (predictions, labels))
    return [TOKENIZER.batch_decode(ids, skip_special_tokens=True) for ids in filled]


def scores_of(metrics, prefix="eval"):
    return {name: metrics[f"{prefix}_{name}"] for name in TYPES}


def spied(monkeypatch):
    """The (predictions, labels) that Trainers give to the metric from now on."""
    calls = []
    call = TrainerMetrics.__call__

    def spy(self, prediction, compute_result=None):
        calls.append((np.array(prediction.predictions), np.array(prediction.label_ids)))
        return call(self, prediction, compute_result)

    monkeypatch.setattr(TrainerMetrics, "__call__", spy)
    return calls


@pytest.fixture(scope="module")
def seq2seq(tmp_path_factory):
    """A run of the recipe: its folder, its trainer, the calls of the metric, and the entries of the log."""
    folder = tmp_path_factory.mktemp("seq2seq")
    with pytest.MonkeyPatch.context() as patch:
        calls = spied(patch)
        trainer = train_seq2seq.main(str(folder), steps=40)
    logged = [entry for entry in trainer.state.log_history if "eval_rouge1" in entry]
    return SimpleNamespace(folder=folder, trainer=trainer, calls=calls, logged=logged)


def test_seq2seq_recipe_logs_what_decoding_by_hand_gives(seq2seq):
    logged = seq2seq.logged
    assert len(logged) == len(seq2seq.calls) == 2
    for entry, (predictions, labels) in zip(logged, seq2seq.calls, strict=True):
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
    calls = spied(monkeypatch)
    trainer = train_causal.main(str(tmp_path), steps=10)

    last = trainer.state.log_history[-3:-1]
    trainer.model.eval()
    sets = trainer.eval_dataset
    assert len(calls) == 2 * (2 + 3)  # two evaluations of two sets, in batches of four
    assert scores_of(last[0], "eval_first") == causal_scores_by_hand(trainer, sets["first"])
    assert scores_of(last[1], "eval_all") == causal_scores_by_hand(trainer, sets["all"])
    assert 0 < last[1]["eval_all_rouge1"] < 1


def test_generation_recipe_scores_what_the_model_generates_after_its_prompt(tmp_path):
    result = evaluate_causal.main(str(tmp_path))

    set_seed(0)
    rows = read_rows(10)
    tokenizer = tiny_tokenizer(rows)
    model = tiny_causal_model(tokenizer).eval()
    predictions = []
    for row in rows:
        prompt = tokenizer(row["source"], add_special_tokens=False, return_tensors="pt")
        output = model.generate(**prompt, max_new_tokens=20, max_length=None, do_sample=False)
        predictions.append(tokenizer.decode(output[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True))
    expected = Rouge("zh_char", rouge_types=["rouge1", "rougeL"]).compute(predictions, [row["target"] for row in rows])
    assert expected["rouge1"] > 0
    assert {name: result[f"eval_all_{name}"] for name in expected} == expected


def test_evaluation_that_breaks_off_leaves_nothing_to_the_next(tmp_path, monkeypatch):
    """Of two sets in batches of four the second batch fails: in the first set, then in the second."""
    trainer = train_causal.main(str(tmp_path / "run"), steps=2)
    metrics = ROUGE.for_trainer(TOKENIZER, save_samples=tmp_path / "samples", num_samples=[7, 10])
    monkeypatch.setattr(trainer, "compute_metrics", metrics)
    expected = trainer.evaluate()
    step = trainer.prediction_step
    for n_steps in (1, 3):
        steps = iter([step] * n_steps)
        monkeypatch.setattr(trainer, "prediction_step", lambda *given, steps=steps, **more: next(steps)(*given, **more))
        with pytest.raises(StopIteration):
            trainer.evaluate()
        monkeypatch.setattr(trainer, "prediction_step", step)
        with pytest.warns(RougeWarning, match="ended before its result; the scores of its 4 samples are dropped"):
            result = trainer.evaluate()
        assert {key: value for key, value in result.items() if "rouge" in key} == {
            key: value for key, value in expected.items() if "rouge" in key
        }
    assert all(path.suffix == ".jsonl" for path in (tmp_path / "samples").iterdir())


def test_reward_recipe_raises_its_reward():
    means = reward_training.main(steps=15)

    assert np.mean(means[-3:]) > 1.5 * np.mean(means[:3])


GRPO = {
    "bf16": False, "use_cpu": True, "report_to": "none", "disable_tqdm": True, "save_strategy": "no", "max_steps": 2,
    "num_generations": 4, "per_device_train_batch_size": 4, "max_completion_length": 8, "logging_steps": 1,
}  # fmt: skip


def test_trl_trains_with_the_reward(tmp_path):
    from trl import GRPOConfig, GRPOTrainer

    tokenizer = tiny_tokenizer(ROWS)
    reward = Rouge("zh_char").as_reward(references="answer")
    calls = []

    def spy(**columns):
        calls.append(columns)
        return reward(**columns)

    spy.__name__ = reward.__name__
    trainer = GRPOTrainer(
        model=tiny_causal_model(tokenizer),
        reward_funcs=[spy, reward],
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([{"prompt": row["source"], "answer": row["target"]} for row in ROWS]),
        args=GRPOConfig(output_dir=str(tmp_path), **GRPO),
    )
    trainer.train()

    logged = [entry["rewards/rougeL/mean"] for entry in trainer.state.log_history if "reward" in entry]
    expected = [np.mean(ROUGE.score(each["completions"], each["answer"])["rougeL"]) for each in calls]
    assert logged == pytest.approx(expected, rel=1e-6)  # TRL keeps float32
    assert [len(each["completions"]) for each in calls] == [4, 4]
