"""Conventions for words of single languages: our own, and those of the scripts that papers and harnesses used."""

from __future__ import annotations

from polyrouge.conventions.convention import Convention
from polyrouge.settings.rouge_settings import RougeSettings

_WORDS = RougeSettings(sentence_split="auto")
_ROUGE_SCORE = RougeSettings(tokenizer="ascii", normalize=None)
# rouge_score with a tokenizer of the script's own, which takes the place of all that it does to a text.
_OWN_TOKENS = _ROUGE_SCORE.replace(lowercase=False, punctuation="keep")
_THREE_TYPES = ("rouge1", "rouge2", "rougeL")

LANGUAGE_CONVENTIONS = (
    Convention(
        "ja_word",
        _WORDS.replace(tokenizer="ja_mecab"),
        "our own, Japanese words (MeCab, unidic-lite): lower-cased, punctuation dropped",
    ),
    Convention(
        "ko_word",
        _WORDS.replace(tokenizer="ko_mecab"),
        "our own, Korean morphemes (mecab-ko): lower-cased, punctuation dropped",
    ),
    Convention(
        "th_word",
        _WORDS.replace(tokenizer="th_newmm"),
        "our own, Thai words (newmm of pythainlp): lower-cased, punctuation dropped",
    ),
    Convention(
        "vi_word",
        _WORDS.replace(tokenizer="vi_words"),
        "our own, Vietnamese words (pyvi): lower-cased, punctuation dropped",
    ),
)
"""Our own, beside those for Chinese."""

LANGUAGE_TOOL_CONVENTIONS = (
    Convention(
        "stability_ja",
        _OWN_TOKENS.replace(rouge_types=("rouge2",), tokenizer="stability_ja", scale=100.0),
        "Stability-AI's lm-evaluation-harness, Japanese tasks (MeCab, rouge_score 0.1.2); "
        "its number is aggregate='bootstrap_median'",
        used_by="xlsum_ja and wikilingua_ja; SakanaAI's evolutionary-model-merge",
        unusual="rouge2 only; emoji left out, neologdn changes characters; marks are words, case is kept",
    ),
    Convention(
        "sacrebleu_ja",
        _OWN_TOKENS.replace(tokenizer="sacrebleu_ja-mecab"),
        "scripts that give rouge_score sacreBLEU's ja-mecab tokenizer (MeCab, ipadic)",
        used_by="Japanese summarization scripts",
        unusual="marks are words, case is kept",
    ),
    Convention(
        "korouge",
        _OWN_TOKENS.replace(tokenizer="korouge", lowercase=True),
        "korouge_score 0.1.4",
        used_by="Korean summarization models on the Hub",
        unusual="words between blanks with their particles and marks; a blank at an end is a word that matches",
    ),
    Convention(
        "ko_mecab_rouge_score",
        _OWN_TOKENS.replace(rouge_types=_THREE_TYPES, tokenizer="ko_mecab_morphs"),
        "scripts that give rouge_score the morphemes of mecab-ko (KoNLPy's Mecab)",
        used_by="Korean competitions and theses; multi_reference='mean' where three references are averaged",
        unusual="marks are words, case is kept",
    ),
    Convention(
        "helm_xlsum",
        _ROUGE_SCORE.replace(
            rouge_types=("rougeL",),
            tokenizer="xlsum_other",
            lowercase=False,
            punctuation="keep",
            use_stemmer=True,
            stemmer="xlsum",
        ),
        "HELM's Bhasa summarization, a copy of XL-Sum's scorer; tokenizer='helm_thai' for Thai",
        used_by="HELM (BHASA, SEA-HELM)",
        unusual="English stems in every language; the best reference counts",
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
        "Super-NaturalInstructions evaluation, cross-lingual track (GPT-2's subwords, rouge_score)",
        used_by="Tk-Instruct and models on Super-NaturalInstructions",
        unusual="tokens are pieces of UTF-8 bytes in most scripts, so that texts of one script share many",
    ),
    Convention(
        "super_ni_en",
        _ROUGE_SCORE.replace(
            rouge_types=("rougeL",), use_stemmer=True, scale=100.0, round_result=4, aggregate="running_mean"
        ),
        "Super-NaturalInstructions evaluation, English track (rouge_score with stemmer)",
        used_by="Tk-Instruct and models on Super-NaturalInstructions",
        unusual="the mean is rounded to 4 digits",
    ),
    Convention(
        "mbert_rouge",
        _OWN_TOKENS.replace(
            rouge_types=_THREE_TYPES,
            tokenizer="subwords",
            subword_model="google-bert/bert-base-multilingual-uncased",
        ),
        "multilingual-rouge (KaiQiangSong) and Multilingual-Rouge-Scorer: subwords of a multilingual BERT",
        used_by="papers on cross-lingual summarization",
        unusual="accents are dropped, Chinese by character, other scripts by subword; marks are words",
    ),
)
"""Those of other people's scripts."""
