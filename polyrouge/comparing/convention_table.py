"""Score the same texts under several conventions, and describe the settings that move the scores."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from polyrouge.conventions.common import Convention
from polyrouge.conventions.registry import CONVENTIONS, find_convention
from polyrouge.documents.document import check_packages
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_of
from polyrouge.errors import Note, warn_of
from polyrouge.inputs import check_inputs, column_rows
from polyrouge.results import Result, ResultTable, digits_for, render, shown_number
from polyrouge.scoring.aggregates import result_of, result_warnings
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.scoring.scores import point_scale
from polyrouge.settings.allowed_values import Types
from polyrouge.settings.rouge_settings import ALL_SETTINGS, RougeSettings, RunOptions
from polyrouge.settings.rules import QUIRKS
from polyrouge.texts.languages import likely_languages
from polyrouge.texts.preparation import step_words
from polyrouge.texts.tokenizers import TOKENIZERS

_TYPES = ("rouge1", "rouge2", "rougeL")
# Kinds of notes on texts that a convention can't compare as they are meant.
_UNFIT = ("another_language", "letters_dropped", "no_token", "no_blanks", "no_blanks_for_zh_char")
# Settings of the output, not of the counts.
_PRESENTATION = {"rouge_types", "output", "use_aggregator", "scale", "round_each", "round_result"}
# Tokenizers that always lower-case and drop marks, whatever the settings say.
_DO_IT_THEMSELVES = ("rouge155", "sumeval_", "xlsum_")
_WORDS: dict[tuple[str, Any], str] = {
    ("lowercase", False): "keeps upper and lower case apart",
    ("lowercase", "ascii"): "lower-cases A to Z only",
    ("normalize", None): "takes accents as they are written, in one character or two",
    ("punctuation", "keep"): "marks are tokens, or parts of tokens",
    ("segment", "jieba"): "is given jieba's words, with blanks between",
    ("segment", "jieba_without_spaces"): "is given jieba's words, with blanks between",
    ("segment", "jieba_where_chinese"): "is given jieba's words, with blanks between, where a text is Chinese",
    ("segment", "char"): "is given characters, with blanks between",
    ("segment", "char_without_blanks"): "is given characters, with blanks between",
    ("use_stemmer", True): "stems words",
    ("stop_words", "sumeval_en"): "leaves out sumeval's stop words",
    ("stop_words", "lveval_zh"): "leaves out LV-Eval's stop words",
    ("joined_split", "pltrdy"): "joins tokens by blanks, and splits them again as pltrdy's rouge does",
    ("sentence_split", "newline"): "cuts sentences at line breaks",
    ("sentence_split", "zh"): "cuts sentences at Chinese marks",
    ("sentence_split", "auto"): "cuts sentences at the marks of any script",
    ("sentence_split", "none"): "takes a text for one sentence",
    ("sentence_split", "."): "cuts sentences at ASCII full stops, in numbers too",
    ("sentence_split", "。"): "cuts sentences at 。 only",
    ("ngram_counts", "set"): "counts distinct n-grams",
    ("lcs", "union"): "rougeL is summary level",
    ("lcs", "type_union"): "rougeL is over the distinct words on any LCS of two sentences",
    ("lcs", "pairwise_sum"): "rougeL adds up the LCS of every two sentences",
    ("definition", "paper"): "rougeW and rougeSU are those of the paper",
    ("definition", "rouge155"): "rougeW and rougeSU are those of the script ROUGE-1.5.5",
    ("multi_reference", "pooled"): "adds up the counts of several references",
    ("multi_reference", "first"): "takes the first reference only",
    ("multi_reference", "mean"): "takes the mean over the references",
    ("multi_reference", "best_each"): "takes precision and recall from different references",
    ("empty", "skip"): "leaves blank texts out of the mean",
    ("empty", "skip_blank_reference"): "leaves blank references out of the mean",
    ("on_error", "zero"): "scores 0 where the tool raises an error",
    ("aggregate", "f_of_means"): "F is that of mean precision and mean recall",
    ("aggregate", "bootstrap_median"): "the mean is a random bootstrap median",
}


@dataclass(frozen=True)
class ConventionRow:
    """One convention's scores of the texts.

    Attributes:
        name: of the convention.
        scores: mean F-measure of each type, times ``scale`` of the comparison; None for a type that it does not have.
        differences: how it differs from the first convention, in words.
        signature: of the settings.
        missing: what it needs and is not installed; None if it was computed.
        notes: what looks wrong in the texts under it.
    """

    name: str
    scores: dict[str, float | None]
    differences: tuple[str, ...]
    signature: str
    missing: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def unfit(self) -> Note | None:
        """Return the note on texts for which it isn't made, or most of which it drops or takes for one token."""
        return next((note for note in self.notes if isinstance(note, Note) and note.kind in _UNFIT), None)


@dataclass(frozen=True)
class ConventionComparison(Result):
    """The result of ``compare_conventions``; ``print`` and notebooks show it as a table, ``to_markdown`` in Markdown.

    Attributes:
        rouge_types: the columns.
        rows: one ``ConventionRow`` for each convention.
        scale: factor on every score.
    """

    rouge_types: tuple[str, ...]
    rows: tuple[ConventionRow, ...]
    scale: float = 100.0

    signature = None  # each row has a signature

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return the scores, a row for each convention.

        Args:
            digits: of scores, after the point; None: those that fit the scale.
        """
        digits = digits_for(self.scale) if digits is None else digits
        rows = [[row.name, *(shown_number(row.scores[name], digits) for name in self.rouge_types)] for row in self.rows]
        return [ResultTable(f"{len(self.rows)} conventions", ["convention", *self.rouge_types], rows)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each convention: its scores, differences, signature, and what is missing."""
        return [
            {"convention": row.name, **row.scores, "differences": "; ".join(row.differences)}
            | {"settings": row.signature, "missing": row.missing, "notes": "; ".join(row.notes)}
            for row in self.rows
        ]

    def notes(self) -> list[str]:
        """Say how each convention differs from the first, or what is missing for it; and whose scores say little."""
        notes = [(row.name, row.missing or "; ".join(row.differences)) for row in self.rows[1:]]
        notes = [f"What differs from {self.rows[0].name}:", *(f"{name}: {note}" for name, note in notes if note)]
        unfit: dict[str, list[str]] = {}
        for row in self.rows:
            if row.unfit is not None:
                unfit.setdefault(row.unfit, []).append(row.name)
        return [*notes, *(f"{', '.join(names)}: {note}" for note, names in unfit.items())]

    def to_markdown(self) -> str:
        """Return the table and the notes in Markdown."""
        return render(self, "markdown")

    def to_dict(self) -> dict[str, dict[str, float | None]]:
        """Return scores by convention and type, times ``scale``; None for a type that a convention lacks."""
        return {row.name: dict(row.scores) for row in self.rows}


def compare_conventions(
    predictions: Any,
    references: Any,
    names: Iterable[str] | None = None,
    *,
    rouge_types: Sequence[str] = _TYPES,
    scale: float = 100.0,
) -> ConventionComparison:
    """Score the same texts under several conventions.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        names: conventions, None for all. Differences are from the first of them.
        rouge_types: which scores.
        scale: factor on every score: 100 for points, 1 for fractions.

    Returns:
        A row for each convention, which names a package or table that it lacks.

    Raises:
        ValueError: no such convention or type, no names, another scale, or input that ``Rouge.compute`` refuses.
    """
    conventions = [find_convention(name) for name in (CONVENTIONS if names is None else column_rows(names, "names"))]
    if not conventions:
        raise ValueError(f"names is empty; give some of {', '.join(CONVENTIONS)}.")
    rouge_types = Types().check("rouge_types", rouge_types)
    scale = RougeSettings(scale=scale).scale
    texts = ComparedTexts(predictions, references, conventions[0], rouge_types, scale)
    rows = tuple(map(texts.row, conventions))
    warn_of(texts.warnings)
    return ConventionComparison(tuple(rouge_types), rows, scale)


class ComparedTexts:
    """Texts that several conventions score, one after the other.

    Attributes:
        warnings: what ``compute`` would warn of, once each.
    """

    def __init__(
        self, predictions: Any, references: Any, first: Convention, rouge_types: Sequence[str], scale: float = 100.0
    ) -> None:
        """Check the texts; differences are from the convention ``first``."""
        self._inputs = check_inputs(predictions, references)
        self._first, self._rouge_types, self._scale = first.settings, rouge_types, scale
        self._several_references = any(len(row) > 1 for row in self._inputs.references)
        texts = [*self._inputs.predictions, *chain.from_iterable(self._inputs.references)]
        self._all_composed = all(unicodedata.is_normalized("NFC", text) for text in texts)
        self._languages = likely_languages(texts)
        self.warnings: dict[str, None] = {}

    def row(self, convention: Convention, is_strict: bool = False) -> ConventionRow:
        """Score the texts under a convention; raises what ``Rouge.compute`` raises.

        Raises ``ValueError`` too where the convention's tool refuses the texts, if ``is_strict``.
        """
        settings = convention.settings
        has_one_type = len(settings.rouge_types) == 1
        types = [name for name in self._rouge_types if not has_one_type or name in settings.rouge_types]
        scores: dict[str, float | None] = dict.fromkeys(self._rouge_types)
        missing = None
        options = {"rouge_types": types or settings.rouge_types, "weights": None}
        options["scale"] = point_scale(settings) * self._scale / 100
        settings = settings.replace(**options, round_each=None, round_result=None)
        differences = describe_differences(settings, self._first, self._several_references, self._all_composed)
        notes = list(_another_language(convention, self._languages))
        is_refusing = is_strict and bool(settings.tool.refuses)
        scored = settings.replace(on_error="raise") if is_refusing else settings  # the same scores, if it doesn't
        try:
            check_packages(settings)
            if types:
                input_notes = InputNotes(settings.text_rules)
                samples = score_samples(self._inputs, scored, RunOptions(), input_notes)
                scores.update(result_of(samples.scores, settings.result_rules, samples.totals))
                text_notes = [*messages_of(input_notes), *result_warnings(samples.scores, settings.result_rules)]
                self.warnings |= dict.fromkeys(text_notes)
                notes += text_notes
        except (ModuleNotFoundError, FileNotFoundError) as error:
            missing = str(error)
        return ConventionRow(convention.name, scores, differences, settings.signature(), missing, tuple(notes))


def _another_language(convention: Convention, languages: set[str]) -> Iterator[str]:
    """Note that a convention is made for another language than those of the texts."""
    if convention.languages and languages and languages.isdisjoint(convention.languages):
        language = convention.languages[0]
        yield Note(
            f"It is made for {language}, and these texts are in another language.",
            kind="another_language",
            language=language,
        )


def describe_differences(
    settings: RougeSettings, other: RougeSettings, several_references: bool = True, all_composed: bool = True
) -> tuple[str, ...]:
    """Describe how ``settings`` differ from ``other``, in a few words for each setting that can move a score."""
    ignored = set() if several_references else {"multi_reference"}
    if all_composed and "nfkc" not in (settings.normalize, other.normalize):
        ignored.add("normalize")
    if settings.segment is not None:
        ignored |= {"tokenizer", "punctuation"}  # the blanks of ``segment`` decide what a token is
    if isinstance(settings.tokenizer, str) and settings.tokenizer.startswith(_DO_IT_THEMSELVES):
        ignored |= {"lowercase", "punctuation"}
    descriptions = []
    for name in ALL_SETTINGS:
        value = settings.value(name)
        if name in _PRESENTATION or name in ignored or value == other.value(name):
            continue
        if name == "definition" and not any(key.startswith(("rougeW", "rougeSU")) for key in settings.rouge_types):
            continue
        of_steps = [step_words(step)[0] for step in value] if name == "prepare" else None
        for words in of_steps or [_describe(name, value, settings)]:
            if words and words not in descriptions:
                descriptions.append(words)
    return tuple(descriptions)


def _describe(name: str, value: Any, settings: RougeSettings) -> str:
    if (name, value) in _WORDS:
        return _WORDS[name, value]
    if name == "tokenizer" and isinstance(value, str):
        return f"tokens: {TOKENIZERS[value].summary.split(': ')[-1]}"
    if name == "quirks":
        return "; ".join(QUIRKS[quirk].split(": ", 1)[1].rstrip(".") for quirk in value if _shows(quirk, settings))
    if name == "epsilon":
        return f"adds {value:g} to P + R in F".replace("e-0", "e-")
    if name == "max_characters" and value is not None:
        return f"cuts texts after {value} characters"
    if name == "beta" and settings.tool.alpha is None:
        return f"beta {value:g} in F"
    if name in ("alpha", "beta", "refuses", "stemmer", "limit_rule", "weights", "weight", "aggregate", "subword_model"):
        return ""  # alpha 0.5 gives the same F; the others do not move the scores of these texts
    return f"{name}={value!r}"


def _shows(quirk: str, settings: RougeSettings) -> bool:
    """Say whether a quirk can move the scores of these settings."""
    if quirk == "uncounted_bytes":
        return settings.max_bytes is not None
    if quirk.endswith("_choice"):
        return settings.multi_reference == "best_recall"
    return quirk != "powered_lcs" or settings.weight != 1
