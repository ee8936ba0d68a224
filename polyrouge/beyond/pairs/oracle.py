"""Which sentences of a document score highest against its summary: labels for extractive summarization."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.kernels import is_built
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_of
from polyrouge.errors import shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, check_text_lists, check_texts, column_rows
from polyrouge.metric import Rouge, as_rouge
from polyrouge.scoring.aggregates import scale_scores
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.settings.allowed_values import COUNT, checked_number
from polyrouge.texts.sentences import sentence_splitter

METHODS = ("greedy", "presumm", "exact")
_MOST_SUBSETS = 200_000
_SETS_AT_ONCE = 4096
_NOT_PRESUMM = re.compile(r"[^a-zA-Z0-9 ]")
_Set = tuple[int, tuple[int, ...]]  # a document, and numbers of its sentences


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


def extractive_oracle(
    sentences: Any,
    reference: Any,
    k: int = 3,
    *,
    method: str = "greedy",
    rouge_types: Sequence[str] = ("rouge1", "rouge2"),
    rouge: Rouge | str | None = None,
    sentence_split: str | Callable[[str], Sequence[str]] = "auto",
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
        rouge: the metric, or a convention's name; ``Rouge()`` if None: of the scores, and of ``"greedy"`` and
            ``"exact"``. Its types do not count.
        sentence_split: how a document is cut.

    Examples:
        >>> extractive_oracle("It rained. The cat sat on the mat. A dog ran.", "The cat sat.", k=1).indices
        [1]

    Raises:
        TypeError: something is no text.
        ValueError: a bad method or setting, k below 1, or too many sets.
    """
    search = OracleSearch(k, method, rouge_types, rouge, sentence_split)
    document = sentences if isinstance(sentences, str) else check_texts(sentences, "sentences")
    references = reference if isinstance(reference, str) else check_texts(reference, "reference")
    if isinstance(references, list) and not references:
        raise ValueError("reference is empty; give a text, or a list of at least one.")
    search.read([document], [references], ("sentences", "reference"))
    (indices,) = search.choose()
    scores = search.scores_of([(0, tuple(indices))])[0] if indices else np.zeros(len(rouge_types))
    search.warn()
    by_type = dict(zip(rouge_types, scores.tolist(), strict=True))
    return Oracle(indices, search.documents[0], by_type, search.settings.signature())


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
    for role, name in (("source", source), ("reference", reference), ("column", column)):
        if not isinstance(name, str):
            raise TypeError(f"{role} is {shown_value(name)}; give the name of a column.")
    if not hasattr(batch, "keys") and not hasattr(batch, "columns"):
        raise TypeError(f"batch is {shown_value(batch)}; give the columns of some rows, by name.")
    for name in (source, reference):
        if name not in batch:
            raise KeyError(f"There is no column {name!r}; name one of {', '.join(map(repr, batch))} by fn_kwargs.")
    search = OracleSearch(**options)
    columns = column_rows(batch[source], source), column_rows(batch[reference], reference)
    search.read(*columns, (source, reference))
    choices = search.choose()
    if search.method != "presumm":  # which looks at no setting
        search.warn()
    return {column: choices}


class OracleSearch:
    """Chooses sentences of documents; it takes the arguments of ``extractive_oracle``."""

    def __init__(
        self,
        k: int = 3,
        method: str = "greedy",
        rouge_types: Sequence[str] = ("rouge1", "rouge2"),
        rouge: Rouge | str | None = None,
        sentence_split: str | Callable[[str], Sequence[str]] = "auto",
    ) -> None:
        if not isinstance(method, str) or method not in METHODS:
            raise unknown_value(method, METHODS, "method")
        k = checked_number("k", k, COUNT)
        self.method, self._k, self._split = method, k, sentence_splitter(sentence_split)
        metric = as_rouge(rouge, rouge_types=rouge_types)
        self.settings, self._run = metric.settings, metric.run
        self.documents: list[list[str]] = []
        self._references: list[list[str]] = []

    def read(self, documents: list, references: list, names: tuple[str, str]) -> None:
        """Take documents and their summaries, which messages call by these names."""
        if len(documents) != len(references):
            raise ValueError(f"{len(documents)} rows of {names[0]} but {len(references)} of {names[1]}; give as many.")
        sentences = [self._sentences(row, names[0]) if isinstance(row, str) else row for row in documents]
        self.documents = check_text_lists(sentences, names[0])
        self._references = check_text_lists([[row] if isinstance(row, str) else row for row in references], names[1])
        if not all(self._references):
            raise ValueError(f"{names[1]}[{self._references.index([])}] is empty; give at least one text.")

    def _sentences(self, text: str, name: str) -> list[str]:
        return [part for part in map(str.strip, self._split(*check_texts([text], name))) if part]

    def warn(self) -> None:
        """Warn of what looks wrong in the documents, each as a whole, and in their references."""
        notes = InputNotes(self.settings.text_rules)
        inputs = Inputs(list(map("\n".join, self.documents)), self._references, "list")
        score_samples(inputs, self.settings, self._run, notes)
        warn_of(messages_of(notes))

    def scores_of(self, sets: Sequence[_Set]) -> NDArray[np.float64]:
        """float64[n_sets, n_types]: F of each set of sentences, in the order of the document, one a line."""
        texts = ["\n".join([self.documents[row][index] for index in sorted(indices)]) for row, indices in sets]
        inputs = Inputs(texts, [self._references[row] for row, _ in sets], "list")
        samples = score_samples(inputs, self.settings, self._run)
        return np.nan_to_num(scale_scores(samples.scores, self.settings.result_rules)[..., 2])

    def choose(self) -> list[list[int]]:
        """Return the numbers of the sentences of each document that are chosen, in order."""
        sizes, summaries = list(map(len, self.documents)), list(map(" ".join, self._references))
        if self.method == "presumm" and self._run.engine != "plain" and is_built():
            from polyrouge.counting.compiled.character_table import character_table
            from polyrouge.counting.compiled.kernels import choose_sentences

            table = character_table("ascii", keep_punctuation=False, lowercase=False, for_ascii=True)
            return list(map(sorted, choose_sentences(self.documents, summaries, self._k, table)))
        totals_of = lambda sets: self.scores_of(sets).sum(axis=1).tolist()  # noqa: E731
        if self.method == "presumm":
            totals_of = _presumm_totals(self.documents, summaries)
        best = [(0.0, ())] * len(sizes)
        if self.method == "exact":
            for row, size in enumerate(sizes):
                _take_best(best, self._all_sets(row, size), totals_of)
            return [list(indices) for _, indices in best]
        growing = range(len(sizes))
        for _ in range(min(self._k, max(sizes, default=0))):
            before = list(best)
            larger = (
                (row, (*before[row][1], index))
                for row in growing
                for index in range(sizes[row])
                if index not in before[row][1]
            )
            _take_best(best, larger, totals_of)
            growing = [row for row in growing if best[row] is not before[row]]
        return [sorted(indices) for _, indices in best]

    def _all_sets(self, row: int, n: int) -> Iterable[_Set]:
        n_sets = sum(math.comb(n, size) for size in range(1, self._k + 1))
        if n_sets > _MOST_SUBSETS:
            raise ValueError(
                f"{n} sentences have {n_sets:,} sets of up to {self._k}; method='exact' looks at {_MOST_SUBSETS:,} at "
                "most. method='greedy' takes any number."
            )
        return ((row, indices) for size in range(1, self._k + 1) for indices in itertools.combinations(range(n), size))


def _take_best(
    best: list[tuple[float, tuple[int, ...]]], sets: Iterable[_Set], totals_of: Callable[[list[_Set]], list[float]]
) -> None:
    """Put in the place of each document's best set, and its total, the first of the sets with the highest one above."""
    sets = iter(sets)
    while batch := list(itertools.islice(sets, _SETS_AT_ONCE)):
        for (row, indices), total in zip(batch, totals_of(batch), strict=True):
            if total > best[row][0]:
                best[row] = total, indices


def _presumm_totals(
    documents: Sequence[Sequence[str]], summaries: Sequence[str]
) -> Callable[[list[_Set]], list[float]]:
    """What PreSumm adds up: data_builder.greedy_selection of commit 2695635, whose sums are in the same order."""
    units = [list(map(_presumm_units, (*texts, summary))) for texts, summary in zip(documents, summaries, strict=True)]

    def total_of(row: int, indices: tuple[int, ...]) -> float:
        total = 0.0
        for order in range(2):
            chosen_units = set().union(*(units[row][index][order] for index in indices))
            reference_units = units[row][-1][order]
            precision, recall = (
                len(chosen_units & reference_units) / len(side) if side else 0.0
                for side in (chosen_units, reference_units)
            )
            total += 2.0 * ((precision * recall) / (precision + recall + 1e-8))
        return total

    return lambda sets: list(itertools.starmap(total_of, sets))


def _presumm_units(text: str) -> tuple[set, set]:
    """Return the distinct words and bigrams of a text."""
    words = _NOT_PRESUMM.sub("", text).split()
    return set(words), set(itertools.pairwise(words))
