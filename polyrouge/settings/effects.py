"""What settings do to each other: where one changes nothing, and which can't be meant together.

The declarations of ``RougeSettings`` name functions that give equal results for values that do the same, so that a
setting without effect is warned of. What only one tokenizer does not look at is in its row: ``TokenizerEntry.alike``.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from polyrouge.errors import Note, Option, RefusedValue
from polyrouge.settings.allowed_values import Need
from polyrouge.settings.rules import SNOWBALL_LANGUAGES, STEMMERS_WITH_TABLES, cuts_with_jieba
from polyrouge.texts import tokenizers
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import entry_of, is_users_tokenizer

_OF_NO_TOKENS = {
    *("empty", "empty_unless_blank", "empty_unless_blank_prediction", "empty_reference", "rougeW_of_empty_reference")
}


def where(holds: Callable[[Any], bool], *words: str | Option) -> Need:
    """Return the need of a setting that has an effect where something holds of the others, and none elsewhere."""
    return Need(lambda settings, value: value if holds(settings) else None, words)


def has_w_or_su(settings: Any) -> bool:
    """Return whether a type is asked for that has two definitions."""
    return any(name.startswith(("rougeW", "rougeSU")) for name in settings.rouge_types)


def has_w(settings: Any) -> bool:
    """Return whether the weight moves a score: rougeW's, or that of py-rouge's rougeL."""
    powered = {"rougeL", "rougeLsum"} if "powered_lcs" in settings.tool.quirks else set()
    return not {"rougeW", *powered}.isdisjoint(settings.rouge_types)


def has_ngrams(settings: Any) -> bool:
    """Return whether a type is asked for that counts n-grams."""
    return any(name[5:].isdigit() for name in settings.rouge_types)


def has_limit(settings: Any) -> bool:
    """Return whether texts are cut to a length."""
    return (settings.max_words, settings.max_bytes, settings.max_characters) != (None, None, None)


def may_have_no_tokens(settings: Any) -> bool:
    """Return whether a text may be without tokens: some tools make an empty one of no text."""
    is_kept = settings.punctuation == "keep" and settings.stop_words is None and not has_limit(settings)
    is_whole = is_kept and not _is_separator(settings.sentence_split) and settings.tool.joined_split is None
    return not (is_whole and entry_of(settings.tokenizer).never_empty)


def resamples(settings: Any) -> bool:
    """Return whether the result draws resamples."""
    return settings.confidence is not None or settings.aggregate == "bootstrap_median"


def draws_by_itself(settings: Any) -> bool:
    """Return whether the result draws from the generator that ``seed`` is of."""
    return settings.confidence is not None and settings.aggregate != "bootstrap_median"


def has_sample_scores(settings: Any) -> bool:
    """Return whether samples have scores, which counts that are added up have not."""
    return settings.aggregate != "micro" or not settings.use_aggregator


def split_at_work(settings: Any, split: Any) -> Any:
    """Return how texts are cut into sentences: for a type, a limit, or at separators, which are no text; or None."""
    if not (settings.text_rules.uses_sentences or has_limit(settings) or _is_separator(split)):
        return None
    return "none" if settings.tool.joined_split is None and _is_never_cut(settings, split) else split


def _is_separator(split: Any) -> bool:
    return isinstance(split, str) and split not in SENTENCE_SPLITS


def _is_never_cut(settings: Any, split: Any) -> bool:
    """Return whether ``prepare`` or ``segment`` leaves no text that the split cuts."""
    if settings.prepare[-1:] == ("opencompass",):  # words and single blanks
        no_word = _is_separator(split) and re.search(r"[^\w ]", split) is not None
        return no_word or split in ("newline", "zh", "auto")
    if settings.segment == "char_without_blanks" and split == "newline":
        return True
    if settings.segment in (None, "jieba_where_chinese") or not _is_separator(split) or len(split) == 1 or " " in split:
        return False
    # Between blanks stand characters, or the words of jieba, which never join a mark such as < to others.
    return not (settings.segment.startswith("jieba") and re.fullmatch(r"[\w+#&.%-]+|\s+", split))


def lcs_at_work(settings: Any, lcs: str) -> str | None:
    """What rougeL counts, None where it is not asked for: the same under three names if each text is one sentence."""
    if "rougeL" not in settings.rouge_types:
        return None
    entry = entry_of(settings.tokenizer)
    is_whole = settings.sentence_split == "none" and not has_limit(settings)
    has_same_tokens = entry.build_for_sentences is None and not entry.never_empty
    return "sentence" if is_whole and has_same_tokens and lcs != "type_union" else lcs


def stemmer_at_work(settings: Any, stemmer: str) -> str | None:
    """Return the stemmer, None where it changes no token."""
    entry = entry_of(settings.tokenizer)
    if stemmer == "xlsum":  # the tokenizer's
        return "xlsum" if entry.stems else None
    is_by_character = entry.gives_characters or (settings.segment or "").startswith("char")
    return None if is_by_character and stemmer not in SNOWBALL_LANGUAGES else stemmer


def makes_stems(settings: Any) -> bool:
    """Return whether ``use_stemmer`` changes tokens."""
    return entry_of(settings.tokenizer).stems or stemmer_at_work(settings, settings.tool.stemmer) is not None


def reads_tables(settings: Any) -> bool:
    """Return whether a stemmer or a stop list of a tool is asked for."""
    by_stemmer = settings.use_stemmer and settings.tool.stemmer in STEMMERS_WITH_TABLES
    return by_stemmer or isinstance(settings.stop_words, str)


def joined_split_at_work(settings: Any, joined_split: str | None) -> str | None:
    """Return how joined tokens are split, None where they stay the same."""
    if joined_split in (None, settings.tokenizer):
        return None
    entry = entry_of(settings.tokenizer)
    if is_users_tokenizer(settings.tokenizer) or _is_separator(settings.sentence_split):
        return joined_split
    if joined_split == "single_space":  # makes an empty token of no tokens
        return None if entry.never_empty else joined_split
    cuts_at_marks = joined_split == "rouge_chinese" and settings.punctuation == "keep"
    return joined_split if entry.may_give_blanks or cuts_at_marks else None


def alpha_at_work(settings: Any, alpha: float | None) -> float | None:
    """Return the weight of precision, None where F is that of beta 1."""
    return None if alpha == 0.5 and settings.beta == 1.0 and not settings.tool.epsilon else alpha


def on_error_at_work(settings: Any, on_error: str) -> str | None:
    """What becomes of rows that the tool refuses, None where it refuses none."""
    return on_error if _refused(settings, settings.tool.refuses) else None


def refuses_at_work(settings: Any, refuses: Collection[str]) -> frozenset[str]:
    """Those of which scores are others than by ``on_error="score"``."""
    names = _refused(settings, refuses)
    if settings.on_error == "zero" and settings.empty == "zero":  # which they have anyway
        names -= _OF_NO_TOKENS
    return frozenset() if settings.on_error == "score" else names


def _refused(settings: Any, refuses: Collection[str]) -> frozenset[str]:
    """Those that a row may have by its types."""
    by_type = {"rougeW_of_empty_reference": "rougeW", "deep_recursion": "rougeL"}
    return frozenset(name for name in refuses if by_type.get(name) in (None, *settings.rouge_types))


def quirks_at_work(settings: Any, quirks: Collection[str]) -> frozenset[str]:
    """Those that can move a score."""
    types, names = set(settings.rouge_types), set(quirks)
    # Recalls that are chosen between before they are rounded, or over another total.
    has_own_recall = "rougeW" in types or ("rougeL" in types and "rounded_ratios" in names)
    if settings.multi_reference != "best_recall" or not has_own_recall:
        names -= {"rouge155_choice", "py_rouge_choice"}
    if settings.max_bytes is None:
        names.discard("uncounted_bytes")
    if settings.multi_reference != "pooled" and settings.aggregate != "micro":
        names.discard("unclipped_totals")
    if settings.aggregate != "micro" or not settings.use_aggregator:
        names.discard("corpus_recall")
    if settings.weight == 1 or types.isdisjoint({"rougeL", "rougeLsum"}):
        names.discard("powered_lcs")
    return frozenset(names)


def changed_settings(changes: Mapping[str, Any], settings: Any, before: Any) -> list[str]:
    """Return the settings among those given, and the rules of ``tool`` in it, that are others than before."""
    rules = changes.get("tool", {})
    names = [*changes, *(rules if isinstance(rules, Mapping) else vars(rules))]
    return [name for name in names if name != "tool" and settings.value(name) != before.value(name)]


def idle_settings(settings: Any, before: Any, names: Iterable[str]) -> Iterator[tuple[str, Note]]:
    """Yield the settings among these that change nothing against their values before, each with a warning."""
    alike = entry_of(settings.tokenizer).alike
    for name in names:
        value, old, need = settings.value(name), before.value(name), settings._declarations()[name].need
        if value in alike.get(name, ()) and old in alike[name]:
            why = f"the tokenizer {settings.tokenizer!r} gives the same tokens with ", Option(name, old), "."
        elif need is not None and need.effect(settings, value) == need.effect(settings, old):
            why = need.words
        else:
            continue
        yield name, Note(Option(name, value), " has no effect here: ", *why)


def check_together(settings: Any) -> None:
    """Refuse settings that can't both be meant."""
    limits = (settings.max_words, settings.max_bytes, settings.max_characters)
    if sum(limit is not None for limit in limits) > 1:
        names = Option("max_words"), ", ", Option("max_bytes"), " and ", Option("max_characters")
        raise RefusedValue("Give one of ", *names, ", not both (nor does ROUGE-1.5.5 take two).")
    if settings.max_bytes is not None and settings.tool.limit_rule != "rouge155":
        rule, names = Option("limit_rule", settings.tool.limit_rule), (Option("max_words"), " or ")
        raise RefusedValue(rule, " cuts words or characters: give ", *names, Option("max_characters"), ".")
    if settings.weights not in (None, "geometric") and len(settings.weights) != len(settings.rouge_types):
        raise RefusedValue(
            *(f"weights are {', '.join(map(repr, settings.weights))}, and ", Option("rouge_types")),
            f" are {', '.join(settings.rouge_types)}: give one number for each type, or ",
            *(Option("weights", None), " for no weighted sum."),
        )
    if settings.tool.alpha is not None and settings.beta != 1.0:
        alpha, beta = Option("alpha", settings.tool.alpha), Option("beta", settings.beta)
        raise RefusedValue(alpha, " decides about F, so ", beta, " has no effect; give one of them.")
    if settings.aggregate == "micro" and settings.multi_reference not in ("pooled", "first"):
        pooled, first = Option("multi_reference", "pooled"), Option("multi_reference", "first")
        ending = f", not {settings.multi_reference!r}."
        raise RefusedValue(Option("aggregate", "micro"), " adds up counts: with ", pooled, " or ", first, ending)
    if settings.aggregate == "micro" and settings.empty == "one_if_both":
        raise RefusedValue(
            *(Option("empty", "one_if_both"), " gives a sample a score, and ", Option("aggregate", "micro")),
            *(" adds up counts: two empty texts have none. Give ", Option("empty", "zero"), ", "),
            *(Option("empty", "skip"), " or ", Option("aggregate", "mean"), "."),
        )
    if settings.confidence is not None and settings.aggregate == "micro":
        micro = Option("aggregate", "micro"), " is not."
        raise RefusedValue(Option("confidence"), " gives an interval of a mean over samples, which ", *micro)
    if settings.interval != "percentile" and settings.aggregate == "bootstrap_median":
        median, interval = Option("aggregate", "bootstrap_median"), Option("interval", settings.interval)
        raise RefusedValue(median, " has rouge_score's own interval; ", interval, " is not it.")
    if settings.confidence is not None and not settings.use_aggregator:
        lists = Option("use_aggregator", value=False), " asks for lists; drop one."
        raise RefusedValue(Option("confidence"), " asks for an interval of the mean, but ", *lists)
    if settings.jieba_dict is not None and not cuts_with_jieba(settings):
        raise _is_for_another(Option("jieba_dict"), "jieba", settings)
    if not settings.jieba_hmm and not cuts_with_jieba(settings):
        raise _is_for_another(Option("jieba_hmm", value=False), "jieba", settings)
    for name, needed_by, what_it_is in (
        ("subword_model", tokenizers.NEEDS_MODEL, f": {tokenizers.SUBWORD_MODEL}"),
        ("pkuseg_model", tokenizers.NEEDS_PKUSEG_MODEL, f", the folder of a model: {tokenizers.PKUSEG_MODEL}"),
    ):
        is_needed = isinstance(settings.tokenizer, str) and settings.tokenizer in needed_by
        has_model = getattr(settings, name) is not None
        if is_needed and not has_model:
            raise RefusedValue(Option("tokenizer", settings.tokenizer), " needs ", Option(name), f"{what_it_is}.")
        if has_model and not is_needed:
            raise _is_for_another(Option(name), needed_by[0], settings)


def _is_for_another(option: Option, tokenizer: str, settings: Any) -> RefusedValue:
    ending = f", but the tokenizer is {settings.tokenizer!r}."
    return RefusedValue(option, " is for ", Option("tokenizer", tokenizer), ending)
