"""Evaluate a decoder-only model by what it generates, inside a Trainer.

Prompts are padded on the left, as generation goes on at the right. The model repeats its prompt, so the inputs are
handed to the metric (``include_for_metrics``), which removes them. Labels are as long as inputs, as the loss asks.
"""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

from __future__ import annotations

import tempfile

import torch
from datasets import Dataset
from tiny_parts import read_rows, tiny_causal_model, tiny_tokenizer
from transformers import GenerationConfig, Seq2SeqTrainer, Seq2SeqTrainingArguments, set_seed

from polyrouge import Rouge


def main(folder: str) -> dict[str, float]:
    """The scores of an untrained model."""
    set_seed(0)
    rows = read_rows(10)
    tokenizer = tiny_tokenizer(rows)
    encode = lambda text: tokenizer(text, add_special_tokens=False)["input_ids"]  # noqa: E731 used below
    data = Dataset.from_list([{"input_ids": encode(row["source"]), "labels": encode(row["target"])} for row in rows])

    def padded_left(batch: list[dict[str, list[int]]]) -> dict[str, torch.Tensor]:
        length = max(len(ids) for row in batch for ids in row.values())
        pad = lambda ids, value: [value] * (length - len(ids)) + ids  # noqa: E731 used below
        return {
            "input_ids": torch.tensor([pad(row["input_ids"], tokenizer.pad_token_id) for row in batch]),
            "attention_mask": torch.tensor([pad([1] * len(row["input_ids"]), 0) for row in batch]),
            "labels": torch.tensor([pad(row["labels"], -100) for row in batch]),
        }

    rouge = Rouge("zh_char", rouge_types=["rouge1", "rougeL"])
    trainer = Seq2SeqTrainer(
        model=tiny_causal_model(tokenizer),
        args=Seq2SeqTrainingArguments(
            output_dir=folder,
            use_cpu=True,
            report_to="none",
            disable_tqdm=True,
            remove_unused_columns=False,
            per_device_eval_batch_size=4,
            predict_with_generate=True,
            generation_config=GenerationConfig(max_new_tokens=20, max_length=None, pad_token_id=tokenizer.pad_token_id),
            include_for_metrics=["inputs"],
        ),
        eval_dataset={"first": data.select(range(7)), "all": data},
        data_collator=padded_left,
        compute_metrics=rouge.for_trainer(tokenizer, strip_prompt="inputs"),
    )
    return trainer.evaluate()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print({key: value for key, value in main(folder).items() if "rouge" in key or "gen_len" in key})
