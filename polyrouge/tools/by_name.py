"""What settings name: a stemmer, a list of stop words, a rule for lengths, how a text is prepared."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from polyrouge.settings.stages import TextRules
from polyrouge.texts.jieba_words import JiebaWords, MakeCutter, jieba_cutter
from polyrouge.texts.model_output import clean_model_output
from polyrouge.texts.tokenizers import composed

Prepare = Callable[[str], str]


@functools.lru_cache(maxsize=16)
def word_stemmer(name: str, tables: str | None = None) -> Callable[[str], str]:
    """The function from a token to its stem that ``stemmer`` names; ``tables`` is the folder of its tables."""
    if name == "rouge155":
        from polyrouge.tools.rouge155 import load_wordnet_exceptions, word_stemmer155

        return word_stemmer155(load_wordnet_exceptions(tables))
    if name == "py_rouge":
        from polyrouge.tools.py_rouge import py_rouge_stem

        return py_rouge_stem(tables)
    if name == "sacrerouge":
        from polyrouge.tools.sacrerouge import sacrerouge_stem

        return sacrerouge_stem(tables)
    if name == "sumeval":
        from polyrouge.tools.sumeval import sumeval_stem

        return sumeval_stem("en", tables)
    from polyrouge.tools.common import porter_stem

    return porter_stem()


@functools.lru_cache(maxsize=16)
def stop_list(name: str, tables: str | None = None) -> frozenset[str]:
    """The words of the list that ``stop_words`` names; ``tables`` is the folder that it is in."""
    if name == "rouge155":
        from polyrouge.tools.rouge155 import load_stop_words

        return load_stop_words(tables)
    from polyrouge.tools.sumeval import sumeval_stop_words

    return sumeval_stop_words(name.removeprefix("sumeval_"), tables)


def limit_text(sentences: Sequence[str], rules: TextRules) -> Sequence[str]:
    """The beginning of a text, as long as its limit allows by ``limit_rule``; the sentences, where there is none."""
    words, size, characters = rules.max_words, rules.max_bytes, rules.max_characters
    if words is size is characters is None:
        return sentences
    if rules.limit_rule == "py_rouge":
        from polyrouge.tools.py_rouge import limit_py_rouge

        return limit_py_rouge(sentences, words, characters)
    if rules.limit_rule == "sacrerouge":
        from polyrouge.tools.sacrerouge import limit_sacrerouge

        return limit_sacrerouge(sentences, words, characters)
    if rules.limit_rule == "sumeval":
        from polyrouge.tools.sumeval import limit_sumeval

        name = rules.tokenizer if isinstance(rules.tokenizer, str) else ""
        language = name.removeprefix("sumeval_") if name.startswith("sumeval_") else "en"
        return [limit_sumeval(sentence, language, words, characters) for sentence in sentences]
    from polyrouge.tools.rouge155 import limit_bytes, limit_characters, limit_words

    if words is not None:
        return limit_words(sentences, words)
    if size is not None:
        return limit_bytes(sentences, size)
    return sentences if characters is None else limit_characters(sentences, characters)


def clean_text(clean: str | None, text: str) -> str:
    """The text without what the setting ``clean`` leaves out."""
    if clean == "model_output":
        return clean_model_output(text)
    if clean == "opencompass":
        from polyrouge.tools.rouge_chinese import clean_as_opencompass

        return clean_as_opencompass(text)
    return text


def text_preparation(
    clean: str | None,
    segment: str | None,
    jieba_dict: JiebaWords = None,
    *,
    normalize: str | None = None,
    jieba_hmm: bool = True,
    make_cutter: MakeCutter = jieba_cutter,
) -> Prepare | None:
    """The function that prepares a text before it is cut, or None where nothing is done to it.

    With any form of ``normalize`` the text is brought to NFC first, so that all that follows is the same for texts
    that are canonically equivalent; NFKC comes later, for the tokens only.
    """
    steps: list[Prepare] = []
    if normalize is not None:
        steps.append(composed)
    if clean is not None:
        steps.append(functools.partial(clean_text, clean))
        if normalize is not None:  # what was taken out may have stood between a letter and its accent
            steps.append(composed)
    if segment is not None:
        steps.append(_segmentation(segment, lambda: make_cutter(jieba_dict, hmm=jieba_hmm, keep_blanks=True)))
    if len(steps) <= 1:
        return steps[0] if steps else None
    return lambda text: functools.reduce(lambda made, step: step(made), steps, text)


def _segmentation(segment: str, make_cutter: Callable[[], Callable[[str], list[str]]]) -> Prepare:
    """Put one blank between the words or characters of a text; by jieba, line breaks stay words of their own."""
    if segment == "char":
        return " ".join
    if segment == "char_without_blanks":
        return lambda text: " ".join(character for character in text if not character.isspace())
    cut = make_cutter()
    if segment == "jieba":
        return lambda text: " ".join(cut(text))
    return lambda text: " ".join(word for word in cut(text) if word != " ")
