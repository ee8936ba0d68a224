"""Text to tokens: case tables per tokenizer, jieba held to jieba, stems and limits to their models.

In the tables the expected tokens are written in one string, with a blank between each two.
"""

import re
import sys
import threading
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from amounts import examples_in_ci
from hypothesis import given
from hypothesis import strategies as st
from language_packages import by_need, usable_tokenizers
from rouge_score.tokenizers import DefaultTokenizer

from polyrouge import TOKENIZERS, Rouge, RougeSettings, TokenizerOptions, register_tokenizer
from polyrouge.conventions import sumeval, xlsum
from polyrouge.documents.document import Document, DocumentReader
from polyrouge.documents.input_notes import InputNotes
from polyrouge.texts.tokenizers import build_tokenizer
from polyrouge.texts.word_segmenters import SegmenterPool

GENERAL = [name for name in usable_tokenizers() if TOKENIZERS[name].is_general]


@cache
def reader(**values) -> DocumentReader:
    settings = RougeSettings(**{"rouge_types": ("rouge1",), **values})
    return DocumentReader(settings.text_rules, InputNotes(settings.text_rules))


def tokens(text: str, **values) -> list[str]:
    """The tokens that are counted under these settings: of the text as it stands, unless a normal form is asked for."""
    return reader(**{"normalize": None, **values}).read(text).tokens


def document(text: str, **values) -> Document:
    """The same with sentences."""
    return reader(rouge_types=("rougeLsum",), **values).read(text)


def split(expected: str) -> list[str]:
    return expected.split(" ") if expected else []


# mixed and zh_char: runs of letters, marks and digits; Han characters single

BOTH = [
    ("", ""),
    ("The Quick, BROWN fox! 2024-01-02 12:30 a\tb\r\nc", "the quick brown fox 2024 01 02 12 30 a b c"),
    ("a\0b", "a b"),
    ("snake_case __x__ state-of-the-art C++ c# AT&T", "snake case x state of the art c c at t"),
    (" \t\n\u3000\xa0", ""),
    ("。，！… ?!. — 今天天气很好。", "今 天 天 气 很 好"),
    ("iPhone15Pro Max发布会在9月12日举行 GPT4模型v2", "iphone15pro max 发 布 会 在 9 月 12 日 举 行 gpt4 模 型 v2"),
    ("涨幅3.14%至51.45美元 Python3.11.7发布", "涨 幅 3 14 至 51 45 美 元 python3 11 7 发 布"),
    ("￥100万元 $5 €7 ＡＢＣ１２３ 你好　世界", "100 万 元 5 7 ａｂｃ１２３ 你 好 世 界"),
    ("你好\xa0world\u202fis 你\u200b好 ab\u200bcd", "你 好 world is 你 好 ab cd"),
    ("E\u0301tude nin\u0303o Étude niño 葛\U000e0100城", "e\u0301tude nin\u0303o étude niño 葛\U000e0100 城"),
    ("㐂㐀 𠮷野家 﨑\uf900 二〇二四年 人々 臺灣 軟體", "㐂 㐀 𠮷 野 家 﨑 \uf900 二 〇 二 四 年 人 々 臺 灣 軟 體"),
    ("STRASSE Straße İstanbul ΟΔΟΣ Привет, мир!", "strasse straße i\u0307stanbul οδο\u03c2 привет мир"),
    ("हिन्दी भाषा सुंदर है। २०२४ में اللغة العربية، جميلة؟", "हिन्दी भाषा सुंदर है २०२४ में اللغة العربية جميلة"),
    ("مُحَمَّد ٢٠٢٤ עִבְרִית 한국어 문장입니다.", "مُحَمَّد ٢٠٢٤ עִבְרִית 한국어 문장입니다"),
    ("\u1112\u1161\u11ab\u1100\u116e\u11a8 한국어漢字", "\u1112\u1161\u11ab\u1100\u116e\u11a8 한국어 漢 字"),
    ("አማርኛ፡ቃል བོད་ཡིག x² 5m³ Ⅷ 今天👍🎉开心😀 ❤\ufe0f love ☀\ufe0f", "አማርኛ ቃል བོད ཡིག x² 5m³ ⅷ 今 天 开 心 love"),
    ("a👨\u200d👩\u200d👧b 1\ufe0f\u20e3 🇨🇳加油 don't can’t John's", "a b 1\ufe0f\u20e3 加 油 don t can t john s"),
    ("见https://example.com/a?b=1 <t>你好</t>", "见 https example com a b 1 t 你 好 t"),
    ("「你好」，“World”！", "你 好 world"),
    # Joiners and Armenian marks are part of a word that goes on behind them.
    ("ප්\u200dරධාන ප්\u200dරශ්නය", "ප්\u200dරධාන ප්\u200dරශ්නය"),
    ("র\u200d্যাব می\u200cروم می\u200c روم \u200cمی\u200d.", "র\u200d্যাব می\u200cروم می روم می"),
    ("a\u200c\u200d\u0301b\u200c今\u200d天\u200d\ufe0f 8\u200dx", "a\u200c\u200d\u0301b 今 天\u200d\ufe0f 8\u200dx"),
    ("Ինչպե՞ս ես։ Տե՛ս, գնա՛ վա՜յ ՞", "ինչպե՞ս ես տե՛ս գնա վա՜յ"),
    ("Kʼicheʼ здоровʼя людини ʼa xˇyˉzˊvˋ", "kʼicheʼ здоровʼя людини ʼa xˇyˉzˊvˋ"),
]

MIXED = [
    ("東京タワーへ行きました。 ｶﾀｶﾅ ﾊﾟｰ Tシャツ", "東 京 タ ワ ー へ 行 き ま し た ｶ ﾀ ｶ ﾅ ﾊ ﾟ ｰ t シ ャ ツ"),
    ("か\u3099き ㄅㄆ ภาษาไทย ที่นี่ น\u0e49\u0e33", "か\u3099 き ㄅ ㄆ ภ า ษ า ไ ท ย ที่ นี่ น\u0e49 \u0e33"),
    ("๒๕๖๗ปี ລາວ \u1781\u17d2\u1798\u17c2\u179a", "๒๕๖๗ ปี ລ າ ວ \u1781\u17d2 \u1798\u17c2 \u179a"),
    ("\u1019\u103c\u1014\u103a\u1019\u102c ꆈꌠ", "\u1019\u103c \u1014\u103a \u1019\u102c ꆈ ꌠ"),
    ("ㄅㄚˇ ㄇㄚˋㄇㄚ", "ㄅ ㄚ ˇ ㄇ ㄚ ˋ ㄇ ㄚ"),
    ("\u1794\u17c9\u200c\u17b6\u200cក", "\u1794\u17c9\u200c\u17b6 ក"),
]

ZH_CHAR = [
    ("東京タワーへ行きました。 ｶﾀｶﾅ ﾊﾟｰ Tシャツ", "東 京 タワーへ 行 きました ｶﾀｶﾅ ﾊﾟｰ tシャツ"),
    ("か\u3099き ภาษาไทย ที่นี่ ລາວ", "か\u3099き ภาษาไทย ที่นี่ ລາວ"),
    ("\u1781\u17d2\u1798\u17c2\u179a", "\u1781\u17d2\u1798\u17c2\u179a"),
]

KEPT = [
    ("a_b a+b=(c)!", "a _ b a + b = ( c ) !"),
    ("a\0.", "a ."),
    ("「你好」，world！ 涨3.14% don't can’t", "「 你 好 」 ， world ！ 涨 3 . 14 % don ' t can ’ t"),
    ("他说……好... 。，！  a\t.\u3000。\xa0 你\u200b好", "他 说 … … 好 . . . 。 ， ！ a . 。 你 好"),
    ("今天👍🎉 🇨🇳 👨\u200d👩\u200d👧", "今 天 👍 🎉 🇨 🇳 👨 👩 👧"),
    ("a\u200d\u0301b \u200d\u0301 c\u200d! Ինչպե՞ս գնա՛ ՞", "a\u200d\u0301b \u0301 c ! ինչպե՞ս գնա ՛ ՞"),
]


def counts_of(engine: str, texts: list[str], **values) -> list:
    """Counts of each text against itself, against the next one, and against both in one."""
    references = [[text, other, f"{text} {other}"] for text, other in zip(texts, [*texts[1:], "a"], strict=True)]
    rouge = Rouge(engine=engine, rouge_types=["rouge1", "rouge2", "rougeL"], **values)
    return rouge.count(texts, references).counts.tolist()


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("punctuation", ["drop", "keep"])
@pytest.mark.parametrize("tokenizer", by_need(GENERAL))
def test_engines_cut_the_same_tokens(tokenizer, punctuation):
    texts = [text for text, _ in [*BOTH, *MIXED, *KEPT] if "\0" not in text]
    texts += [text.upper() for text in LANGUAGES]
    texts += ["\0", "a \0 b", "\0\0"] if tokenizer in ("char", "space") else []
    values = {"tokenizer": tokenizer, "punctuation": punctuation}
    assert counts_of("plain", texts, **values) == counts_of("compiled", texts, **values)


@pytest.mark.parametrize("tokenizer", ["mixed", "zh_char", "ascii"])
@given(text=st.text(st.characters(max_codepoint=127), max_size=80), lowercase=st.booleans())
@examples_in_ci(200)
def test_ascii_text_is_cut_as_rouge_score_cuts_it(tokenizer, text, lowercase):
    expected = re.findall("[a-z0-9]+", text.lower()) if lowercase else re.findall("[A-Za-z0-9]+", text)
    assert tokens(text, tokenizer=tokenizer, lowercase=lowercase) == expected


@given(st.text(st.characters(max_codepoint=127), max_size=80))
@examples_in_ci(200)
def test_kept_punctuation_of_ascii_text_does_not_depend_on_its_neighbours(text):
    found = tokens(text, tokenizer="mixed", punctuation="keep")
    assert [*found, "é"] == tokens(f"{text} é", tokenizer="mixed", punctuation="keep")


# The other tokenizers


ASCII = [("今天天气 iPhone15发布GPT-4 Café İstanbul 5\u212a x² a\xa0b", "iphone15 gpt 4 caf i stanbul 5k x a b")]


CHAR = [
    ("", ""),
    ("Ab-1 a_b", "a b 1 a b"),
    (" \t\r\n\u3000\xa0\u2028", ""),
    ("今天，好。 コーヒー 𠮷野 e\u0301t ที่", "今 天 好 コ ー ヒ ー 𠮷 野 e \u0301 t \u0e17 \u0e35 \u0e48"),
    ("हिन्दी 今👍🎉天 🇨🇳加 你\u200b好 ＡＢ１", "\u0939 \u093f \u0928 \u094d \u0926 \u0940 今 天 加 你 好 ａ ｂ １"),
]


CHAR_KEPT = [
    ("Ab-1 it's 3.14% a\0b", "a b - 1 i t ' s 3 . 1 4 % a \0 b"),
    (" a\t\r\n\u3000\xa0\u2028b 今天，好。 ❤\ufe0f 🇨🇳 你\u200b好", "a b 今 天 ， 好 。 ❤ \ufe0f 🇨 🇳 你 \u200b 好"),
]


JIEBA_KEPT = [
    *((" \t\r\n\u3000\xa0", ""), ("北京 \u3000大学\r\n清华", "北京 大学 清华"), ("5 %", "5 %")),
    ("AT&T公司与C++。", "AT&T 公司 与 C++ 。"),
    ("你\u200b好👍🎉", "你 \u200b 好 👍 🎉"),
]

JIEBA = [
    ("我来到北京。", "我 来到 北京"),
    ("涨幅3.14%至51.45美元！", "涨幅 3.14% 至 51.45 美元"),
    ("V1.2.3", "v1.2 3"),
    ("AT&T公司与C++的T恤", "at&t 公司 与 c++ 的 t恤"),
    ("……！", ""),
    ("北京👍", "北京"),
]


SPACE = [
    ("", ""),
    ("Hello, world! - 3.14%", "hello, world! 3.14%"),
    ("a  b\tc\u3000d\xa0e\r\n f 今天 天气 很 好 。 ... 。 — “ ”", "a b c d e f 今天 天气 很 好"),
    ("你\u200b好 ok 👍 👍ok", "你\u200b好 ok 👍ok"),
]


# What is behind the words of UAX #29, which test_unicode_words.py holds to uniseg's
UNICODE = [
    ("don't U.S.A. 'quoted' 12:30 snake_case", "don't u.s.a quoted 12 30 snake_case"),
    ("コーヒーを 涨3.14%", "コーヒー を 涨 3.14"),
]
UNICODE_KEPT = [
    ("a👨\u200d👩\u200d👧b ❤\ufe0f!", "a 👨\u200d👩\u200d👧 b ❤\ufe0f !"),
    ("「你」，a.b. -", "「 你 」 ， a.b . -"),
]
NFKC = [
    ("ＡＢＣ１２３ ｶﾞｷﾞ ﬁne ① e\u0301tude ㎏ Ⅷ ℡ \uf900 x²", "abc123 ガ ギ fine 1 étude kg viii tel 豈 x2"),
    ("３．１４％", "3 14"),
]

# Stop words are compared after lower-casing and before stemming.
STEMS_AND_STOP_WORDS = [
    ({"use_stemmer": True}, "running flies agreement was its his gas", "run fli agreement was its his gas"),
    ({"use_stemmer": True}, "今天 кошками naïves cats cat dogs", "今 天 кошками naïves cat cat dog"),
    ({"use_stemmer": True, "lowercase": False}, "Running running", "Run run"),
    ({"stop_words": ("the",)}, "The THE the", ""),
    ({"stop_words": ("The",)}, "The THE the", "the the the"),
    ({"stop_words": ("The",), "lowercase": False}, "The THE the", "THE the"),
    ({"stop_words": ("running",), "use_stemmer": True}, "running runs run", "run run"),
    ({"stop_words": ("run",), "use_stemmer": True}, "running runs run", "run run"),
    ({"stop_words": ("的",), "tokenizer": "zh_char"}, "我的书", "我 书"),
    ({"stop_words": ("的",), "tokenizer": "jieba"}, "我的书", "我 书"),
    ({"stop_words": ("的", "，"), "tokenizer": "char", "punctuation": "keep"}, "我，的", "我"),
    # A limit comes before lower-casing and NFKC: three bytes each, one after NFKC; two bytes, three in lower case.
    ({"max_bytes": 3, "normalize": "nfkc"}, "ＡＢ", "a"),
    ({"max_bytes": 3, "normalize": "nfkc"}, "ﬁﬁ", "fi"),
    ({"max_bytes": 2, "tokenizer": "char"}, "İİ", "i \u0307"),
]
TABLES = [
    *(({"tokenizer": name}, BOTH) for name in ("mixed", "zh_char")),
    *(({"tokenizer": name, "punctuation": "keep"}, KEPT) for name in ("mixed", "zh_char")),
    ({"tokenizer": "mixed"}, MIXED),
    ({"tokenizer": "zh_char"}, ZH_CHAR),
    *(({"tokenizer": "ascii", "punctuation": each}, ASCII) for each in ("drop", "keep")),
    ({"tokenizer": "char"}, CHAR),
    ({"tokenizer": "char", "punctuation": "keep"}, CHAR_KEPT),
    ({"tokenizer": "jieba"}, JIEBA),
    (
        {"tokenizer": "jieba", "lowercase": False, "punctuation": "keep"},
        JIEBA_KEPT,
    ),
    ({"tokenizer": "space"}, SPACE),
    ({"tokenizer": "space", "punctuation": "keep"}, [("Hello , world ! 。 👍", "hello , world ! 。 👍")]),
    ({"tokenizer": "unicode"}, UNICODE),
    ({"tokenizer": "unicode", "punctuation": "keep"}, UNICODE_KEPT),
    ({"tokenizer": "jieba", "jieba_hmm": False}, [("他来到了网易杭研大厦", "他 来到 了 网易 杭 研 大厦")]),
    ({"normalize": "nfkc"}, NFKC),
    ({"normalize": "nfkc", "lowercase": False}, [("Ⅷ ＡＢ", "VIII AB")]),
    *((values, [case]) for values, *case in STEMS_AND_STOP_WORDS),
]


@pytest.mark.parametrize(
    ("values", "text", "expected"),
    [
        pytest.param(values, text, split(expected), id="-".join(map(str, [*values.values(), number])))
        for values, table in TABLES
        for number, (text, expected) in enumerate(table)
    ],
)
def test_tokens(values, text, expected):
    assert tokens(text, **values) == expected


# Any language

LANGUAGES = (
    "ሰላም ለዓለም ሁሉ|السلام عليكم يا عالم|Բարեւ աշխարհ|ওহে বিশ্ব|你好，世界！今天天气很好。|你好，世界！今天天氣很好。|"
    "Příliš žluťoučký kůň|Hello world, how are you?|L'été dernier, à la plage|გამარჯობა მსოფლიო|"
    "Übergrößen für Straßenbahnen|Γειά σου Κόσμε|שלום עולם|नमस्ते दुनिया|こんにちは世界、カタカナ|ನಮಸ್ಕಾರ ಜಗತ್ತು|"
    "សួស្តី​ពិភពលោក|안녕하세요 세계|ສະບາຍດີຊາວໂລກ|ഹലോ വേൾഡ്|Сайн байна уу, дэлхий|မင်္ဂလာပါကမ္ဘာလောက|سلام دنیای من|"
    "Привет, мир!|හෙලෝ වර්ල්ඩ්|வணக்கம் உலகம்|హలో వరల్డ్|สวัสดีชาวโลก|བཀྲ་ཤིས་བདེ་ལེགས།|Merhaba dünya, İstanbul|"
    "українська мова|ہیلو دنیا|Xin chào thế giới"
).split("|")


@pytest.mark.parametrize("tokenizer", by_need(name for name in GENERAL if not TOKENIZERS[name].drops_letters))
def test_every_tokenizer_finds_tokens_in_every_language(tokenizer):
    for text in LANGUAGES:
        letters = "".join(tokens(text, tokenizer=tokenizer)).replace("_", "")  # pyvi joins syllables by underscores
        assert letters
        assert letters == "".join(character for character in text.lower() if character in letters)


# Segmenters, and tokenizers of users


def test_a_segmenter_outlives_its_threads():
    """MeCab never gives back its dictionary's memory: each call in a new thread took 250 MB more."""
    both_cut = threading.Barrier(2)
    n_made = 0

    def make():
        nonlocal n_made
        n_made += 1
        return lambda text: both_cut.wait(60) is not None and text.split()

    pool = SegmenterPool(make)
    for _ in range(5):
        with ThreadPoolExecutor(2) as threads:
            assert list(threads.map(pool, ["a b", "c"])) == [["a", "b"], ["c"]]
    assert n_made == 2


def test_a_registered_tokenizer_is_given_the_options():
    seen = []

    @register_tokenizer("by_comma", "cut at commas", version="3")
    def build_by_comma(options: TokenizerOptions):
        seen.append(options)
        return lambda text: text.split(",")

    assert tokens("A b,C", tokenizer="by_comma") == ["a b", "c"]
    assert tokens("A b,C", tokenizer="by_comma", lowercase=False, punctuation="keep") == ["A b", "C"]
    assert seen == [TokenizerOptions(keep_punctuation=False), TokenizerOptions(keep_punctuation=True)]
    TOKENIZERS.pop("by_comma")


LIBRARIES = {
    "mixed": "regex",
    "unicode": "uniseg.wordbreak",
    "sumeval_ja": "janome",
    "xlsum_thai": "pythainlp",
    "xlsum_japanese": "fugashi",
    "xlsum_turkish": "TurkishStemmer",
    "xlsum_bangla": "bengali_stemmer",
}


@pytest.mark.parametrize(("tokenizer", "module"), LIBRARIES.items())
def test_missing_library_is_named(tokenizer, module, monkeypatch):
    for cached in (xlsum._thai_cutter, xlsum._japanese_cutter, xlsum._load):
        cached.cache_clear()
    monkeypatch.setattr(sumeval, "janome_cutter", sumeval.janome_cutter.__wrapped__)
    for name in (module, f"{module}.tokenize", f"{module}.tokenizer", f"{module}.rafikamal2014"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "polyrouge.texts.unicode_words", raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"'{tokenizer}' needs {module}.*: pip install"):
        build_tokenizer(tokenizer, TokenizerOptions(use_stemmer=True))


def test_missing_library_of_a_registered_tokenizer_names_the_package():
    @register_tokenizer("needy", "", version="1")
    def build(_options):
        import no_such_module  # type: ignore[reportMissingImports]

        return no_such_module.cut

    with pytest.raises(ModuleNotFoundError, match="'needy' needs no_such_module: pip install no_such_module"):
        Rouge(tokenizer="needy").compute(["a"], ["a"])
    TOKENIZERS.pop("needy")


# Callables


def test_callable_gets_the_text_in_lower_case_or_as_it_is():
    texts = []
    cut = {"tokenizer": lambda text: texts.append(text) or text.split()}
    assert tokens("The CAT ，", **cut) == ["the", "cat"]
    assert tokens("The CAT ，", **cut, punctuation="keep") == ["the", "cat", "，"]
    assert tokens("The ＣＡＴ", **cut, lowercase=False, normalize="nfkc") == ["The", "CAT"]
    assert texts == ["the cat ，", "the cat ，", "The CAT"]


def test_callable_may_return_any_sequence_of_strings():
    for container in (list, tuple, iter, np.array):
        assert tokens("a b", tokenizer=lambda text, container=container: container(text.split())) == ["a", "b"]


class WordPieces:
    """As a tokenizer of Hugging Face: called, it gives a mapping; its method gives tokens."""

    def __call__(self, _text):
        return UserDict({"input_ids": [1, 2], "attention_mask": [1, 1]})

    def tokenize(self, text):
        return text.split()


def test_an_object_with_tokenize_stands_for_its_method():
    pieces = WordPieces()
    assert tokens("a b", tokenizer=pieces) == ["a", "b"]
    assert RougeSettings(tokenizer=pieces) == RougeSettings(tokenizer=pieces.tokenize)


RESULTS = ["a text", None, b"a text", {"input_ids": [1]}, WordPieces()("a"), 5, ["fine", 5], ["fine", None], [["a"]]]


@pytest.mark.parametrize("result", RESULTS, ids=repr)
def test_callable_that_returns_no_strings_is_refused(result):
    """Two texts of any words scored 1.0, by the keys of the mapping."""
    for punctuation in ("drop", "keep"):
        rouge = Rouge(tokenizer=lambda _text: result, punctuation=punctuation)
        with pytest.raises(TypeError, match=r"^The tokenizer gave .* for 'a text'; "):
            rouge.compute(["a text"], ["other words"])


# Punctuation


def test_token_with_a_letter_mark_or_digit_is_kept():
    for token in ["a", "1", "今", "é", "\u0301", "²", "½", "Ⅷ", "٣", "ー", "a!", "!1", "don't", "-1-", "ﬁ"]:
        assert tokens("x", tokenizer=lambda _text, token=token: [token]) == [token]
    for token in ["", " ", ".", "...", "。", "“”", "_", "$", "€", "+", "👍", "🇨🇳", "\u200b", "\0", "℃", "©"]:
        cut = {"tokenizer": lambda _text, token=token: [token, "x"]}
        assert tokens("x", **cut) == ["x"], token
        assert tokens("x", **cut, punctuation="keep") == [token, "x"], token


# Stems and stop words

WORD_PARTS = st.tuples(
    st.sampled_from(
        "run agree fly happi cat gener oper nation hop relat argu tri sk news y po fall communic 3".split()
    ),
    st.sampled_from(
        "|s|es|ed|ing|ly|ment|ness|ational|ization|fulness|y|ies|ied|able|er|ssion|eed|ical|e|ee".split("|")
    ),
).map("".join)
ENGLISH = st.lists(st.one_of(WORD_PARTS, WORD_PARTS.map(str.upper), st.text("abceilnsty", max_size=8)), max_size=12)
ANY_TEXT = st.one_of(
    ENGLISH.map(" ".join),
    ENGLISH.map("-".join),
    st.text(st.characters(max_codepoint=127), max_size=40),
    st.text(st.one_of(st.sampled_from("aeiousing ÉéßİK中'-"), st.characters(exclude_categories=("Cs",))), max_size=40),
)


@pytest.mark.parametrize("use_stemmer", [True, False], ids=["stems", "words"])
@given(text=ANY_TEXT)
@examples_in_ci(400)
def test_ascii_tokens_are_those_of_rouge_score(use_stemmer, text):
    assert tokens(text, tokenizer="ascii", use_stemmer=use_stemmer) == DefaultTokenizer(use_stemmer).tokenize(text)


# Length limits, as ROUGE-1.5.5 counts (-l and -b)


MAX_WORDS = [
    ("a b c d", 2, [["a", "b"]]),
    ("a b\nc d\ne f", 4, [["a", "b"], ["c", "d"]]),
    ("  a b c", 2, [["a"]]),  # leading blanks are one word
    ("a b\n c d\n", 3, [["a", "b"], []]),
    ("a b  \nc d", 3, [["a", "b"], ["c"]]),  # trailing blanks are none
    ("   \na b c", 2, [[], ["a", "b"]]),  # a sentence of blanks has no word
    ("a-b c d", 2, [["a", "b", "c"]]),
    ("a \t\v\f\r b c", 2, [["a", "b"]]),
    ("a\u3000b c\xa0d e", 2, [["a", "b", "c", "d"]]),  # other blanks are within a word
    ("今天天气 很好", 1, [["今", "天", "天", "气"]]),
]
MAX_BYTES = [
    ("abc def", 5, [["abc", "d"]]),
    ("ab\ncd\nef", 3, [["ab"], ["c"]]),  # a line break is not counted
    ("ab\ncd\nef", 4, [["ab"], ["cd"]]),
    ("今天天气", 6, [["今", "天"]]),
    ("今天天气", 8, [["今", "天"]]),  # in the middle of a character
    ("今天天气", 9, [["今", "天", "天"]]),
    ("a𠮷b", 4, [["a"]]),
    ("a\n今", 2, [["a"], []]),
]


@pytest.mark.parametrize(("name", "table"), [("max_words", MAX_WORDS), ("max_bytes", MAX_BYTES)])
def test_limits(name, table):
    for text, limit, sentences in table:
        cut = document(text, **{name: limit})
        assert cut.sentences == sentences, (text, limit)
        # the same tokens where no type asks for sentences
        assert cut.tokens == tokens(text, **{name: limit}) == sum(sentences, []), (text, limit)  # noqa: RUF017


@pytest.mark.parametrize("tokenizer", [name for name in GENERAL if TOKENIZERS[name].takes_pieces])
def test_limited_tokens_are_those_of_the_limited_text(tokenizer):
    text, rest = "One-two three\nfour, five ", "六七八\nnine"
    assert tokens(text + rest, max_words=4, tokenizer=tokenizer) == tokens(text.strip(), tokenizer=tokenizer)
    # 13 bytes, then 12 and the first character of six seven eight
    assert tokens(text + rest, max_bytes=29, tokenizer=tokenizer) == tokens(f"{text}六", tokenizer=tokenizer)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_words_with_capitals_are_cut_before_they_are_lower_cased(engine):
    rouge = Rouge("zh_word", rouge_types=["rouge1"], engine=engine)

    assert rouge.compute(["A股大涨"], ["港股大涨"]) == {"rouge1": 0.5}  # A股 | 大涨
