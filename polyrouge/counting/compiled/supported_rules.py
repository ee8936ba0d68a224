"""Which rules for texts the kernels know, and the counters of pairs of strings under them."""

import functools
from typing import Any

from polyrouge.counting.compiled.character_table import character_table
from polyrouge.counting.compiled.kernels import PairCounter, codes
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import CountRules, TextRules
from polyrouge.texts.tokenizers import TOKENIZERS

COMPILED_TOKENIZERS = ("mixed", "ascii", "zh_char", "char", "space", "rouge155")
LCS_KINDS = {
    "sentence": codes.LCS,
    "union": codes.UNION_LCS,
    "pairwise_sum": codes.PAIRWISE_LCS,
    "type_union": codes.TYPE_UNION_LCS,
}
_CUTS = {"none": codes.WHOLE, "newline": codes.LINES, "zh": codes.CHINESE}
_CUTS_OF_SPACED = {"pltrdy": ".", "rouge_chinese": "none"}
_MOST_TYPES = 16  # of a counter


def is_compiled_tokenization(rules: TextRules) -> bool:
    """Whether ``batch_of_texts`` can do it; all else goes through documents."""
    if rules.max_words or rules.max_bytes or rules.max_characters:
        return False
    if can_be_spaced(rules):
        return True
    is_jieba = rules.tokenizer == "jieba"
    if not (is_jieba or rules.tokenizer in COMPILED_TOKENIZERS) or rules.clean == "opencompass" or rules.segment:
        return False
    if rules.lowercase == "fold" or (rules.lowercase == "ascii" and rules.tokenizer != "rouge155"):
        return False
    if rules.normalize not in (None, "nfc", "nfkc"):
        return False
    if has_tool_filter(rules) and rules.tokenizer != "rouge155" and not is_jieba:
        return False
    if not isinstance(rules.sentence_split, str) or rules.sentence_split not in (*_CUTS, "auto"):
        return False  # a separator or a callable
    if not rules.uses_sentences or rules.sentence_split in ("none", "newline"):
        return True
    # Cut at Chinese marks, where they are no tokens. NFKC, which comes before the kernel, would change the marks.
    is_cut = rules.sentence_split == "zh" and rules.punctuation == "drop" and rules.normalize != "nfkc"
    return is_cut and rules.tokenizer != "space"


def can_be_spaced(rules: TextRules) -> bool:
    """Whether ``spaced_texts`` knows these settings."""
    if not isinstance(rules.tokenizer, str) or _CUTS_OF_SPACED.get(rules.tokenizer) != rules.sentence_split:
        return False
    if rules.normalize or rules.lowercase in ("ascii", "fold") or rules.punctuation == "drop":
        return False
    return not rules.use_stemmer and not rules.stop_words


def has_tool_filter(rules: TextRules) -> bool:
    """Whether stems or stop words are those of a tool."""
    return isinstance(rules.stop_words, str) or (rules.use_stemmer and rules.stemmer != "porter")


def is_filtered(rules: TextRules) -> bool:
    """Whether tokens are left out, or stemmed otherwise than by the kernel."""
    return bool(rules.stop_words) or has_tool_filter(rules)


def sentence_cut(rules: TextRules) -> int | None:
    """How the kernel cuts sentences; None where it can't."""
    if not rules.uses_sentences:
        return codes.WHOLE
    if can_be_spaced(rules):
        return codes.LINES if rules.tokenizer == "pltrdy" else codes.WHOLE
    return _CUTS.get(str(rules.sentence_split))


class PairCounters:
    """The counters under some rules, shared by all callers; they leave pairs that they can't count."""

    def __init__(self, characters: tuple[str, bool, bool], *counting: Any, **options: bool) -> None:
        self._characters, self._counting, self._options = characters, counting, options

    @functools.cached_property
    def of_ascii(self) -> PairCounter:
        """The counter of pairs that are ASCII."""
        return self._counter(for_ascii=True)

    @functools.cached_property
    def of_all(self) -> PairCounter:
        """The counter of all pairs, whose table takes 0.1 s to make."""
        return self._counter(for_ascii=False)

    def _counter(self, for_ascii: bool) -> PairCounter:
        return PairCounter(character_table(*self._characters, for_ascii=for_ascii), *self._counting, **self._options)


def pair_counters(rules: TextRules, count_rules: CountRules) -> PairCounters | None:
    """The counters under some rules; None for rules that they don't know."""
    if not is_compiled_tokenization(rules) or can_be_spaced(rules) or is_filtered(rules) or rules.tokenizer == "jieba":
        return None
    if rules.clean or rules.normalize == "nfkc" or count_rules.refuses or count_rules.unclipped_totals:
        return None
    types = tuple(_kind(each, count_rules.lcs) for each in count_rules.types)
    if None in types or len(types) > _MOST_TYPES:
        return None
    tokenizer, lowercase = str(rules.tokenizer), rules.lowercase is True
    return _cached_counters(
        (tokenizer, rules.punctuation == "keep", lowercase),
        *(sentence_cut(rules), types),
        distinct=count_rules.ngram_counts == "set",
        stems=rules.use_stemmer,
        lowercase=lowercase,
        drops_letters=TOKENIZERS[tokenizer].drops_letters,
    )


_cached_counters = functools.lru_cache(maxsize=16)(PairCounters)


def _kind(rouge_type: RougeType, lcs: str) -> int | None:
    """A type as a counter takes it; None if it doesn't."""
    if rouge_type.kind == "ngram":
        return rouge_type.n
    if rouge_type.kind == "lcs":
        return None if lcs == "type_union" else LCS_KINDS[lcs]
    return codes.UNION_LCS if rouge_type.kind == "lcs_summary" else None
