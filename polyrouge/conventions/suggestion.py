"""Which convention the field uses for a language, and what settings do to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.languages import shares_of_languages

_LEAST_SHARE = 0.05  # of the letters


class _Advice(NamedTuple):
    settings: tuple[str, ...]  # arguments for Rouge, the best first
    field: str  # what papers and harnesses use
    default: str  # its tokens under "default"


_BY_CHARACTER = "characters"
_BY_CLUSTER = "characters with their marks"
_ADVICE = {
    "Chinese": _Advice(
        ("'zh_char'", "'zh_word'"),
        "characters in papers on summarization, jieba's words in evaluations of language models",
        _BY_CHARACTER,
    ),
    "Japanese": _Advice(("'ja_word'", "'stability_ja'"), "MeCab's words; XL-Sum's scorer does too", _BY_CHARACTER),
    "Korean": _Advice(
        ("'ko_word'", "'default', tokenizer='char'"),
        "morphemes of mecab-ko, or syllables",
        "words with their particles, so that 학교에 and 학교는 share nothing",
    ),
    "Thai": _Advice(("'th_word'",), "newmm's words (XL-Sum, HELM)", _BY_CLUSTER),
    "Lao": _Advice(("'default', tokenizer='lo_words'",), "no usage that many share", _BY_CLUSTER),
    "Khmer": _Advice(("'default', tokenizer='km_words'",), "no usage that many share", _BY_CLUSTER),
    "Burmese": _Advice(("'xlsum', tokenizer='xlsum_burmese'",), "syllables (XL-Sum)", _BY_CLUSTER),
    "Vietnamese": _Advice(("'vi_word'", "'default'"), "words of pyvi or VnCoreNLP, or syllables", "syllables"),
    "Arabic": _Advice(
        ("'default'", "'xlsum', tokenizer='xlsum_arabic', use_stemmer=True"),
        "words between blanks; XL-Sum's with stems (Arabic, not Persian or Urdu)",
        "words",
    ),
    "Hindi": _Advice(
        ("'default'", "'xlsum', tokenizer='xlsum_hindi', use_stemmer=True"),
        "words between blanks; XL-Sum's with stems",
        "words",
    ),
    "Latin": _Advice(
        ("'default'", "'rouge_score'"),
        "rouge_score's words, for English with stems; other languages lose their letters with accents there",
        "words",
    ),
}
_FOR_BLANKS = _Advice(("'default'",), "words between blanks, and has no convention of its own for it", "words")
_ADVICE["Tibetan"] = _FOR_BLANKS._replace(field="no usage that many share", default="syllables")


@dataclass(frozen=True)
class Suggestion:
    """What to score one language of some texts with; ``str`` makes a sentence of it.

    Attributes:
        language: in English; ``Latin``, ``Cyrillic`` and ``Greek`` stand for the languages of the script, ``Another
            script`` for those that are not known.
        share: of the letters of the texts, from 0 to 1.
        settings: arguments for ``Rouge``, as they are written in Python, the best first.
        field: what papers and harnesses use.
        now: what a token of this language is under the given settings; empty where that is not known.
    """

    language: str
    share: float
    settings: tuple[str, ...]
    field: str
    now: str

    def __str__(self) -> str:
        calls = " or ".join(f"Rouge({each})" for each in self.settings)
        now = f" Now a token is: {self.now}." if self.now else ""
        return f"{self.language} ({self.share:.0%} of the letters): {calls}. The field uses {self.field}.{now}"


def suggest(texts: Iterable[str] | str, settings: RougeSettings | None = None) -> tuple[Suggestion, ...]:
    """Say which convention the field uses for the languages of some texts, by their scripts.

    Args:
        texts: predictions or references; the first 200,000 characters are looked at.
        settings: whose effect on these languages is said; the default ones unless given.

    Returns:
        One for each language with at least a twentieth of the letters, the largest first.

    Raises:
        TypeError: something in ``texts`` is no text.
    """
    texts = [texts] if isinstance(texts, str) else list(texts)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{place}] is {text!r}; each must be a string.")
    tokenizer = (RougeSettings() if settings is None else settings).tokenizer
    return tuple(
        Suggestion(language, share, advice.settings, advice.field, _now(tokenizer, language, advice))
        for language, share in shares_of_languages(texts).items()
        if share >= _LEAST_SHARE
        for advice in [_ADVICE.get(language, _FOR_BLANKS)]
    )


def _now(tokenizer: object, language: str, advice: _Advice) -> str:
    """A token of a language under a tokenizer; empty for tokenizers that we can't describe."""
    has_blanks = advice.default not in (_BY_CHARACTER, _BY_CLUSTER)
    if tokenizer == "mixed":
        return advice.default
    if tokenizer == "char":
        return _BY_CHARACTER
    if tokenizer in ("ascii", "rouge155", "py_rouge", "sumeval_en"):
        return "a word of a to z" if language == "Latin" else "nothing: its letters are dropped"
    if tokenizer in ("space", "single_space", "pltrdy"):
        return advice.default if has_blanks else "a whole clause, as there are no blanks"
    if tokenizer == "zh_char":
        others = advice.default if has_blanks else "a whole clause, as only Chinese is cut"
        return {"Chinese": _BY_CHARACTER, "Japanese": "a kanji, or a run of kana"}.get(language, others)
    return ""
