"""Train a decoder-only model, and score it batch by batch without keeping logits or texts.

``preprocess_logits_for_metrics`` keeps one id of each logit vector; ``batch_eval_metrics=True`` hands the metric one
batch after the other, and it keeps a few numbers a sample. The scores are those of teacher forcing.
"""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

from __future__ import annotations

import tempfile

from datasets import Dataset
from tiny_parts import read_rows, tiny_causal_model, tiny_tokenizer
from transformers import DataCollatorForSeq2Seq, Trainer, TrainingArguments, set_seed

from polyrouge import Rouge


def main(folder: str, steps: int = 40) -> Trainer:
    """Train in ``folder``, and return the trainer."""
    set_seed(0)
    rows = read_rows(10)
    tokenizer = tiny_tokenizer(rows)

    def prompt_and_answer(row: dict[str, str]) -> dict[str, list[int]]:
        prompt = tokenizer(row["source"])["input_ids"]
        answer = tokenizer(row["target"])["input_ids"]
        return {
            "input_ids": prompt + answer,
            "attention_mask": [1] * len(prompt + answer),
            "labels": [-100] * len(prompt) + answer,  # the prompt is not learned, and not scored
        }

    data = Dataset.from_list(rows).map(prompt_and_answer, remove_columns=["source", "target"])
    metrics = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"]).for_trainer(tokenizer)
    trainer = Trainer(
        model=tiny_causal_model(tokenizer),
        args=TrainingArguments(
            output_dir=folder,
            use_cpu=True,
            report_to="none",
            disable_tqdm=True,
            learning_rate=1e-2,
            max_steps=steps,
            eval_strategy="steps",
            eval_steps=steps // 2,
            save_strategy="no",
            per_device_eval_batch_size=4,
            batch_eval_metrics=True,
        ),
        train_dataset=data,
        eval_dataset={"first": data.select(range(7)), "all": data},
        processing_class=tokenizer,
        data_collator=DataCollatorForSeq2Seq(tokenizer),
        compute_metrics=metrics,
        preprocess_logits_for_metrics=metrics.preprocess_logits_for_metrics,
    )
    trainer.train()
    return trainer


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for entry in main(folder).state.log_history:
            print({key: value for key, value in entry.items() if "rouge" in key or key == "step"})
