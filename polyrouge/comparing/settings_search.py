"""``find_settings``: which conventions and settings give the numbers that somebody published for these texts."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.conventions.registry import CONVENTIONS, find_convention
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.documents.document import check_packages
from polyrouge.errors import shown_value
from polyrouge.inputs import Inputs, check_inputs, reference_texts
from polyrouge.result_table import PrintsTables, ResultTable
from polyrouge.scoring.results import ExactSums, aggregate_scores, result_keys
from polyrouge.scoring.sample_scores import summed_counts
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.texts.languages import shares_of_languages
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import entry_of

_MEASURES = ("fmeasure", "precision", "recall")
_LCS_TYPES = ("rougeL", "rougeLsum")
_SAME = 1e-9  # beyond what the order of additions changes
# Conventions of one language, which take long, by the beginning of their tokenizer's name.
_LANGUAGES = {
    "ja_": "Japanese",
    "stability_ja": "Japanese",
    "sacrebleu_ja": "Japanese",
    "ko": "Korean",
    "th_": "Thai",
    "vi_": "Vietnamese",
}
_UNSPACED = pattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LOOKED_AT = 50  # rows, for their language
_OWN_STOP_LISTS = {"rouge155": "rouge155", "sumeval_en": "sumeval_en", "sumeval_zh": "sumeval_zh"}
_STAGES = {
    "use_stemmer": "stemmer",
    "stop_words": "stop words",
    "segment": "level of tokens",
    "tokenizer": "level of tokens",
    "sentence_split": "sentence split",
    "multi_reference": "several references",
    "aggregate": "aggregate",
}


class _Choice(NamedTuple):
    """One way to compute the numbers; None leaves the convention's own value."""

    convention: str
    changes: tuple[tuple[str, Any], ...]  # in the order of the stages
    lcs_type: str  # what is published as rougeL or rougeLsum
    measure: int  # place in _MEASURES

    def code(self) -> str:
        return f"Rouge({', '.join([repr(self.convention), *(f'{name}={value!r}' for name, value in self.changes)])})"

    def dimensions(self) -> dict[str, Any]:
        """The value of each dimension of the search."""
        changes = {_STAGES[name]: value for name, value in self.changes}
        return {
            "convention": self.convention,
            **{stage: changes.get(stage) for stage in dict.fromkeys(_STAGES.values())},
            "L or Lsum": self.lcs_type,
            "measure": self.measure,
        }


@dataclass(frozen=True)
class SettingsGroup:
    """Settings that give the same numbers for these texts.

    Attributes:
        code: the shortest of them, as Python writes it: ``Rouge('rouge_score', use_stemmer=True)``.
        settings: its ``RougeSettings``.
        keys: for each published key the key of ``Rouge.compute`` with ``output="all"`` that has the number.
        scores: the number for each published key, on the published scale; not rounded.
        distance: the largest difference to a published number.
        fits: every number is the published one, rounded or cut off at its digits.
        others: code of the other settings of the group, the shortest first.
    """

    code: str
    settings: RougeSettings
    keys: dict[str, str]
    scores: dict[str, float]
    distance: float
    fits: bool
    others: tuple[str, ...]


@dataclass(frozen=True)
class SettingsSearch(PrintsTables):
    """The result of ``find_settings``; ``print`` and notebooks show it as a table.

    Attributes:
        published: the numbers that were asked for.
        groups: the nearest groups, nearest first; of equally near ones, the one with the shortest code.
        moves: how far each dimension moves the numbers of the first group at most, the most first.
        n_settings: how many settings were tried.
        missing: conventions that could not be tried in full, such as with stems, and what they need.
        signature: of the first group's settings.
    """

    published: dict[str, float]
    groups: tuple[SettingsGroup, ...]
    moves: dict[str, float]
    n_settings: int
    missing: dict[str, str]
    signature: str

    def _tables(self) -> list[ResultTable]:
        digits = 2 if max(self.published.values()) > 1 else 4
        rows = []
        for group in self.groups:
            used = [each for key, each in group.keys.items() if key != each]
            code = group.code + (f" ({', '.join(used)})" if used else "")
            scores = [f"{group.scores[key]:.{digits}f}" for key in self.published]
            rows.append([code, *scores, f"{group.distance:.{digits}f}", "yes" if group.fits else "", len(group.others)])
        header = ["settings", *self.published, "largest difference", "fits", "others alike"]
        return [ResultTable(f"{self.n_settings:,} settings tried, the nearest", header, rows)]

    def _notes(self) -> list[str]:
        first, digits = self.groups[0], 2 if max(self.published.values()) > 1 else 4
        fitting = sum(group.fits for group in self.groups)
        if fitting:
            later = next((f"{each.distance:.{digits}f}" for each in self.groups if not each.fits), None)
            notes = [
                f"{'One group' if fitting == 1 else f'{fitting} groups'} of settings fit{'s' * (fitting == 1)}"
                + (f"; the next is {later} away." if later else ".")
            ]
        else:
            notes = [
                f"None fits: the nearest is {first.distance:.{digits}f} away. The outputs or references may be others "
                "than those that the numbers are of, or cut, cleaned or lower-cased before."
            ]
        if first.others:
            notes.append(f"The same numbers as {first.code}: {'; '.join(first.others[:3])}.")
        moved = [f"{name} {most:.{digits}f}" for name, most in self.moves.items() if most > 0][:4]
        if moved:
            notes.append(f"What moves the first of them most: {', '.join(moved)}.")
        if self.missing:
            notes.append(f"Not tried in full, as a package or a table is missing: {', '.join(self.missing)}.")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON."""
        groups = [{**vars(group), "settings": group.settings.signature()} for group in self.groups]
        return {**vars(self), "groups": [{**each, "others": list(each["others"])} for each in groups]}


def find_settings(
    predictions: Any,
    references: Any,
    published: Mapping[str, Any],
    *,
    conventions: Iterable[str] | None = None,
    most: int = 5,
) -> SettingsSearch:
    """Search the settings under which these texts get the published numbers.

    It tries every convention with and without stems and stop words, with each rule for several references, sentence
    split and aggregate, on words and characters where a language has no blanks, ROUGE-L of sentences and of texts, and
    precision, recall and F.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        published: type to number, such as ``{"rouge1": 44.16, "rougeL": "40.90"}``. A number above 1 is on the scale of
            100, and so are all. Its digits count: write those that end in 0 as texts.
        conventions: names of those to try; None: all.
        most: how many groups to return, at least one.

    Returns:
        The nearest groups of settings, and how sure the first is.

    Raises:
        TypeError: no mapping, or a number that is none.
        ValueError: no numbers, no such type or convention, or texts that ``Rouge.compute`` refuses.
        ModuleNotFoundError: none of the conventions could be tried.
    """
    targets = _checked(published)
    inputs = check_inputs(predictions, references)
    names = [find_convention(name).name for name in (CONVENTIONS if conventions is None else list(conventions))]
    scale = 100.0 if max(target.value for target in targets.values()) > 1 else 1.0
    if conventions is None:
        languages = shares_of_languages(
            [*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])]
        )
        names = [name for name in names if _language_of(name) in (None, *languages)]
    results: list[tuple[_Choice, RougeSettings, NDArray[np.float64]]] = []
    missing: dict[str, str] = {}
    # With all references, for every rule.
    counted = functools.cache(lambda rules: count_pairs(inputs, rules.settings.replace(multi_reference="best")))
    for name in names:
        for result in _results(name, inputs, targets, scale, counted):
            if isinstance(result, Exception):
                missing.setdefault(name, str(result))
            else:
                results.append(result)
    if not results:
        raise ModuleNotFoundError(
            f"No convention could be tried: {'; '.join(missing.values()) or 'none has the types'}."
        )
    values = np.array([each for *_, each in results])  # float64[n, n_keys]
    differences = values - [target.value for target in targets.values()]
    distances = np.abs(differences).max(axis=1)
    digits = [target.digits for target in targets.values()]
    groups = _groups(results, np.rint(values * 10.0 ** (2 + max(digits))), distances)
    fits = _fitting(differences, digits)
    first = results[groups[0][0]]
    shown = []
    for rows in groups[: max(1, most)]:
        choice, settings, scores = results[rows[0]]
        keys = {key: _result_key(key, choice) for key in targets}
        shown.append(
            SettingsGroup(
                choice.code(), settings, keys, dict(zip(targets, scores.tolist(), strict=True)),
                float(distances[rows[0]]), bool(fits[rows[0]]),
                tuple(dict.fromkeys(results[row][0].code() for row in rows[1:])),
            )
        )  # fmt: skip
    return SettingsSearch(
        {key: float(target.value) for key, target in targets.items()},
        tuple(shown),
        _moves(first[0], results, values, groups[0][0]),
        len(results),
        missing,
        first[1].signature(),
    )


def _language_of(name: str) -> str | None:
    """The only language of a convention; None of one for several."""
    tokenizer = str(CONVENTIONS[name].settings.tokenizer)
    return next((each for start, each in _LANGUAGES.items() if tokenizer.startswith(start)), None)


class _Target(NamedTuple):
    value: float
    digits: int


def _checked(published: Mapping[str, Any]) -> dict[str, _Target]:
    if not isinstance(published, Mapping):
        raise TypeError(f"published is {shown_value(published)}; give a mapping: {{'rouge1': 44.16, 'rougeL': 40.90}}.")
    if not published:
        raise ValueError("published is empty; give at least one number: {'rouge1': 44.16}.")
    targets = {}
    for key, number in published.items():
        parse_rouge_type(key)
        try:
            exact = Decimal(str(number))
        except InvalidOperation:
            exact = Decimal("nan")
        if isinstance(number, bool) or not exact.is_finite() or not 0 <= exact <= 100:
            raise ValueError(f"published[{key!r}] is {shown_value(number)}; give a number from 0 to 100.")
        exponent = exact.as_tuple().exponent
        targets[key] = _Target(float(exact), max(0, -exponent) if isinstance(exponent, int) else 0)
    return targets


class _Counting(NamedTuple):
    """Settings by what they read and count."""

    key: Any
    settings: RougeSettings

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Counting) and self.key == other.key


def _results(
    name: str, inputs: Inputs, targets: Mapping[str, _Target], scale: float, counted: Any
) -> Iterator[tuple[_Choice, RougeSettings, NDArray[np.float64]] | Exception]:
    """Each way to compute the numbers with one convention, its settings, float64[n_keys]; or what is not installed."""
    convention = CONVENTIONS[name]
    own = convention.settings
    lcs_types = _LCS_TYPES if len([key for key in targets if key in _LCS_TYPES]) == 1 else ("",)
    if len(own.rouge_types) == 1:  # its tool has no other
        if any(key not in own.rouge_types for key in targets):
            return
        lcs_types = ("",)
    types = list(dict.fromkeys([*targets, *(each for each in lcs_types if each)]))
    neutral = {"confidence": None, "weights": None, "round_each": None, "round_result": None, "scale": 1.0}
    base = own.replace(**neutral, rouge_types=types, output="all", use_aggregator=True, on_error="score")
    factor = scale / 100 if "percent_ratios" in own.tool.quirks else scale
    for changes in _changes(own, inputs, any(key in _LCS_TYPES for key in types)):
        try:
            settings = convention.override(base, dict(changes))
        except ValueError:  # this tool has no such thing
            continue
        try:
            check_packages(settings)
            pairs = counted(_Counting((settings.text_rules, settings.count_rules), settings))
        except (ModuleNotFoundError, FileNotFoundError) as error:
            yield error
            continue
        middle = _aggregate(pairs, settings) * factor
        for lcs_type, measure in itertools.product(lcs_types, range(3)):
            columns = [types.index(lcs_type if lcs_type and key in _LCS_TYPES else key) for key in targets]
            place = 2 if measure == 0 else measure - 1  # the axis of scores is precision, recall, F
            scores = middle[columns, place]
            if not np.isnan(scores).any():
                shown = settings if measure else settings.replace(output="fmeasure")
                yield _Choice(name, changes, lcs_type, measure), shown, scores


def _changes(own: RougeSettings, inputs: Inputs, has_lcs: bool) -> Iterator[tuple[tuple[str, Any], ...]]:
    """What is changed of a convention's settings, in every combination, nothing first."""
    several = any(len(row) > 1 for row in inputs.references)
    entry = entry_of(own.tokenizer)
    stop_list = _OWN_STOP_LISTS.get(own.tokenizer) if isinstance(own.tokenizer, str) else None
    sample = "".join([*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])])
    values: dict[str, Sequence[Any]] = {
        "use_stemmer": (False, True),
        "stop_words": (None, stop_list),
        "segment": ("jieba", "char") if entry.splits_at_blanks and _UNSPACED.search(sample) else (),
        "sentence_split": ("newline", "auto") if has_lcs else (),
        "multi_reference": ("best", "mean", "pooled", "first", "jackknife", "best_each") if several else (),
        "aggregate": ("mean", "f_of_means", "micro"),
    }
    if own.aggregate in ("running_mean", "numpy_mean"):  # which is the mean to more digits than are published
        values["aggregate"] = ("f_of_means", "micro")
    options = [[None, *((name, value) for value in each if value != own.value(name))] for name, each in values.items()]
    for changes in itertools.product(*options):
        yield tuple(change for change in changes if change is not None)


def _aggregate(pairs: PairCounts, settings: RougeSettings) -> NDArray[np.float64]:
    """float64[n_types, 3]: precision, recall and F of all samples; NaN where there is none."""
    scores, _ = combine_references(pairs, settings.reference_rule, settings.score_rule)
    if np.isnan(scores).all():
        return scores[0]
    totals = None
    if settings.aggregate == "micro":
        totals = ExactSums(scores.shape[1:])
        totals.add(summed_counts(pairs, settings))
    return aggregate_scores(scores, settings.result_rules, totals).middle


def _groups(
    results: Sequence[tuple[_Choice, RougeSettings, Any]], rounded: NDArray[np.float64], distances: NDArray[np.float64]
) -> list[list[int]]:
    """Rows with equal numbers, the shortest code first in each; the nearest group first."""
    order = {name: place for place, name in enumerate(CONVENTIONS)}
    groups: dict[tuple[float, ...], list[int]] = {}
    for row, numbers in enumerate(rounded.tolist()):
        groups.setdefault(tuple(numbers), []).append(row)

    def simplicity(row: int) -> tuple[int, int, int]:
        choice = results[row][0]
        return (
            len(choice.changes) + (choice.measure > 0) + (choice.lcs_type == _LCS_TYPES[1]),
            order[choice.convention],
            row,
        )

    ordered = [sorted(rows, key=simplicity) for rows in groups.values()]
    return sorted(ordered, key=lambda rows: (round(float(distances[rows[0]]), 9), simplicity(rows[0])))


def _fitting(differences: NDArray[np.float64], digits: Sequence[int]) -> NDArray[np.bool_]:
    """bool[n]: whether all numbers are the published ones, rounded, or all cut off."""
    unit = 10.0 ** -np.array(digits, np.float64)
    is_rounded = (np.abs(differences) <= unit / 2 + _SAME).all(axis=1)
    is_cut_off = ((differences > -_SAME) & (differences < unit)).all(axis=1)
    return np.logical_or(is_rounded, is_cut_off)


def _moves(
    first: _Choice, results: Sequence[tuple[_Choice, Any, Any]], values: NDArray[np.float64], row: int
) -> dict[str, float]:
    """How far a change of one dimension alone moves some number of the first choice at most."""
    own = first.dimensions()
    moves = dict.fromkeys(own, 0.0)
    for (choice, *_), numbers in zip(results, values, strict=True):
        other = choice.dimensions()
        different = [name for name, value in own.items() if other[name] != value]
        if len(different) == 1:
            moves[different[0]] = max(moves[different[0]], float(np.abs(numbers - values[row]).max()))
    return dict(sorted(moves.items(), key=lambda each: -each[1]))


def _result_key(key: str, choice: _Choice) -> str:
    """The key of ``Rouge.compute`` that has the number."""
    name = choice.lcs_type if choice.lcs_type and key in _LCS_TYPES else key
    return next(each for each, place in result_keys(name, "all") if place == (2, 0, 1)[choice.measure])
