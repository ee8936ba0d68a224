"""A Lightning loop with two CPU processes that validates with ROUGEScore, ours and torchmetrics' own.

``python lightning_loop.py FOLDER`` reads the rows from FOLDER and writes what the loop logged there.
"""

import json
import sys
from pathlib import Path

import lightning
import nltk
import torch
from torch.utils.data import DataLoader
from torchmetrics.text import ROUGEScore as Theirs

from polyrouge.compat.torchmetrics import ROUGEScore


class Summarizer(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)  # a module must have something to share
        self.ours, self.theirs = ROUGEScore(use_stemmer=True), Theirs(use_stemmer=True)

    def validation_step(self, batch, _batch_number):
        for name, metric in (("ours", self.ours), ("theirs", self.theirs)):
            metric.update(batch["prediction"], batch["references"])
            own = {f"{name}_{key}": value for key, value in metric(batch["prediction"], batch["references"]).items()}
            self.log_dict({f"step_{key}": value for key, value in own.items()}, batch_size=len(batch["prediction"]))

    def on_validation_epoch_end(self):
        for name, metric in (("ours", self.ours), ("theirs", self.theirs)):
            self.log_dict({f"{name}_{key}": value for key, value in metric.compute().items()}, sync_dist=True)
            metric.reset()


def as_batch(rows):
    return {"prediction": [row[0] for row in rows], "references": [row[1] for row in rows]}


def main(folder):
    nltk.data.path.insert(0, str(folder / "nltk_data"))
    rows = json.loads((folder / "rows.json").read_text("utf-8"))
    options = {
        "logger": False,
        "enable_checkpointing": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
    }
    trainer = lightning.Trainer(accelerator="cpu", devices=2, strategy="ddp", default_root_dir=folder, **options)
    (found,) = trainer.validate(Summarizer(), DataLoader(rows, batch_size=8, collate_fn=as_batch), verbose=False)
    if trainer.is_global_zero:
        (folder / "found.json").write_text(json.dumps({**found, "processes": trainer.world_size}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
