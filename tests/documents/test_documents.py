"""From text to tokens and sentences, and the two warnings about scores that were probably not meant."""

import warnings
from functools import cache

import pytest
import strategies
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st
from language_packages import by_need, usable_tokenizers

from polyrouge import TOKENIZERS, Rouge, RougeSettings, RougeWarning, ToolRules
from polyrouge.documents.document import Document, DocumentReader, document_readers
from polyrouge.documents.input_notes import InputNotes
from polyrouge.texts.sentences import SENTENCE_SPLITS

# Those of other tools do with marks, blanks and separators what the tool does.
GENERAL = [name for name in usable_tokenizers() if TOKENIZERS[name].is_general]
CUTTING = [name for name in GENERAL if TOKENIZERS[name].cuts_at_sentences]
LETTERS, BREAKS = "drops", "sentence break"  # a word of each warning
each_engine = pytest.mark.parametrize("engine", ["plain", "compiled"])


@cache
def reader(**values) -> DocumentReader:
    settings = RougeSettings(**values)
    return DocumentReader(settings.text_rules, InputNotes(settings.text_rules))


def read(text: str, **values) -> Document:
    return reader(**{"rouge_types": ("rougeLsum",), **values}).read(text)


def whole(text: str, **values) -> list[str]:
    """The tokens of the text where no sentence is asked for."""
    return reader(**{"rouge_types": ("rouge1",), **values}).read(text).tokens


def flat(sentences: list[list[str]]) -> list[str]:
    return [token for sentence in sentences for token in sentence]


# Words, numbers and marks next to every kind of sentence end; a text of them holds several sentences.
WORDS = (
    "今天 天气 硕士毕业于 3.14 12% v1.2 .5 5 one Two ΟΔΟΣ İK ภาษาไทย हिन्दी 한국어 العربية 東京タワーへ 𠮷 ｶﾞ AT&T c++"
)
MARKS = "。 ！ ？ ； … ｡ ， ” ’ 」 ) . ! ? ... - % + # _ ؟ । Dr. U.S. 👍 \u0301 \u0e35 \u200d \ufe0f \u3099"
ENDS = [" ", "\n", "\n\n", "\r\n", "\t", "\u3000", "\xa0", "\u2028", "。\n", ". ", "? ", "! "]
pieces = st.sampled_from([*WORDS.split(" "), *MARKS.split(" "), *ENDS])
sentence_texts = st.one_of(st.lists(pieces, max_size=16).map("".join), strategies.texts)


def test_flagged_tokenizers():
    assert [name for name in CUTTING if not TOKENIZERS[name].exact_libraries] == (
        ["mixed", "ascii", "zh_char", "char", "jieba"]
    )


@pytest.mark.parametrize("tokenizer", by_need(CUTTING))
@given(text=sentence_texts, punctuation=st.sampled_from(["drop", "keep"]), lowercase=st.booleans())
@example(text="", punctuation="keep", lowercase=True)
@example(text="\n\n", punctuation="keep", lowercase=True)
@example(text="一。\u0301二", punctuation="keep", lowercase=True)
@example(text="ΑΣ. Β", punctuation="keep", lowercase=True)
@example(text="王小二。去了\n杭研大厦3.14！5", punctuation="keep", lowercase=True)
def test_sentences_hold_the_tokens_of_the_text(tokenizer, text, punctuation, lowercase):
    values = {"tokenizer": tokenizer, "punctuation": punctuation, "lowercase": lowercase}
    expected = whole(text, **values)
    for split in SENTENCE_SPLITS:
        found = read(text, sentence_split=split, **values)
        assert flat(found.sentences) == found.tokens == expected, split


@pytest.mark.parametrize("tokenizer", by_need(CUTTING))
@given(text=sentence_texts)
def test_sentences_hold_the_tokens_of_the_text_under_nfkc(tokenizer, text):
    values = {"tokenizer": tokenizer, "normalize": "nfkc"}
    expected = whole(text, **values)
    for split in SENTENCE_SPLITS:
        found = read(text, sentence_split=split, **values)
        assert found.tokens == expected, split
        # of … NFKC makes three dots, and the tokens beside those may depend on what is on their other side
        assert "…" in text or flat(found.sentences) == found.tokens, split


@pytest.mark.parametrize("split", ["zh", "auto"])
@pytest.mark.parametrize(
    ("tokenizer", "punctuation", "text"),
    [
        pytest.param("jieba", "keep", "3….5", id="dots"),
        pytest.param("mixed", "drop", "ΟΔΟΣ…ΟΔΟΣ", id="final-sigma"),
    ],
)
def test_ellipsis_under_nfkc_does_not_make_tokens_depend_on_sentences(split, tokenizer, punctuation, text):
    values = {"tokenizer": tokenizer, "normalize": "nfkc", "punctuation": punctuation}
    assert read(text, sentence_split=split, **values).tokens == whole(text, **values)


@pytest.mark.parametrize("tokenizer", ["space", "unicode", str.split])
@given(text=sentence_texts)
def test_asking_for_sentences_leaves_the_tokens_of_the_text(tokenizer, text):
    expected = whole(text, tokenizer=tokenizer)
    for split in SENTENCE_SPLITS:
        assert read(text, sentence_split=split, tokenizer=tokenizer).tokens == expected, split


def test_token_across_a_sentence_mark_stays_whole_in_the_text():
    found = read("一。二 a", sentence_split="zh", tokenizer="space")
    assert found.tokens == ["一。二", "a"]
    assert found.sentences == [["一。"], ["二", "a"]]


@pytest.mark.parametrize(
    ("text", "split", "sentences"),
    [
        pytest.param("The cat.\nA dog", "newline", [["the", "cat"], ["a", "dog"]], id="newline"),
        pytest.param("一。二！\n三", "zh", [["一"], ["二"], ["三"]], id="zh"),
        pytest.param("Dr. Li came. 好。Yes", "auto", [["dr", "li", "came"], ["好"], ["yes"]], id="auto"),
        pytest.param("一。二！\n三", "none", [["一", "二", "三"]], id="none"),
        pytest.param("a<q>b c<q><q>d", "<q>", [["a"], ["b", "c"], ["d"]], id="separator"),
        pytest.param("a,b c", lambda text: text.split(","), [["a"], ["b", "c"]], id="callable"),
        pytest.param("a\n...\nb", "newline", [["a"], [], ["b"]], id="sentence-without-tokens"),
        pytest.param("", "newline", [], id="empty"),
        pytest.param("\n", "newline", [], id="line-break"),
    ],
)
def test_sentences(text, split, sentences):
    found = read(text, sentence_split=split)
    assert found.sentences == sentences
    assert found.tokens == flat(sentences)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"rouge_types": ("rougeLsum",)}, True),
        ({"rouge_types": ("rougeW",)}, True),
        ({"rouge_types": ("rougeL",), "tool": ToolRules(lcs="union")}, True),
        ({"rouge_types": ("rouge1", "rougeL", "rougeSU4")}, False),
    ],
    ids=["rougeLsum", "rougeW", "union", "others"],
)
def test_sentences_are_cut_where_a_type_asks_for_them(values, wanted):
    assert read("a b\nc", **values).sentences == ([["a", "b"], ["c"]] if wanted else [["a", "b", "c"]])


def test_sentences_from_a_callable_are_told_from_the_text():
    # the callable drops the second line: it is in no sentence, but in the text
    found = read("a b\nc", sentence_split=lambda text: text.split("\n")[:1])
    assert found.sentences == [["a", "b"]]
    assert found.tokens == ["a", "b", "c"]


# Separators


@pytest.mark.parametrize("types", [("rouge1",), ("rougeLsum",)], ids=["rouge1", "rougeLsum"])
@pytest.mark.parametrize("tokenizer", [*by_need(GENERAL), str.split])
@pytest.mark.parametrize("separator", ["<q>", " [SEP] ", "||", "。", "q.q"])
def test_separator_is_in_no_token(separator, tokenizer, types):
    values = {"tokenizer": tokenizer, "sentence_split": separator, "punctuation": "keep", "lowercase": False}
    text = separator.join(["one two", "three", "", "four five"])
    found = read(text, rouge_types=types, **values)
    assert found.tokens == whole("one two\nthree\nfour five", **{**values, "sentence_split": "none"})
    assert found.sentences == [whole(part, **values) for part in ("one two", "three", "four five")]


def test_separators_and_limits_hold_where_a_tool_has_sentences_of_its_own():
    values = {"tokenizer": "xlsum_english", "punctuation": "keep", "lowercase": False}

    assert whole("one two<q>three", sentence_split="<q>", **values) == ["one", "two", "three"]
    assert whole("one two\nthree four", max_words=3, **values) == ["one", "two", "three"]


@given(st.lists(st.text("ab 今，\n", max_size=5), max_size=4), st.sampled_from(["<q>", "##", "\u2028", "é!"]))
@examples_in_ci(200)
def test_separator_keeps_tokens_apart(parts, separator):
    values = {"sentence_split": separator, "tokenizer": "unicode", "punctuation": "keep"}
    found = whole(separator.join(parts), **values)
    assert found == whole("\n".join(filter(None, parts)), tokenizer="unicode", punctuation="keep")


# Letters that a tokenizer drops


def no_tokens(_text: str) -> list[str]:
    return []


def only_marks(text: str) -> list[str]:
    return [character for character in text if not character.isalnum()]


LOSSES = [
    pytest.param("ascii", "今天天气", True, id="chinese-by-ascii"),
    pytest.param("ascii", "Привет, мир", True, id="russian-by-ascii"),
    pytest.param("ascii", "今天天气 ok", True, id="two-letters-of-six"),
    pytest.param("ascii", "今天 a", True, id="one-letter-of-three"),
    pytest.param("ascii", "今天GPT4发布了3.14", True, id="three-letters-of-eight"),
    pytest.param("ascii", "今天 ok", False, id="half-of-the-letters"),
    pytest.param("ascii", "Café crème", False, id="accents"),
    pytest.param("ascii", "hello world", False, id="ascii-by-ascii"),
    pytest.param("ascii", "", False, id="empty"),
    pytest.param("mixed", "今天天气", False, id="chinese-by-mixed"),
    pytest.param("zh_char", "Привет", False, id="russian-by-zh_char"),
    pytest.param("space", "今天，天气", False, id="chinese-by-space"),
    pytest.param(no_tokens, "今天", True, id="chinese-by-a-callable"),
    pytest.param(no_tokens, "the cat", True, id="english-by-a-callable"),
    pytest.param(only_marks, "今天！", True, id="only-marks-are-left"),
]


def recorded(rouge: Rouge, *texts, method: str = "compute", **values) -> list[warnings.WarningMessage]:
    """The warnings of one call, all of our category."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(rouge, method)(*texts, **values)
    assert all(warning.category is RougeWarning for warning in caught)
    return caught


@pytest.mark.parametrize(("tokenizer", "text", "warns"), LOSSES)
@pytest.mark.parametrize("side", ["prediction", "reference"])
@each_engine
def test_warning_of_lost_letters(tokenizer, text, warns, side, engine):
    rouge = Rouge(tokenizer=tokenizer, rouge_types=["rouge1"], engine=engine)
    others = ""  # says nothing itself
    texts = ([text], [others]) if side == "prediction" else ([others], [[others, text]])
    caught = recorded(rouge, *texts)
    assert len(caught) == warns
    for warning in caught:
        message = str(warning.message)
        assert text in message
        assert "'mixed'" in message
        assert ("drops most letters of" if tokenizer == "ascii" else "drops all letters of") in message
        assert warning.filename == __file__


@pytest.mark.parametrize(
    ("tokenizer", "text", "helps"),
    [
        pytest.param("mixed", "😀😀", "punctuation='keep'", id="emoji"),
        pytest.param("mixed", "。！ \n", "punctuation='keep'", id="marks"),
        pytest.param("zh_word", "……", "punctuation='keep'", id="marks-by-jieba"),
        pytest.param("space", "- -", "punctuation='keep'", id="marks-by-space"),
        pytest.param("mixed", "\ue000", "punctuation='keep'", id="private-use"),
        pytest.param("mixed", "\u200b\u200d", "no visible character", id="invisible"),
        pytest.param("ascii", "１２３ ٣", "tokenizer='mixed' knows", id="digits-by-ascii"),
        pytest.param("ascii", "。！👍", "tokenizer='mixed' with punctuation='keep'", id="marks-by-ascii"),
        pytest.param(no_tokens, "1, 2.", "tokenizer='mixed' knows", id="digits-by-a-callable"),
    ],
)
@pytest.mark.parametrize("side", ["prediction", "reference"])
@each_engine
def test_warning_of_a_text_without_a_token(tokenizer, text, helps, side, engine):
    rouge = Rouge(tokenizer="jieba" if tokenizer == "zh_word" else tokenizer, rouge_types=["rouge1"], engine=engine)
    texts = ([text], [""]) if side == "prediction" else ([""], [["", text]])
    (caught,) = recorded(rouge, *texts)
    assert f"leaves no token of {text!r}" in str(caught.message)
    assert helps in str(caught.message)
    assert caught.filename == __file__


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000"], ids=repr)
@each_engine
def test_blank_text_is_no_loss(text, engine):
    assert recorded(Rouge(rouge_types=["rouge1"], engine=engine), [text, "a"], ["a", text]) == []


def test_what_the_warning_recommends_keeps_emoji_and_marks():
    for text in ("😀😀", "……", "\ue000"):
        assert Rouge(rouge_types=["rouge1"], punctuation="keep").compute([text], [text]) == {"rouge1": 1.0}


SPLIT_AT_BLANKS = ["space", "pltrdy", "rouge_chinese", "single_space"]


@pytest.mark.parametrize("tokenizer", SPLIT_AT_BLANKS)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("今天天气很好", id="chinese"),
        pytest.param("今天天气很好，我们去公园里散步，明天再去爬山吧。 好", id="clauses"),
        pytest.param("ありがとうございます", id="kana"),
        pytest.param("วันนี้อากาศดีมาก", id="thai"),
    ],
)
@pytest.mark.parametrize("side", ["prediction", "reference"])
@each_engine
def test_warning_of_words_without_blanks(tokenizer, text, side, engine):
    rouge = Rouge(tokenizer=tokenizer, rouge_types=["rouge1"], punctuation="keep", engine=engine)
    texts = (["a", text], ["a", "a"]) if side == "prediction" else (["a", "a"], [["a"], ["a", text]])
    (caught,) = recorded(rouge, *texts)
    message = str(caught.message)
    assert f"The tokenizer {tokenizer!r} splits at blanks" in message
    assert text[:39] in message
    assert "'mixed'" in message
    assert "segment='char'" in message


@pytest.mark.parametrize("tokenizer", SPLIT_AT_BLANKS)
@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("今天 天气 很 好", {}, id="words"),
        pytest.param("人工智能", {}, id="one-word"),
        pytest.param("中华人民共和国 成立", {}, id="long-word"),
        pytest.param("학교에서 공부한다", {}, id="korean"),
        pytest.param("การประชาสัมพันธ์ ของ บริษัท", {}, id="long-thai-word"),
        pytest.param("今天天气很好", {"segment": "char"}, id="segmented"),
    ],
)
def test_words_with_blanks_do_not_warn(tokenizer, text, values):
    rouge = Rouge(tokenizer=tokenizer, rouge_types=["rouge1"], punctuation="keep", **values)
    assert recorded(rouge, [text], [text]) == []


def test_lost_letters_name_the_tokenizer_and_shorten_the_text():
    rouge = Rouge("rouge_score", rouge_types=["rouge1"])
    with pytest.warns(RougeWarning, match="The tokenizer 'ascii' drops most letters of '今{39}…'"):
        rouge.compute(["今" * 500], ["今"])


def test_letters_lost_to_stop_words_are_meant():
    assert recorded(Rouge(rouge_types=["rouge1"], stop_words=["今", "天"]), ["今天"], ["今天"]) == []


@pytest.mark.parametrize(
    ("values", "text"),
    [
        pytest.param({"max_bytes": 2}, "今天", id="max-bytes"),
        pytest.param({"max_words": 1}, " hello", id="max-words"),
        pytest.param({"sentence_split": "<q>"}, "<q>", id="separator"),
        pytest.param({"tokenizer": "ascii", "normalize": "nfkc"}, "ＡＢＣ", id="nfkc"),
    ],
)
def test_letters_that_the_tokenizer_never_saw_are_not_its_loss(values, text):
    assert recorded(Rouge(rouge_types=["rouge1"], **values), [text], ["0"]) == []


def test_lost_letters_by_a_callable_do_not_quote_a_name():
    (warning,) = recorded(Rouge(rouge_types=["rouge1"], tokenizer=no_tokens), ["a"], ["b"])
    assert "'that was given'" not in str(warning.message)


# rougeLsum of texts with several sentences, none of which is cut

ONE, TWO, CHINESE = "one sentence", "two\nsentences", "一。二"


@pytest.mark.parametrize(
    ("predictions", "references", "values", "better"),
    [
        pytest.param([ONE, ONE], [ONE, ONE], {}, None, id="one-sentence"),
        pytest.param(["One. Two.", ONE], [ONE, ONE], {}, "auto", id="marks-in-a-prediction"),
        pytest.param([ONE, ONE], [ONE, "One! Two?"], {}, "auto", id="marks-in-a-reference"),
        pytest.param([ONE], [[ONE, ONE, "Eins. Zwei"]], {}, "auto", id="marks-in-the-last-of-several-references"),
        pytest.param(["One. Two."], [TWO], {}, None, id="break-in-a-reference"),
        pytest.param([TWO, "One. Two."], [ONE, ONE], {}, None, id="break-in-a-prediction"),
        pytest.param(["One. Two."], [[ONE, ONE, TWO]], {}, None, id="break-in-the-last-of-several-references"),
        pytest.param(["Один. Два."], [ONE], {}, "auto", id="marks-in-cyrillic"),
        pytest.param(["एक। दो।"], [ONE], {}, "auto", id="marks-in-devanagari"),
        pytest.param(["Wait… what"], [ONE], {}, "auto", id="ellipsis"),
        pytest.param([CHINESE], ["一"], {}, "zh", id="chinese-marks-by-newline"),
        pytest.param(["First. Second. 一。二"], ["一"], {}, "zh", id="marks-of-both"),
        pytest.param([CHINESE], ["一"], {"sentence_split": "zh"}, None, id="chinese-marks-by-zh"),
        pytest.param(["一。"], ["一！"], {"sentence_split": "zh"}, None, id="one-sentence-by-zh"),
        pytest.param(["One. Two."], ["One."], {"sentence_split": "zh"}, "auto", id="spaced-marks-by-zh"),
        pytest.param(["One. Two."], ["One."], {"sentence_split": "auto"}, None, id="auto"),
        pytest.param(["Dr. One"], ["U.S. troops"], {}, None, id="abbreviations-by-newline"),
        pytest.param(["Dr. One"], ["U.S. troops"], {"sentence_split": "auto"}, None, id="abbreviations-by-auto"),
        pytest.param(["3.5 of 4", "e.g. it!"], ["a. b. c", "v1.2? no"], {"max_words": 9}, "auto", id="under-a-limit"),
        pytest.param(["It ends.", "So."], ["It ends. ", "..."], {}, None, id="marks-at-the-ends-only"),
        pytest.param([f"\n{ONE}\n"], [f"{ONE}\n\n"], {}, None, id="breaks-at-the-ends-only"),
        pytest.param([f"{ONE}\n...\n \n"], [f"!\n{ONE}"], {}, None, id="other-sentences-without-tokens"),
        pytest.param(["今天。明天"], ["明天"], {"tokenizer": "ascii"}, None, id="sentences-without-tokens-by-ascii"),
        pytest.param(["the\ncat. Two"], ["cat"], {"stop_words": ["the"]}, None, id="sentence-of-stop-words"),
        pytest.param([""], [""], {}, None, id="empty-texts"),
        pytest.param(["One. Two."], [ONE], {"sentence_split": "none"}, None, id="none"),
        pytest.param([TWO], [CHINESE], {"sentence_split": "none"}, None, id="none-with-a-line-break"),
        pytest.param(["One. Two."], [ONE], {"sentence_split": "token"}, None, id="token"),
        pytest.param(["a<q>b. c"], [ONE], {"sentence_split": "<q>"}, None, id="separator"),
        pytest.param([TWO], [ONE], {"sentence_split": "<q>"}, "newline", id="separator-that-is-not-there"),
        pytest.param(["One. Two."], [TWO], {"sentence_split": str.splitlines}, None, id="callable"),
        pytest.param(["One. Two."], [ONE], {"sentence_split": str.splitlines}, "auto", id="callable-without-a-break"),
        pytest.param(["One. Two."], [ONE], {"rouge_types": ["rouge1", "rougeL"]}, None, id="without-rougeLsum"),
        pytest.param(["One. Two."], [ONE], {"rouge_types": ["rougeL"], "tool": {"lcs": "union"}}, None, id="union-L"),
        pytest.param(["One. Two."], [ONE], {"rouge_types": ["rougeW"]}, None, id="rougeW"),
        pytest.param(["One. Two."], [ONE], {"rouge_types": ["rougeLsum"]}, "auto", id="rougeLsum-alone"),
        pytest.param(["One. Two."], [ONE], {"tool": {"lcs": "union"}}, "auto", id="rougeLsum-beside-union"),
        pytest.param(["One. Two."], [ONE], {"clean": "opencompass"}, None, id="cleaned-to-one-sentence"),
    ],
)
@each_engine
@pytest.mark.filterwarnings("ignore:The tokenizer 'ascii' drops")
def test_warning_of_sentences_that_are_not_cut(predictions, references, values, better, engine):
    caught = recorded(Rouge(engine=engine), predictions, references, **values)
    messages = [str(warning.message) for warning in caught if BREAKS in str(warning.message)]
    assert len(messages) == (better is not None)
    for message in messages:
        assert message.startswith("rougeLsum: no text has a sentence break by ")
        assert f". sentence_split={better!r} cuts them; sentence_split='none' says that every text is one." in message
        set_to = values.get("sentence_split", "newline")
        by = f"sentence_split={set_to!r}" if isinstance(set_to, str) else "the sentence_split that was given"
        assert f"by {by}, so it is rougeL" in message
        assert {warning.filename for warning in caught} == {__file__}
        # what is recommended does away with the warning
        values = {**values, "sentence_split": better}
        assert recorded(Rouge(engine=engine), predictions, references, **values) == []


def test_conventions_on_one_sentence_do_not_warn():
    for convention, text in (
        ("default", ONE),
        ("zh_char", "今天天气很好。"),
        ("zh_word", "明天雨"),
        ("rouge_score", ONE),
    ):
        assert recorded(Rouge(convention), [text], [text]) == []


def test_uncut_text_is_looked_for_in_the_beginning_only():
    rouge = Rouge(engine="compiled")
    many = [ONE] * 50_000
    assert recorded(rouge, [*many, "One. Two."], [*many, ONE]) == []
    assert len(recorded(rouge, [*many[:100], "One. Two."], [*many[:100], ONE])) == 1
    assert recorded(rouge, [f"{'so ' * 1000}it is. Two."], [ONE]) == []


# Both: once a call, for every call, at the caller's line


@pytest.mark.parametrize("method", ["compute", "score", "count"])
@each_engine
def test_each_warning_comes_once_a_call(method, engine):
    # more pairs than are held at once, every text with both faults
    texts = [f"今天天气很好{number}. Two" for number in range(1500)]
    rouge = Rouge("rouge_score", engine=engine)
    for _ in range(2):
        caught = recorded(rouge, texts, texts, method=method)
        letters, breaks = (str(warning.message) for warning in caught)
        assert LETTERS in letters
        assert BREAKS in breaks
        assert {warning.filename for warning in caught} == {__file__}
        assert len({warning.lineno for warning in caught}) == 1


@each_engine
def test_first_text_with_lost_letters_is_named(engine):
    rouge = Rouge("rouge_score", rouge_types=["rouge1"], engine=engine)
    (warning,) = recorded(rouge, ["fine", "今天", "明天"], ["a", "b", "昨天"])
    assert "'今天'" in str(warning.message)


def test_warning_points_at_the_line_of_the_call():
    def call_it():
        return Rouge("rouge_score", rouge_types=["rouge1"]).compute(["今天"], ["今天"])

    with pytest.warns(RougeWarning) as caught:
        call_it()
    assert [warning.lineno for warning in caught] == [call_it.__code__.co_firstlineno + 1]


def test_sentence_break_is_forgotten_after_the_call():
    rouge = Rouge()
    assert recorded(rouge, [TWO], ["One. Two."]) == []
    assert len(recorded(rouge, ["One. Two."], [ONE])) == 1
    assert recorded(rouge, [TWO], ["One. Two."]) == []


def test_good_texts_do_not_warn():
    for convention, text in (("default", TWO), ("zh_char", "一。二"), ("zh_word", "一。二"), ("rouge_score", TWO)):
        assert recorded(Rouge(convention), [text], [text]) == []


def test_readers_keep_so_many_documents_at_most():
    read = []

    def tokenize(text):
        read.append(text)
        return [text]

    settings = RougeSettings(tokenizer=tokenize, rouge_types=("rouge1",))
    reader = document_readers(settings.text_rules, InputNotes(settings.text_rules), cache_size=3).reference
    for text in "aabbccdda":
        assert reader(text).tokens == [text]

    assert read == list("abcda")
