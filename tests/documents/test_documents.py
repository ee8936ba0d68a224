"""From text to tokens and sentences, and the notes on scores that were probably not meant."""

from functools import cache

import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st
from language_packages import by_need, usable_tokenizers

from polyrouge import TOKENIZERS, Rouge, RougeSettings, RougeWarning, ToolRules
from polyrouge.documents.document import Document, DocumentReader
from polyrouge.documents.input_notes import InputNotes, shortened
from polyrouge.errors import hearing_warnings
from polyrouge.texts.sentences import SENTENCE_SPLITS

# Those of other tools do with marks, blanks and separators what the tool does.
GENERAL = [name for name in usable_tokenizers() if TOKENIZERS[name].is_general]
CUTTING = [name for name in GENERAL if TOKENIZERS[name].cuts_at_sentences]
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


@pytest.mark.parametrize("normalize", ["nfc", "nfkc"])
@pytest.mark.parametrize("tokenizer", by_need(CUTTING))
@given(text=sentence_texts, punctuation=st.sampled_from(["drop", "keep"]), lowercase=st.booleans())
@example(text="", punctuation="keep", lowercase=True)
@example(text="\n\n", punctuation="keep", lowercase=True)
@example(text="一。\u0301二", punctuation="keep", lowercase=True)
@example(text="ΑΣ. Β", punctuation="keep", lowercase=True)
@example(text="！? ", punctuation="keep", lowercase=False)
@example(text="。＂", punctuation="keep", lowercase=False)
@example(text="王小二。去了\n杭研大厦3.14！5", punctuation="keep", lowercase=True)
def test_sentences_hold_the_tokens_of_the_text(tokenizer, normalize, text, punctuation, lowercase):
    values = {"tokenizer": tokenizer, "normalize": normalize, "punctuation": punctuation, "lowercase": lowercase}
    expected = whole(text, **values)
    # of … NFKC makes three dots, and the tokens beside those may depend on what is on their other side
    may_differ = normalize == "nfkc" and "…" in text
    for split in SENTENCE_SPLITS:
        found = read(text, sentence_split=split, **values)
        assert found.tokens == expected, split
        assert may_differ or flat(found.sentences) == found.tokens, split


@pytest.mark.parametrize("split", ["zh", "auto"])
def test_ellipsis_under_nfkc_does_not_make_tokens_depend_on_sentences(split):
    for tokenizer, punctuation, text in (("jieba", "keep", "3….5"), ("mixed", "drop", "ΟΔΟΣ…ΟΔΟΣ")):
        values = {"tokenizer": tokenizer, "normalize": "nfkc", "punctuation": punctuation}
        assert read(text, sentence_split=split, **values).tokens == whole(text, **values)


@pytest.mark.parametrize("tokenizer", ["space", "unicode", str.split])
@given(text=sentence_texts)
def test_asking_for_sentences_leaves_the_tokens_of_the_text(tokenizer, text):
    expected = whole(text, tokenizer=tokenizer)
    for split in SENTENCE_SPLITS:
        assert read(text, sentence_split=split, tokenizer=tokenizer).tokens == expected, split


@pytest.mark.parametrize(
    ("text", "values", "tokens", "sentences"),
    [
        ("一。二 a", {"sentence_split": "zh", "tokenizer": "space"}, ["一。二", "a"], [["一。"], ["二", "a"]]),
        # the callable drops the second line: it is in no sentence, but in the text
        ("a b\nc", {"sentence_split": lambda text: text.split("\n")[:1]}, ["a", "b", "c"], [["a", "b"]]),
        *(
            ("a b\nc", {"rouge_types": types, **rules}, ["a", "b", "c"], [["a", "b"], ["c"]])
            for types, rules in (
                (("rougeW",), {"tool": ToolRules(definition="rouge155")}),
                (("rougeL",), {"tool": ToolRules(lcs="union")}),
            )
        ),
        ("a b\nc", {"rouge_types": ("rouge1", "rougeL", "rougeW", "rougeSU4")}, ["a", "b", "c"], [["a", "b", "c"]]),
    ],
)
def test_tokens_of_a_text_and_of_its_sentences(text, values, tokens, sentences):
    document = read(text, **values)
    assert (document.tokens, document.sentences) == (tokens, sentences)


# Separators


@pytest.mark.parametrize("tokenizer", [*by_need(GENERAL), str.split])
@pytest.mark.parametrize("separator", ["<q>", "。", "q.q"])
def test_separator_is_in_no_token(separator, tokenizer):
    values = {"tokenizer": tokenizer, "punctuation": "keep", "lowercase": False}
    text = separator.join(["one two", "three", "", "four five"])
    tokens = whole("one two\nthree\nfour five", sentence_split="none", **values)
    assert whole(text, sentence_split=separator, **values) == tokens
    cut = read(text, sentence_split=separator, **values)
    assert cut.tokens == tokens
    assert cut.sentences == [whole(part, **values) for part in ("one two", "three", "four five")]


def test_separators_and_limits_hold_where_a_tool_has_sentences_of_its_own():
    values = {"tokenizer": "xlsum_english", "punctuation": "keep", "lowercase": False}

    assert whole("one two<q>three", sentence_split="<q>", **values) == ["one", "two", "three"]
    assert whole("one two\nthree four", max_words=3, **values) == ["one", "two", "three"]


# What is noted


def noted(rouge, predictions, references, **values):
    """The notes of one call."""
    with hearing_warnings() as notes:
        rouge.compute(predictions, references, **values)
    return notes


def no_tokens(_text: str) -> list[str]:
    return []


def only_marks(text: str) -> list[str]:
    return [character for character in text if not character.isalnum()]


LOST_IN_PART = [
    *("今天 ok", "我爱PyTorch", "Windows更新失败", "hello мир and others", "đẹp lắm", "đe\u0323p la\u0306\u0301m"),
    *("Ankara'da önemli bir açıklama yaptı", "L'été dernier, j'ai été à Orléans"),
]
TIBETAN = "བོད་ཀྱི་སྐད་ཡིག་ནི་བོད་མིའི་སྐད་ཡིག་ཡིན།"
SPLIT_AT_BLANKS = [{"tokenizer": name} for name in ("space", "pltrdy", "rouge_chinese", "single_space")]
CLAUSES = [
    "今天天气很好",
    "今天天气很好，我们去公园里散步，明天再去爬山吧。 好",
    "ありがとうございます",
    "วันนี้อากาศดีมาก",
]
RARE = ["ꀀꀁꀂꀃꀄꀅꀆꀇꀈ", "ㄅㄆㄇㄈㄉㄊㄋㄌ", "ꦲꦤꦕꦫꦏꦢꦠꦱꦮ", "ᦀᦁᦂᦃᦄᦅᦆ", "ᨠᨡᨢᨣᨤᨥᨦᨧ"]
# The kind of note, settings, and texts that it is about; the catalogue has the sentences
ODD_TEXTS = [
    ("letters_dropped", {"tokenizer": "ascii"}, ["今天天气", "Привет, мир", "今天 a", "今天GPT4发布了3.14"]),
    ("letters_dropped", {"tokenizer": no_tokens}, ["今天", "the cat"]),
    ("letters_dropped", {"tokenizer": only_marks}, ["今天！"]),
    ("some_letters_dropped", {"convention": "rouge_score"}, LOST_IN_PART),
    ("some_letters_dropped", {"convention": "rouge155"}, LOST_IN_PART),
    ("no_token", {}, ["😀😀", "。！ \n", "\ue000", "\u200b\u200d"]),
    ("no_token", {"tokenizer": "jieba"}, ["……"]),
    ("no_token", {"tokenizer": "ascii"}, ["。！👍", "１２３ ٣"]),
    ("no_token", {"tokenizer": no_tokens}, ["1, 2."]),
    *(("no_blanks", at, CLAUSES) for at in SPLIT_AT_BLANKS),
    ("no_blanks_for_zh_char", {"tokenizer": "zh_char"}, RARE),
    ("no_blanks", {"tokenizer": "space"}, [*RARE, TIBETAN]),
]
WITH_BLANKS = ["今天 天气 很 好", "人工智能", "中华人民共和国 成立", "학교에서 공부한다", "การประชาสัมพันธ์ ของ บริษัท"]
ORDINARY_TEXTS = [
    (None, {"tokenizer": "ascii"}, ["a μ or β", "Beyoncé sings in Paris with Chloé", "Café crème"]),
    (None, {}, [*LOST_IN_PART, "今天天气", "", "\n\t\u3000"]),
    (None, {"tokenizer": "zh_char"}, ["Привет", TIBETAN]),  # which has syllables
    (None, {"tokenizer": "space"}, ["今天，天气"]),
    (None, {"punctuation": "keep"}, ["😀😀", "……", "\ue000"]),
    *((None, at, WITH_BLANKS) for at in SPLIT_AT_BLANKS),
    *((None, {**at, "segment": "char"}, ["今天天气很好"]) for at in SPLIT_AT_BLANKS),
    # letters that the tokenizer never saw are not its loss
    (None, {"stop_words": ["今", "天"]}, ["今天"]),
    (None, {"max_bytes": 2}, ["今天"]),
    (None, {"sentence_split": "<q>"}, ["<q>"]),
    (None, {"tokenizer": "ascii", "normalize": "nfkc"}, ["ＡＢＣ"]),
]


@pytest.mark.parametrize("side", ["prediction", "reference"])
@each_engine
def test_an_odd_text_is_noted_and_others_are_not(side, engine):
    for kind, values, texts in (*ODD_TEXTS, *ORDINARY_TEXTS):
        rouge = Rouge(rouge_types=["rouge1"], engine=engine, **values)
        for text in texts:
            notes = noted(rouge, *(([text], [""]) if side == "prediction" else ([""], [["", text]])))
            assert [note.kind for note in notes] == ([kind] if kind else []), (values, text)
            assert all(note.values["text"] == repr(shortened(text)) for note in notes)


# rougeLsum of texts with several sentences, none of which is cut

ONE, TWO, CHINESE = "one sentence", "two\nsentences", "一。二"


@pytest.mark.parametrize(
    ("better", "predictions", "references", "values"),
    [
        ("auto", ["One. Two.", ONE], [ONE, ONE], {}),
        ("auto", [ONE], [[ONE, ONE, "Eins. Zwei"]], {}),
        ("auto", ["Wait… what"], [ONE], {}),
        ("zh", [CHINESE], ["一"], {}),
        ("auto", ["One. Two."], ["One."], {"sentence_split": "zh"}),
        ("auto", ["3.5 of 4", "e.g. it!"], ["a. b. c", "v1.2? no"], {"max_words": 9}),
        ("newline", [TWO], [ONE], {"sentence_split": "<q>"}),
        ("auto", ["One. Two."], [ONE], {"sentence_split": str.splitlines}),
        ("auto", ["One. Two."], [ONE], {"rouge_types": ["rougeL"], "tool": {"lcs": "union"}}),
        (None, ["One. Two."], [TWO], {}),
        (None, ["One. Two."], [[ONE, ONE, TWO]], {}),
        (None, [CHINESE], ["一"], {"sentence_split": "zh"}),
        (None, ["一。"], ["一！"], {"sentence_split": "zh"}),
        (None, ["It ends.", "So."], ["It ends. ", "..."], {}),
        (None, [f"\n{ONE}\n...\n \n"], [f"!\n{ONE}\n"], {}),
        (None, ["今天。明天"], ["明天"], {"tokenizer": "ascii"}),
        (None, ["One. Two."], [ONE], {"sentence_split": "none"}),
        (None, ["One. Two."], [ONE], {"sentence_split": "token"}),
        (None, ["One. Two."], [ONE], {"rouge_types": ["rouge1", "rougeL", "rougeW"]}),
        (None, ["One. Two."], [ONE], {"prepare": ["opencompass"]}),
    ],
)
@each_engine
def test_sentences_that_are_not_cut_are_noted(better, predictions, references, values, engine):
    rouge = Rouge(engine=engine)
    kinds = [note.kind for note in noted(rouge, predictions, references, **values)]
    assert [kind for kind in kinds if kind.startswith("uncut")] == ([f"uncut_sentences_{better}"] if better else [])
    if better:  # what is recommended does away with the note
        assert noted(rouge, predictions, references, **{**values, "sentence_split": better}) == []


def test_uncut_text_is_looked_for_in_the_beginning_only():
    rouge, many = Rouge(engine="compiled"), [ONE] * 50_000
    assert noted(rouge, [*many, "One. Two."], [*many, ONE]) == []
    assert noted(rouge, [f"{'so ' * 1000}it is. Two."], [ONE]) == []


@pytest.mark.parametrize("method", ["compute", "score", "count"])
@each_engine
def test_each_warning_comes_once_a_call_at_the_line_of_the_caller(method, engine):
    # more pairs than are held at once, every text with both faults
    texts = [f"今天天气很好{number}. Two" for number in range(1500)]
    rouge = Rouge("rouge_score", engine=engine)
    for _ in range(2):
        with pytest.warns(RougeWarning) as caught:
            getattr(rouge, method)(texts, texts)
        assert len(caught) == 2
        assert "'今天天气很好0. Two'" in str(caught[0].message)
        assert {warning.filename for warning in caught} == {__file__}


def test_sentence_break_is_forgotten_after_the_call():
    rouge = Rouge()
    assert noted(rouge, [TWO], ["One. Two."]) == []
    assert len(noted(rouge, ["One. Two."], [ONE])) == 1
