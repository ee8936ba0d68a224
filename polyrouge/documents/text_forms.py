"""Notes on texts in another form than the tokenizer is for: with markup, pulled apart, in another language."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from polyrouge.documents.document import DocumentReader, rules_by_side
from polyrouge.documents.input_notes import BEGINNING, Sample, added_step, shortened, with_step
from polyrouge.errors import Note, Option
from polyrouge.settings.rules import SNOWBALL_LANGUAGES, TextRules, uses_jieba
from polyrouge.texts.languages import language_of_stems, may_be_for_another_stemmer
from polyrouge.texts.markdown import first_markdown, may_have_markdown
from polyrouge.texts.markup import first_mark, has_spaced_han, has_spaced_letters, may_have_markup
from polyrouge.texts.model_output import has_thoughts, has_turns
from polyrouge.texts.preparation import SIDES, preparation, steps_of
from polyrouge.texts.sentences import SENTENCE_SPLITS

_SHARE_OF_BLANKS = 0.25  # in texts of which some may be pulled apart; English has 0.17
_MOST_BLANKS = 2  # in a few characters


def chat_turns(sample: Sample) -> Note | None:
    """Note the marks of a chat template in a text."""
    if not has_turns(sample.joined_first_texts):
        return None
    for side, text in sample.first_texts:
        if has_turns(text) and not _leaves_answers(sample.rules, side):
            return Note(
                f"{shortened(text)!r}, and perhaps other texts, holds marks of a chat template, which are scored as "
                "words, and so is a prompt between them. ",
                *(added_step("model_output", sample.rules), " keeps only the model's answer."),
                kind="chat_turns",
                text=repr(shortened(text)),
            )
    return None


def markup(sample: Sample) -> Note | None:
    """Note marks of a file or a tokenizer in a text: tags, special tokens, entities, subwords."""
    rules = sample.rules
    if "markup" in rules.prepare or not may_have_markup(sample.joined_first_texts):
        return None
    if any(
        (has_turns(text) or (side == 0 and has_thoughts(text))) and not _leaves_answers(rules, side)
        for side, text in sample.first_texts
    ):  # another note says so
        rules = rules._replace(prepare=with_step("model_output", rules.prepare))
    separator = rules.sentence_split
    prepare = with_step("markup", rules.prepare)
    steps = _steps(prepare[: prepare.index("markup")])  # later ones may take a mark apart
    readers_of = cache(partial(_readers_of_marks, rules))
    for side, text in sample.first_texts:
        if not may_have_markup(text):
            continue
        prepared = steps[side](text)
        if isinstance(separator, str) and separator not in SENTENCE_SPLITS:  # a mark that is no text
            prepared = prepared.replace(separator, "\n")
        mark = first_mark(prepared)
        if mark is None or (mark[0] == "\\" and prepared.startswith("{")):  # an object of JSON, which is noted
            continue
        if _has_marks_as_tokens(text, readers_of(side)):
            return Note(
                f"{shortened(text)!r}, and perhaps other texts, holds marks such as {mark!r}, which are scored as "
                "words. ",
                *(
                    added_step("markup", rules),
                    " takes out tags and special tokens, decodes entities and escapes, joins ",
                ),
                "subwords, and breaks lines at marks of sentences.",
                kind="markup",
                text=repr(shortened(text)),
                mark=repr(mark),
            )
    return None


def _leaves_answers(rules: TextRules, side: int) -> bool:
    """Say whether the texts of a side are prepared by ``"model_output"``."""
    return "model_output" in steps_of(rules.prepare, SIDES[side])


def markdown(sample: Sample) -> Note | None:
    """Note Markdown on one side whose marks are tokens, or cut words."""
    rules = sample.rules
    if any(step.endswith("markup") for step in rules.prepare):
        return None
    joined = sample.joined_first_texts
    if "\n" not in joined and not may_have_markdown(joined):
        return None
    marked: list[list[str]] = [[], []]  # texts of predictions, and of references
    for side, text in sample.first_texts:
        if first_markdown(text) is not None:
            marked[side].append(text)
    if all(marked) or not any(marked):
        return None
    side = 0 if marked[0] else 1
    readers = _readers_of_marks(rules, side)
    text = next((text for text in marked[side] if _has_marks_as_tokens(text, readers)), None)
    if text is None:
        return None
    sides = ("predictions", "references")
    return Note(
        f"The {sides[side]} hold Markdown, such as {first_markdown(text)!r} in {shortened(text)!r}, and the "
        f"{sides[1 - side]} none: its marks count as tokens, or cut words. ",
        *(added_step("markup", rules), " takes them out."),
        kind="markdown",
        text=repr(shortened(text)),
        mark=repr(first_markdown(text)),
    )


def _readers_of_marks(rules: TextRules, side: int) -> list[DocumentReader]:
    """Make the readers of the texts of a side as they are scored, and without their marks.

    Functions of a user are not called: they may refuse a text that they were not given.
    """
    if callable(rules.tokenizer):
        rules = rules._replace(tokenizer=str.split)
    if callable(rules.sentence_split):
        rules = rules._replace(sentence_split="newline")
    return [
        DocumentReader(rules_by_side(rules_of)[side], make_cutter=_characters)
        for rules_of in (rules, rules._replace(prepare=with_step("markup", rules.prepare)))
    ]


def _has_marks_as_tokens(text: str, readers: list[DocumentReader]) -> bool:
    """Say whether the marks of a text are tokens, or cut words."""
    as_scored, without_marks = (reader.read(text).tokens for reader in readers)
    return as_scored != without_marks


def _characters(*_: object, keep_blanks: bool = False, **__: object) -> Callable[[str], list[str]]:
    """Stand in for jieba, which takes seconds to load: a mark is a token there or not, whatever the words are."""
    return list if keep_blanks else lambda text: list("".join(text.split()))


def letters_apart(sample: Sample) -> Note | None:
    """Note that nearly all words of a text are single letters."""
    for prepare, text in _first_pair(sample):
        if _has_many_blanks(text) and has_spaced_letters(prepare(text)):
            return Note(
                f"The words of {shortened(text)!r}, and perhaps of other texts, are single letters, so any two texts "
                "of the language have most of their words in common. Was a text joined as if it were a list, by "
                "' '.join(text) or '\\n'.join(text)? Give the text itself.",
                kind="letters_apart",
                text=repr(shortened(text)),
            )
    return None


def spaced_han(sample: Sample) -> Note | None:
    """Note that a tokenizer of Chinese words reads a text with a blank between all characters."""
    rules = sample.rules
    if "spaced_han" in rules.prepare or not _cuts_chinese_words(rules):
        return None
    for prepare, text in _first_pair(sample):
        if _has_many_blanks(text) and has_spaced_han(prepare(text)):
            return Note(
                f"{shortened(text)!r}, and perhaps other texts, has a blank between its Chinese characters, as "
                "BertTokenizer writes them, so no word of two characters is found. ",
                *(added_step("spaced_han", rules), " takes the blanks out."),
                kind="spaced_han",
                text=repr(shortened(text)),
            )
    return None


def english_stems(sample: Sample) -> Note | None:
    """Note that an English stemmer is applied to another language."""
    rules = sample.rules
    if not _stems_english(rules):
        return None
    text = " ".join([text for _, text in _first_pair(sample)])
    language = language_of_stems(text) if may_be_for_another_stemmer(text) else None
    if language is None:
        return None
    does = "leaves its words as they are" if language in ("arabic", "russian") else "cuts its words by English rules"
    return Note(
        f"The texts look {language.capitalize()}, and ",
        *(Option("use_stemmer", True), f" stems English: it {does}. "),
        *(Option("tool", {"stemmer": language}), " stems the language (by NLTK's Snowball)."),
        kind="english_stems",
        language=language.capitalize(),
        stemmer=language,
    )


def may_be_foreign(rules: TextRules) -> Callable[[str, str, str], bool]:
    """Return the function that says quickly whether any of these notes may apply to a few pairs.

    It takes the first prediction, the first reference, and all texts in one.
    """
    has_marks, has_chats = ("markup" not in rules.prepare), ("model_output" not in rules.prepare)
    stems_english = _stems_english(rules)

    def may_be(prediction: str, reference: str, joined: str) -> bool:
        if has_marks and (may_have_markup(joined) or any(map(may_have_markdown, (prediction, reference, joined)))):
            return True
        if has_chats and has_turns(joined):
            return True
        prediction, reference = prediction[:BEGINNING], reference[:BEGINNING]
        if _has_many_blanks(prediction) or _has_many_blanks(reference):
            return True
        return stems_english and may_be_for_another_stemmer(f"{prediction} {reference}")

    return may_be


def _cuts_chinese_words(rules: TextRules) -> bool:
    is_of_words = str(rules.tokenizer).startswith("zh_") and rules.tokenizer != "zh_char"
    return uses_jieba(rules) or is_of_words


def _stems_english(rules: TextRules) -> bool:
    of_languages = ("xlsum", *(language for language in SNOWBALL_LANGUAGES if language != "english"))
    return rules.use_stemmer and rules.stemmer not in of_languages


def _first_pair(sample: Sample) -> list[tuple[Callable[[str], str], str]]:
    """Return the beginnings of the first prediction and its first reference, each with the steps of its side."""
    for chunk in sample.chunks[:1]:
        texts = (*chunk.predictions[:1], *(row[0] for row in chunk.references[:1] if row))
        return [(prepare, text[:BEGINNING]) for prepare, text in zip(_steps(sample.rules.prepare), texts, strict=False)]
    return []


def _steps(prepare: Sequence[str]) -> list[Callable[[str], str]]:
    """Return the functions that apply the steps of predictions and of references."""
    return [preparation(steps_of(prepare, side)) for side in SIDES]


def _has_many_blanks(text: str) -> bool:
    """Say quickly whether letters of a text may be pulled apart."""
    n_blanks = text.count(" ") + text.count("\n") if text.isascii() else len(text.split()) - 1
    return n_blanks > max(_MOST_BLANKS, _SHARE_OF_BLANKS * len(text))
