"""Rows on ``polyrouge.compat``: other packages as their users call them, pair by pair, beside the same call here.

The packages are those of ``make peers``, in ``.venv/peers``.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpora import Corpus, chinese, english
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge

__all__ = ["compat"]

_PEERS = Path(__file__).resolve().parents[1] / ".venv" / "peers"
_FLOOR, _FLOOR_OF_TITLES = 10.0, 2.0
_TYPES = ["rouge1", "rouge2", "rougeL"]
_N = 300

Score = Callable[[str, str], object]


def compat(setup: Setup) -> Iterator[Comparison]:
    """Single pairs of each package, titles of 20 characters and longer texts; and what a batch adds to ``Rouge``."""
    sys.setrecursionlimit(1_000_000)  # pltrdy's rouge walks back through the LCS table by recursion
    n = setup.pairs(_N)
    news = [english(n, 62, 3), _few_words(n)]
    spaced = [_spaced(chinese(n, 100)), _spaced(chinese(n, 20))]
    for name, ours, theirs, corpora in (
        ("rouge_score", _scorer("polyrouge.compat.rouge_score"), _scorer("rouge_score"), news),
        ("rouge_score, stemmer", _scorer("polyrouge.compat.rouge_score", True), _scorer("rouge_score", True), news),
        ("rouge", *_both("rouge", "rouge", _get_scores), spaced),
        ("rouge_chinese", *_both("rouge_chinese", "rouge-chinese", _get_scores), spaced),
        ("pycocoevalcap", *_both("pycocoevalcap.rouge.rouge", "pycocoevalcap", _calc_score), spaced),
        ("py-rouge", *_py_rouge(), news),
    ):
        for corpus in corpora:
            pairs = list(zip(corpus.predictions, corpus.references, strict=True))
            few = pairs[: max(20, n // 10)]
            is_title = sum(map(len, corpus.predictions)) < 50 * n
            mine = Side(_loop(ours, pairs), n)
            other = Side(_loop(theirs, few), len(few), _FLOOR_OF_TITLES if is_title else _FLOOR)
            yield from compare("compat", f"{name}, pair by pair", corpus.name, setup.threads, mine, {name: other})
    yield from _batches(setup)


def _batches(setup: Setup) -> Iterator[Comparison]:
    """Many pairs at once, and the same by ``Rouge``."""
    corpus = english(setup.pairs(5000), 62, 3)
    texts = corpus.predictions, corpus.references
    scorer = importlib.import_module("polyrouge.compat.rouge_score.rouge_scorer").RougeScorer(_TYPES)
    rouge = Rouge("rouge_score", rouge_types=_TYPES)
    few = corpus.first(setup.pairs(_N) // 10)
    theirs = importlib.import_module("rouge_score.rouge_scorer").RougeScorer(_TYPES)
    mine = Side(lambda: scorer.score_batch(texts[1], texts[0]), len(texts[0]))
    others = {
        "rouge_score": Side(lambda: list(map(theirs.score, few.references, few.predictions)), len(few[1]), 50.0),
        "Rouge.compute, lists": Side(lambda: rouge.compute(*texts, use_aggregator=False, output="all"), len(texts[0])),
    }
    yield from compare("compat", "rouge_score, score_batch", corpus.name, setup.threads, mine, others)


def _loop(score: Score, pairs: list[tuple[str, str]]) -> Callable[[], object]:
    return lambda: [score(*pair) for pair in pairs]


def _scorer(package: str, use_stemmer: bool = False) -> Score:
    scorer = importlib.import_module(f"{package}.rouge_scorer").RougeScorer(_TYPES, use_stemmer=use_stemmer)
    return lambda prediction, reference: scorer.score(reference, prediction)


def _both(module: str, folder: str, call: Callable[[Any], Score]) -> tuple[Score, Score]:
    """A class ``Rouge``, here and there."""
    ours = importlib.import_module(f"polyrouge.compat.{module.partition('.')[0]}").Rouge()
    return call(ours), call(_original(module, folder).Rouge())


def _get_scores(rouge: Any) -> Score:
    return rouge.get_scores


def _calc_score(rouge: Any) -> Score:
    return lambda prediction, reference: rouge.calc_score([prediction], [reference])


def _py_rouge() -> tuple[Score, Score]:
    """Without setuptools, which it reads its tables by, and without NLTK's punkt, which finds nothing in its texts."""
    import nltk

    folder = str(_PEERS / "py-rouge" / "rouge")
    resources = types.ModuleType("pkg_resources")
    resources.resource_filename = lambda _package, name: f"{folder}/{name}"  # type: ignore[attr-defined]
    sys.modules.setdefault("pkg_resources", resources)
    nltk.word_tokenize = lambda text, _language: nltk.tokenize.NLTKWordTokenizer().tokenize(text)
    options = {"metrics": ["rouge-n", "rouge-l"], "max_n": 2}
    ours = importlib.import_module("polyrouge.compat.py_rouge").Rouge(**options, word_tables=folder)
    return ours.get_scores, _original("rouge", "py-rouge").Rouge(**options).get_scores


def _original(module: str, folder: str) -> types.ModuleType:
    """A package out of its folder; two of them have the same name, so none stays known by it."""
    package = module.partition(".")[0]
    sys.path.insert(0, str(_PEERS / folder))
    try:
        return importlib.import_module(module)
    finally:
        sys.path.pop(0)
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]


def _few_words(n: int) -> Corpus:
    corpus = english(n, 4, 1)
    return Corpus("synthetic, titles of 4 words", corpus.predictions, corpus.references)


def _spaced(corpus: Corpus) -> Corpus:
    return Corpus(f"{corpus.name}, blanks between", *(list(map(" ".join, texts)) for texts in corpus[1:]))
