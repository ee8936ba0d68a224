"""rouge's classes ``Rouge`` and ``FilesRouge``, as in release 1.0.1."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import polyrouge.compat.rouge.rouge_score as rouge_score
from polyrouge.compat.metric_dicts import MetricDicts, check_files, lines_of
from polyrouge.scoring.single_pairs import ScoredPair


class Rouge(MetricDicts):
    """ROUGE as the package ``rouge`` computes it; see ``MetricDicts`` for the arguments.

    Metrics are ``"rouge-1"`` to ``"rouge-5"`` and ``"rouge-l"``. The package crashes with a ``RecursionError`` on a
    ROUGE-L of long texts; this class scores them, unless ``on_error`` is ``"raise"``.
    """

    CONVENTION = "pltrdy"
    AVAILABLE_METRICS: ClassVar = {
        **{f"rouge-{n}": functools.partial(rouge_score.rouge_n, n=n) for n in range(1, 6)},
        "rouge-l": rouge_score.rouge_l_summary_level,
    }

    def get_scores(self, hyps: Any, refs: Any, avg: bool = False, ignore_empty: bool = False) -> Any:
        """Score predictions against references.

        Args:
            hyps: a text, or a list of them.
            refs: a text, or as many.
            avg: the means in place of a list.
            ignore_empty: leave out pairs with a text of length 0.

        Returns:
            For each pair a dict of metrics, of which each is a dict of stats; with ``avg`` one such dict.

        Raises:
            ValueError: a text has no words; ``ignore_empty`` leaves no pair.
            AssertionError: the two are of different types or lengths.
            TypeError: a row is no text.
        """
        hyps, refs = self._given(hyps, refs, ignore_empty)
        return self._mean_scores(hyps, refs, ()) if avg else self._pair_scores(hyps, refs, ())

    def _changes(self, _way: Any, /) -> dict[str, Any]:
        return {} if self.exclusive else {"tool": {"ngram_counts": "multiset", "lcs": "pairwise_sum"}}

    def _n_words(self, text: str, _way: Any, /) -> int:
        return len(text.replace(".", " ").split())

    def _raise_as_the_tool(self, pair: ScoredPair, _way: Any, /) -> None:
        if pair.refusal == "deep_recursion":
            raise RecursionError("maximum recursion depth exceeded in comparison")


class FilesRouge:
    """``Rouge`` over the lines of two files; the arguments are those of ``Rouge``."""

    ROUGE: ClassVar = Rouge

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rouge = self.ROUGE(*args, **kwargs)

    def get_scores(self, hyp_path: Any, ref_path: Any, avg: bool = False, ignore_empty: bool = False) -> Any:
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
