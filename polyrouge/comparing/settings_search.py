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
from polyrouge.result_table import PrintsTables, ResultTable, shown_scores
from polyrouge.scoring.results import ExactSums, aggregate_scores
from polyrouge.scoring.sample_scores import summed_counts
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.allowed_values import STOP_LISTS
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.texts.languages import shares_of_languages
from polyrouge.texts.patterns import pattern
from polyrouge.texts.sentences import split_auto
from polyrouge.texts.tokenizers import entry_of

_MEASURES = {"": 2, "_precision": 0, "_recall": 1}  # ending of the key: place in scores
_LCS_TYPES = ("rougeL", "rougeLsum")
_SAME = 1e-9  # beyond what the order of additions changes
# Conventions of one language, by the beginning of the tokenizer's name or by what segments its texts.
_LANGUAGES = {
    **dict.fromkeys(("zh_", "jieba", "hanzi", "xlsum_chinese", "every_char", "char"), "Chinese"),
    **dict.fromkeys(("ja_", "stability_ja", "sacrebleu_ja"), "Japanese"),
    "ko": "Korean",
    "th_": "Thai",
    "vi_": "Vietnamese",
}
_UNSPACED = pattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_REFERENCE_RULES = ("best", "mean", "pooled", "first", "best_recall", "jackknife", "best_each")
_LOOKED_AT = 50  # rows, for their language


class _Choice(NamedTuple):
    """One way to compute the numbers."""

    convention: str
    changes: tuple[tuple[str, Any], ...]  # of the convention's settings
    types: tuple[str, ...]  # what the published keys mean
    measure: str  # a key of _MEASURES

    def code(self) -> str:
        return f"Rouge({', '.join([repr(self.convention), *(f'{name}={value!r}' for name, value in self.changes)])})"

    def dimensions(self) -> dict[str, Any]:
        """The value of each dimension of the search, where it is not the convention's own."""
        return {"convention": self.convention, "L or Lsum": self.types, "measure": self.measure, **dict(self.changes)}


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
        groups: those that fit, the one with the fewest changes to a convention first, as digits that were not published
            can't decide between them; then the others, nearest first.
        moves: how far each setting, the convention, the measure (precision, recall or F) and the choice between rougeL
            and rougeLsum, changed alone, move a number of the first group at most; the most first.
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

    def _shown(self, numbers: Iterable[float]) -> list[str]:
        return shown_scores(numbers, 2 if max(self.published.values()) > 1 else 4)

    def _tables(self) -> list[ResultTable]:
        rows = []
        for group in self.groups:
            used = [each for key, each in group.keys.items() if key != each]
            code = group.code + (f" ({', '.join(used)})" if used else "")
            numbers = self._shown([*group.scores.values(), group.distance])
            rows.append([code, *numbers, "yes" if group.fits else "", len(group.others)])
        header = ["settings", *self.published, "largest difference", "fits", "others alike"]
        return [ResultTable(f"{self.n_settings:,} settings tried, the nearest", header, rows)]

    def _notes(self) -> list[str]:
        first, n_fitting = self.groups[0], sum(group.fits for group in self.groups)
        later = self.groups[n_fitting:]
        (away,) = self._shown([later[0].distance]) if later else ("",)
        if n_fitting == 0:
            notes = [
                f"None fits: the nearest is {away} away. The outputs or references may be others than those that the "
                "numbers are of, or cut, cleaned or lower-cased before."
            ]
        else:
            which = "One group of settings fits" if n_fitting == 1 else f"{n_fitting} groups of settings fit"
            alike = "" if n_fitting == 1 else ", which only more digits could tell apart"
            notes = [f"{which}{alike}; {f'the next is {away} away' if later else 'there may be more'}."]
        if first.others:
            notes.append(f"The same numbers as {first.code}: {'; '.join(first.others[:3])}.")
        moved = [f"{name} {most}" for name, most in zip(self.moves, self._shown(self.moves.values()), strict=True)][:4]
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

    It tries each convention for the languages of the texts, with and without its tool's stems and stop words: each rule
    for several references, sentence split and aggregate, distinct and clipped n-grams, words and characters where a
    language has no blanks, ROUGE-L of sentences and of texts, and precision, recall and F.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        published: type to number, such as ``{"rouge1": 44.16, "rougeL": "40.90"}``. A number above 1 is on the scale of
            100, and so are all. Its digits count: write those that end in 0 as texts.
        conventions: names of those to try; None: all that are not of another language.
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
    counter = _Counter(inputs)
    for name in names:
        for result in _results(name, counter, targets, scale):
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
    fits = _fitting(differences, digits)
    groups = _groups(results, np.rint(values * 10.0 ** (2 + max(digits))), distances, fits, tuple(targets))
    first = groups[0][0]
    shown = []
    for rows in groups[: max(1, most)]:
        choice, settings, scores = results[rows[0]]
        keys = {key: name + choice.measure for key, name in zip(targets, choice.types, strict=True)}
        codes = tuple(dict.fromkeys(results[row][0].code() for row in rows))
        shown.append(
            SettingsGroup(
                codes[0], settings, keys, dict(zip(targets, scores.tolist(), strict=True)),
                float(distances[rows[0]]), bool(fits[rows[0]]), codes[1:],
            )
        )  # fmt: skip
    return SettingsSearch(
        {key: float(target.value) for key, target in targets.items()},
        tuple(shown),
        _moves(results, values, first),
        len(results),
        missing,
        results[first][1].signature(),
    )


def _language_of(name: str) -> str | None:
    """The only language of a convention; None of one for several."""
    own = CONVENTIONS[name].settings
    segment = own.segment or ""
    reading = segment if segment.startswith("char") else str(own.tokenizer)
    return next((each for start, each in _LANGUAGES.items() if reading.startswith(start)), None)


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


class _Counter:
    """Counts the texts once for each way to read them, with all references, for every rule."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._counted: dict[Any, PairCounts] = {}

    def count(self, settings: RougeSettings) -> PairCounts:
        inputs = self.inputs
        if settings.sentence_split == "auto" and entry_of(settings.tokenizer).cuts_at_sentences:
            inputs, settings = self._cut, settings.replace(sentence_split="newline")  # far quicker, the same tokens
        reading = inputs is self.inputs, settings.text_rules, settings.count_rules
        if reading not in self._counted:
            self._counted[reading] = count_pairs(inputs, settings.replace(multi_reference="best"))
        return self._counted[reading]

    @functools.cached_property
    def _cut(self) -> Inputs:
        """The texts with a sentence a line; the same object where no other line breaks are needed."""
        cut = lambda text: "\n".join(split_auto(text))  # noqa: E731
        predictions, references = list(map(cut, self.inputs.predictions)), self.inputs.references
        references = [list(map(cut, row)) for row in references]
        is_same = predictions == list(self.inputs.predictions) and references == list(map(list, self.inputs.references))
        return self.inputs if is_same else Inputs(predictions, references, "list")


def _results(
    name: str, counter: _Counter, targets: Mapping[str, _Target], scale: float
) -> Iterator[tuple[_Choice, RougeSettings, NDArray[np.float64]] | Exception]:
    """Each way to compute the numbers with one convention, its settings, float64[n_keys]; or what is not installed."""
    convention = CONVENTIONS[name]
    own = convention.settings
    if len(own.rouge_types) == 1 and any(key not in own.rouge_types for key in targets):  # its tool has no other
        return
    lcs_keys, ways = [key for key in targets if key in _LCS_TYPES], [dict(zip(targets, targets, strict=True))]
    if len(lcs_keys) == 1:  # the number may be of the other one
        ways = [ways[0] | {lcs_keys[0]: name} for name in _LCS_TYPES if name in own.rouge_types] or ways
    types = tuple(dict.fromkeys(name for way in ways for name in way.values()))
    neutral = {"confidence": None, "weights": None, "round_each": None, "round_result": None, "scale": 1.0}
    base = own.replace(**neutral, rouge_types=types, output="all", use_aggregator=True, on_error="score")
    factor = scale / 100 if "percent_ratios" in own.tool.quirks else scale
    by_sentence = "rougeLsum" in types or (own.tool.lcs != "sentence" and "rougeL" in types)
    for changes in _changes(own, counter.inputs, by_sentence):
        try:
            settings = convention.override(base, dict(changes))
        except ValueError:  # this tool has no such thing
            continue
        try:
            check_packages(settings)
            pairs = counter.count(settings)
        except (ModuleNotFoundError, FileNotFoundError) as error:
            yield error
            continue
        middle = _aggregate(pairs, settings) * factor
        for way, (measure, place) in itertools.product(ways, _MEASURES.items()):
            scores = middle[[types.index(way[key]) for key in targets], place]
            if not np.isnan(scores).any():
                shown = settings if measure else settings.replace(output="fmeasure")
                yield _Choice(name, changes, tuple(way.values()), measure), shown, scores


def _changes(own: RougeSettings, inputs: Inputs, by_sentence: bool) -> Iterator[tuple[tuple[str, Any], ...]]:
    """What is changed of a convention's settings, in every combination, nothing first."""
    several = any(len(row) > 1 for row in inputs.references)
    entry = entry_of(own.tokenizer)
    is_cut_before = own.sentence_split in ("newline", "zh", "auto")  # other tools cut by themselves
    sample = "".join([*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])])
    values: dict[str, Sequence[Any]] = {
        # Tools that keep punctuation have no stemmer, but for those with one of their own.
        "use_stemmer": (False, True) if own.punctuation == "drop" or own.tool.stemmer != "porter" else (),
        "stop_words": (None, own.tokenizer) if own.tokenizer in STOP_LISTS else (),
        "segment": ("jieba", "char") if entry.splits_at_blanks and _UNSPACED.search(sample) else (),
        "sentence_split": ("newline", "auto") if by_sentence and is_cut_before else (),
        "multi_reference": _REFERENCE_RULES if several else (),
        "tool": ({"ngram_counts": "multiset"},) if own.tool.ngram_counts == "set" else (),
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
    results: Sequence[tuple[_Choice, RougeSettings, Any]],
    rounded: NDArray[np.float64],
    distances: NDArray[np.float64],
    fits: NDArray[np.bool_],
    published: tuple[str, ...],
) -> list[list[int]]:
    """Rows with equal numbers, the simplest first in each; the groups in the order of ``SettingsSearch.groups``."""
    is_ours = lambda name: CONVENTIONS[name].reproduces.startswith("our own")  # noqa: E731
    order = {name: place for place, name in enumerate(sorted(CONVENTIONS, key=is_ours))}
    groups: dict[tuple[float, ...], list[int]] = {}
    for row, numbers in enumerate(rounded.tolist()):
        groups.setdefault(tuple(numbers), []).append(row)

    def simplicity(row: int) -> tuple[int, int, int]:
        choice = results[row][0]
        return len(choice.changes) + (choice.measure != "") + (choice.types != published), order[choice.convention], row

    def place(rows: list[int]) -> tuple[float, tuple[int, int, int]]:
        return -1.0 if fits[rows[0]] else round(float(distances[rows[0]]), 9), simplicity(rows[0])

    return sorted((sorted(rows, key=simplicity) for rows in groups.values()), key=place)


def _fitting(differences: NDArray[np.float64], digits: Sequence[int]) -> NDArray[np.bool_]:
    """bool[n]: whether all numbers are the published ones, rounded, or all cut off."""
    unit = 10.0 ** -np.array(digits, np.float64)
    is_rounded = (np.abs(differences) <= unit / 2 + _SAME).all(axis=1)
    is_cut_off = ((differences > -_SAME) & (differences < unit)).all(axis=1)
    return np.logical_or(is_rounded, is_cut_off)


def _moves(results: Sequence[tuple[_Choice, Any, Any]], values: NDArray[np.float64], first: int) -> dict[str, float]:
    """How far a change of one dimension alone moves some number of the first row at most."""
    own = results[first][0].dimensions()
    moves: dict[str, float] = {}
    for (choice, *_), moved in zip(results, np.abs(values - values[first]).max(axis=1).tolist(), strict=True):
        other = choice.dimensions()
        different = [name for name in {**own, **other} if own.get(name) != other.get(name)]
        if len(different) == 1 and moved > moves.get(different[0], 0):
            moves[different[0]] = moved
    return dict(sorted(moves.items(), key=lambda each: -each[1]))
