"""Cutting a text into sentences: case tables per splitter, what holds for any text, what is refused."""

import re

import pytest
import strategies
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st

from polyrouge import Rouge
from polyrouge.errors import RefusedValue
from polyrouge.texts.sentences import (
    SENTENCE_SPLITS,
    better_split,
    may_have_sentences,
    pieces_at_marks,
    sentence_splitter,
)


def cut(text: str, sentence_split) -> list[str]:
    return list(sentence_splitter(sentence_split)(text))


NEWLINE = [
    ("\n\n\n", []),
    ("One. Two! 三。四！", ["One. Two! 三。四！"]),
    (" one \n\n\n\ttwo\n", [" one ", "\ttwo"]),
    ("one\n \ntwo", ["one", " ", "two"]),
    ("one\r\ntwo", ["one\r", "two"]),
    ("a\rb\vc\fd\x1ce\x85f\u2028g\u2029h", ["a\rb\vc\fd\x1ce\x85f\u2028g\u2029h"]),
]


ZH = (
    "今天天气很好 // 第一句。¦第二句。 // 一。¦二！¦三？¦四；¦五…¦六 // 一｡¦二 // 一，二、三：四 // "
    "真的？！¦是……¦对。。。 // 他说：“今天很好。”¦我同意。 // 「好！」¦他说『「对。」』¦。 // "
    "（好。）¦《书！》¦【完。】¦是 // \"好。\"¦是('好！')¦对[好。]¦完 // 好。¦“是” // 。¦一 // 。！？ // "
    "One. Two! Three? 3.14; a //  一。¦ 二  // 行きました。¦はい！"
)
ZH_LINES = [
    ("一\n二。三\n\n四。\n", ["一", "二。", "三", "四。"]),
    ("一。\n二", ["一。", "二"]),
    ("一\n。二", ["一", "。", "二"]),
]


AUTO = (
    "hello world // Hello world.¦ How are you?¦ Fine! // What?!¦ No...¦ Yes!! // "
    'He said "stop."¦ Then he left. // He said “stop.”¦ Then he left. // (He left.)¦ [She did.]¦ Yes. // '
    "one.two?three!four // One.¦\tTwo.¦\u00a0Three.¦\u3000Four. // one; two: three, four // "
    "第一句。¦第二句！¦他说：“好。”¦第三句？ // 你好。¦Hello there.¦ 再见！¦Bye! // 行きました。¦はい！ // "
    "كيف حالك؟¦ أنا بخير.¦ شكرا // یہ ایک جملہ ہے۔¦ یہ دوسرا ہے۔ // यह एक है।¦ यह दो है॥¦ तीन // "
    "Բարեւ։¦ Աշխարհ։ // ሰላም።¦ ዓለም። // Привет.¦ Как дела?¦ Хорошо! // Γειά σου.¦ Κόσμε! // "
    "Well…¦ He left…¦ 好……¦是 // 他见到Dr. Smith了 // 布什是George W. Bush // It was 1999.¦ Then 2000. // "
    "The colonist.¦ A monologue vs. me. // In the U.S.?¦ Yes."
)
AUTO_LINES = [
    ("", []),
    (" \t\u3000", []),
    ("One. Two.\nThree! Four", ["One. Two.", "Three! Four"]),
    ("一。二。\n三", ["一。", "二。", "三"]),
    ("标题\n句。句。", ["标题", "句。", "句。"]),
    ("\n\nOne. Two.\n", ["One.", "Two."]),
    ("「寒い。」\nと言った。", ["「寒い。」", "と言った。"]),
]


NOT_CUT = """Dr. Smith is here|Mr. and Mrs. Jones|Prof. Li, Ms. Wu, St. Paul|Gen. Lee met Lt. Col. Grant|U.S. troops
Sammy Davis Jr. sang|the U.S.A. team|J. K. Rowling|J.K. Rowling|George W. Bush|pi is 3.14 or so|version 3.11.7 of it
e.g. this|i.e. that|at 5 p.m. today|cats vs. dogs|Fig. 5 and No. 7|on Jan. 5 and Sept. 6|see example.com for it
wait...what|Yahoo!Japan|А. С. Пушкин|É. Zola|E\u0301. Zola|Ö. Öztürk|Ś. Kowalski|Am 3. Oktober|Der 1. FC Köln
1. FC Köln|den 3. oktober|Ludwig XIV. von Frankreich|z. B. hier|Äpfel usw. kosten viel|5 тыс. руб. за кг|и т. д. у нас
د. محمد|डॉ. सिंह|ড. ইউনূস|la Sra. García|TP. HCM|PGS. TS. Nguyễn|Jl. Sudirman|prof. dr. Novak|p. ej. esto|m. in. tamto
κ. Παπαδόπουλος|жил в г. Москва|в с. Ясное"""


@pytest.mark.parametrize("text", re.split(r"[|\n]", NOT_CUT))
def test_auto_does_not_cut(text):
    assert cut(text, "auto") == [text]
    assert cut(f"He said so. {text}. She left.", "auto") == ["He said so.", f" {text}.", " She left."]


NONE = [("", []), ("One.\n二。三！\n", ["One.\n二。三！\n"]), (" ", [" "])]


SEPARATED = [
    ("<q>", "a<q>b<q>c", ["a", "b", "c"]),
    ("<q>", "<q>a<q><q>b<q>", ["a", "b"]),
    ("<q>", "<q>", []),
    ("<q>", "a <Q> b\nb.c。d", ["a <Q> b\nb.c。d"]),
    (".", "a.b*c", ["a", "b*c"]),
    ("\n\n", "a\n\nb\nc", ["a", "b\nc"]),
    (" none ", "a none b", ["a", "b"]),  # a name with blanks is none
]


SCRIPTS = (
    "यह है।¦वह है।¦ अब // श्लोक॥¦ अगला // ہے۔¦وہ ہے۔ // هل؟¦نعم.¦ لا // قال: «نعم.»¦ ثم ذهب. // "
    "ဟုတ်။¦မဟုတ်ပါ။”¦ဟု // នេះ។¦នោះ។ // ផ្លែ។ល។ និង // ነው።¦አይደለም። // "
    '"갔다."라고 했다.¦  “네?” 라며 웃었다.¦ "가."¦ 라면 끝. // 갔다.¦그리고 왔어요!¦정말?¦ 3.14. // '
    "서울.부산 // すごい!¦そう?¦はい // 「寒い。」と言った。¦次。 // 「寒い。」¦そう言った。 // "
    "（笑。）の後。¦終わり // “冷。”¦他说。 // ฝนตก แดดออก"
)
# Closing quotes that elsewhere open; question marks of other scripts, in both forms of the Greek one; Thai full stops.
QUOTES_AND_MARKS = (
    "„Ich gehe nach Hause.“¦ Er blieb stehen. // »Jeg går.«¦ Han blev. // ‚Ja!‘¦ Nein. // Er ging.¦ “Hallo.” // "
    "Πού είναι;¦ Δεν ξέρω. // Τι κάνεις\u037e¦ Καλά. // «Τι;»¦ Τίποτα. // parameters α; β // a; b; c // "
    "ነው፧¦አዎ። // ཡིན། །¦བོད།¦ཡིག // ᠮᠣᠩᠭᠣᠯ᠃¦ ᠮᠣᠩᠭᠣᠯ // ᱥᱟᱱ᱾¦ ᱥᱟᱱ // "
    "เมื่อ พ.ศ. 2567 ดร. สมชาย มา // จริงหรือ?¦ ใช่! // ທ. ບຸນ"
)
# Full stops that end no sentence beside those that do.
FULL_STOPS = (
    "Das war usw.¦ Dann ging er. // In 2024.¦ Then he left. // He was 12.¦ Then he left. // I am 12.¦ My cat is 9. // "
    "they won 2-1.¦ he left // carter died aged 87.¦ he was old // 5 руб.¦ Потом // Это я.¦ Он пришёл. // "
    "Это было в 2020 г.¦ Потом ушёл // "
    "It's.¦ 5 left // a b c.¦ d e f. // Это тыс. руб. за кг и т. д. у нас. // World War II.¦ Then peace. // ظهرًا.¦ ثم"
)


def marked(texts: str) -> list[tuple[str, list[str]]]:
    """Texts with // between, in which a bar stands where they are cut."""
    return [(text.replace("¦", ""), text.split("¦")) for text in texts.split(" // ")]


TABLES = {
    "newline": NEWLINE,
    "none": NONE,
    "zh": [*marked(ZH), *ZH_LINES],
    "auto": [*marked(AUTO), *marked(SCRIPTS), *marked(QUOTES_AND_MARKS), *marked(FULL_STOPS)],
}


@pytest.mark.parametrize(
    ("name", "text", "sentences"), [(name, *case) for name, table in TABLES.items() for case in table]
)
def test_sentences(name, text, sentences):
    assert cut(text, name) == sentences


@pytest.mark.parametrize(("text", "sentences"), AUTO_LINES)
def test_sentences_and_lines(text, sentences):
    assert [sentence.strip() for sentence in cut(text, "auto")] == sentences


@pytest.mark.parametrize(("separator", "text", "expected"), SEPARATED)
def test_separator(separator, text, expected):
    assert cut(text, separator) == expected


# What holds for any text

PIECES = '今天 很好 。 ！ ？ ； … ｡ ， ” 」 ) Dr. U.S. one Two . ! ? ... 3.14 e.g. J. ؟ । <q> " a.'.split()
SENTENCE_TEXT = st.one_of(
    strategies.texts, st.lists(st.sampled_from([*PIECES, "\n", "\r", " ", "\u3000"]), max_size=20).map("".join)
)


@pytest.mark.parametrize("name", [name for name in SENTENCE_SPLITS if name != "token"])  # whose tokens may be empty
@given(text=SENTENCE_TEXT)
@example(text="")
@example(text="。\n。")
@example(text=". .")
@examples_in_ci(200)
def test_no_sentence_is_empty_and_no_character_is_lost(name, text):
    sentences = cut(text, name)
    assert all(sentences)
    joined = "".join(sentences)
    if name == "auto":
        assert "".join(joined.split()) == "".join(text.split())
        assert not any(map(str.isspace, sentences))
    else:
        breaks = {"none": "", "newline": "\n", "zh": "\n\r\u2028\u2029"}[name]
        assert joined == "".join(character for character in text if character not in breaks)


@given(SENTENCE_TEXT)
@example("。!。")
@examples_in_ci(200)
def test_zh_cuts_behind_every_mark(text):
    for sentence in cut(text, "zh"):
        assert re.fullmatch(r"[^。｡！？；…⋯]*([。｡！？；…⋯][。｡！？；…⋯!?;]*[^。｡！？；…⋯\w\s]*)?", sentence), sentence
        assert not re.search(r"[㐀-鿿][!?;]+[\"'”’)]*[ \u3000]*[㐀-鿿]", sentence), sentence


ENDS = ["!", "?", ";", "!!", "?!", '!"', "?”)", "! ", "；", "⋯⋯", "\r", "\u2028", "\u2029", "。〞", "……」"]
ENDS += ["？!", "！?！", "？!”", "!＂", "。＇", "!］", "?｣"]


@pytest.mark.parametrize("name", ["zh", "auto"])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("tokenizer", ["zh_char", "jieba"])
def test_ends_between_han(tokenizer, engine, name):
    rouge = Rouge(tokenizer=tokenizer, sentence_split=name, rouge_types=["rougeLsum"], engine=engine)
    for end in ENDS:
        text = f"央行降息{end}股市大涨"
        assert [sentence.strip() for sentence in cut(text, name)] == [f"央行降息{end}".strip(), "股市大涨"]
        assert rouge.compute([text], [f"股市大涨{end}央行降息"]) == {"rougeLsum": 1.0}, end


@pytest.mark.parametrize("text", ["史蒂夫.乔布斯", "A!股", "股!A", "股!", "!股", "3;5", "股，!股", "股!“股", "价格?-5"])
def test_half_width_marks_elsewhere_do_not_end_a_chinese_sentence(text):
    assert cut(text, "zh") == [text]
    assert cut(text, "auto") == [text]


# What is refused


def test_misspelt_name_is_no_separator():
    for value in ("newlines", "zhh", "chinese", "punkt", "no", "q", "_", "5", "句", ""):
        with pytest.raises(RefusedValue) as raised:
            sentence_splitter(value)
        assert raised.value.field == "sentence_split"


def test_callable_must_return_strings_and_may_return_an_iterator():
    rouge = Rouge(rouge_types=["rougeLsum"])
    for result in ("a b", None, 5, [5], [None], [b"a"]):
        with pytest.raises((TypeError, ValueError), match="sentence_split"):
            rouge.compute(["a b"], ["a b"], sentence_split=lambda _text, result=result: result)
    by_comma = {"sentence_split": lambda text: iter(text.split(","))}
    assert rouge.compute(["a,b"], ["a,c"], **by_comma) == {"rougeLsum": 0.5}


@examples_in_ci(300)
@given(st.lists(st.text(st.sampled_from("ab甲乙 \n.。!！?？;；…”)")), max_size=5))
def test_texts_that_can_not_be_cut_as_one_can_not_be_cut_each(texts):
    can_be_cut = [text for text in texts if better_split(text, "none") is not None]
    assert may_have_sentences("".join(texts)) or can_be_cut == []


@given(text=st.text(alphabet="다.!?가か好。」とa \n។ល।؟"))
@example("។؟. a")  # a mark ends a piece only once what stands before it is cut off
@example("۔۔។ល។好")
@examples_in_ci(300)
def test_pieces_of_a_text_are_those_of_its_sentences(text):
    whole = pieces_at_marks(text)
    for name in ("newline", "zh", "auto"):
        found = [piece for sentence in cut(text, name) for piece in pieces_at_marks(sentence)]
        assert "".join("".join(found).split()) == "".join("".join(whole).split())
        # Blanks at the ends of a piece are no token to any segmenter.
        assert [piece.strip() for piece in found if piece.strip()] == [
            piece.strip() for piece in whole if piece.strip()
        ], name
