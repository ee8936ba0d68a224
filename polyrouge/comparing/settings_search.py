"""``find_settings``: search the conventions and settings that give published numbers for these texts."""

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

from polyrouge.conventions.pltrdy import OVERWRITTEN
from polyrouge.conventions.registry import CONVENTIONS, find_convention
from polyrouge.counting.counts import Counts
from polyrouge.counting.loop import count_pairs
from polyrouge.documents.document import check_packages
from polyrouge.errors import shown_value
from polyrouge.inputs import Inputs, check_inputs, column_rows, reference_texts
from polyrouge.results import Result, ResultTable, shown_scores
from polyrouge.scoring.aggregates import ExactSums, aggregate_scores
from polyrouge.scoring.sample_scores import summed_counts
from polyrouge.scoring.scores import combine_references, point_scale
from polyrouge.settings.allowed_values import COUNT, STOP_LISTS, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import by_own_keys, own_type_name, parse_rouge_type
from polyrouge.texts.languages import shares_of_languages
from polyrouge.texts.patterns import pattern
from polyrouge.texts.sentences import split_auto
from polyrouge.texts.tokenizers import entry_of

_MEASURES = {"": 2, "_precision": 0, "_recall": 1}  # ending of the key: index in scores
_LCS_TYPES = ("rougeL", "rougeLsum")
_SAME = 1e-9  # beyond what the order of additions changes
# Conventions of one language, by the beginning of the name of their tokenizer or segmenter.
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
_LOOKED_AT = 50  # rows, to find the language
_STEMMED = pattern("[A-Za-z]{3}")
_NEARLY_ALL = 0.9  # of the settings fit a number that says nothing
_OF_MEDIAN = 3 * math.sqrt(math.pi / 2 / 1000)  # three deviations of a median of 1,000 means, in standard errors


@dataclass(frozen=True)
class SettingsGroup:
    """Settings that give the same numbers for these texts, to the digits that were published.

    Attributes:
        code: the shortest settings, as Python code: ``Rouge('rouge_score', use_stemmer=True)``.
        settings: its ``RougeSettings``.
        keys: for each published key the key of ``Rouge.compute`` with ``output="all"`` that has the number.
        scores: the number for each published key, on the published scale; not rounded.
        distance: the largest difference to a published number.
        fits: every number is the published one, rounded or cut off at its digits.
        spread: for each published key, the largest distance of a median of 1,000 bootstrap means from the number (three
            standard deviations); empty if no tool prints such a median.
        others: code of the other settings of the group, the fewest changes first; with the keys of
            ``Rouge.compute`` in brackets if they are not the published keys.
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
        groups: first the group that fits, if any, then the others, nearest first. In the first, the settings with the
            fewest changes to a convention are first, as only digits that were not published could decide between them.
        moves: how far each setting, the convention, the measure (precision, recall or F) and the choice between rougeL
            and rougeLsum, changed alone, move a number of the first group at most; the largest first.
        median: if none fits, the settings with the fewest changes whose bootstrap median, different in each run,
            may be the published number; None if there are none.
        n_settings: number of settings tried.
        n_fitting: number of settings that fit.
        tried: each changed setting with its values as Python code; and the conventions.
        missing: conventions that could not be tried in full, for example with stems, and what they need.
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
        """Return the groups of settings with their numbers.

        Args:
            digits: of scores, after the point; None: two on the scale of papers, four on the scale of 0 to 1.
        """
        rows = []
        for group in self.groups:
            numbers = self._shown([*group.scores.values(), group.distance], digits)
            rows.append([code_and_keys(group), *numbers, "yes" if group.fits else "", len(group.others)])
        header = ["settings", *self.published, "largest difference", "fits", "others alike"]
        return [ResultTable(f"{self.n_settings:,} settings tried, the nearest", header, rows)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each group of settings."""
        return [
            {"settings": group.code, **group.scores, "difference": group.distance, "fits": group.fits}
            for group in self.groups
        ]

    def notes(self) -> list[str]:
        """Say what fits, what else was tried, and what moves the numbers most."""
        first, later = self.groups[0], self.groups[self.groups[0].fits :]
        (distance,) = self._shown([later[0].distance]) if later else ("",)
        if self.n_fitting > _NEARLY_ALL * self.n_settings:
            notes = [
                f"{self.n_fitting:,} of {self.n_settings:,} settings fit, so these numbers say nothing: give all their "
                "digits, more types, or other texts."
            ]
        elif first.fits:
            fitting = f" and {len(first.others)} others fit, which only more digits or other texts could tell apart"
            notes = [
                f"{first.code}{fitting if first.others else ' fits'}; "
                f"{f'the next is {distance} away' if later else 'nothing else was tried'}."
            ]
        else:
            notes = [f"None fits: the nearest is {distance} away."]
            if self.median is not None:
                median, digits = self.median, 3 if max(self.published.values()) > 1 else 5
                medians = zip(median.scores.values(), median.spread.values(), strict=True)
                intervals = [" ± ".join(shown_scores(numbers, digits)) for numbers in medians]
                code = code_and_keys(median).replace(")", ", aggregate='bootstrap_median')", 1)
                notes.append(
                    f"{code} may: a median of 1,000 resamples, another one in each run, lies within three standard "
                    f"deviations of {', '.join(intervals)}. The old load_metric('rouge') prints such medians."
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
        movers = [
            f"{name} {amount}" for name, amount in zip(self.moves, self._shown(self.moves.values()), strict=True)
        ][:4]
        if movers:
            notes.append(f"What moves the first of them most: {', '.join(movers)}.")
        if self.missing:
            notes.append(f"Not tried in full, as a package or a table is missing: {', '.join(self.missing)}.")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON."""

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
    and characters where a language has no blanks, ROUGE-L of sentences and of texts, and precision, recall and F; and
    for tools built on ``rouge``, what they give where ``rouge-chinese`` has overwritten its files.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        published: type to number, such as ``{"rouge1": 44.16, "rougeL": "40.90"}``; a type may be spelled as papers do,
            ``"ROUGE-1"``. If one is above 1, or all are a 0 without digits, they are on the scale of 100. Digits count:
            write numbers that end in 0 as texts.
        conventions: names of conventions to try; None: all except the conventions of other languages.
        most: number of groups to return, at least one.

    Returns:
        The nearest groups of settings, and how certain the first is.

    Raises:
        TypeError: not a mapping, or a value that is no number.
        ValueError: no numbers, no such type or convention, or texts that ``Rouge.compute`` refuses.
        ModuleNotFoundError: none of the conventions could be tried.
    """
    targets = _checked(published)
    most = checked_number("most", most, COUNT)
    inputs = check_inputs(predictions, references)
    candidates = CONVENTIONS if conventions is None else column_rows(conventions, "conventions")
    names = [find_convention(name).name for name in candidates]
    is_percent = max(target.value for target in targets.values()) > 1
    is_percent = is_percent or not any(target.value or target.digits for target in targets.values())
    scale = 100.0 if is_percent else 1.0
    if conventions is None:
        languages = shares_of_languages(
            [*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])]
        )
        names = [name for name in names if _language_of(name) in (None, *languages)]
    attempts: list[_Found] = []
    missing: dict[str, str] = {}
    counter = _Counter(inputs)
    for name in names:
        for result in _results(name, counter, targets, scale):
            if isinstance(result, Exception):
                missing.setdefault(name, str(result))
            else:
                attempts.append(result)
    if not attempts:
        raise ModuleNotFoundError(
            f"No convention could be tried: {'; '.join(missing.values()) or 'none has the types'}."
        )
    # The fewest changes first; for equal numbers, tools, which people publish with, before our own conventions.
    is_own = lambda name: CONVENTIONS[name].reproduces.startswith("our own")  # noqa: E731
    order = {name: index for index, name in enumerate(sorted(CONVENTIONS, key=is_own))}
    attempts.sort(key=lambda attempt: (len(attempt.changes), order[attempt.changes["convention"]]))
    digits = max(target.digits for target in targets.values())
    by_numbers: dict[Any, list[_Found]] = {}
    for attempt in attempts:
        numbers = tuple(round(score, digits) for score in attempt.group.scores.values())
        by_numbers.setdefault("fits" if attempt.group.fits else numbers, []).append(attempt)
    nearest = sorted(
        by_numbers.values(),
        key=lambda same_numbers: -1 if same_numbers[0].group.fits else round(same_numbers[0].group.distance, 9),
    )
    groups = []
    for best, *similar in nearest[:most]:
        name = code_and_keys(best.group)
        names = dict.fromkeys(code for attempt in similar if (code := code_and_keys(attempt.group)) != name)
        settings = best.group.settings.replace(output="all" if "measure" in best.changes else "fmeasure")
        groups.append(replace(best.group, settings=settings, others=tuple(names)))
    n_fitting = sum(attempt.group.fits for attempt in attempts)
    tried: dict[str, dict[str, None]] = {}
    for attempt in attempts:
        for name, value in attempt.changes.items():
            tried.setdefault(name, {})[str(value).strip("_")] = None
    medians = () if n_fitting else (attempt.group for attempt in attempts if _may_be_median(attempt.group, targets))
    return SettingsSearch(
        {key: target.value for key, target in targets.items()},
        tuple(groups),
        _moves(nearest[0][0], attempts),
        next(iter(medians), None),
        len(attempts),
        n_fitting,
        {name: tuple(values) for name, values in tried.items()},
        missing,
        groups[0].settings.signature(),
    )


def _may_be_median(group: SettingsGroup, targets: "Mapping[str, _Target]") -> bool:
    """Say whether every published number is within the spread of a bootstrap median and the last digit."""
    return bool(group.spread) and all(
        abs(group.scores[key] - target.value) <= group.spread[key] + 0.5 * 10.0**-target.digits
        for key, target in targets.items()
    )


def code_and_keys(group: SettingsGroup) -> str:
    """Return the code of a group, and in brackets the keys of ``Rouge.compute`` that are not the published ones."""
    other_keys = [used_key for key, used_key in group.keys.items() if key != used_key]
    return group.code + (f" ({', '.join(other_keys)})" if other_keys else "")


class _Found(NamedTuple):
    """One way to compute the numbers, as a group of its own, with its changes, convention included."""

    group: SettingsGroup
    changes: dict[str, Any]


def _language_of(name: str) -> str | None:
    """Return the language of a convention; None if it is for several."""
    settings = CONVENTIONS[name].settings
    segment = settings.segment or ""
    reader = segment if segment.startswith("char") else str(settings.tokenizer)
    return next((language for prefix, language in _LANGUAGES.items() if reader.startswith(prefix)), None)


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
        except (InvalidOperation, ValueError):  # ValueError: more digits than Python writes
            exact = Decimal("nan")
        if isinstance(number, bool) or not exact.is_finite() or not 0 <= exact <= 100:
            raise ValueError(f"published[{key!r}] is {shown_value(number)}; give a number from 0 to 100.")
        exponent = exact.as_tuple().exponent
        targets[key] = _Target(float(exact), max(0, -exponent) if isinstance(exponent, int) else 0)
    return targets


class _Counter:
    """Count the texts once for each way to read them, and score these counts once for each rule for references."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._counted: dict[Any, Counts] = {}
        self._scores: dict[Any, NDArray[np.float64]] = {}

    def count(self, settings: RougeSettings) -> Counts:
        inputs, entry = self.inputs, entry_of(settings.tokenizer)
        if settings.sentence_split == "auto" and entry.cuts_at_sentences and entry.is_general:
            inputs, settings = self._cut, settings.replace(sentence_split="newline")  # far quicker, the same tokens
        reading = inputs is self.inputs, settings.text_rules, settings.count_rules
        if reading not in self._counted:
            self._counted[reading] = count_pairs(
                inputs, settings.replace(multi_reference="best", aggregate="mean"), RunOptions()
            )
        return self._counted[reading]

    def scores(self, settings: RougeSettings) -> NDArray[np.float64]:
        """Return float64[n_samples, n_types, 3]; NaN for a skipped sample."""
        pairs = self.count(settings)
        rules = settings.reference_rule, settings.score_rule
        key = id(pairs), repr(rules)  # a rule may have a list
        if key not in self._scores:
            self._scores[key] = combine_references(pairs, *rules)[0]
        return self._scores[key]

    def errors(self, settings: RougeSettings) -> NDArray[np.float64]:
        """Return the standard errors of means, float64[n_types, 3]; NaN without samples."""
        scores = self.scores(settings)
        scores = scores[~np.isnan(scores).any(axis=(1, 2))]
        return scores.std(axis=0) / math.sqrt(len(scores)) if len(scores) else np.full(scores.shape[1:], np.nan)

    def aggregate(self, settings: RougeSettings) -> NDArray[np.float64]:
        """Return precision, recall and F of all samples, float64[n_types, 3]; NaN without samples."""
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
        """Return the texts with a sentence on each line; the same object if they need no other line breaks."""
        cut = lambda text: "\n".join(split_auto(text))  # noqa: E731
        predictions, references = list(map(cut, self.inputs.predictions)), self.inputs.references
        references = [list(map(cut, row)) for row in references]
        is_same = predictions == list(self.inputs.predictions) and references == list(map(list, self.inputs.references))
        return self.inputs if is_same else Inputs(predictions, references, "list")


def _results(
    name: str, counter: _Counter, targets: Mapping[str, _Target], scale: float
) -> Iterator[_Found | Exception]:
    """Yield each way to compute the numbers with one convention, or the error of a missing package."""
    convention = CONVENTIONS[name]
    settings_of_tool = convention.settings
    if len(settings_of_tool.rouge_types) == 1 and any(
        key not in settings_of_tool.rouge_types for key in targets
    ):  # its tool has no other types
        return
    lcs_keys, key_maps = [key for key in targets if key in _LCS_TYPES], [dict(zip(targets, targets, strict=True))]
    if len(lcs_keys) == 1:  # the number may be of the other type
        allowed = settings_of_tool.rouge_types if len(settings_of_tool.rouge_types) == 1 else _LCS_TYPES
        key_maps = [key_maps[0] | {lcs_keys[0]: lcs_key} for lcs_key in _LCS_TYPES if lcs_key in allowed]
    types = tuple(dict.fromkeys(rouge_type for key_map in key_maps for rouge_type in key_map.values()))
    neutral = {"confidence": None, "weights": None, "round_each": None, "round_result": None, "scale": 1.0}
    base = settings_of_tool.replace(**neutral, rouge_types=types, output="all", use_aggregator=True, on_error="score")
    factor = scale * point_scale(settings_of_tool) / 100
    by_sentence = "rougeLsum" in types or (settings_of_tool.tool.lcs != "sentence" and "rougeL" in types)
    for changes in _changes(settings_of_tool, counter.inputs, by_sentence):
        try:
            settings = convention.override(base, dict(changes))
        except ValueError:  # this tool has no such setting
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
        for key_map, (measure, measure_index) in itertools.product(key_maps, _MEASURES.items()):
            scores = {key: float(middle[types.index(rouge_type), measure_index]) for key, rouge_type in key_map.items()}
            if any(map(math.isnan, scores.values())):
                continue
            errors_and_units = [(scores[key] - target.value, 10.0**-target.digits) for key, target in targets.items()]
            is_rounded = all(abs(error) <= unit / 2 + _SAME for error, unit in errors_and_units)
            is_cut_off = all(-_SAME < error < unit for error, unit in errors_and_units)
            renamed_keys = [("L or Lsum", rouge_type) for key, rouge_type in key_map.items() if key != rouge_type]
            changed = dict(
                [*changes, ("convention", name), *renamed_keys, *([("measure", measure)] if measure else [])]
            )
            keys, distance = (
                {key: rouge_type + measure for key, rouge_type in key_map.items()},
                max(abs(rouge_type) for rouge_type, _ in errors_and_units),
            )
            spread = {}
            if errors is not None:
                spread = {
                    key: _OF_MEDIAN * float(errors[types.index(rouge_type), measure_index])
                    for key, rouge_type in key_map.items()
                }
            fits = is_rounded or is_cut_off
            yield _Found(SettingsGroup(code, settings, keys, scores, distance, fits, spread, ()), changed)


def _changes(settings: RougeSettings, inputs: Inputs, by_sentence: bool) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Yield every combination of changes to a convention's settings, no change first."""
    has_several_references = any(len(row) > 1 for row in inputs.references)
    entry = entry_of(settings.tokenizer)
    is_cut_before = settings.sentence_split in (
        "newline",
        "zh",
        "auto",
    )  # other tools cut in their own way, or not at all
    sample = "".join([*inputs.predictions[:_LOOKED_AT], *reference_texts(inputs.references[:_LOOKED_AT])])
    values: dict[str, Sequence[Any]] = {
        "use_stemmer": (False, True) if settings.tool.stemmer != "porter" or _STEMMED.search(sample) else (),
        "stop_words": (None, settings.tokenizer) if settings.tokenizer in STOP_LISTS else (),
        "segment": ("jieba", "char") if entry.splits_at_blanks and _UNSPACED.search(sample) else (),
        "sentence_split": (("newline", "auto") if is_cut_before else ("auto",)) if by_sentence else (),
        "multi_reference": _REFERENCE_RULES if has_several_references else (),
        "tool": ({"ngram_counts": "multiset"},) if settings.tool.ngram_counts == "set" else (),
        "aggregate": ("mean", "f_of_means", "micro"),
    }
    if settings.aggregate in ("running_mean", "numpy_mean"):  # equal to the mean in all published digits
        values["aggregate"] = ("f_of_means", "micro")
    options = [
        [None, *((name, value) for value in choices if value != settings.value(name))]
        for name, choices in values.items()
    ]
    packages = (None, OVERWRITTEN) if settings.tokenizer == "pltrdy" else (None,)
    for package, changes in itertools.product(packages, itertools.product(*options)):
        own = tuple(change for change in changes if change is not None)
        if package is None or not package.keys() & {name for name, _ in own}:
            yield (*own, *(package or {}).items())


def _moves(first: _Found, attempts: Iterable[_Found]) -> dict[str, float]:
    """Return how far a change of one dimension alone moves any number of the first attempt at most."""
    moves: dict[str, float] = {}
    for attempt in attempts:
        names = {**first.changes, **attempt.changes}
        different = [name for name in names if first.changes.get(name) != attempt.changes.get(name)]
        if len(different) == 1:
            largest_move = max(abs(number - attempt.group.scores[key]) for key, number in first.group.scores.items())
            moves[different[0]] = max(largest_move, moves.get(different[0], 0))
    return dict(sorted(moves.items(), key=lambda move: -move[1]))
