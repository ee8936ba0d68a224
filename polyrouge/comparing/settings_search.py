"""``find_settings``: which conventions and settings give the numbers that somebody published for these texts."""

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.conventions.registry import CONVENTIONS, find_convention
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.documents.document import check_packages
from polyrouge.errors import shown_value
from polyrouge.inputs import Inputs, check_inputs, column_rows, reference_texts
from polyrouge.results import Result, ResultTable, shown_scores
from polyrouge.scoring.results import ExactSums, aggregate_scores
from polyrouge.scoring.sample_scores import summed_counts
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.allowed_values import COUNT, STOP_LISTS, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import by_own_keys, own_type_name, parse_rouge_type
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
_WITH_MEDIANS = ("rouge_score", "evaluate_rouge", "xlsum", "stability_ja")  # their tools print bootstrap medians
_REFERENCE_RULES = ("best", "mean", "pooled", "first", "best_recall", "jackknife", "best_each")
_LOOKED_AT = 50  # rows, for their language
_STEMMED = pattern("[A-Za-z]{3}")
_NEARLY_ALL = 0.9  # of the settings fit a number that says nothing
_OF_MEDIAN = 3 * math.sqrt(math.pi / 2 / 1000)  # of the means' standard error: three of the median of 1,000 of them


@dataclass(frozen=True)
class SettingsGroup:
    """Settings that give the same numbers for these texts, to the digits that were published.

    Attributes:
        code: the shortest of them, as Python writes it: ``Rouge('rouge_score', use_stemmer=True)``.
        settings: its ``RougeSettings``.
        keys: for each published key the key of ``Rouge.compute`` with ``output="all"`` that has the number.
        scores: the number for each published key, on the published scale; not rounded.
        distance: the largest difference to a published number.
        fits: every number is the published one, rounded or cut off at its digits.
        spread: for each published key, how far a median of 1,000 bootstrap means lies from the number at most (three
            standard deviations); empty where no tool prints such a median.
        others: code of the other settings of the group, those with the fewest changes first; with the keys of
            ``Rouge.compute`` in brackets where they are not the published ones.
    """

    code: str
    settings: RougeSettings
    keys: dict[str, str]
    scores: dict[str, float]
    distance: float
    fits: bool
    spread: dict[str, float]
    others: tuple[str, ...]


@dataclass(frozen=True)
class SettingsSearch(Result):
    """The result of ``find_settings``; ``print`` and notebooks show it as a table.

    Attributes:
        published: the numbers that were asked for.
        groups: first the one that fits, if one does, in which the settings with the fewest changes to a convention are
            first, as only digits that were not published could decide between them; then the others, nearest first.
        moves: how far each setting, the convention, the measure (precision, recall or F) and the choice between rougeL
            and rougeLsum, changed alone, move a number of the first group at most; the most first.
        median: where none fits, the settings with the fewest changes whose bootstrap median, which is another number in
            each run, may be what was published; None if there are none.
        n_settings: how many settings were tried.
        n_fitting: how many of them fit.
        tried: each setting that was changed, with the values that it had, as Python writes them; and the conventions.
        missing: conventions that could not be tried in full, such as with stems, and what they need.
        signature: of the first group's settings.
    """

    published: dict[str, float]
    groups: tuple[SettingsGroup, ...]
    moves: dict[str, float]
    median: SettingsGroup | None
    n_settings: int
    n_fitting: int
    tried: dict[str, tuple[str, ...]]
    missing: dict[str, str]
    signature: str

    def _shown(self, numbers: Iterable[float], digits: int | None = None) -> list[str]:
        usual = 2 if max(self.published.values()) > 1 else 4
        return shown_scores(numbers, usual if digits is None else digits)

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """The groups of settings with their numbers.

        Args:
            digits: of scores, after the point; None: two on the scale of papers, four on that of 0 to 1.
        """
        rows = []
        for group in self.groups:
            numbers = self._shown([*group.scores.values(), group.distance], digits)
            rows.append([code_and_keys(group), *numbers, "yes" if group.fits else "", len(group.others)])
        header = ["settings", *self.published, "largest difference", "fits", "others alike"]
        return [ResultTable(f"{self.n_settings:,} settings tried, the nearest", header, rows)]

    def records(self) -> list[dict[str, Any]]:
        """A line for each group of settings."""
        return [
            {"settings": group.code, **group.scores, "difference": group.distance, "fits": group.fits}
            for group in self.groups
        ]

    def notes(self) -> list[str]:
        """What fits, what else was tried, and what moves the numbers most."""
        first, later = self.groups[0], self.groups[self.groups[0].fits :]
        (away,) = self._shown([later[0].distance]) if later else ("",)
        if self.n_fitting > _NEARLY_ALL * self.n_settings:
            notes = [
                f"{self.n_fitting:,} of {self.n_settings:,} settings fit, so these numbers say nothing: give all their "
                "digits, more types, or other texts."
            ]
        elif first.fits:
            alike = f" and {len(first.others)} others fit, which only more digits or other texts could tell apart"
            notes = [
                f"{first.code}{alike if first.others else ' fits'}; "
                f"{f'the next is {away} away' if later else 'nothing else was tried'}."
            ]
        else:
            notes = [f"None fits: the nearest is {away} away."]
            if self.median is not None:
                median, digits = self.median, 3 if max(self.published.values()) > 1 else 5
                near = zip(median.scores.values(), median.spread.values(), strict=True)
                apart = [" ± ".join(shown_scores(numbers, digits)) for numbers in near]
                code = code_and_keys(median).replace(")", ", aggregate='bootstrap_median')", 1)
                notes.append(
                    f"{code} may: a median of 1,000 resamples, another one in each run, lies within three standard "
                    f"deviations of {', '.join(apart)}. The old load_metric('rouge') prints such medians."
                )
            else:
                notes.append(
                    "The outputs or references may be others than those that the numbers are of, or cut, cleaned or "
                    "lower-cased before."
                )
            changed = [f"{name} ({', '.join(values)})" for name, values in self.tried.items() if name != "convention"]
            notes.append(
                f"Tried: {len(self.tried['convention'])} conventions, each as it is and with {', '.join(changed)}."
            )
        if first.others:
            more = f"; and {len(first.others) - 3} more" if len(first.others) > 3 else ""
            notes.append(f"The same numbers as {first.code}: {'; '.join(first.others[:3])}{more}.")
        moved = [f"{name} {most}" for name, most in zip(self.moves, self._shown(self.moves.values()), strict=True)][:4]
        if moved:
            notes.append(f"What moves the first of them most: {', '.join(moved)}.")
        if self.missing:
            notes.append(f"Not tried in full, as a package or a table is missing: {', '.join(self.missing)}.")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON."""

        def plain(group: SettingsGroup) -> dict[str, Any]:
            return {**vars(group), "settings": group.settings.signature(), "others": list(group.others)}

        median = None if self.median is None else plain(self.median)
        return {**vars(self), "groups": list(map(plain, self.groups)), "median": median}


def find_settings(
    predictions: Any,
    references: Any,
    published: Mapping[str, Any],
    *,
    conventions: Iterable[str] | None = None,
    most: int = 5,
) -> SettingsSearch:
    """Search the settings under which these texts get the published numbers.

    It tries each convention for the languages of the texts, with and without stems and its tool's stop words: each rule
    for several references, aggregate, and sentence split, the tool's own and ours; distinct and clipped n-grams, words
    and characters where a language has no blanks, ROUGE-L of sentences and of texts, and precision, recall and F.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        published: type to number, such as ``{"rouge1": 44.16, "rougeL": "40.90"}``; a type may be spelled as papers do,
            ``"ROUGE-1"``. If one is above 1, or all are a 0 without digits, they are on the scale of 100. Digits count:
            write numbers that end in 0 as texts.
        conventions: names of those to try; None: all that are not of another language.
        most: how many groups to return, at least one.

    Returns:
        The nearest groups of settings, and how sure the first is.

    Raises:
        TypeError: not a mapping, or a value that is no number.
        ValueError: no numbers, no such type or convention, or texts that ``Rouge.compute`` refuses.
        ModuleNotFoundError: none of the conventions could be tried.
    """
    targets = _checked(published)
    most = checked_number("most", most, COUNT)
    inputs = check_inputs(predictions, references)
    given = CONVENTIONS if conventions is None else column_rows(conventions, "conventions")
    names = [find_convention(name).name for name in given]
    is_percent = max(target.value for target in targets.values()) > 1
    is_percent = is_percent or not any(target.value or target.digits for target in targets.values())
    scale = 100.0 if is_percent else 1.0
    if conventions is None:
        languages = shares_of_languages(
            [*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])]
        )
        names = [name for name in names if _language_of(name) in (None, *languages)]
    found: list[_Found] = []
    missing: dict[str, str] = {}
    counter = _Counter(inputs)
    for name in names:
        for result in _results(name, counter, targets, scale):
            if isinstance(result, Exception):
                missing.setdefault(name, str(result))
            else:
                found.append(result)
    if not found:
        raise ModuleNotFoundError(
            f"No convention could be tried: {'; '.join(missing.values()) or 'none has the types'}."
        )
    # The fewest changes first; of equally many, the tools that numbers are published with before our own conventions.
    is_ours = lambda name: CONVENTIONS[name].reproduces.startswith("our own")  # noqa: E731
    order = {name: place for place, name in enumerate(sorted(CONVENTIONS, key=is_ours))}
    found.sort(key=lambda each: (len(each.changes), order[each.changes["convention"]]))
    digits = max(target.digits for target in targets.values())
    alike: dict[Any, list[_Found]] = {}
    for each in found:
        numbers = tuple(round(score, digits) for score in each.group.scores.values())
        alike.setdefault("fits" if each.group.fits else numbers, []).append(each)
    nearest = sorted(alike.values(), key=lambda each: -1 if each[0].group.fits else round(each[0].group.distance, 9))
    groups = []
    for first, *others in nearest[:most]:
        name = code_and_keys(first.group)
        names = dict.fromkeys(other for each in others if (other := code_and_keys(each.group)) != name)
        settings = first.group.settings.replace(output="all" if "measure" in first.changes else "fmeasure")
        groups.append(replace(first.group, settings=settings, others=tuple(names)))
    n_fitting = sum(each.group.fits for each in found)
    tried: dict[str, dict[str, None]] = {}
    for each in found:
        for name, value in each.changes.items():
            tried.setdefault(name, {})[str(value).strip("_")] = None
    medians = () if n_fitting else (each.group for each in found if _may_be_median(each.group, targets))
    return SettingsSearch(
        {key: target.value for key, target in targets.items()},
        tuple(groups),
        _moves(nearest[0][0], found),
        next(iter(medians), None),
        len(found),
        n_fitting,
        {name: tuple(values) for name, values in tried.items()},
        missing,
        groups[0].settings.signature(),
    )


def _may_be_median(group: SettingsGroup, targets: "Mapping[str, _Target]") -> bool:
    """Whether every published number is within the spread of a bootstrap median, and its last digit."""
    return bool(group.spread) and all(
        abs(group.scores[key] - target.value) <= group.spread[key] + 0.5 * 10.0**-target.digits
        for key, target in targets.items()
    )


def code_and_keys(group: SettingsGroup) -> str:
    """The code of a group, and in brackets the keys of ``Rouge.compute`` where they are not the published ones."""
    used = [each for key, each in group.keys.items() if key != each]
    return group.code + (f" ({', '.join(used)})" if used else "")


class _Found(NamedTuple):
    """One way to compute the numbers, as a group of its own, and what it changes: the convention among it."""

    group: SettingsGroup
    changes: dict[str, Any]


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
    for key, number in by_own_keys(published, "published", own_type_name).items():
        parse_rouge_type(key)
        try:
            exact = Decimal(str(number)) if isinstance(number, (str, Real, Decimal)) else Decimal("nan")
        except (InvalidOperation, ValueError):  # or of more digits than Python writes
            exact = Decimal("nan")
        if isinstance(number, bool) or not exact.is_finite() or not 0 <= exact <= 100:
            raise ValueError(f"published[{key!r}] is {shown_value(number)}; give a number from 0 to 100.")
        exponent = exact.as_tuple().exponent
        targets[key] = _Target(float(exact), max(0, -exponent) if isinstance(exponent, int) else 0)
    return targets


class _Counter:
    """Counts the texts once for each way to read them, and scores these counts once for each rule for references."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._counted: dict[Any, PairCounts] = {}
        self._scores: dict[Any, NDArray[np.float64]] = {}

    def count(self, settings: RougeSettings) -> PairCounts:
        inputs, entry = self.inputs, entry_of(settings.tokenizer)
        if settings.sentence_split == "auto" and entry.cuts_at_sentences and entry.is_general:
            inputs, settings = self._cut, settings.replace(sentence_split="newline")  # far quicker, the same tokens
        reading = inputs is self.inputs, settings.text_rules, settings.count_rules
        if reading not in self._counted:
            self._counted[reading] = count_pairs(inputs, settings.replace(multi_reference="best"), RunOptions())
        return self._counted[reading]

    def scores(self, settings: RougeSettings) -> NDArray[np.float64]:
        """float64[n_samples, n_types, 3]; NaN for a sample that is left out."""
        pairs = self.count(settings)
        rules = settings.reference_rule, settings.score_rule
        key = id(pairs), repr(rules)  # a rule may have a list
        if key not in self._scores:
            self._scores[key] = combine_references(pairs, *rules)[0]
        return self._scores[key]

    def errors(self, settings: RougeSettings) -> NDArray[np.float64]:
        """The standard errors of means, float64[n_types, 3]; NaN where there is none."""
        scores = self.scores(settings)
        scores = scores[~np.isnan(scores).any(axis=(1, 2))]
        return scores.std(axis=0) / math.sqrt(len(scores)) if len(scores) else np.full(scores.shape[1:], np.nan)

    def aggregate(self, settings: RougeSettings) -> NDArray[np.float64]:
        """float64[n_types, 3]: precision, recall and F of all samples; NaN where there is none."""
        pairs, scores = self.count(settings), self.scores(settings)
        if np.isnan(scores).all():
            return scores[0]
        totals = None
        if settings.aggregate == "micro":
            totals = ExactSums(scores.shape[1:])
            totals.add(summed_counts(pairs, settings))
        return aggregate_scores(scores, settings.result_rules, totals).middle

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
) -> Iterator[_Found | Exception]:
    """Each way to compute the numbers with one convention; or what is not installed."""
    convention = CONVENTIONS[name]
    own = convention.settings
    if len(own.rouge_types) == 1 and any(key not in own.rouge_types for key in targets):  # its tool has no other
        return
    lcs_keys, ways = [key for key in targets if key in _LCS_TYPES], [dict(zip(targets, targets, strict=True))]
    if len(lcs_keys) == 1:  # the number may be of the other one
        allowed = own.rouge_types if len(own.rouge_types) == 1 else _LCS_TYPES
        ways = [ways[0] | {lcs_keys[0]: each} for each in _LCS_TYPES if each in allowed]
    types = tuple(dict.fromkeys(each for way in ways for each in way.values()))
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
            middle = counter.aggregate(settings) * factor
            errors = (
                counter.errors(settings) * factor if name in _WITH_MEDIANS and settings.aggregate == "mean" else None
            )
        except (ModuleNotFoundError, FileNotFoundError) as error:
            yield error
            continue
        code = f"Rouge({', '.join([repr(name), *(f'{key}={value!r}' for key, value in changes)])})"
        for way, (measure, place) in itertools.product(ways, _MEASURES.items()):
            scores = {key: float(middle[types.index(each), place]) for key, each in way.items()}
            if any(map(math.isnan, scores.values())):
                continue
            away = [(scores[key] - target.value, 10.0**-target.digits) for key, target in targets.items()]
            is_rounded = all(abs(each) <= unit / 2 + _SAME for each, unit in away)
            is_cut_off = all(-_SAME < each < unit for each, unit in away)
            renamed = [("L or Lsum", each) for key, each in way.items() if key != each]
            changed = dict([*changes, ("convention", name), *renamed, *([("measure", measure)] if measure else [])])
            keys, distance = {key: each + measure for key, each in way.items()}, max(abs(each) for each, _ in away)
            spread = {}
            if errors is not None:
                spread = {key: _OF_MEDIAN * float(errors[types.index(each), place]) for key, each in way.items()}
            fits = is_rounded or is_cut_off
            yield _Found(SettingsGroup(code, settings, keys, scores, distance, fits, spread, ()), changed)


def _changes(own: RougeSettings, inputs: Inputs, by_sentence: bool) -> Iterator[tuple[tuple[str, Any], ...]]:
    """What is changed of a convention's settings, in every combination, nothing first."""
    several = any(len(row) > 1 for row in inputs.references)
    entry = entry_of(own.tokenizer)
    is_cut_before = own.sentence_split in ("newline", "zh", "auto")  # other tools cut by themselves, or not at all
    sample = "".join([*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])])
    values: dict[str, Sequence[Any]] = {
        "use_stemmer": (False, True) if own.tool.stemmer != "porter" or _STEMMED.search(sample) else (),
        "stop_words": (None, own.tokenizer) if own.tokenizer in STOP_LISTS else (),
        "segment": ("jieba", "char") if entry.splits_at_blanks and _UNSPACED.search(sample) else (),
        "sentence_split": (("newline", "auto") if is_cut_before else ("auto",)) if by_sentence else (),
        "multi_reference": _REFERENCE_RULES if several else (),
        "tool": ({"ngram_counts": "multiset"},) if own.tool.ngram_counts == "set" else (),
        "aggregate": ("mean", "f_of_means", "micro"),
    }
    if own.aggregate in ("running_mean", "numpy_mean"):  # which is the mean to more digits than are published
        values["aggregate"] = ("f_of_means", "micro")
    options = [[None, *((name, value) for value in each if value != own.value(name))] for name, each in values.items()]
    for changes in itertools.product(*options):
        yield tuple(change for change in changes if change is not None)


def _moves(first: _Found, found: Iterable[_Found]) -> dict[str, float]:
    """How far a change of one dimension alone moves some number of the first one at most."""
    moves: dict[str, float] = {}
    for other in found:
        names = {**first.changes, **other.changes}
        different = [name for name in names if first.changes.get(name) != other.changes.get(name)]
        if len(different) == 1:
            moved = max(abs(number - other.group.scores[key]) for key, number in first.group.scores.items())
            moves[different[0]] = max(moved, moves.get(different[0], 0))
    return dict(sorted(moves.items(), key=lambda each: -each[1]))
