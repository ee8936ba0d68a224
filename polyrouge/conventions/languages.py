"""polyrouge's conventions for single languages, by words of segmenters."""

from polyrouge.conventions.own import own_convention

CONVENTIONS = (
    own_convention("ja_word", "ja_mecab", "auto", "Japanese words (MeCab, unidic-lite)", "Japanese"),
    own_convention("ko_word", "ko_mecab", "auto", "Korean morphemes (mecab-ko)", "Korean"),
    own_convention("th_word", "th_newmm", "auto", "Thai words (newmm of pythainlp)", "Thai"),
    own_convention("vi_word", "vi_words", "auto", "Vietnamese words (pyvi)", "Vietnamese"),
)
