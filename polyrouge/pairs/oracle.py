"""Which sentences of a document score highest against its summary: labels for extractive summarization."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyrouge.documents.input_notes import InputNotes
from polyrouge.errors import shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, check_texts, column_rows
from polyrouge.metric import Rouge
from polyrouge.scoring.results import scale_scores
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.texts.sentences import sentence_splitter

METHODS = ("greedy", "presumm", "exact")
_MOST_SUBSETS = 200_000
_SUBSETS_AT_ONCE = 4096
_NOT_PRESUMM = re.compile(r"[^a-zA-Z0-9 ]")


@dataclass(frozen=True)
class Oracle:
    """The sentences chosen.

    Attributes:
        indices: their numbers, in the order of the document.
        sentences: the sentences of the document that the numbers are of.
        scores: for each type the F-measure of the chosen sentences together, by the settings.
        signature: of the settings.
    """

    indices: list[int]
    sentences: list[str]
    scores: dict[str, float]
    signature: str

    @property
    def text(self) -> str:
        """The chosen sentences, one a line."""
        return "\n".join(self.sentences[index] for index in self.indices)


def extractive_oracle(
    sentences: Any,
    reference: Any,
    k: int = 3,
    *,
    method: str = "greedy",
    rouge_types: Sequence[str] = ("rouge1", "rouge2"),
    convention: str = "default",
    sentence_split: str | Callable[[str], Sequence[str]] = "auto",
    **settings: Any,
) -> Oracle:
    """Choose the sentences whose scores, added up over the types, are highest.

    Args:
        sentences: of a document, in order; or the document as one text, which is cut.
        reference: the summary, or a list of several.
        k: how many sentences at most.
        method: ``"greedy"``: add the sentence that raises the score most, the first of equal ones, until none does
            (Nallapati et al. 2017, section 3); ``"presumm"``: the function ``greedy_selection`` of PreSumm (Liu and
            Lapata 2019), whose labels come out: sets of unigrams and bigrams of what is left of a-z, A-Z, 0-9 and
            blanks; for English. ``"exact"``: the best of all sets of up to k sentences, the first of equal ones;
            for up to 200,000 sets, such as 3 of 100 sentences.
        rouge_types: whose F-measures are added up; not for ``"presumm"``.
        convention: as for ``Rouge``; of the scores, and of ``"greedy"`` and ``"exact"``.
        sentence_split: how a document is cut.
        **settings: fields of ``RougeSettings``.

    Examples:
        >>> extractive_oracle("It rained. The cat sat on the mat. A dog ran.", "The cat sat.", k=1).indices
        [1]

    Raises:
        TypeError: something is no text.
        ValueError: a bad method or setting, k below 1, or too many sets.
    """
    if method not in METHODS:
        raise unknown_value(method, METHODS, "method")
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise ValueError(f"k is {shown_value(k)}; give a whole number of at least 1.")
    if isinstance(sentences, str):
        (text,) = check_texts([sentences], "sentences")
        rows = [part for part in map(str.strip, sentence_splitter(sentence_split)(text)) if part]
    else:
        rows = check_texts(sentences, "sentences")
    references = check_texts([reference] if isinstance(reference, str) else reference, "reference")
    if not references:
        raise ValueError("reference is empty; give a text, or a list of at least one.")
    chooser = _Chooser(rows, references, Rouge(convention, **{"rouge_types": tuple(rouge_types), **settings}))
    if method == "presumm":
        indices = _presumm(rows, " ".join(references), k)
    elif method == "greedy":
        indices = chooser.greedy(k)
    else:
        indices = chooser.exact(k)
    scores = chooser.scores_of([indices])[0] if indices else np.zeros(len(rouge_types))
    chooser.warn()
    by_type = dict(zip(rouge_types, scores.tolist(), strict=True))
    return Oracle(sorted(indices), rows, by_type, chooser.settings.signature())


def oracle_batch(
    batch: Mapping[str, Any],
    source: str = "document",
    reference: str = "summary",
    column: str = "oracle",
    **options: Any,
) -> dict[str, list[list[int]]]:
    """Add the numbers of the chosen sentences to a data set: ``ds.map(oracle_batch, batched=True)``.

    Args:
        batch: the columns of some rows, by name.
        source: the column with documents, each a text or a list of sentences.
        reference: the column with summaries.
        column: the name of the new column.
        **options: of ``extractive_oracle``.

    Raises:
        KeyError: there is no such column.
    """
    columns = []
    for name in (source, reference):
        if name not in batch:
            raise KeyError(f"There is no column {name!r}; name one of {', '.join(map(repr, batch))} by fn_kwargs.")
        columns.append(column_rows(batch[name], name))
    chosen = [extractive_oracle(*row, **options).indices for row in zip(*columns, strict=True)]
    return {column: chosen}


class _Chooser:
    """Scores sets of sentences of one document."""

    def __init__(self, sentences: Sequence[str], references: Sequence[str], metric: Rouge) -> None:
        self.settings = metric.settings
        self._sentences, self._references = sentences, list(references)

    def warn(self) -> None:
        """Warn of what looks wrong in the document as a whole, or in its references."""
        notes = InputNotes(self.settings.text_rules)
        score_samples(Inputs(["\n".join(self._sentences)], [self._references], "list"), self.settings, notes)
        warn_of(notes.messages())

    def scores_of(self, sets: Sequence[Sequence[int]]) -> np.ndarray:
        """float64[n_sets, n_types]: F of each set of sentences, in the order of the document, one a line."""
        texts = ["\n".join(self._sentences[index] for index in sorted(chosen)) for chosen in sets]
        samples = score_samples(Inputs(texts, [self._references] * len(texts), "list"), self.settings)
        return np.nan_to_num(scale_scores(samples.scores, self.settings.result_rules)[..., 2])

    def greedy(self, k: int) -> list[int]:
        """Add sentence after sentence."""
        chosen: list[int] = []
        best = 0.0
        while len(chosen) < min(k, len(self._sentences)):
            others = [index for index in range(len(self._sentences)) if index not in chosen]
            totals = self.scores_of([[*chosen, index] for index in others]).sum(axis=1)
            place = int(totals.argmax())
            if not totals[place] > best:
                break
            best = totals[place]
            chosen.append(others[place])
        return chosen

    def exact(self, k: int) -> list[int]:
        """The best set of all."""
        n = len(self._sentences)
        n_sets = sum(math.comb(n, size) for size in range(1, k + 1))
        if n_sets > _MOST_SUBSETS:
            raise ValueError(
                f"{n} sentences have {n_sets:,} sets of up to {k}; method='exact' looks at {_MOST_SUBSETS:,} at most. "
                "method='greedy' takes any number."
            )
        sets = itertools.chain.from_iterable(itertools.combinations(range(n), size) for size in range(1, k + 1))
        best, chosen = 0.0, ()
        while some := list(itertools.islice(sets, _SUBSETS_AT_ONCE)):
            totals = self.scores_of(some).sum(axis=1)
            place = int(totals.argmax())
            if totals[place] > best:
                best, chosen = totals[place], some[place]
        return list(chosen)


def _presumm(sentences: Sequence[str], reference: str, k: int) -> list[int]:
    """PreSumm's choice: data_builder.greedy_selection of commit 2695635, whose sums are in the same order."""
    unit_sets = [_presumm_units(sentence) for sentence in sentences]
    of_reference = _presumm_units(reference)
    chosen: list[int] = []
    covered: tuple[set, set] = (set(), set())
    best = 0.0
    for _ in range(k):
        best_index = -1
        n_covered = [len(units) for units in covered]
        n_hits = [len(units & wanted) for units, wanted in zip(covered, of_reference, strict=True)]
        for index, units in enumerate(unit_sets):
            if index in chosen:
                continue
            total = 0.0
            for order in range(2):
                new = units[order] - covered[order]
                hits = n_hits[order] + len(new & of_reference[order])
                total += _presumm_f(hits, n_covered[order] + len(new), len(of_reference[order]))
            if total > best:
                best, best_index = total, index
        if best_index < 0:
            break
        chosen.append(best_index)
        covered = covered[0] | unit_sets[best_index][0], covered[1] | unit_sets[best_index][1]
    return chosen


def _presumm_units(text: str) -> tuple[set, set]:
    """The distinct words and bigrams of a text."""
    words = _NOT_PRESUMM.sub("", text).split()
    return set(words), set(itertools.pairwise(words))


def _presumm_f(hits: int, n_prediction: int, n_reference: int) -> float:
    precision = hits / n_prediction if n_prediction else 0.0
    recall = hits / n_reference if n_reference else 0.0
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))
