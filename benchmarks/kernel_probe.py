"""Call the most used kernels on the texts of a JSON file; with ``dump``, have callgrind write its counts after each.

Prints for each of callgrind's dumps the kernel that it counts, or null where it counts something else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from polyrouge import RougeSettings
from polyrouge.counting.compiled.kernels.lcs import count_lcs
from polyrouge.counting.compiled.kernels.ngrams import count_bigrams, count_unigrams
from polyrouge.counting.compiled.kernels.union_lcs import count_union_lcs
from polyrouge.counting.compiled.token_batches import batch_of_texts
from polyrouge.reading.notes import TextNotes


def main() -> None:
    """Run each kernel once to load it, then once to be counted."""
    texts = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rules = RougeSettings(tokenizer="ascii").text_rules
    begins = np.arange(len(texts)) % 2 == 0
    batch = batch_of_texts(texts, begins, rules, TextNotes(rules))
    if batch is None:
        msg = "These texts are not tokenized by the kernels."
        raise ValueError(msg)
    places = np.arange(0, len(texts), 2)
    whole = (batch.ids, batch.text_tokens, places, places + 1)
    sentences = (batch.sentence_ids, batch.sentence_tokens, batch.text_sentences, places, places + 1)
    going_on = np.zeros(1, np.uint8)
    kernels: dict[str, Callable[[], object]] = {
        "texts to ids (tokenize_texts and what is around it)": lambda: batch_of_texts(
            texts, begins, rules, TextNotes(rules)
        ),
        "count_unigrams": lambda: count_unigrams(*whole, batch.n_ids, False, False),
        "count_bigrams": lambda: count_bigrams(*whole),
        "count_lcs": lambda: count_lcs(*whole, batch.n_ids, going_on),
        "count_union_lcs": lambda: count_union_lcs(*sentences, batch.n_ids, False, going_on),
    }
    names: list[str | None] = []
    for name, run in kernels.items():
        run()
        _dump()
        run()
        _dump()
        names += [None, name]
    print(json.dumps(names))


def _dump() -> None:
    """Have callgrind write what it counted since the last time."""
    if "dump" in sys.argv:
        subprocess.run(["callgrind_control", "--dump", str(os.getpid())], check=True, capture_output=True)  # noqa: S603, S607


if __name__ == "__main__":
    main()
