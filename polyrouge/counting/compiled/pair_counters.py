"""Counters that take pairs of Python's strings at once: one for each set of rules that they know."""

from __future__ import annotations

import functools
from typing import Any

from polyrouge.counting.compiled.character_table import character_table
from polyrouge.counting.compiled.covered_rules import can_be_spaced, is_compiled_tokenization, is_filtered, sentence_cut
from polyrouge.counting.compiled.kernels import PairCounter
from polyrouge.counting.compiled.kernels.codes import LCS, PAIRWISE_LCS, UNION_LCS
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.stages import CountRules, TextRules
from polyrouge.texts.tokenizers import TOKENIZERS

_KINDS = {"sentence": LCS, "union": UNION_LCS, "pairwise_sum": PAIRWISE_LCS}
_MOST_TYPES = 16


class PairCounters:
    """The counter of texts that are ASCII, and the one for all, whose table takes 0.1 s to make.

    Both leave pairs that they can't count. What depends on settings only is in them, and they are shared by all who
    have the same rules.
    """

    def __init__(self, *rules: Any) -> None:
        self._rules = rules

    @functools.cached_property
    def of_ascii(self) -> PairCounter:
        """The counter of pairs in which no other character occurs."""
        return self._made(for_ascii=True)

    @functools.cached_property
    def of_all(self) -> PairCounter:
        """The counter of all pairs."""
        return self._made(for_ascii=False)

    def _made(self, for_ascii: bool) -> PairCounter:
        tokenizer, keep, lowercase, composes, cut, stems, types, distinct = self._rules
        table = character_table(tokenizer, keep, lowercase, for_ascii=for_ascii)
        return PairCounter(
            *(table.points, table.begins_mark, cut, table.lone_marks, table.ascii_words, types),
            distinct=distinct,
            stems=stems,
            lowercase=lowercase,
            composes=composes,
            drops_letters=TOKENIZERS[tokenizer].drops_letters,
        )


def pair_counters(rules: TextRules, count_rules: CountRules) -> PairCounters | None:
    """The counters under some rules; None where they know them not."""
    if not is_compiled_tokenization(rules) or can_be_spaced(rules) or is_filtered(rules):
        return None
    if rules.clean or rules.normalize == "nfkc" or count_rules.refuses or count_rules.unclipped_totals:
        return None
    types = tuple(_kind(each, count_rules.lcs) for each in count_rules.types)
    if None in types or len(types) > _MOST_TYPES:
        return None
    return _kept_counters(
        *(rules.tokenizer, rules.punctuation == "keep", rules.lowercase is True, rules.normalize == "nfc"),
        *(sentence_cut(rules), rules.use_stemmer, types, count_rules.ngram_counts == "set"),
    )


_kept_counters = functools.lru_cache(maxsize=16)(PairCounters)


def _kind(rouge_type: RougeType, lcs: str) -> int | None:
    """A type as a counter takes it; None if it does not."""
    if rouge_type.kind == "ngram":
        return rouge_type.n
    if rouge_type.kind == "lcs":
        return _KINDS.get(lcs)
    return UNION_LCS if rouge_type.kind == "lcs_summary" else None
