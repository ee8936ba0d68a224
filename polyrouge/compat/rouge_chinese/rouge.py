"""rouge_chinese's classes ``Rouge`` and ``FilesRouge``, as in release 1.0.3: the package is a fork of ``rouge``."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import polyrouge.compat.rouge.rouge as forked
import polyrouge.compat.rouge_chinese.rouge_score as rouge_score
from polyrouge.compat.metric_dicts import MetricDicts
from polyrouge.tools.rouge_chinese import break_chinese_lines


class Rouge(forked.Rouge):
    """ROUGE as rouge_chinese computes it, of texts with blanks between words; see ``MetricDicts`` for the arguments.

    Metrics are ``"rouge-1"`` to ``"rouge-5"`` and ``"rouge-l"``, which counts repeats whatever ``exclusive`` says.
    """

    CONVENTION = "rouge_chinese"
    AVAILABLE_METRICS: ClassVar = {
        **{f"rouge-{n}": functools.partial(rouge_score.rouge_n, n=n) for n in range(1, 6)},
        "rouge-l": rouge_score.rouge_l_summary_level,
    }

    def cut_sent(self, para: str) -> list[str]:
        """The sentences of a text, cut at Chinese marks and at line breaks."""
        return break_chinese_lines(para).rstrip().split("\n")

    def _changes(self, _way: Any, /) -> dict[str, Any]:
        return {"segment": None, "tool": {"ngram_counts": "set" if self.exclusive else "multiset"}}

    def _n_words(self, text: str, _way: Any, /) -> int:
        return len(break_chinese_lines(text).split())

    _raise_as_the_tool = MetricDicts._raise_as_the_tool  # it has no depth at which the other crashes


class FilesRouge(forked.FilesRouge):
    """``Rouge`` over the lines of two files; the arguments are those of ``Rouge``."""

    ROUGE = Rouge
