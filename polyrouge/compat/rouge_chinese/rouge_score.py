"""rouge_chinese's ``rouge_score``: functions over lists of sentences, whose words stand between single spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyrouge.compat.rouge.rouge_score import multi_rouge_n as multi_rouge_n
from polyrouge.compat.rouge.rouge_score import rouge_n as rouge_n
from polyrouge.compat.sentence_functions import f_r_p_rouge_n as f_r_p_rouge_n
from polyrouge.compat.sentence_functions import whole_lcs


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    **_: Any,
) -> dict[str, Any]:
    """ROUGE-L of two lists of sentences: one LCS over all their words; see ``rouge_n``. ``exclusive`` is no matter."""
    return whole_lcs(evaluated_sentences, reference_sentences, raw_results)
