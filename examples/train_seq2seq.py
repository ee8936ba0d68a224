"""Train a summarizer, log ROUGE of what it generates, and keep the checkpoint with the best ROUGE-2.

The line that matters is the one with ``for_trainer``: no decoding, no -100, no ``compute_metrics`` of your own.
"""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

from __future__ import annotations

import tempfile
from collections.abc import Sequence

from datasets import Dataset
from tiny_parts import read_rows, tiny_seq2seq_model, tiny_tokenizer
from transformers import DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments, TrainerCallback, set_seed

from polyrouge import Rouge


def main(folder: str, steps: int = 40, callbacks: Sequence[TrainerCallback] = ()) -> Seq2SeqTrainer:
    """Train in ``folder``, and return the trainer with the best model in it."""
    set_seed(0)
    rows = read_rows(10)
    tokenizer = tiny_tokenizer(rows)
    data = Dataset.from_list(rows).map(
        lambda batch: dict(tokenizer(batch["source"], text_target=batch["target"])),
        batched=True,
        remove_columns=["source", "target"],
    )
    model = tiny_seq2seq_model(tokenizer)
    rouge = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])
    trainer = Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(
            output_dir=folder,
            use_cpu=True,
            report_to="none",
            disable_tqdm=True,
            learning_rate=1e-2,
            max_steps=steps,
            eval_strategy="steps",
            eval_steps=steps // 2,
            save_steps=steps // 2,
            per_device_eval_batch_size=4,
            predict_with_generate=True,
            generation_max_length=26,
            metric_for_best_model="rouge2",
            load_best_model_at_end=True,
        ),
        train_dataset=data,
        eval_dataset=data,
        processing_class=tokenizer,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model),
        compute_metrics=rouge.for_trainer(tokenizer, scale=100, digits=4, save_samples=f"{folder}/samples"),
        callbacks=list(callbacks),
    )
    trainer.train()
    return trainer


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        trainer = main(folder)
        for entry in trainer.state.log_history:
            print({key: value for key, value in entry.items() if "rouge" in key or key in ("step", "eval_gen_len")})
        print(f"best ROUGE-2 {trainer.state.best_metric}, at step {trainer.state.best_global_step}")
