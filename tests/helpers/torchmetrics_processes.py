"""One of several processes that bring ROUGEScore together: started by ``tests/compat/test_torchmetrics.py``.

``python torchmetrics_processes.py RANK FOLDER`` reads the rows of its rank from FOLDER and writes what it found there.
"""

import json
import sys
from pathlib import Path

import nltk
import torch
from torchmetrics.text import ROUGEScore as Theirs

from polyrouge.compat.torchmetrics import ROUGEScore


def main(rank, folder):
    nltk.data.path.insert(0, str(folder / "nltk_data"))
    torch.distributed.init_process_group("gloo", f"file://{folder}/meeting", rank=rank, world_size=2)
    given = json.loads((folder / "rows.json").read_text("utf-8"))
    found = {}
    for name, kind in (("theirs", Theirs), ("ours", ROUGEScore)):
        metric = kind(accumulate="avg")
        steps = kind(accumulate="avg", dist_sync_on_step=True)
        each = []
        for batch in given["equal"][rank]:
            metric.update(*batch)
            each.append(numbers(steps(*batch)))
        found[name] = [numbers(metric.compute()), each, numbers(steps.compute())]
        metric.reset()
    metric = ROUGEScore()
    for batch in given["unequal"][rank]:
        metric.update(*batch)
    found["unequal"] = numbers(metric.compute())
    found["own"] = [len(metric.rouge1_fmeasure), sum(map(len, metric.rouge1_fmeasure))]
    (folder / f"found{rank}.json").write_text(json.dumps(found))
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()  # whose threads would else be there when the process ends


def numbers(result):
    return {name: value.item() for name, value in result.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
