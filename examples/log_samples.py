"""A callback: the texts of each evaluation, from ``save_samples``, as a table in Weights & Biases and TensorBoard.

::

    metrics = Rouge("zh_char").for_trainer(tokenizer, save_samples="samples")
    trainer = Trainer(..., compute_metrics=metrics, callbacks=[LogSamples("samples", writer=SummaryWriter("runs"))])
"""

from pathlib import Path
from typing import Any

import pandas as pd
from transformers import TrainerCallback


class LogSamples(TrainerCallback):
    """After each evaluation, its first rows: to a ``wandb`` run, to a ``SummaryWriter``, or to both."""

    def __init__(self, folder: str, run: Any = None, writer: Any = None, rows: int = 50) -> None:
        self.folder, self.run, self.writer, self.rows = Path(folder), run, writer, rows

    def on_evaluate(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 Trainer names them
        """Called by the Trainer, in each process; the first has the files."""
        if not state.is_world_process_zero:
            return
        newest = max(self.folder.glob("evaluation-*.jsonl"))
        table = pd.read_json(newest, lines=True, dtype=False).head(self.rows)  # pyright: ignore[reportArgumentType] pandas takes it
        table["references"] = table["references"].map("\n".join)
        if self.run is not None:
            import wandb

            self.run.log({"samples": wandb.Table(dataframe=table), "train/global_step": state.global_step})
        if self.writer is not None:
            cells = [table.columns, ["---"] * table.shape[1], *table.astype(str).values]
            lines = ["|" + "|".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + "|" for row in cells]
            self.writer.add_text("samples", "\n".join(lines), state.global_step)
