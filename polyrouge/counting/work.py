"""How long the plain engine would take, about: by numbers of characters, and by what grows with their square.

The figures were measured on a machine of 2026. They need not be right to more than a factor of two: the choice that
is made by them costs a fraction of a second where it is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyrouge.inputs import Inputs, SingleReferences, reference_texts, text_lengths
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.stages import CountRules, TextRules, cuts_with_jieba

_SAMPLES_AT_ONCE = 1000
_ENOUGH = 100.0  # seconds: nothing changes above
_READ, _NGRAMS, _LCS, _UNION = 0.05e-6, 0.04e-6, 0.07e-6, 0.12e-6  # seconds a character of English
_OF_A_SAMPLE = 8e-6
_JIEBA = 2.5e-6  # seconds a character that is cut to words
_LONG = 2000  # characters, from which what grows with the square is looked at
# Seconds a pair of tokens.
_WEIGHTED, _SKIP, _LCS_CELL = 0.12e-6, 0.12e-6, 0.05e-9
_SENTENCE_PAIR = 2e-6


def plain_seconds(
    inputs: Inputs, start: int, stop: int, text_rules: TextRules, count_rules: CountRules, enough: float = _ENOUGH
) -> float:
    """About how long the plain engine takes for a range of samples; it looks no further than for ``enough``."""
    total = 0.0
    rate = plain_rate(text_rules, count_rules)
    for first in range(start, stop, _SAMPLES_AT_ONCE):
        total += _of_block(inputs, first, min(first + _SAMPLES_AT_ONCE, stop), rate, count_rules)
        if total >= enough:
            break
    return total


def plain_rate(text_rules: TextRules, count_rules: CountRules) -> float:
    """Seconds a character, of English; a character of Chinese is a token, and takes four times as long."""
    rate = _READ
    for rouge_type in count_rules.types:
        if rouge_type.kind == "ngram":
            rate += _NGRAMS * max(1, rouge_type.n / 2)
        elif rouge_type.kind in ("lcs", "lcs_summary"):
            rate += _UNION if _cuts_sentences(rouge_type, count_rules) else _LCS
        else:
            rate += 20 * _LCS
    return rate + _JIEBA if cuts_with_jieba(text_rules) else rate


def _cuts_sentences(rouge_type: RougeType, count_rules: CountRules) -> bool:
    return rouge_type.kind != "lcs" or count_rules.lcs != "sentence"


def _of_block(inputs: Inputs, start: int, stop: int, rate: float, count_rules: CountRules) -> float:
    predictions, rows = inputs.predictions[start:stop], inputs.references[start:stop]
    references = reference_texts(rows)
    lengths = text_lengths(predictions)
    reference_lengths = text_lengths(references)
    share = 1.0 if predictions[0].isascii() else 4.0
    seconds = (sum(lengths) + sum(reference_lengths)) * rate * share + len(predictions) * _OF_A_SAMPLE
    if max(lengths) + max(reference_lengths, default=0) > _LONG:
        for place, prediction in enumerate(predictions):
            texts = [references[place]] if isinstance(rows, SingleReferences) else rows[place]
            seconds += _of_long(prediction, texts, count_rules)
    return seconds


def _of_long(prediction: str, references: Sequence[str], count_rules: CountRules) -> float:
    """What grows with the square of a long text."""
    seconds = 0.0
    n = _tokens(prediction)
    for reference in references:
        m = _tokens(reference)
        for rouge_type in count_rules.types:
            if rouge_type.kind == "weighted_lcs":
                seconds += n * m * _WEIGHTED
            elif rouge_type.kind == "skip_bigram":
                reach = max(n, m) if rouge_type.gap is None else min(rouge_type.gap + 1, max(n, m))
                seconds += (n + m) * reach * _SKIP
            elif rouge_type.kind in ("lcs", "lcs_summary"):
                seconds += n * m * _LCS_CELL
                if _cuts_sentences(rouge_type, count_rules):
                    seconds += _sentences(prediction) * _sentences(reference) * _SENTENCE_PAIR
    return seconds


def _tokens(text: str) -> int:
    """About how many tokens: each character of Chinese is one, of English each word."""
    return text.count(" ") + 1 if text.isascii() else len(text)


def _sentences(text: str) -> int:
    """About how many sentences, by the commonest marks."""
    return 1 + text.count("\n") + text.count(". ") + text.count("。")
