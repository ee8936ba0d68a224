"""``check_scores``: may these outputs replace earlier ones? Rules on means, with a paired test on request."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.checked_json import read_checked, write_checked
from polyrouge.comparing.significance import paired_tests
from polyrouge.comparing.systems import NO_MEANS
from polyrouge.errors import Option, RefusedValue, shown_value, unknown_value, visible
from polyrouge.inputs import Inputs, check_inputs, column_rows
from polyrouge.metric import Rouge, as_rouge, score_inputs
from polyrouge.results import Cell, Result, ResultTable, shown_difference, shown_number
from polyrouge.scoring.aggregates import all_keys, result_of, scale_scores
from polyrouge.scoring.intervals import holm_adjusted
from polyrouge.scoring.scores import point_scale
from polyrouge.settings.allowed_values import FRACTION, RESAMPLES, checked_flag, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import by_own_keys
from polyrouge.settings.signature import signature_differences

_FORMAT = "polyrouge_baseline"
_START = 100  # bytes that include the first name
_SAME = 1e-9  # points, beyond what the order of additions changes
_MOST_SAMPLES = 5
_Sample = tuple[str, float | None, float]  # id, score before, score now


@dataclass(frozen=True)
class ScoreRule:
    """One rule with its outcome. All scores are points of 100.

    Attributes:
        key: of the score: ``"rougeL"``, ``"rouge1_recall"``.
        limit: the rule in words: ``"at most 0.5 below the baseline"``.
        baseline: mean of the baseline; None if the rule has none.
        lowest: the lowest mean that the rule allows.
        score: mean of the new outputs.
        low: lower end of the 95% interval of ``score - lowest``; None without ``significant``.
        high: its upper end.
        p: one-sided p of a paired test of a mean below ``lowest``, after Holm's correction over the rules; None without
            ``significant``.
        holds: whether the score keeps the rule.
    """

    key: str
    limit: str
    baseline: float | None
    lowest: float
    score: float
    low: float | None
    high: float | None
    p: float | None
    holds: bool


@dataclass(frozen=True)
class ScoreCheck(Result):
    """The result of ``check_scores``; ``print`` and notebooks show it as tables.

    Attributes:
        rules: each rule with its numbers.
        passed: whether all rules hold.
        reason: why, in a sentence.
        worst: of the first broken rule the samples that lost most, or that score lowest if the baseline has no
            samples: their id or number, and their scores before (or None) and now.
        n_samples: number of samples of the means.
        scores: key to the mean of the new outputs.
        signature: of the settings.
        saved: what ``save_baseline`` writes.
    """

    rules: tuple[ScoreRule, ...]
    passed: bool
    reason: str
    worst: tuple[_Sample, ...]
    n_samples: int
    scores: dict[str, float]
    signature: str
    saved: dict[str, Any]

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return the rules, and the samples that lost most.

        Args:
            digits: of points, after the point; None: two.
        """
        digits = 2 if digits is None else digits
        is_tested = any(rule.p is not None for rule in self.rules)
        header = ["score", "rule", "baseline", "lowest", "now", *(["95% above it", "p"] if is_tested else []), ""]
        without_rules = {} if self.rules else self.scores
        rows: list[list[Any]] = []
        rows += [[key, *"–––", shown_number(score, digits), ""] for key, score in without_rules.items()]
        for rule in self.rules:
            cells = [shown_number(value, digits) for value in (rule.baseline, rule.lowest, rule.score)]
            if rule.p is not None:
                low, high = (shown_difference(end or 0.0, digits) for end in (rule.low, rule.high))
                cells += [f"[{low}, {high}]", f"{rule.p:.4f}"]
            rows.append([rule.key, rule.limit, *cells, "holds" if rule.holds else Cell("broken", strong=True)])
        tables = [ResultTable(f"{'Passed' if self.passed else 'Failed'}, {self.n_samples:,} samples", header, rows, 2)]
        if self.worst:
            key = next(rule.key for rule in self.rules if not rule.holds)
            rows = []
            for name, before, now in self.worst:
                change = "–" if before is None else shown_difference(now - before, digits)
                rows.append([name, shown_number(before, digits), shown_number(now, digits), change])
            tables.append(ResultTable(f"The samples with the worst {key}", ["sample", "before", "now", "change"], rows))
        return tables

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each rule."""
        return [dict(vars(rule)) for rule in self.rules]

    def notes(self) -> list[str]:
        """Say why the check passed or not, and how many samples are left out."""
        n_left_out = len(self.saved["samples"][next(iter(self.scores))]) - self.n_samples
        note = f"{n_left_out} more are left out (empty='skip'): a text of theirs has no token."
        return [self.reason, note] if n_left_out else [self.reason]

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON."""
        values = {name: value for name, value in vars(self).items() if name != "saved"}
        worst = [dict(zip(("sample", "before", "now"), sample, strict=True)) for sample in self.worst]
        return {**values, "rules": self.records(), "worst": worst}

    def save_baseline(self, path: str | os.PathLike[str]) -> None:
        """Write the scores of all samples and the signature, as a ``baseline`` of later checks.

        Args:
            path: of the JSON file. It has no texts, only a digest of the references.
        """
        Path(path).write_text(write_checked(self.saved) + "\n", encoding="utf-8")


def check_scores(
    predictions: Any,
    references: Any,
    baseline: Any = None,
    rouge: Rouge | str | None = None,
    *,
    max_drop: float | Mapping[str, float] | None = None,
    at_least: float | str | Mapping[str, float | str] | None = None,
    fail_under: Mapping[str, float] | None = None,
    significant: bool = False,
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    ids: Sequence[Any] | None = None,
) -> ScoreCheck:
    """Hold the mean scores of outputs against rules: a baseline that they may not fall below, or fixed limits.

    All numbers are on the scale of 100, whatever ``scale`` the metric has. With ``significant`` a rule is broken only
    if a paired test says so: approximate randomization of the samples' distances to the limit, one-sided, after
    Holm's correction over the rules. A system whose true mean is exactly the limit then fails in ``alpha`` of all
    checks with one rule, a better one less often; a worse one passes if there are too few samples to tell.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        baseline: earlier predictions for the same references; the path of a file that ``save_baseline`` wrote; or means
            in points, such as ``{"rouge1": 42.99}``. None: there are only fixed limits.
        rouge: the metric, or a convention's name; ``Rouge()`` if None.
        max_drop: points that a mean may be below the baseline's, 0 or more: one number for all types, or
            key to number. If there is a baseline and neither this nor ``at_least``, 0.
        at_least: the least share of the baseline's mean, above 0 and up to 1 or as ``"99.9%"``, likewise.
        fail_under: key to the lowest mean allowed, such as ``{"rouge1": 38.4}``. Keys may be spelled as papers do,
            ``"ROUGE-1"``, here and in the other arguments.
        significant: let a paired test decide instead of the means.
        alpha: level of the test, above 0 and below 1.
        n_resamples: of the test, 1 to 1,000,000.
        ids: names of the samples in ``worst``; None: their numbers, from 0.

    Returns:
        Whether all rules hold, and each rule with its numbers. Without a rule it passes: for ``save_baseline``.

    Raises:
        TypeError: a value of the wrong type.
        ValueError: an unknown key, a limit that can't be meant, or a baseline of another signature or other references.
    """
    rouge = as_rouge(rouge)
    settings = rouge.settings.replace(use_aggregator=True, confidence=None)
    if settings.round_each is settings.round_result is None:
        settings = settings.replace(scale=point_scale(settings))
    alpha = checked_number("alpha", alpha, FRACTION)
    n_resamples = checked_number("n_resamples", n_resamples, RESAMPLES)
    checked_flag("significant", significant)
    if significant and settings.aggregate in (*NO_MEANS, "f_of_means"):
        compares = ": a paired test compares means over samples; set 'mean'."
        raise RefusedValue(Option("aggregate", settings.aggregate), compares)
    if baseline is not None and max_drop is at_least is None:
        max_drop = 0.0
    keys = [key for key, _, _ in all_keys(settings.result_rules)]
    if isinstance(baseline, Mapping):
        baseline = by_own_keys(baseline, "baseline")
        baseline = {key: _points("baseline", key, value, keys) for key, value in baseline.items()}
    limits = _limits(keys, baseline, max_drop, at_least, fail_under)
    rows = column_rows(references, "references")
    inputs = check_inputs(predictions, rows)
    names = [str(sample_id) for sample_id in (range(len(rows)) if ids is None else column_rows(ids, "ids"))]
    if len(names) != len(rows):
        raise ValueError(f"{len(names)} ids but {len(rows)} predictions; give one id for each, or none.")
    now = _scores(inputs, settings, rouge.run)
    samples = {
        key: [None if value != value else value for value in scores.tolist()] for key, scores in now.samples.items()
    }
    digest = hashlib.sha256(json.dumps([list(row) for row in inputs.references]).encode()).hexdigest()
    signature = settings.signature()
    saved = {_FORMAT: 1, "signature": signature, "references": digest, "means": now.means, "samples": samples}
    before = _Scores({}, {}) if baseline is None else _baseline(baseline, rows, settings, rouge.run, saved)
    now, before, names = _of_shared_samples(now, before, names, settings)
    tests: Any = [(None, None, None)] * len(limits)
    if significant and limits:
        limits_by_sample = [
            share * before.samples.get(key, before.means.get(key, 0.0)) + shift for key, _, share, shift in limits
        ]
        lowest = np.stack([np.broadcast_to(limit, len(names)) for limit in limits_by_sample], axis=1)
        scores = np.stack([now.samples[limit.key] for limit in limits], axis=1)
        tests = np.transpose(limit_tests(scores, lowest, n_resamples, settings.seed)).tolist()
    rules = []
    for (key, words, share, shift), (low, high, p) in zip(limits, tests, strict=True):
        mean = before.means[key] if share else None
        score, least = now.means[key], share * (mean or 0.0) + shift
        holds = score >= least - _SAME or (p is not None and p > alpha)
        rules.append(ScoreRule(key, words, mean, least, score, low, high, p, holds))
    broken = [rule for rule in rules if not rule.holds]
    worst = _worst(broken[0].key, now, before, names) if broken else ()
    return ScoreCheck(
        tuple(rules), not broken, _reason(broken, len(rules)), worst, len(names), now.means, signature, saved
    )


def assert_not_worse(
    predictions: Any, references: Any, baseline: Any = None, rouge: Rouge | str | None = None, **rules: Any
) -> ScoreCheck:
    """``check_scores`` for tests: raise if a rule is broken.

    Args:
        predictions: as for ``check_scores``.
        references: as for ``check_scores``.
        baseline: as for ``check_scores``.
        rouge: as for ``check_scores``.
        **rules: the other arguments of ``check_scores``.

    Returns:
        The check, if it passed.

    Raises:
        AssertionError: a rule is broken; the message is the table, which pytest shows.
        TypeError, ValueError: as ``check_scores``, or there is no rule.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    check = check_scores(predictions, references, baseline, rouge, **rules)
    if not check.rules:
        raise ValueError("There is no rule, so nothing could fail: give a baseline or fail_under.")
    if not check.passed:
        raise AssertionError(f"{check.reason}\n\n{check}")
    return check


class _Limit(NamedTuple):
    """A rule: the lowest score allowed is ``share`` times the baseline's plus ``shift``; ``share`` 0: no baseline."""

    key: str
    words: str
    share: float
    shift: float


class _Scores(NamedTuple):
    """Scores by key, in points."""

    means: dict[str, float]
    samples: Mapping[str, NDArray[np.float64]]  # [n_samples]; NaN for a skipped sample; {} if unknown


def _limits(keys: Sequence[str], baseline: Any, max_drop: Any, at_least: Any, fail_under: Any) -> list[_Limit]:
    """Check the rules; a single number is for all keys of the baseline."""
    baseline_keys = [*baseline] if isinstance(baseline, Mapping) else keys
    limits = []
    for argument, values in (("max_drop", max_drop), ("at_least", at_least), ("fail_under", fail_under)):
        if values is None:
            continue
        if argument == "fail_under" and not isinstance(values, Mapping):
            raise TypeError(f"fail_under is {shown_value(values)}; give a mapping: {{'rouge1': 38.4}}.")
        if argument != "fail_under" and baseline is None:
            raise ValueError("max_drop and at_least need a baseline; give one, or use fail_under alone.")
        by_key = by_own_keys(values, argument) if isinstance(values, Mapping) else dict.fromkeys(baseline_keys, values)
        for key, value in by_key.items():
            number = _points(argument, key, value, keys)
            if argument == "fail_under":
                limits.append(_Limit(key, f"at least {number:g}", 0.0, number))
            elif key not in baseline_keys:
                raise unknown_value(key, baseline_keys, "score of the baseline")
            elif argument == "at_least":
                limits.append(_Limit(key, f"at least {100 * number:g} % of the baseline", number, 0.0))
            else:
                words = f"at most {number:g} below the baseline" if number else "not below the baseline"
                limits.append(_Limit(key, words, 1.0, -number))
    return limits


def _points(argument: str, key: str, value: Any, keys: Sequence[str]) -> float:
    """Check the number of a rule, or of a baseline."""
    if key not in keys:
        raise unknown_value(key, keys, f"key of {argument}")
    allowed = {
        "max_drop": "points of 100, from 0: 0.5",
        "at_least": "a share of the baseline, above 0 and up to 1: 0.999 or '99.9%'",
    }.get(argument, "points of 100: 38.4")
    is_percent = argument == "at_least" and isinstance(value, str) and value.strip().endswith("%")
    try:
        if isinstance(value, bool):
            raise TypeError
        number = float(f"{value.strip().rstrip('%')}e-2") if is_percent else float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{argument} of {key!r} is {shown_value(value)}; give {allowed}.") from None
    # A mean of 0.384 may well be meant as 38.4, and would never fail.
    fits = {"max_drop": 0 <= number <= 100, "at_least": 0 < number <= 1}
    if not fits.get(argument, number == 0 or 1 < number <= 100):
        raise ValueError(f"{argument} of {key!r} is {shown_value(value)}; give {allowed}.")
    return number


def _scores(inputs: Inputs, settings: RougeSettings, run: RunOptions) -> _Scores:
    sample_scores, rules = score_inputs(inputs, settings, run), settings.result_rules
    points = point_scale(settings) / settings.scale
    result = result_of(sample_scores.scores, rules, sample_scores.totals)
    scaled = scale_scores(sample_scores.scores, rules) * points
    columns = all_keys(rules)
    return _Scores(
        {key: float(result[key]) * points for key, _, _ in columns},
        {key: scaled[:, column, measure] for key, column, measure in columns},
    )


def _baseline(
    baseline: Any, references: Any, settings: RougeSettings, run: RunOptions, new: Mapping[str, Any]
) -> _Scores:
    """Return the scores of a baseline: means, a file of scores, or predictions."""
    if isinstance(baseline, Mapping):
        return _Scores(dict(baseline), {})
    if not isinstance(baseline, (str, os.PathLike)):
        return _scores(check_inputs(baseline, references), settings, run)
    saved, advice = read_baseline(baseline), "score the outputs of before anew"
    different = signature_differences(saved["signature"], new["signature"])
    if different:
        fields = [
            f"{key} was {before or 'not there'}, is {now or 'not there'}" for key, (before, now) in different.items()
        ]
        raise ValueError(f"{os.fspath(baseline)} was scored in another way: {', '.join(fields)}; {advice}.")
    if saved["references"] != new["references"]:
        raise ValueError(
            f"{os.fspath(baseline)} is of other references, of fewer or more, or in another order; {advice}."
        )
    return _Scores(saved["means"], {key: np.array(values, np.float64) for key, values in saved["samples"].items()})


def is_baseline(path: str | os.PathLike[str]) -> bool:
    """Say whether a file is from ``ScoreCheck.save_baseline``, even if changed; outputs may be JSON too."""
    with open(path, "rb") as file:
        return f'"{_FORMAT}"'.encode() in file.read(_START)


def read_baseline(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a file of ``ScoreCheck.save_baseline``."""
    name = visible(os.fspath(path))
    try:
        saved = read_checked(Path(path).read_bytes())
    except ValueError as error:
        raise RefusedValue(f"{name} is {error}; ", Option("save_baseline"), " writes a baseline anew.") from None
    if saved.get(_FORMAT) != 1:
        raise RefusedValue(f"{name} is no baseline; ", Option("save_baseline"), " writes one.")
    return saved


def _of_shared_samples(
    now: _Scores, before: _Scores, names: list[str], settings: RougeSettings
) -> tuple[_Scores, _Scores, list[str]]:
    """Drop from scores and names the samples that ``empty="skip"`` leaves out of either."""
    is_shared = ~np.isnan(np.stack([*now.samples.values(), *before.samples.values()])).any(axis=0)
    if is_shared.all():
        return now, before, names
    if before.samples and settings.aggregate in (*NO_MEANS, "f_of_means"):
        needed = Option("aggregate", settings.aggregate), ", ", Option("empty", settings.empty)
        raise RefusedValue(*needed, ": set ", Option("aggregate", "mean"), " to compare outputs.")
    if not is_shared.any():
        leaves = " leaves out all samples: none has tokens in both outputs and the reference."
        raise RefusedValue(Option("empty", settings.empty), leaves)
    shared = []
    for means, samples in (now, before):
        samples = {key: values[is_shared] for key, values in samples.items()}
        means = {key: float(values.mean()) for key, values in samples.items()} if before.samples else means
        shared.append(_Scores(means, samples))
    return shared[0], shared[1], [names[row] for row in np.flatnonzero(is_shared)]


def limit_tests(
    scores: NDArray[np.float64], lowest: NDArray[np.float64], n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Test whether means are below limits: the 95% interval above the limits, and p, float64[n_rules] each.

    Both arguments are float64[n_samples, n_rules]: a mean of ``lowest`` is the lowest that a rule allows.
    """
    tests = paired_tests(np.stack([scores, lowest]), n_resamples=n_resamples, seed=seed)
    halves = tests.p_randomization[0] / 2  # one side: the draws are symmetric
    p_values = np.where(tests.difference[0] < 0, halves, 1 - halves)
    return tests.low[0], tests.high[0], holm_adjusted(p_values)


def _reason(broken: Sequence[ScoreRule], n_rules: int) -> str:
    if not broken:
        return f"{n_rules} of {n_rules} rules hold." if n_rules else "There is no rule."
    first = broken[0]
    digits = 2 if f"{first.score:.2f}" != f"{first.lowest:.2f}" else 9  # enough to show the difference
    before = "" if first.baseline is None else f", was {first.baseline:.2f}"
    p = "" if first.p is None else f", p = {first.p:.4f}"
    start = "" if n_rules == 1 else f"{len(broken)} of {n_rules} rules are broken; the first: "
    return (
        f"{start}{first.key} is {first.score:.{digits}f}{before}; {first.lowest:.{digits}f} is the lowest allowed "
        f"({first.limit}{p})."
    )


def _worst(key: str, now: _Scores, before: _Scores, names: Sequence[str]) -> tuple[_Sample, ...]:
    """Return the samples that lost most, or that score lowest."""
    scores, baseline_scores = now.samples[key], before.samples.get(key)
    order: list[int] = np.argsort(scores if baseline_scores is None else scores - baseline_scores, kind="stable")[
        :_MOST_SAMPLES
    ].tolist()
    return tuple(
        (names[row], None if baseline_scores is None else float(baseline_scores[row]), float(scores[row]))
        for row in order
    )
