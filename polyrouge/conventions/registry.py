"""The conventions by name: polyrouge's, rouge_score's, and those of other tools."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from polyrouge import registries
from polyrouge.conventions.common import Convention
from polyrouge.errors import Option, RefusedValue, folded, own_name, short_repr, shown_value, unknown_value
from polyrouge.inputs import column_rows
from polyrouge.registries import Registry
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.languages import LEAST_SHARE, shares_of_languages
from polyrouge.texts.tokenizers import TOKENIZERS

CONVENTIONS: Registry[Convention] = Registry(
    registries.CONVENTIONS, lambda module: {convention.name: convention for convention in module.CONVENTIONS}
)
"""Every convention by its name, polyrouge's first."""

# Other names of conventions, from their tools and users.
_OTHER_NAMES = {
    "zh_char": "zh cn zhcn chinese 中文 char character chinesechar",
    "zh_word": "zh cn zhcn chinese 中文 word jieba chineseword",
    "default": "en english multilingual",
    "rouge_score": "en english google rougescorer",
    "xlsum": "multilingual multilingualrouge multilingualrougescoring",
    "mbert_rouge": "multilingual",
    "ja_word": "ja japanese mecab",
    "ko_word": "mecab ko korean",
    "ko_mecab_rouge_score": "konlpy",
    "th_word": "th thai",
    "vi_word": "vi vietnamese",
    "korouge": "korougescore",
    "helm_xlsum": "helm bhasa",
    "super_ni": "naturalinstructions supernaturalinstructions",
    "super_ni_en": "naturalinstructions supernaturalinstructions tkinstruct",
    "evaluate_rouge": "evaluate huggingface hf rouge",  # evaluate.load("rouge"), and PyPI's rouge
    "pltrdy": "rouge pypirouge",
    "rouge_chinese": "rougeforchinese rougezh",
    # pyrouge is a wrapper of the script; py-rouge is another tool
    "rouge155": "rouge15 rouge155pl perl rougeperl pyrouge pyrouge155 files2rouge duc",
    "torchmetrics": "torchmetric",
    "coco": "pycocoevalcap caption",
    "lawrouge": "cail",
    "llama_factory": "llama",
    "chatglm": "chatglm2 chatglm6b",
    "opencompass_zh": "opencompass",
    "ms_swift": "swift",
    "evalscope": "evalscopegeneralqa generalqa",
    "promptcblue": "medbench",
    "crud_rag": "crudrag",
    "longbench_samsum": "samsum",
    "lveval": "lvevalzh lvevaloptrougeevaluator",
    "lm_eval_longbench": "lmeval lmevaluationharness",
    "lm_eval_longbench_zh": "lmeval lmevaluationharness",
    "t5_pegasus": "bert4keras clge",
    "lcsts": "mlrouge cnewsum",
}


def unknown_convention(name: object, names: Iterable[str] = CONVENTIONS) -> RefusedValue:
    """Make the error for a name that is not in ``names``, with the nearest name."""
    if isinstance(name, str) and name in TOKENIZERS:
        option = Option("tokenizer", name), " beside a convention."
        return RefusedValue(f"{name!r} is a tokenizer, no convention: give ", *option)
    return unknown_value(name, names, "convention", _OTHER_NAMES)


def override(convention: Convention, settings: RougeSettings, changes: Mapping[str, Any]) -> RougeSettings:
    """Call ``Convention.override``; refuse the name of a convention as a tokenizer."""
    tokenizer = changes.get("tokenizer")
    if isinstance(tokenizer, str) and tokenizer not in TOKENIZERS and tokenizer in CONVENTIONS:
        tokenizer_of_convention = CONVENTIONS[tokenizer].settings.tokenizer
        raise RefusedValue(
            f"{tokenizer!r} is a convention, no tokenizer: take the convention {tokenizer!r}, or its tokenizer, ",
            *(Option("tokenizer", tokenizer_of_convention), "."),
        )
    return convention.override(settings, changes)


def find_convention(name: str) -> Convention:
    """Return the convention of a name; the error for an unknown name suggests the nearest."""
    if not isinstance(name, str):
        raise TypeError(f"convention is {short_repr(name)}; give a name of polyrouge.CONVENTIONS, such as 'zh_char'.")
    matched_name = name if name in CONVENTIONS else own_name(name, CONVENTIONS)
    if matched_name is None or (matched_name != name and _means_another_tool(name)):
        raise unknown_convention(name)
    return CONVENTIONS[matched_name]


def _means_another_tool(name: str) -> bool:
    """Say whether a near miss of a convention's name is the name of another tool: pyrouge is not py-rouge."""
    return any(folded(name) in other_names.split() for other_names in _OTHER_NAMES.values())


class _Advice(NamedTuple):
    settings: tuple[str, ...]  # arguments for Rouge, the best first
    field: str  # tokens of papers and harnesses
    default: str  # tokens under "default"
    people: str = ""  # best agreement with people, measured in benchmarks/studies/HUMAN.md


_BY_CHARACTER = "characters"
_BY_CLUSTER = "characters with their marks"
_ADVICE = {
    "Chinese": _Advice(
        ("'zh_char'", "'zh_word'"),
        "characters in papers on summarization, jieba's words in evaluations of language models",
        _BY_CHARACTER,
        "characters agree better than words",
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
        "words agree better than character 4-grams in English, the other way round in Spanish",
    ),
}
_FOR_BLANKS = _Advice(("'default'",), "words between blanks, and has no convention of its own for it", "words")
_ADVICE["Cyrillic"] = _FOR_BLANKS._replace(
    settings=("'default'", "'default', tokenizer='char', rouge_types=['rouge4']"),
    people="character 4-grams, the second of these, agree better than words in Russian",
)
_ADVICE["Tibetan"] = _FOR_BLANKS._replace(field="no usage that many share", default="syllables")


@dataclass(frozen=True)
class Suggestion:
    """The recommended settings for one language of some texts; ``str`` makes a sentence of it.

    Attributes:
        language: in English; ``Latin``, ``Cyrillic`` and ``Greek`` stand for the languages of the script, ``Another
            script`` for unknown languages.
        share: of the letters of the texts, from 0 to 1.
        settings: arguments for ``Rouge``, as Python code, the best first.
        field: tokens of papers and harnesses.
        now: a token of this language under the given settings; empty if unknown.
        people: tokens that agree best with people's judgements (docs/which_rouge.md); empty if not measured.
    """

    language: str
    share: float
    settings: tuple[str, ...]
    field: str
    now: str
    people: str

    def __str__(self) -> str:
        calls = " or ".join(f"Rouge({arguments})" for arguments in self.settings)
        now = f" Now a token is: {self.now}." if self.now else ""
        people = f" With people, {self.people} (docs/which_rouge.md)." if self.people else ""
        return f"{self.language} ({self.share:.0%} of the letters): {calls}. The field uses {self.field}.{people}{now}"


def suggest(texts: Iterable[str] | str, settings: RougeSettings | None = None) -> tuple[Suggestion, ...]:
    """Say which convention the field uses for the languages of some texts, by their scripts.

    Args:
        texts: predictions or references; the first 200,000 characters count.
        settings: settings to describe for these languages; None: the default ones.

    Returns:
        A suggestion for each language with at least a twentieth of the letters, the largest first.

    Raises:
        TypeError: a value in ``texts`` is no text.
    """
    texts = [texts] if isinstance(texts, str) else column_rows(texts, "texts")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{index}] is {shown_value(text)}; each must be a string.")
    if settings is not None and not isinstance(settings, RougeSettings):
        raise TypeError(f"settings is {shown_value(settings)}; give RougeSettings, such as Rouge('zh_char').settings.")
    tokenizer = (RougeSettings() if settings is None else settings).tokenizer
    return tuple(
        Suggestion(language, share, advice.settings, advice.field, _now(tokenizer, language, advice), advice.people)
        for language, share in shares_of_languages(texts).items()
        if share >= LEAST_SHARE
        for advice in [_ADVICE.get(language, _FOR_BLANKS)]
    )


def _now(tokenizer: object, language: str, advice: _Advice) -> str:
    """Describe a token of a language under a tokenizer; "" for tokenizers without a description."""
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
        other_tokens = advice.default if has_blanks else "a whole clause, as only Chinese is cut"
        return {"Chinese": _BY_CHARACTER, "Japanese": "a kanji, or a run of kana"}.get(language, other_tokens)
    return ""
