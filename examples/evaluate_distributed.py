"""Evaluate in several processes and get the same number as in one: ``num_samples`` cuts off repeated samples.

    accelerate launch --multi_gpu --num_processes 2 examples/evaluate_distributed.py

Processes share out whole batches. Where the last ones don't come out even, samples of the beginning are evaluated
again, and Seq2SeqTrainer keeps them. Runs on CPUs too (``use_cpu``; accelerate has no other name for its launcher of
several processes). Each prints one line of JSON: the metrics of three ways, which are equal.
"""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

from __future__ import annotations

import json
import os
import sys
import tempfile

import torch
from datasets import Dataset
from tiny_parts import fit, read_rows, tiny_seq2seq_model, tiny_tokenizer
from transformers import DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments, set_seed

from polyrouge import Rouge

# name: (batch_eval_metrics of the Trainer, first_process_only of the metric)
_WAYS = {"all at once": (False, False), "batch by batch": (True, False), "on the first process": (True, True)}


def main(folder: str) -> dict[str, dict[str, float]]:
    """Evaluate a model in each way, and return the metrics."""
    set_seed(0)
    torch.set_num_threads(1)  # the same weights to the last bit in every process
    rows = read_rows(9)  # in batches of 2 for 2 processes: one of the last four places is used
    tokenizer = tiny_tokenizer(rows)
    data = Dataset.from_list(rows).map(
        lambda row: dict(tokenizer(row["source"], text_target=row["target"])), remove_columns=["source", "target"]
    )
    model = tiny_seq2seq_model(tokenizer)
    fit(model, tokenizer, rows)
    rouge = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])

    def evaluate(by_batch: bool, first_process_only: bool) -> dict[str, float]:
        trainer = Seq2SeqTrainer(
            model=model,
            args=Seq2SeqTrainingArguments(
                output_dir=folder,
                use_cpu=True,
                report_to="none",
                disable_tqdm=True,
                per_device_eval_batch_size=2,
                predict_with_generate=True,
                generation_max_length=26,
                include_for_metrics=["inputs"],
                batch_eval_metrics=by_batch,
            ),
            eval_dataset=data,
            processing_class=tokenizer,
            data_collator=DataCollatorForSeq2Seq(tokenizer, model),
            compute_metrics=rouge.for_trainer(tokenizer, num_samples=len(data), first_process_only=first_process_only),
        )
        metrics = trainer.evaluate()
        return {key: value for key, value in metrics.items() if "rouge" in key or key == "eval_gen_len"}

    return {way: evaluate(*options) for way, options in _WAYS.items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        results = main(folder)
    rank, processes = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    line = json.dumps({"process": int(rank), "of": int(processes), "results": results})
    sys.stdout.write(f"{line}\n")  # in one piece, as several processes write
