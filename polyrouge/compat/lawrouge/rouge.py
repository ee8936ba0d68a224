"""lawrouge's classes ``Rouge``, ``FilesRouge`` and ``FoldersRouge``, as in release 2.0.0."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import polyrouge.compat.lawrouge.rouge_score as rouge_score
from polyrouge.compat.metric_dicts import MetricDicts, check_files, lines_of
from polyrouge.scoring.single_pairs import ScoredPair

_WEIGHTS = {"rouge-1": 0.2, "rouge-2": 0.4, "rouge-l": 0.4}


class Rouge(MetricDicts):
    """ROUGE as lawrouge computes it; see ``MetricDicts`` for the arguments.

    Metrics are ``"rouge-1"``, ``"rouge-2"`` and ``"rouge-l"``. Without averages the package takes a whole text for a
    sentence (in English each word); with averages it cuts sentences at ``sentence_split``, which it then leaves out.
    It crashes with a ``ZeroDivisionError`` on a ROUGE-L of an empty text without averages; this class scores it 0,
    unless ``on_error`` is ``"raise"``.

    Args:
        isChinese: each character is a word and 。 ends a sentence; otherwise words stand between single spaces and
            a full stop ends a sentence.
    """

    CONVENTION = "lawrouge"
    DEFAULT_STATS: ClassVar = ["f", "p", "r"]
    AVAILABLE_STATS: ClassVar = ["f", "p", "r"]
    AVAILABLE_METRICS: ClassVar = {
        "rouge-1": lambda hyp, ref, **k: rouge_score.rouge_n(hyp, ref, 1, **k),
        "rouge-2": lambda hyp, ref, **k: rouge_score.rouge_n(hyp, ref, 2, **k),
        "rouge-l": lambda hyp, ref, **k: rouge_score.rouge_l_summary_level(hyp, ref, **k),
    }

    def __init__(
        self,
        metrics: Iterable[str] | None = None,
        stats: Iterable[str] | None = None,
        return_lengths: bool = False,
        raw_results: bool = False,
        exclusive: bool = False,
        isChinese: bool = True,  # noqa: N803 the package's own name
        *,
        on_error: str = "score",
    ) -> None:
        super().__init__(metrics, stats, return_lengths, raw_results, exclusive, on_error=on_error)
        self.sentence_split = "。" if isChinese else "."
        self.word_split = "" if isChinese else " "

    def get_scores(self, hyps: Any, refs: Any, avg: int = 0, ignore_empty: bool = False) -> Any:
        """Score predictions against references.

        Args:
            hyps: a text, or a list of them.
            refs: a text, or as many.
            avg: 0 for a list, 1 for means, 2 for a weighted sum of the means: 0.2 ROUGE-1 + 0.4 ROUGE-2 + 0.4 ROUGE-L.
            ignore_empty: leave out pairs with a text of length 0.

        Returns:
            For each pair a dict of metrics, of which each is a dict of stats; with ``avg=1`` one such dict; with
            ``avg=2`` a dict of stats.

        Raises:
            ValueError: with averages, a text has no words; ``ignore_empty`` leaves no pair.
            AssertionError: the two are of different types or lengths.
            KeyError: with ``avg=2``, a metric or stat that it needs was not asked for.
            TypeError: a row is no text.
        """
        hyps, refs = self._given(hyps, refs, ignore_empty)
        if not avg:
            return self._pair_scores(hyps, refs, "whole")
        means = self._mean_scores(hyps, refs, "sentences")
        if avg == 1:
            return means
        found = {}
        for stat in ("f", "p", "r"):
            one, two, lcs = (weight * means[metric][stat] for metric, weight in _WEIGHTS.items())
            found[stat] = one + two + lcs
        return found

    def _changes(self, way: Any, /) -> dict[str, Any]:
        changes: dict[str, Any] = {"tool": {"ngram_counts": "set", "lcs": "type_union"}} if self.exclusive else {}
        if self.word_split:
            changes["tokenizer"] = "single_space"
        by_sentence = way != "whole"
        whole = "token" if self.word_split else "none"
        return {**changes, "sentence_split": self.sentence_split if by_sentence else whole}

    def _n_words(self, text: str, way: Any, /) -> int:
        return len((text if way == "whole" else text.replace(self.sentence_split, self.word_split)).split())

    def _refuses(self, way: Any, /) -> bool:
        return way != "whole"

    def _raise_as_the_tool(self, pair: ScoredPair, way: Any, /) -> None:
        is_empty = pair.prediction_empty or pair.reference_empty
        if is_empty and way == "whole" and self._on_error == "raise" and "rouge-l" in self.metrics:
            raise ZeroDivisionError("division by zero")


class FilesRouge:
    """``Rouge`` over the lines of two files; the arguments are those of ``Rouge``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rouge = Rouge(*args, **kwargs)

    def get_scores(self, hyp_path: Any, ref_path: Any, avg: int = 0, ignore_empty: bool = False) -> Any:
        """Score each line of a file against the same line of another.

        Args:
            hyp_path: file of the predictions.
            ref_path: file of the references.
            avg: as for ``Rouge.get_scores``.
            ignore_empty: as for ``Rouge.get_scores``.

        Raises:
            AssertionError: a file is missing, or the numbers of lines differ.
        """
        check_files(hyp_path, ref_path)
        return self.rouge.get_scores(lines_of(hyp_path), lines_of(ref_path), avg=avg, ignore_empty=ignore_empty)


class FoldersRouge:
    """``Rouge`` over files of one text each; the arguments are those of ``Rouge``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rouge = Rouge(*args, **kwargs)

    def get_scores(
        self, hyp_path: Sequence[Any], ref_path: Sequence[Any], avg: int = 0, ignore_empty: bool = False
    ) -> Any:
        """Score each file against its partner. As in lawrouge, a line break within a text becomes two.

        Args:
            hyp_path: files of the predictions.
            ref_path: files of the references.
            avg: as for ``Rouge.get_scores``.
            ignore_empty: as for ``Rouge.get_scores``.

        Raises:
            AssertionError: a file is missing, or their numbers differ.
        """
        for path in (*hyp_path, *ref_path):
            if not os.path.isfile(path):
                raise AssertionError(f"{path} is no file.")
        hyps, refs = ([_doubled_lines(path) for path in paths] for paths in (hyp_path, ref_path))
        return self.rouge.get_scores(hyps, refs, avg=avg, ignore_empty=ignore_empty)


def _doubled_lines(path: Any) -> str:
    with open(path, encoding="utf-8") as file:
        return "\n".join(file)
