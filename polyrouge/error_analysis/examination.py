"""Examine the outputs of systems: what they miss and add, what looks wrong, and why one differs from another."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.jieba_cutter import compiled_jieba_cutter
from polyrouge.counting.loop import drop_unused_references
from polyrouge.documents.document import document_readers
from polyrouge.documents.input_notes import InputNotes
from polyrouge.error_analysis.faults import Fault, find_faults
from polyrouge.error_analysis.missed_units import FrequencyBucket, UnitTotals, frequency_buckets, unit_totals
from polyrouge.error_analysis.score_differences import MovedHits, moved_hits
from polyrouge.error_analysis.unit_table import UnitTable, token_rows, unit_table
from polyrouge.errors import shown_value
from polyrouge.inputs import Inputs, check_inputs, reference_texts
from polyrouge.metric import Rouge
from polyrouge.scoring.sample_scores import scored_pairs
from polyrouge.settings.rouge_settings import RougeSettings

ORDERS = (1, 2)
_TYPES = tuple(f"rouge{order}" for order in ORDERS)
_ALL_PAIRS = 4  # systems of which each two are compared; of more the neighbours, and the first with each
_F = 2  # of precision, recall, F


@dataclass(frozen=True)
class ExaminedSystem:
    """What was found of one system.

    Attributes:
        system: its name.
        units: of tokens and of bigrams.
        buckets: its tokens by how often all references hold them, rare ones first.
        faults: outputs that look wrong, one entry for each of ``FAULTS``.
    """

    system: str
    units: tuple[UnitTotals, ...]
    buckets: tuple[FrequencyBucket, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Examination:
    """What ``examine_systems`` found. Samples are numbers of rows, from 0.

    Attributes:
        systems: one entry for each, in the order given.
        moved: for pairs of systems and each order of n-grams what makes their difference.
        n_samples: how many samples there are.
        reference_rule: how the reference was chosen that each prediction is held against: ``"best"``,
            ``"best_recall"`` or ``"first"``.
        ngram_counts: ``"multiset"``, or ``"set"`` for conventions that count distinct n-grams.
        signature: of the settings.
    """

    systems: tuple[ExaminedSystem, ...]
    moved: tuple[MovedHits, ...]
    n_samples: int
    reference_rule: str
    ngram_counts: str
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything found, as plain values for JSON: the attributes by their names, and what follows from them."""
        return _plain(self)


def _plain(value: Any) -> Any:
    """A dataclass as a dict, its properties too, and so on inside."""
    if dataclasses.is_dataclass(value):
        fields = [each.name for each in dataclasses.fields(value)]
        properties = [name for name, each in vars(type(value)).items() if isinstance(each, property)]
        return {name: _plain(getattr(value, name)) for name in (*fields, *properties)}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def examine_systems(
    systems: Mapping[str, Any],
    references: Any,
    rouge: Rouge | None = None,
    *,
    most: int = 50,
    most_samples: int = 200,
) -> Examination:
    """Find what systems miss and add, which of their outputs look wrong, and why one differs from another.

    Tokens are those of the metric's settings, and hits are those of its ROUGE-1 and ROUGE-2. Each prediction is held
    against the reference that its score is that of, for each order by itself; under rules that have no such reference
    (``"mean"``, ``"pooled"``, ``"jackknife"``, ``"best_each"``) against the best by F.

    Args:
        systems: one or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        rouge: the metric; ``Rouge()`` if None.
        most: tokens and bigrams to list on each side, those with the greatest counts; 1 or more.
        most_samples: samples to list for each number, the first ones; 1 or more.

    Returns:
        The examination. Of up to four systems each two are compared, first minus second; of more the first with each
        other one, and each with the next.

    Raises:
        TypeError, ValueError: as ``Rouge.compute``; no system, or a number below 1.
    """
    rouge = rouge or Rouge()
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions.")
    if not systems:
        raise ValueError("systems is empty; give at least one: a name and its predictions.")
    for name, number in (("most", most), ("most_samples", most_samples)):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise ValueError(f"{name} is {shown_value(number)}; give a whole number of 1 or more.")
    references = references if isinstance(references, (list, str)) else list(references)
    inputs = {str(name): check_inputs(predictions, references) for name, predictions in systems.items()}
    return examine_inputs(inputs, rouge.settings, most=most, most_samples=most_samples)


def examine_inputs(
    systems: Mapping[str, Inputs], settings: RougeSettings, *, most: int = 50, most_samples: int = 200
) -> Examination:
    """Examine checked inputs over the same references; see ``examine_systems``."""
    names = list(systems)
    rule = settings.multi_reference if settings.multi_reference in ("best_recall", "first") else "best"
    counted = settings.replace(rouge_types=_TYPES, weights=None, aggregate="mean", multi_reference=rule)
    inputs = {name: drop_unused_references(each, counted) for name, each in systems.items()}
    scored = {name: _scored(each, counted) for name, each in inputs.items()}
    references = inputs[names[0]].references
    texts = reference_texts(references)
    rules = counted.text_rules
    read = document_readers(rules, InputNotes(rules), compiled_jieba_cutter, cache_size=1)
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    of_references = token_rows(texts, read.reference, ids)
    of_systems = {name: token_rows(each.predictions, read.prediction, ids) for name, each in inputs.items()}
    tokens = list(ids)
    begins = np.cumsum([0, *map(len, references)])
    chosen = {name: np.where(best >= 0, begins[:-1, None] + best, -1) for name, (_, best, _) in scored.items()}
    lengths = of_references.sizes[begins[:-1]]
    frequencies = np.bincount(of_references.ids, minlength=len(tokens))
    totals: dict[str, list[UnitTotals]] = {name: [] for name in names}
    buckets: dict[str, tuple[FrequencyBucket, ...]] = {}
    moved: dict[tuple[str, str], list[MovedHits]] = {pair: [] for pair in compared_pairs(names)}
    for column, order in enumerate(ORDERS):
        tables: dict[str, UnitTable] = {}
        for place, name in enumerate(names):
            f, best, hits = (each[:, column] for each in scored[name])
            tables[name] = table = unit_table(
                of_references,
                of_systems[name],
                chosen[name][:, column],
                # Tokens that are hits, but not in the score, are those of samples that a tool fails on.
                (hits == 0) & (best >= 0),
                order=order,
                n_tokens=len(tokens),
                distinct=counted.tool.ngram_counts == "set",
            )
            totals[name].append(unit_totals(table, tokens, most, most_samples))
            if order == 1:
                buckets[name] = frequency_buckets(table, frequencies, most_samples)
            for first in [each for each in tables if (each, name) in moved]:
                differences = (scored[first][0][:, column] - f) * settings.scale
                parts = np.nan_to_num(differences / max(1, np.count_nonzero(~np.isnan(differences))))
                pair = first, name
                moved[pair].append(moved_hits(pair, tables[first], table, parts, lengths, tokens, most, most_samples))
            if len(names) > _ALL_PAIRS and place > 1:
                del tables[names[place - 1]]
    examined = []
    for name in names:
        of_first = chosen[name][:, 0]
        reference_sizes = np.where(of_first >= 0, of_references.sizes[of_first], 0)
        places: list[int] = of_first.tolist()
        compared = [texts[place] if place >= 0 else None for place in places]
        predictions = systems[name].predictions
        faults = find_faults(predictions, references, of_systems[name], reference_sizes, compared, most_samples)
        examined.append(ExaminedSystem(name, tuple(totals[name]), buckets[name], faults))
    pairs = tuple(chain.from_iterable(moved.values()))
    signature = settings.signature()
    return Examination(tuple(examined), pairs, len(references), rule, settings.tool.ngram_counts, signature)


def compared_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of systems whose differences are taken apart."""
    return [
        (names[first], name)
        for second, name in enumerate(names)
        for first in range(second)
        if len(names) <= _ALL_PAIRS or first in (0, second - 1)
    ]


def examined_texts(systems: Mapping[str, Inputs]) -> int:
    """How many texts ``examine_inputs`` tells of in all: each prediction when it is scored, read, and looked at."""
    references = next(iter(systems.values())).references
    return 3 * len(systems) * len(references) + sum(map(len, references))


def _scored(inputs: Inputs, settings: RougeSettings) -> list[NDArray[Any]]:
    """F, the chosen reference and its hits, each [n_rows, 2]; -1 for samples that are left out."""
    chunks = []
    for pairs, scores, best in scored_pairs(inputs, settings):
        of_best = pairs.offsets[:-1, None] + np.maximum(best, 0)
        hits = np.take_along_axis(pairs.counts[:, :, 0], of_best, axis=0)
        chunks.append((scores[..., _F], best, hits))
    return [np.concatenate(column) for column in zip(*chunks, strict=True)]
