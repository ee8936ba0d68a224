"""``RougeSettings``: every choice that makes a ROUGE score, each declared once and checked at construction."""

from __future__ import annotations

import dataclasses
import functools
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyrouge.errors import Option, RefusedType, RefusedValue, unknown_value, warn_user
from polyrouge.settings import allowed_values as kinds
from polyrouge.settings import effects
from polyrouge.settings import rules as stages
from polyrouge.settings.allowed_values import Choice, Need, Range, Setting, Values
from polyrouge.settings.rouge_types import DEFAULT_ROUGE_TYPES
from polyrouge.settings.rules import (
    JOINED_SPLITS,
    QUIRKS,
    REFUSALS,
    SNOWBALL_LANGUAGES,
    cuts_with_jieba,
    stage_of,
    uses_jieba,
)
from polyrouge.settings.signature import compare_versions, installed_version, read_signature, write_signature
from polyrouge.texts.jieba_words import JiebaWords
from polyrouge.texts.tokenizers import TOKENIZERS, entry_of, is_users_tokenizer
from polyrouge.version import VERSION


def _always(_settings: RougeSettings) -> bool:
    return True


_OF_MEAN = effects.where(
    lambda settings: settings.use_aggregator,
    Option("use_aggregator", value=False),
    " gives a list of scores, not a mean.",
)
_OF_INTERVAL = (Option("confidence", 0.95), " asks for an interval.")


def _setting(
    default: Any,
    key: str,
    values: Values,
    matters: Callable[..., bool] | None = None,
    other_names: str = "",
    need: Need | None = None,
) -> Any:
    return dataclasses.field(default=default, metadata={"setting": Setting(key, values, matters, other_names, need)})


def _check_each(settings: Any, names: Iterable[str]) -> None:
    """Check the settings of a group one by one and store their own form."""
    for name in names:
        values, value = ALL_OPTIONS[name].values, getattr(settings, name)
        if value is not None or not values.may_be_none:
            object.__setattr__(settings, name, values.check(name, value))  # the dataclass is frozen


@dataclass(frozen=True, kw_only=True)
class ToolRules:
    """What conventions set to give the scores of a tool.

    Attributes:
        stemmer: whose stems ``use_stemmer`` asks for: ``"porter"`` (rouge_score's), Snowball's of a language
            (``"german"``, ``"russian"`` and so on, by NLTK), ``"rouge155"``, ``"py_rouge"``,
            ``"sacrerouge"``, ``"sumeval"`` (of references only), ``"xlsum"`` (its tokenizers' own).
        word_tables: folder of the tables behind stems and stop lists that are not ours to ship; None means the tool's
            own package where it is installed.
        limit_rule: whose way of counting and cutting: ``"rouge155"``, ``"py_rouge"``, ``"sacrerouge"``, ``"sumeval"``.
        joined_split: how the tool splits the text that it is given, ``"pltrdy"``, ``"rouge_chinese"`` or
            ``"single_space"``: tokens of another ``tokenizer`` are joined by blanks and split again; a
            ``sentence_split`` that is a separator cuts the joined tokens. None leaves tokens as they are.
        ngram_counts: ``"multiset"`` clips counts; ``"set"`` counts distinct n-grams.
        lcs: what rougeL means: ``"sentence"``, one LCS over the text; ``"union"``, as rougeLsum; ``"type_union"``,
            distinct tokens on any LCS of two sentences; ``"pairwise_sum"``, the lengths of all those LCS added up
            (pltrdy's rouge and lawrouge).
        definition: which one rougeW and rougeSU follow where they differ: ``"paper"``, Lin (2004); or ``"rouge155"``,
            ROUGE-1.5.5 and its ports, which weight the recall of rougeW twice, take rougeW over sentences, and leave
            the last token out of the unigrams of rougeSU, so that identical texts score less than 1.
        alpha: where given, 0 to 1, F = P R / ((1 - alpha) P + alpha R) in place of beta's (ROUGE-1.5.5 ``-p``).
        epsilon: 0 to 1, added to P + R below F's fraction line: 1e-8 in pltrdy's rouge and what is built on it.
        refuses: what the convention's tool raises an error for; see ``polyrouge.REFUSALS``.
        quirks: what only one tool does; see ``polyrouge.QUIRKS``.

    Raises:
        ValueError: a value that is not allowed; the message says which are.
        TypeError: a value of the wrong type.
    """

    stemmer: str = _setting(
        "porter",
        "stemmer",
        Choice(
            *("porter", "rouge155", "py_rouge", "sacrerouge", "sumeval", "xlsum"),
            *("english porter2" if language == "english" else language for language in SNOWBALL_LANGUAGES),
            english="snowball",
        ),
        need=Need(
            lambda settings, value: effects.stemmer_at_work(settings, value) if settings.use_stemmer else None,
            (Option("use_stemmer", value=True), " asks for stems, which characters have not."),
        ),
    )
    word_tables: str | None = _setting(
        *(None, "tables", kinds.Folder()),
        need=effects.where(effects.reads_tables, "no stemmer or stop list is asked for that is a table of a tool."),
    )
    limit_rule: str = _setting(
        *("rouge155", "limits", Choice("rouge155", "py_rouge", "sacrerouge", "sumeval")),
        need=effects.where(
            *(effects.has_limit, "no ", Option("max_words"), ", ", Option("max_bytes"), " or "),
            *(Option("max_characters"), " is given."),
        ),
    )
    joined_split: str | None = _setting(
        *(None, "joined", Choice(None, *JOINED_SPLITS)),
        need=Need(effects.joined_split_at_work, ("joined by blanks and split again, these tokens stay the same.",)),
    )
    ngram_counts: str = _setting(
        *("multiset", "ngrams", Choice("multiset", "set"), _always),
        need=effects.where(effects.has_ngrams, "none of these types counts n-grams, as rouge1 and rouge2 do."),
    )
    lcs: str = _setting(
        *("sentence", "lcs", Choice("sentence", "union", "type_union", "pairwise_sum"), _always),
        need=Need(effects.lcs_at_work, ("it is of rougeL, over sentences that ", Option("sentence_split"), " cuts.")),
    )
    definition: str = _setting(
        "paper",
        "def",
        Choice("paper lin lin2004", "rouge155 perl"),
        effects.has_w_or_su,
        need=effects.where(effects.has_w_or_su, "the definitions differ in rougeW and rougeSU."),
    )
    alpha: float | None = _setting(
        *(None, "alpha", Range(float, 0, 1, may_be_none=True)),
        need=Need(
            effects.alpha_at_work, ("F is the same by ", Option("alpha", 0.5), " and by ", Option("beta", 1.0), ".")
        ),
    )
    epsilon: float = _setting(0.0, "eps", Range(float, 0, 1))
    refuses: tuple[str, ...] = _setting(
        *((), "refuses", kinds.Names(REFUSALS)),
        need=Need(effects.refuses_at_work, (Option("on_error", "raise"), " raises an error for such rows.")),
    )
    quirks: tuple[str, ...] = _setting(
        *((), "quirks", kinds.Names(QUIRKS)),
        need=Need(
            effects.quirks_at_work,
            (
                *("a choice is one of ", Option("multi_reference", "best_recall"), ", bytes are of "),
                *(Option("max_bytes"), ", totals of ", Option("multi_reference", "pooled")),
                ", powers of rougeL with a weight.",
            ),
        ),
    )

    def __post_init__(self) -> None:
        _check_each(self, TOOL_RULES)

    def replace(self, **changes: Any) -> ToolRules:
        """Return a copy with some rules changed.

        Raises:
            TypeError: a name is no rule; the message names the nearest.
            ValueError: a value is not allowed.
        """
        for name in changes:
            if name not in TOOL_RULES:
                raise TypeError(str(unknown_value(name, TOOL_RULES, "rule of a tool")))
        return dataclasses.replace(self, **changes)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How the work is done. It moves no score, so it is no part of the settings and their signature.

    Attributes:
        engine: ``"auto"`` (the compiled one where it is installed), ``"plain"`` or ``"compiled"``.
        threads: threads of the engine, up to 1024, 0 for all cores. The plain engine uses one.

    Raises:
        ValueError: a value that is not allowed; the message says which are.
        TypeError: a value of the wrong type.
    """

    engine: str = _setting("auto", "engine", Choice("auto", "plain", "compiled"))
    threads: int = _setting(0, "threads", Range(int, 0, 1024), other_names="nthreads nworkers numworkers")

    def __post_init__(self) -> None:
        _check_each(self, RUN_OPTIONS)


@dataclass(frozen=True, kw_only=True)
class RougeSettings:
    r"""Settings of a ROUGE score. Frozen; ``replace`` gives a changed copy.

    A text goes through them in this order: NFC, ``prepare``, ``segment``, sentences are cut, length limits, NFKC,
    ``lowercase``, ``tokenizer``, ``punctuation``, ``stop_words``, ``use_stemmer``.

    Attributes:
        rouge_types: which scores. ``rouge1`` ... ``rouge9``, ``rougeL``, ``rougeLsum``, ``rougeW``, ``rougeS``,
            ``rougeSU`` (any gap), ``rougeS4``, ``rougeSU4`` (at most 4 tokens between; up to 1,000,000).
        tokenizer: ``"mixed"``, ``"ascii"``, ``"zh_char"``, ``"char"``, ``"jieba"``, ``"space"``, ``"unicode"``, or a
            callable ``str -> list[str]``.
        prepare: steps that change the text first, in this order, such as ``["strip", "first_line"]``; docs/settings.md
            lists them. ``"model_output"`` leaves out what a language model writes besides its answer.
            ``"prediction.strip"`` changes predictions only, ``"reference.strip"`` references only.
        segment: put blanks between the words of a text first, as tools are fed: ``"jieba"`` words,
            ``"jieba_without_spaces"``, ``"jieba_where_chinese"`` (texts without U+4E00 to U+9FA5 stay), ``"char"``,
            ``"char_without_blanks"``; None leaves it as it is.
        lowercase: True lower-cases the text (``str.lower``), ``"fold"`` folds its case (``str.casefold``: ß is ss),
            ``"ascii"`` lower-cases A to Z only, False nothing.
        normalize: ``"nfc"`` applies Unicode's NFC, so that texts which are canonically equivalent are equal; ``"nfkc"``
            its NFKC besides (full-width letters become ASCII); ``"ar"``, ``"fa"`` and ``"tr"`` what Arabic, Persian and
            Turkish write in several ways (docs/languages.md); None, as other tools, nothing.
        punctuation: ``"drop"`` or ``"keep"`` tokens without a letter, mark or digit.
        use_stemmer: Porter stems of tokens longer than three characters, as rouge_score; ASCII only.
        stop_words: tokens to leave out, compared as they are after lower-casing and before stemming; or the name of a
            tool's list: ``"rouge155"``, ``"lveval_zh"``, ``"sumeval_en"``, ``"sumeval_zh"``, ``"sumeval_ja"``.
        max_words: keep the first so many words of each text, references too (ROUGE-1.5.5 ``-l``).
        max_bytes: keep the first so many bytes of each text (ROUGE-1.5.5 ``-b``).
        max_characters: keep the first so many characters of each text.
        sentence_split: ``"newline"``, ``"zh"`` (。！？；…), ``"auto"``, ``"none"``, ``"token"``, a separator such as
            ``"<q>"``, or a callable ``str -> list[str]``. Seen by rougeLsum, by union L, and by rougeW of
            ``definition="rouge155"``.
        weight: exponent of rougeW's f(k) = k ** weight, 0.5 to 5; below 1 a score may exceed 1.
        beta: recall counts beta times as much as precision in F; 0 to 1e9.
        multi_reference: per type: ``"best"`` (highest F), ``"best_recall"``, ``"mean"``, ``"pooled"`` (counts added up,
            ROUGE-1.5.5 ``-f A``), ``"jackknife"`` (Lin 2004, section 2.1), ``"best_each"`` (highest precision and
            highest recall, F of the two), ``"first"``.
        empty: a text without tokens: ``"zero"`` scores 0, ``"skip"`` leaves the pair out of the mean (NaN in lists),
            ``"skip_blank_reference"`` leaves it out where the reference is blank and scores 0 elsewhere, ``"error"``
            raises, ``"one_if_both"`` scores 1 if both are empty.
        on_error: a row that the convention's tool raises an error for (``refuses`` of ``tool``): ``"score"`` gives it
            the score that the definition and ``empty`` give, ``"zero"`` scores 0, ``"raise"`` raises as the tool does.
        output: ``"fmeasure"``, or ``"all"`` for ``rouge1_precision`` and ``rouge1_recall`` beside it.
        use_aggregator: True: one number a key; False: one list a key, in input order.
        aggregate: ``"mean"`` (exact before its one rounding), ``"running_mean"`` (added up in order), ``"numpy_mean"``;
            ``"f_of_means"``, F of mean precision and mean recall; ``"micro"``, scores of the counts of all samples; or
            ``"bootstrap_median"``: rouge_score's median of bootstrap means, drawn from numpy's global generator as
            there, so different on every run unless seeded.
        weights: one number a type, -1e9 to 1e9; adds the key ``"weighted"``, the weighted sum of the types; or
            ``"geometric"``, their geometric mean.
        confidence: level of the interval that adds ``rouge1_low`` and ``rouge1_high``, such as 0.95; None for no
            interval.
        n_resamples: bootstrap resamples for the interval, up to 1,000,000.
        seed: of the interval's own generator. It does not move ``"bootstrap_median"``: seed numpy for that.
        interval: ``"percentile"``, the quantiles of the resampled means; or ``"bca"``, bias-corrected and accelerated
            (Efron 1987), which fits skewed scores better.
        scale: factor on every score: 1, or 100, which command and page take by default; 1e-9 to 1e9.
        round_each: digits to round each sample's score to, once scaled; None for no rounding.
        round_result: digits to round the result to; None for no rounding.
        jieba_dict: for the ``jieba`` tokenizer and ``segment``: path of a user dictionary, or a ``jieba.Tokenizer``,
            whose words are taken as they are when they are used.
        jieba_hmm: let jieba guess words that its dictionary does not hold.
        subword_model: for ``subwords``: a ``tokenizer.json`` or its folder; on the Hub ``"owner/name@revision"``.
        pkuseg_model: for ``zh_pkuseg``: the folder of a model of pkuseg.
        tool: what conventions set; a dict of some of them changes those, such as ``tool={"lcs": "union"}``.

    Raises:
        ValueError: a value that is not allowed; the message says which are.
        TypeError: a value of the wrong type.
    """

    rouge_types: tuple[str, ...] = _setting(
        DEFAULT_ROUGE_TYPES, "types", kinds.Types(), _always, "types metrics rouges"
    )
    tokenizer: str | Callable[[str], list[str]] = _setting(
        "mixed", "tok", kinds.TOKENIZER, _always, "tokenize tokenizefn lang language"
    )
    prepare: tuple[str, ...] = _setting((), "prepare", kinds.Steps())
    segment: str | None = _setting(
        None, "seg", Choice(None, "char", "char_without_blanks", "jieba", "jieba_without_spaces", "jieba_where_chinese")
    )
    lowercase: bool | str = _setting(
        True, "case", kinds.Flag("lower", "keep", ascii="A to Z only", fold="str.casefold"), _always, "lower"
    )
    normalize: str | None = _setting("nfc", "norm", Choice("nfc", "nfkc", "ar", "fa", "tr", None), _always)
    punctuation: str = _setting("drop", "punct", Choice("drop remove strip", "keep", keep="none"), _always)
    use_stemmer: bool = _setting(
        False,
        "stem",
        kinds.Flag("porter"),
        _always,
        "stem stemming",
        effects.where(effects.makes_stems, "the stemmer changes none of these tokens."),
    )
    stop_words: tuple[str, ...] | str | None = _setting(None, "stop", kinds.StopWords(), _always, "removestopwords")
    max_words: int | None = _setting(None, "words", kinds.LIMIT, _always, "lengthlimit wordlimit")
    max_bytes: int | None = _setting(None, "bytes", kinds.LIMIT, _always, "bytelimit")
    max_characters: int | None = _setting(None, "chars", kinds.LIMIT)
    sentence_split: str | Callable[[str], Sequence[str]] = _setting(
        "newline",
        "split",
        kinds.SPLIT,
        _always,
        "splitsummaries sentencesplitter sentsplit newlinesep",
        Need(
            effects.split_at_work,
            "these types compare whole texts; rougeLsum compares sentences.",
        ),
    )
    weight: float = _setting(
        1.2,
        "w",
        kinds.WEIGHT,
        effects.has_w_or_su,
        "weightfactor",
        effects.where(effects.has_w, "only rougeW is weighted."),
    )
    beta: float = _setting(1.0, "beta", Range(float, 0, kinds.BILLION), _always)
    multi_reference: str = _setting(
        "best",
        "refs",
        Choice(
            *("best max", "best_recall b", "best_each", "first", "mean avg average", "pooled a", "jackknife"),
            pooled="sum",
        ),
        _always,
        "accumulate",
    )
    empty: str = _setting(
        *("zero", "empty", Choice("zero", "skip", "skip_blank_reference", "error", "one_if_both"), _always),
        need=effects.where(effects.may_have_no_tokens, "every text has a token by this tokenizer, if an empty one."),
    )
    on_error: str = _setting(
        "score",
        "onerror",
        Choice("score", "zero", "raise"),
        need=Need(effects.on_error_at_work, "the convention reproduces no tool that raises an error for a text."),
    )
    output: str = _setting("fmeasure", "out", Choice("fmeasure f f1 fscore", "all", all="precision recall"))
    use_aggregator: bool = _setting(True, "lists", kinds.Flag("no", "yes"), other_names="aggregator")
    aggregate: str = _setting(
        "mean",
        "agg",
        Choice(
            *("mean avg average macro", "running_mean", "numpy_mean", "f_of_means", "micro", "bootstrap_median"),
            micro="sum",
            bootstrap_median="bootstrap median",
        ),
        _always,
        "avg applyavg aggregator",
        _OF_MEAN,
    )
    weights: tuple[float, ...] | str | None = _setting(None, "weights", kinds.Weights())
    confidence: float | None = _setting(None, "conf", kinds.CONFIDENCE, _always, "ci confidenceinterval")
    n_resamples: int = _setting(
        *(1000, "resamples", kinds.RESAMPLES, effects.resamples), need=effects.where(effects.resamples, *_OF_INTERVAL)
    )
    seed: int = _setting(
        0,
        "seed",
        kinds.SEED,
        effects.draws_by_itself,
        need=effects.where(
            effects.draws_by_itself,
            *("it is of the interval that ", Option("confidence", 0.95), " asks for; "),
            Option("aggregate", "bootstrap_median"),
            " draws from numpy's global generator, which np.random.seed seeds.",
        ),
    )
    interval: str = _setting(
        "percentile",
        "interval",
        Choice("percentile", "bca"),
        need=effects.where(effects.draws_by_itself, *_OF_INTERVAL),
    )
    scale: float = _setting(1.0, "scale", Range(float, 1e-09, kinds.BILLION), _always)
    round_each: int | None = _setting(
        None,
        "roundeach",
        kinds.DIGITS,
        need=effects.where(
            effects.has_sample_scores, Option("aggregate", "micro"), " adds up counts, and no scores of samples."
        ),
    )
    round_result: int | None = _setting(None, "round", kinds.DIGITS, need=_OF_MEAN)
    jieba_dict: JiebaWords = _setting(None, "dict", kinds.Dictionary(), uses_jieba, "userdict")
    jieba_hmm: bool = _setting(True, "hmm", kinds.Flag(), cuts_with_jieba)
    subword_model: str | None = _setting(None, "subwords", kinds.SubwordModel())
    pkuseg_model: str | None = _setting(None, "pkuseg", kinds.PkusegModel())
    tool: ToolRules = dataclasses.field(default_factory=lambda: _NO_TOOL)

    def __post_init__(self) -> None:
        _check_each(self, _WITHOUT_MODELS)
        if not isinstance(self.tool, ToolRules):
            object.__setattr__(self, "tool", _changed_rules(ToolRules(), self.tool))
        effects.check_together(self)
        _check_each(self, _MODELS)

    # What each stage of the way from texts to a result is handed.
    text_rules = functools.cached_property(stages.text_rules)
    count_rules = functools.cached_property(stages.count_rules)
    score_rule = functools.cached_property(stages.score_rule)
    reference_rule = functools.cached_property(
        lambda self: stage_of(
            self, stages.ReferenceRule, kinds=tuple(rouge_type.kind for rouge_type in self.count_rules.types)
        )
    )
    result_rules = functools.cached_property(
        lambda self: stage_of(self, stages.ResultRules, score_rule=self.score_rule)
    )

    @staticmethod
    def _declarations() -> dict[str, Setting]:
        """Every declaration, in the order of the signature."""
        return ALL_SETTINGS

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all settings, in order."""
        return tuple(field.name for field in dataclasses.fields(cls))

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone: rules made of them would change what ``datasets`` takes for the same function."""
        return {name: self.__dict__[name] for name in self.names()}

    def value(self, name: str) -> Any:
        """Return the value of a setting, or of a rule of ``tool``."""
        return getattr(self.tool if name in TOOL_RULES else self, name)

    def replace(self, **changes: Any) -> RougeSettings:
        """Return a copy with some settings changed.

        Args:
            **changes: fields, by name; fields of ``tool`` as a mapping, such as ``tool={"lcs": "union"}``.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
            ValueError: a value is not allowed.
        """
        for name in changes:
            if name not in self.names():
                raise RefusedType(*unknown_setting(name).sentence)
        if "tool" in changes:
            changes["tool"] = _changed_rules(self.tool, changes["tool"])
        return dataclasses.replace(self, **changes)

    def versions(self) -> dict[str, str]:
        """Version of each library that can move a score under these settings, and ours."""
        libraries = set(entry_of(self.tokenizer).libraries)
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
        for name, setting in ALL_SETTINGS.items():
            if isinstance(setting.values, kinds.Function) and callable(getattr(self, name)):
                warn_user(
                    f"The signature can't name the function that is the {name}, and says 'custom': the scores can't be "
                    f"repeated from it. {setting.values.register} names it."
                )
        return write_signature(self)

    @classmethod
    def from_signature(cls, text: str, **given: Any) -> RougeSettings:
        """Return the settings that ``signature`` wrote.

        Args:
            text: the signature.
            **given: the settings, or rules of ``tool``, that a line can name but not hold: a callable tokenizer or
                sentence_split, a jieba_dict of your own, word_tables, more than ten stop words.

        Raises:
            TypeError: not a text.
            ValueError: not a signature, one that needs a setting, or one made by other versions of a segmenter.
        """
        if given.get("stop_words") is not None:
            given["stop_words"] = kinds.StopWords().check("stop_words", given["stop_words"])
        libraries = {library for entry in TOKENIZERS.values() for library in entry.libraries} | {"nltk", "ucd", "v"}
        settings = cls(**grouped(read_signature(text, ALL_SETTINGS, given, libraries)))
        compare_versions(text, settings.versions(), entry_of(settings.tokenizer).exact_libraries)
        return settings


def _declared(group: type) -> dict[str, Setting]:
    fields = [field for field in dataclasses.fields(group) if "setting" in field.metadata]
    return {field.name: field.metadata["setting"] for field in fields}


# Entries of a signature in their order, by the names of the settings; others stand behind.
_ORDER = """
    rouge_types tokenizer prepare segment lowercase normalize punctuation use_stemmer stemmer stop_words word_tables
    max_words max_bytes max_characters limit_rule sentence_split joined_split ngram_counts lcs definition weight beta
    alpha epsilon multi_reference empty refuses on_error output use_aggregator aggregate confidence n_resamples seed
    interval weights scale round_each round_result quirks
"""
TOOL_RULES = _declared(ToolRules)
"""The declarations of the rules in the group ``tool``."""
_OF_SETTINGS = _declared(RougeSettings)
_DECLARED = _OF_SETTINGS | TOOL_RULES
ALL_SETTINGS: dict[str, Setting] = {name: _DECLARED[name] for name in dict.fromkeys([*_ORDER.split(), *_DECLARED])}
"""Every declaration by its name, those of ``tool`` among them, in the order of the signature."""
RUN_OPTIONS = _declared(RunOptions)
"""The declarations of ``RunOptions``."""
ALL_OPTIONS: dict[str, Setting] = ALL_SETTINGS | RUN_OPTIONS
"""Every declaration by its name."""
_MODELS = ("jieba_dict", "subword_model", "pkuseg_model")  # checked once they fit the tokenizer
_WITHOUT_MODELS = [name for name in _OF_SETTINGS if name not in _MODELS]
_NO_TOOL = ToolRules()
PLAIN_ENGINE = RunOptions(engine="plain")
"""The plain engine, which reads every text."""


def grouped(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for ``RougeSettings``: rules of ``tool`` in their group."""
    settings = dict(flat)
    rules = {name: settings.pop(name) for name in flat if name in TOOL_RULES}
    return {**settings, "tool": rules} if rules else settings


def is_keyword(name: str) -> bool:
    """Return whether ``Rouge`` takes an argument of this name: a setting, or one of ``RunOptions``."""
    return name in _OF_SETTINGS or name in RUN_OPTIONS or name == "tool"


def split_run(run: RunOptions, options: Mapping[str, Any]) -> tuple[RunOptions, dict[str, Any]]:
    """``run`` with those of ``options`` that are of it; and the others, which are settings."""
    settings = dict(options)
    changes = {name: settings.pop(name) for name in RUN_OPTIONS if name in options}
    return dataclasses.replace(run, **changes) if changes else run, settings


def unknown_setting(name: str, noun: str = "setting", more_names: Sequence[str] = ()) -> RefusedValue:
    """Return the error for a name that is no setting; it names the nearest, or says where the name belongs."""
    if name in TOOL_RULES:
        return RefusedValue(
            f"{name!r} is a rule of the tool that a convention reproduces: give tool={{{name!r}: ...}}."
        )
    if name in RUN_OPTIONS:
        where = "give it to Rouge, compute or RunOptions."
        return RefusedValue(f"{name!r} moves no score, so it is no setting: {where}")
    if name == "convention":
        return RefusedValue(
            "'convention' is no setting, as it comes before all of them: name it in Rouge('zh_char') or "
            "evaluate.load('polyrouge/rouge_metric', 'zh_char')."
        )
    other_names = {setting: option.other_names for setting, option in ALL_OPTIONS.items()}
    return unknown_value(name, (*more_names, *RougeSettings.names(), *RUN_OPTIONS), noun, other_names)


def _changed_rules(rules: ToolRules, changes: Any) -> ToolRules:
    if isinstance(changes, ToolRules):
        return changes
    if not isinstance(changes, Mapping):
        raise TypeError(f"tool is {changes!r}; give a dict of rules, such as {{'lcs': 'union'}}, or ToolRules.")
    return rules.replace(**changes)
