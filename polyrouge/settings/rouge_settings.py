"""``RougeSettings``: every choice that makes a ROUGE score, checked at construction."""

from __future__ import annotations

import dataclasses
import functools
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polyrouge.errors import unknown_value, warn_user
from polyrouge.settings.allowed_values import checked_stop_words
from polyrouge.settings.other_names import SETTINGS
from polyrouge.settings.rouge_types import DEFAULT_ROUGE_TYPES
from polyrouge.settings.signature import read_signature, setting, unnamed_functions, write_signature
from polyrouge.settings.stages import (
    CountRules,
    ReferenceRule,
    ResultRules,
    RunOptions,
    ScoreRule,
    TextRules,
    count_rules,
    cuts_with_jieba,
    parsed_types,
    score_rule,
    stage_of,
    text_rules,
)
from polyrouge.settings.validation import checked_fields
from polyrouge.settings.versions import compare_versions, installed_version
from polyrouge.texts.jieba_words import JiebaWords
from polyrouge.texts.tokenizers import TOKENIZERS, is_users_tokenizer
from polyrouge.version import VERSION


def _only_if_changed(_settings: RougeSettings) -> bool:
    """The entry is written only where the value is not the default: few settings use it, or it moves no score."""
    return False


def _has_w_or_su(settings: RougeSettings) -> bool:
    return any(name.startswith(("rougeW", "rougeSU")) for name in settings.rouge_types)


def _resamples(settings: RougeSettings) -> bool:
    return settings.confidence is not None or settings.aggregate == "bootstrap_median"


def _draws_by_itself(settings: RougeSettings) -> bool:
    return settings.confidence is not None and settings.aggregate != "bootstrap_median"


def _uses_jieba(settings: RougeSettings) -> bool:
    """Whether words of jieba's come in, be it within another tool's tokenizer; what a user's does is not known."""
    if isinstance(settings.tokenizer, str) and not is_users_tokenizer(settings.tokenizer):
        return "jieba" in TOKENIZERS[settings.tokenizer].libraries or cuts_with_jieba(settings)
    return cuts_with_jieba(settings)


@dataclass(frozen=True, kw_only=True)
class RougeSettings:
    r"""Settings of a ROUGE score. Frozen; ``replace`` gives a changed copy.

    A text goes through them in this order: NFC, ``clean``, ``segment``, sentences are cut, length limits, NFKC,
    ``lowercase``, ``tokenizer``, ``punctuation``, ``stop_words``, ``use_stemmer``.

    Attributes:
        rouge_types: which scores. ``rouge1`` ... ``rouge9``, ``rougeL``, ``rougeLsum``, ``rougeW``,
            ``rougeS``, ``rougeSU`` (any gap), ``rougeS4``, ``rougeSU4`` (at most 4 tokens between; up to 1,000,000).
        tokenizer: ``"mixed"``, ``"ascii"``, ``"zh_char"``, ``"char"``, ``"jieba"``, ``"space"``,
            ``"unicode"``, or a callable ``str -> list[str]``.
        clean: ``"model_output"`` leaves out what a language model writes beside its answer (thoughts, control tokens,
            HTML entities, zero-width characters, list marks); ``"opencompass"`` cleans as OpenCompass does.
        segment: put blanks between the words of a text first, as tools are fed: ``"jieba"`` words,
            ``"jieba_without_spaces"``, ``"char"``, ``"char_without_blanks"``; None leaves it as it is.
        lowercase: True lower-cases the text (``str.lower``), ``"ascii"`` A to Z only, False nothing.
        normalize: ``"nfc"`` applies Unicode's NFC, so that texts which are canonically equivalent are equal; ``"nfkc"``
            its NFKC besides (full-width letters become ASCII); None, as other tools, neither.
        punctuation: ``"drop"`` or ``"keep"`` tokens without a letter, mark or digit.
        use_stemmer: Porter stems of tokens longer than three characters, as rouge_score; ASCII only.
        stemmer: whose stems ``use_stemmer`` asks for: ``"porter"`` (rouge_score's), ``"rouge155"``,
            ``"py_rouge"``, ``"sacrerouge"``, ``"sumeval"`` (of references only), ``"xlsum"`` (those of
            its tokenizers).
        stop_words: tokens to leave out, compared as they are after lower-casing and before stemming;
            or the name of a tool's list: ``"rouge155"``, ``"sumeval_en"``, ``"sumeval_zh"``,
            ``"sumeval_ja"``.
        word_tables: folder of the tables behind stems and stop lists that are not ours to ship; None
            means the tool's own package where it is installed.
        max_words: keep the first so many words of each text, references too (ROUGE-1.5.5 ``-l``).
        max_bytes: keep the first so many bytes of each text (ROUGE-1.5.5 ``-b``).
        max_characters: keep the first so many characters of each text.
        limit_rule: whose way of counting and cutting: ``"rouge155"``, ``"py_rouge"``,
            ``"sacrerouge"``, ``"sumeval"``.
        sentence_split: ``"newline"``, ``"zh"`` (。！？；…), ``"auto"``, ``"none"``, ``"token"``, a separator
            such as ``"<q>"``, or a callable ``str -> list[str]``. Seen by rougeLsum, rougeW and union L.
        ngram_counts: ``"multiset"`` clips counts; ``"set"`` counts distinct n-grams.
        lcs: what rougeL means: ``"sentence"``, one LCS over the text; ``"union"``, as rougeLsum;
            ``"type_union"``, distinct tokens on any LCS of two sentences; ``"pairwise_sum"``, the
            lengths of all those LCS added up (pltrdy's rouge and lawrouge).
        definition: where ROUGE-1.5.5 departs from Lin (2004): ``"rouge155"`` weights the recall of
            rougeW twice, takes it over sentences, and leaves the last token out of the unigrams of
            rougeSU; ``"paper"`` does none of it.
        weight: exponent of rougeW's f(k) = k ** weight, 0.5 to 5; below 1 a score may exceed 1.
        beta: recall counts beta times as much as precision in F; 0 to 1e9.
        alpha: where given, 0 to 1, F = P R / ((1 - alpha) P + alpha R) in place of beta's (ROUGE-1.5.5 ``-p``).
        epsilon: 0 to 1, added to P + R below F's fraction line: 1e-8 in pltrdy's rouge and what is built on it.
        multi_reference: per type: ``"best"`` (highest F), ``"best_recall"``, ``"mean"``, ``"pooled"``
            (counts added up, ROUGE-1.5.5 ``-f A``), ``"jackknife"`` (Lin 2004, section 2.1),
            ``"best_each"`` (highest precision and highest recall, F of the two), ``"first"``.
        empty: a text without tokens: ``"zero"`` scores 0, ``"skip"`` leaves the pair out of the
            mean (NaN in lists), ``"error"`` raises, ``"one_if_both"`` scores 1 if both are empty.
        placeholder: a text that stands for a blank prediction; None for none.
        refuses: what the convention's tool raises an error for; see ``polyrouge.REFUSALS``.
        on_error: such a row: ``"score"`` gives it the score that the definition and ``empty`` give,
            ``"zero"`` scores 0, ``"raise"`` raises as the tool does.
        output: ``"fmeasure"``, or ``"all"`` for ``rouge1_precision`` and ``rouge1_recall`` beside it.
        use_aggregator: True: one number a key; False: one list a key, in input order.
        aggregate: ``"mean"`` (exact before its one rounding), ``"running_mean"`` (added up in order),
            ``"numpy_mean"``; ``"f_of_means"``, F of mean precision and mean recall; ``"micro"``, scores
            of the counts of all samples; or ``"bootstrap_median"``: rouge_score's median of bootstrap
            means, drawn from numpy's global generator as there, so different on every run unless seeded.
        weights: one number a type, -1e9 to 1e9; adds the key ``"weighted"``, the weighted sum of the types.
        confidence: level of the interval that adds ``rouge1_low`` and ``rouge1_high``, such as
            0.95; None for no interval.
        n_resamples: bootstrap resamples for the interval, up to 1,000,000.
        seed: of the interval's own generator.
        interval: ``"percentile"``, the quantiles of the resampled means; or ``"bca"``, bias-corrected and
            accelerated (Efron 1987), which fits skewed scores better; or ``"poisson"``, quantiles of means that are
            resampled by weights drawn for each row from its references, so that partial results merge.
        scale: factor on every score: 1 or 100, say; 1e-9 to 1e9.
        round_each: digits to round each sample's score to, once scaled; None for no rounding.
        round_result: digits to round the result to; None for no rounding.
        quirks: what only one tool does; see ``polyrouge.QUIRKS``.
        jieba_dict: for the ``jieba`` tokenizer and ``segment``: path of a user dictionary, or a ``jieba.Tokenizer``,
            whose words are taken as they are when they are used.
        jieba_hmm: let jieba guess words that its dictionary does not hold.
        subword_model: for ``subwords``: a ``tokenizer.json`` or its folder; on the Hub ``"owner/name@revision"``.
        pkuseg_model: for ``zh_pkuseg``: the folder of a model of pkuseg.
        engine: ``"auto"`` (the compiled one where it is installed), ``"plain"`` or ``"compiled"``; never moves a score.
        threads: threads of the engine, up to 1024, 0 for all cores; never moves a score. The plain engine
            uses one.

    Raises:
        ValueError: a value that is not allowed; the message says which are.
        TypeError: a value of the wrong type.
    """

    rouge_types: tuple[str, ...] = setting(DEFAULT_ROUGE_TYPES, "types", "types")
    tokenizer: str | Callable[[str], list[str]] = setting("mixed", "tok", "tokenizer")
    clean: str | None = setting(None, "clean", "name", matters=_only_if_changed)
    segment: str | None = setting(None, "seg", "name", matters=_only_if_changed)
    lowercase: bool | str = setting(True, "case", "flag", words=("lower", "keep", "ascii"))
    normalize: str | None = setting("nfc", "norm", "name", may_be_none=True)
    punctuation: str = setting("drop", "punct", "name")
    use_stemmer: bool = setting(False, "stem", "flag", words=("porter", "no"))
    stemmer: str = setting("porter", "stemmer", "name", matters=_only_if_changed)
    stop_words: tuple[str, ...] | str | None = setting(None, "stop", "words")
    word_tables: str | None = setting(None, "tables", "folder", matters=_only_if_changed)
    max_words: int | None = setting(None, "words", "integer")
    max_bytes: int | None = setting(None, "bytes", "integer")
    max_characters: int | None = setting(None, "chars", "integer", matters=_only_if_changed)
    limit_rule: str = setting("rouge155", "limits", "name", matters=_only_if_changed)
    sentence_split: str | Callable[[str], Sequence[str]] = setting("newline", "split", "split")
    ngram_counts: str = setting("multiset", "ngrams", "name")
    lcs: str = setting("sentence", "lcs", "name")
    definition: str = setting("rouge155", "def", "name", matters=_has_w_or_su)
    weight: float = setting(1.2, "w", "number", matters=_has_w_or_su)
    beta: float = setting(1.0, "beta", "number")
    alpha: float | None = setting(None, "alpha", "number", matters=_only_if_changed)
    epsilon: float = setting(0.0, "eps", "number", matters=_only_if_changed)
    multi_reference: str = setting("best", "refs", "name")
    empty: str = setting("zero", "empty", "name")
    placeholder: str | None = setting(None, "placeholder", "text", matters=_only_if_changed)
    refuses: tuple[str, ...] = setting((), "refuses", "names", matters=_only_if_changed)
    on_error: str = setting("score", "onerror", "name", matters=_only_if_changed)
    output: str = setting("fmeasure", "out", "name", matters=_only_if_changed)
    use_aggregator: bool = setting(True, "lists", "flag", words=("no", "yes"), matters=_only_if_changed)
    aggregate: str = setting("mean", "agg", "name")
    confidence: float | None = setting(None, "conf", "number")
    n_resamples: int = setting(1000, "resamples", "integer", matters=_resamples)
    seed: int = setting(0, "seed", "integer", matters=_draws_by_itself)
    interval: str = setting("percentile", "interval", "name", matters=_only_if_changed)
    weights: tuple[float, ...] | None = setting(None, "weights", "numbers", matters=_only_if_changed)
    scale: float = setting(1.0, "scale", "number")
    round_each: int | None = setting(None, "roundeach", "integer", matters=_only_if_changed)
    round_result: int | None = setting(None, "round", "integer", matters=_only_if_changed)
    quirks: tuple[str, ...] = setting((), "quirks", "names", matters=_only_if_changed)
    jieba_dict: JiebaWords = setting(None, "dict", "dictionary", matters=_uses_jieba)
    jieba_hmm: bool = setting(True, "hmm", "flag", matters=cuts_with_jieba)
    subword_model: str | None = setting(None, "subwords", "model", matters=_only_if_changed)
    pkuseg_model: str | None = setting(None, "pkuseg", "folder", matters=_only_if_changed)
    engine: str = setting("auto", "engine", "name", matters=_only_if_changed)
    threads: int = setting(0, "threads", "integer", matters=_only_if_changed)

    def __post_init__(self) -> None:
        for name, value in checked_fields(self).items():
            object.__setattr__(self, name, value)  # the way to normalise a field of a frozen dataclass

    @functools.cached_property
    def text_rules(self) -> TextRules:
        """How a text becomes sentences and tokens."""
        return text_rules(self)

    @functools.cached_property
    def count_rules(self) -> CountRules:
        """How tokens become hits and totals."""
        return count_rules(self)

    @functools.cached_property
    def score_rule(self) -> ScoreRule:
        """How counts become precision, recall and F."""
        return score_rule(self)

    @functools.cached_property
    def reference_rule(self) -> ReferenceRule:
        """How several references become one score."""
        return stage_of(self, ReferenceRule, kinds=tuple(each.kind for each in parsed_types(self)))

    @functools.cached_property
    def result_rules(self) -> ResultRules:
        """How the scores of all samples become the result."""
        return stage_of(self, ResultRules, score_rule=self.score_rule)

    @functools.cached_property
    def run_options(self) -> RunOptions:
        """How the work is done."""
        return stage_of(self, RunOptions)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all settings, in order."""
        return tuple(field.name for field in dataclasses.fields(cls))

    def replace(self, **changes: Any) -> RougeSettings:
        """Return a copy with some settings changed.

        Args:
            **changes: fields, by name.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
            ValueError: a value is not allowed.
        """
        for name in changes:
            if name not in self.names():
                raise TypeError(str(unknown_value(name, self.names(), "setting", SETTINGS)))
        return dataclasses.replace(self, **changes)

    def versions(self) -> dict[str, str]:
        """Version of each library that can move a score under these settings, and ours."""
        libraries = set(TOKENIZERS[self.tokenizer].libraries) if isinstance(self.tokenizer, str) else set()
        if self.punctuation == "drop" and is_users_tokenizer(self.tokenizer):
            libraries.add("regex")
        if cuts_with_jieba(self):
            libraries.add("jieba")
        if self.use_stemmer:
            libraries.add("nltk")
        versions = {library: installed_version(library) for library in sorted(libraries)}
        if self.normalize is not None:
            versions["ucd"] = unicodedata.unidata_version
        return versions | {"v": VERSION}

    def signature(self) -> str:
        """One line that names every setting able to move a score, and the versions behind it.

        A tokenizer or sentence_split that is a function without a name stands in it as ``custom``, with a warning:
        such a line can't be repeated. ``register_tokenizer`` and ``register_sentence_split`` name one.
        """
        for name, register in unnamed_functions(self).items():
            warn_user(
                f"The signature can't name the function that is the {name}, and says 'custom': the scores can't be "
                f"repeated from it. {register} names it."
            )
        return write_signature(self)

    @classmethod
    def from_signature(cls, text: str, **given: Any) -> RougeSettings:
        """Return the settings that ``signature`` wrote.

        Args:
            text: the signature.
            **given: the settings that a line can name but not hold: a callable tokenizer or
                sentence_split, a jieba_dict of your own, more than ten stop words.

        Raises:
            ValueError: not a signature, one that needs a setting, or one made by other versions of a segmenter.
        """
        if "stop_words" in given:
            given["stop_words"] = checked_stop_words(given["stop_words"])
        libraries = {library for entry in TOKENIZERS.values() for library in entry.libraries}
        settings = cls(**read_signature(text, cls, given, {*libraries, "nltk", "ucd", "v"}))
        exact = TOKENIZERS[settings.tokenizer].exact_libraries if isinstance(settings.tokenizer, str) else ()
        compare_versions(text, settings.versions(), exact)
        return settings
