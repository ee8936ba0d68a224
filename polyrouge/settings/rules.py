"""The rules of each stage from texts to result. A field is the setting of that name, or derived from several."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeVar

from polyrouge.settings.rouge_types import RougeType, parse_rouge_type
from polyrouge.texts.tokenizers import entry_of, is_users_tokenizer

# What single tools do that no definition of ROUGE asks for; a quirk is switched on by its convention only.
QUIRKS = {
    "rounded_ratios": "ROUGE-1.5.5: precision and recall are rounded to 5 digits before F is made of them, then F.",
    "rouge155_choice": (
        "ROUGE-1.5.5 -f B: the best reference is that of the highest recall, not rounded for rougeL, and for rougeW "
        "over a total that is weighted once."
    ),
    "py_rouge_choice": "py-rouge: as ROUGE-1.5.5, but the total of rougeW is weighted twice and one weight taken off.",
    "uncounted_bytes": (
        "ROUGE-1.5.5 -b: the reader of rougeL and rougeW never counts the bytes that it has read, so a sentence is cut "
        "only where it alone is too long; clipping and precision see the text that was cut rightly."
    ),
    "unclipped_totals": "py-rouge: a text shorter than n has tokens - n + 1 n-grams, below 0, in pooled totals.",
    "powered_lcs": "py-rouge: with a weight other than 1 the ratios of rougeL are raised to 1 / weight too.",
    "percent_ratios": "sacrerouge: F is made of precision and recall that are percentages already.",
    "corpus_recall": (
        "PaddleNLP: by aggregate='micro', types of n-grams are the recall of the counts of all samples, and other "
        "types the mean of F, added up in order."
    ),
    "float32": "torchmetrics: scores are rounded to single precision before the best reference is chosen.",
}
"""Name of each quirk: what it does, and whose it is."""

RECURSION_STEPS = 990
"""Steps back through an LCS table that Python's default recursion limit allows pltrdy's rouge."""

REFUSALS = {
    "empty": "a text without tokens",
    "empty_unless_blank": "a text that is not blank, but has no tokens; or its partner, where neither is blank",
    "empty_unless_blank_prediction": "a text without tokens, where the prediction is not blank",
    "empty_reference": "a reference without tokens",
    "rougeW_of_empty_reference": "rougeW of a reference without tokens",
    "deep_recursion": (
        "a rougeL whose walk back through the LCS table is longer than Python's default recursion limit allows: "
        "990 steps, where the tool is called from a script's top level"
    ),
}
"""What a tool raises an error for."""

JOINED_SPLITS = ("pltrdy", "rouge_chinese", "single_space")
"""The tokenizers of tools that are given texts with blanks between tokens, and split these texts themselves."""


class TextRules(NamedTuple):
    """A text to sentences and tokens."""

    tokenizer: str | Callable[[str], list[str]]
    prepare: tuple[str, ...]
    segment: str | None
    lowercase: bool | str
    normalize: str | None
    punctuation: str
    use_stemmer: bool
    stemmer: str
    stop_words: tuple[str, ...] | str | None
    word_tables: str | None
    max_words: int | None
    max_bytes: int | None
    max_characters: int | None
    limit_rule: str
    sentence_split: str | Callable[[str], Sequence[str]]
    jieba_dict: Any
    jieba_hmm: bool
    subword_model: str | None
    pkuseg_model: str | None
    joined_split: str | None  # None where the tokens are those of this tokenizer, too
    uses_sentences: bool  # a type is asked for that looks at sentences
    wants_sentences: str  # the type that compares sentences: "rougeLsum", or "rougeL" as a union; or ""
    bytes_uncounted: bool  # max_bytes cuts the sentences of rougeL and rougeW as ROUGE-1.5.5 does, by an own rule
    is_of_longbench: bool  # the rules are those of LongBench's English sets


SNOWBALL_LANGUAGES = (
    *("arabic", "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian"),
    *("portuguese", "romanian", "russian", "spanish", "swedish"),
)
"""The values of ``stemmer`` for NLTK's Snowball stemmers."""
STEMMERS_WITH_TABLES = ("rouge155", "py_rouge", "sacrerouge", "sumeval")
"""Those that read ``word_tables``."""


class CountRules(NamedTuple):
    """Documents to hits and totals."""

    types: tuple[RougeType, ...]  # in the order of rouge_types
    ngram_counts: str
    lcs: str
    definition: str
    weight: float
    refuses: tuple[str, ...]  # what the convention's tool raises an error for; empty where such pairs get a score
    clips_by_text: bool  # the union LCS is clipped by the tokens of the text, which are not those of its sentences
    unclipped_totals: bool  # a text shorter than n has a total below 0
    keeps_weighted_bases: bool  # the choice between references looks at rougeW's total as it is weighted once


class ScoreRule(NamedTuple):
    """Counts to precision, recall and F."""

    beta: float = 1.0
    alpha: float | None = None
    epsilon: float = 0.0
    inverse_powers: Sequence[float | None] = ()  # for each type: the exponent of its ratios (rougeW), or None
    quirks: Collection[str] = ()


class ReferenceRule(NamedTuple):
    """The scores of all references of a sample to one score."""

    multi_reference: str
    empty: str
    kinds: Sequence[str]  # of RougeType, for each type


class ResultRules(NamedTuple):
    """The scores of all samples to the result."""

    score_rule: ScoreRule  # for aggregates that are made of counts
    rouge_types: tuple[str, ...]
    output: str
    use_aggregator: bool
    aggregate: str
    weights: tuple[float, ...] | str | None  # "geometric", or a number for each type
    confidence: float | None
    n_resamples: int
    seed: int
    interval: str
    scale: float
    round_each: int | None
    round_result: int | None
    empty: str  # why samples may be left out, for messages


Stage = TypeVar("Stage", TextRules, CountRules, ScoreRule, ReferenceRule, ResultRules)


def stage_of(settings: Any, stage: type[Stage], **derived: Any) -> Stage:
    """Return the rules of a stage: the settings that its fields name, and ``derived`` ones."""
    return stage(**{name: settings.value(name) for name in stage._fields if name not in derived}, **derived)


def text_rules(settings: Any) -> TextRules:
    """Return how a text becomes sentences and tokens."""
    types = settings.rouge_types
    unions = ("rougeL",) if settings.tool.lcs == "union" else ()
    by_sentence = (
        "rougeLsum" in types
        or ("rougeL" in types and settings.tool.lcs != "sentence")
        or ("rougeW" in types and settings.tool.definition != "paper")
    )
    return stage_of(
        settings,
        TextRules,
        joined_split=None if settings.tool.joined_split == settings.tokenizer else settings.tool.joined_split,
        uses_sentences=by_sentence,
        wants_sentences=next((name for name in ("rougeLsum", *unions) if name in types), ""),
        bytes_uncounted=settings.max_bytes is not None and "uncounted_bytes" in settings.tool.quirks,
        is_of_longbench=(settings.tokenizer, settings.on_error, settings.segment) == ("pltrdy", "zero", None),
    )


def count_rules(settings: Any) -> CountRules:
    """Return how tokens become hits and totals."""
    return stage_of(
        settings,
        CountRules,
        types=tuple(map(parse_rouge_type, settings.rouge_types)),
        refuses=() if settings.on_error == "score" else settings.tool.refuses,
        clips_by_text=settings.text_rules.bytes_uncounted,
        unclipped_totals="unclipped_totals" in settings.tool.quirks,
        keeps_weighted_bases="rougeW" in settings.rouge_types and "rouge155_choice" in settings.tool.quirks,
    )


def cuts_with_jieba(rules: Any) -> bool:
    """Return whether jieba cuts the texts into tokens or segments, by settings or ``TextRules``."""
    return rules.tokenizer in ("jieba", "jieba_with_blanks", "lveval_zh") or (rules.segment or "").startswith("jieba")


def uses_jieba(rules: Any) -> bool:
    """Return whether jieba cuts words, in another tool's tokenizer too; a user's may do anything."""
    if cuts_with_jieba(rules):
        return True
    return not is_users_tokenizer(rules.tokenizer) and "jieba" in entry_of(rules.tokenizer).libraries


def score_rule(settings: Any) -> ScoreRule:
    """Return how counts become precision, recall and F."""
    powered = {"weighted_lcs"}
    if "powered_lcs" in settings.tool.quirks and settings.weight != 1:
        powered |= {"lcs", "lcs_summary"}
    powers = [1 / settings.weight if rouge_type.kind in powered else None for rouge_type in settings.count_rules.types]
    return stage_of(settings, ScoreRule, inverse_powers=powers)
