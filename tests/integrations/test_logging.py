"""A Trainer logs texts to the real Weights & Biases, offline, and the real TensorBoard, and stops early."""

import json

import pytest
import train_seq2seq
import wandb
from log_samples import LogSamples
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from torch.utils.tensorboard import SummaryWriter
from transformers import EarlyStoppingCallback


# A model of 20 steps may write marks alone, as it does on some processors.
@pytest.mark.filterwarnings("ignore:The tokenizer 'zh_char' leaves no token:polyrouge.errors.RougeWarning")
def test_samples_are_logged_as_tables(tmp_path, monkeypatch):
    monkeypatch.setenv("WANDB_SILENT", "true")
    folder = tmp_path / "out"
    run = wandb.init(mode="offline", project="rouge", dir=str(tmp_path))
    writer = SummaryWriter(str(tmp_path / "board"))
    samples = LogSamples(f"{folder}/samples", run, writer)
    stop = EarlyStoppingCallback(early_stopping_patience=1, early_stopping_threshold=1000)

    trainer = train_seq2seq.main(str(folder), steps=41, callbacks=[samples, stop])
    run.finish()
    writer.close()

    assert trainer.state.global_step == 40  # the second evaluation is the first without a gain
    files = sorted((folder / "samples").glob("*.jsonl"))
    rows = [json.loads(line) for line in files[-1].read_text(encoding="utf-8").splitlines()]
    tables = sorted((tmp_path / "wandb").glob("offline-run-*/files/media/table/samples_*.json"))
    logged = [json.loads(path.read_text(encoding="utf-8")) for path in tables]
    expected = [list({**row, "references": row["references"][0]}.values()) for row in rows]
    assert expected in [table["data"] for table in logged]
    assert len(logged) == len(files) == 2

    board = EventAccumulator(str(tmp_path / "board")).Reload()
    (tag,) = board.Tags()["tensors"]
    events = board.Tensors(tag)
    assert [event.step for event in events] == [20, 40]
    (text,) = events[-1].tensor_proto.string_val
    assert text.decode().splitlines()[2].split("|")[2:4] == [rows[0]["prediction"], rows[0]["references"][0]]
