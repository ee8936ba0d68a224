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
from polyrouge.documents.document import Document, DocumentReader, readers_by_side
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


@pytest.mark.parametrize("tokenizer", [name for name in GENERAL if TOKENIZERS[name].takes_pieces])
def test_a_tokenizer_that_cuts_at_sentences_is_flagged(tokenizer):
    """Without its flag ``cuts_at_sentences`` a text is cut twice, as a whole and by sentences."""
    values = {"tokenizer": tokenizer, "punctuation": "keep"}
    texts = ["今天。今天", "今天。\u0301"]  # in which a token, or a mark on it, goes on behind a sentence
    goes_on = any(flat(read(text, sentence_split="zh", **values).sentences) != whole(text, **values) for text in texts)
    assert goes_on == (tokenizer not in CUTTING)


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
    ("text", "split", "sentences"),
    [
        ("The cat.\nA dog", "newline", [["the", "cat"], ["a", "dog"]]),
        ("一。二！\n三", "zh", [["一"], ["二"], ["三"]]),
        ("Dr. Li came. 好。Yes", "auto", [["dr", "li", "came"], ["好"], ["yes"]]),
        ("一。二！\n三", "none", [["一", "二", "三"]]),
        ("a<q>b c<q><q>d", "<q>", [["a"], ["b", "c"], ["d"]]),
        ("a,b c", lambda text: text.split(","), [["a"], ["b", "c"]]),
        ("a\n...\nb", "newline", [["a"], [], ["b"]]),
        ("", "newline", []),
        ("\n", "newline", []),
    ],
)
def test_sentences(text, split, sentences):
    cut = read(text, sentence_split=split)
    assert cut.sentences == sentences
    assert cut.tokens == flat(sentences)


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


def recorded(rouge: Rouge, *texts, method: str = "compute", **values) -> list[warnings.WarningMessage]:
    """The warnings of one call, all of our category."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(rouge, method)(*texts, **values)
    assert all(warning.category is RougeWarning for warning in caught)
    return caught


LOST_IN_PART = [
    *("今天 ok", "我爱PyTorch", "Windows更新失败", "hello мир and others", "đẹp lắm", "đe\u0323p la\u0306\u0301m"),
    *("Ankara'da önemli bir açıklama yaptı", "L'été dernier, j'ai été à Orléans"),
]
TIBETAN = "བོད་ཀྱི་སྐད་ཡིག་ནི་བོད་མིའི་སྐད་ཡིག་ཡིན།"
SPLIT_AT_BLANKS = [
    {"tokenizer": "space", "punctuation": "keep"},
    *({"tokenizer": name} for name in ("pltrdy", "rouge_chinese", "single_space")),
]
CLAUSES = [
    "今天天气很好",
    "今天天气很好，我们去公园里散步，明天再去爬山吧。 好",
    "ありがとうございます",
    "วันนี้อากาศดีมาก",
]
RARE = ["ꀀꀁꀂꀃꀄꀅꀆꀇꀈ", "ㄅㄆㄇㄈㄉㄊㄋㄌ", "ꦲꦤꦕꦫꦏꦢꦠꦱꦮ", "ᦀᦁᦂᦃᦄᦅᦆ", "ᨠᨡᨢᨣᨤᨥᨦᨧ"]
KEEP = "leaves no token of {text!r}", "punctuation='keep'"
# Settings, texts, and what the warning of each of them says
ODD_TEXTS = [
    ({"tokenizer": "ascii"}, ["今天天气", "Привет, мир", "今天天气 ok"], "drops most letters of {text!r}", "'mixed'"),
    ({"tokenizer": "ascii"}, ["今天 a", "今天GPT4发布了3.14"], "drops most letters of {text!r}", "'mixed'"),
    ({"tokenizer": no_tokens}, ["今天", "the cat"], "drops all letters of {text!r}", "'mixed'"),
    ({"tokenizer": only_marks}, ["今天！"], "drops all letters of {text!r}", "'mixed'"),
    ({"convention": "rouge_score"}, LOST_IN_PART, "drops every letter that is not ASCII, such as in "),
    ({"convention": "rouge155"}, LOST_IN_PART, "drops every letter that is not ASCII, such as in "),
    ({}, ["😀😀", "。！ \n", "\ue000"], *KEEP),
    ({"tokenizer": "jieba"}, ["……"], *KEEP),
    ({"tokenizer": "space"}, ["- -"], *KEEP),
    ({"tokenizer": "ascii"}, ["。！👍"], KEEP[0], "tokenizer='mixed' with punctuation='keep'"),
    ({}, ["\u200b\u200d"], KEEP[0], "no visible character"),
    ({"tokenizer": "ascii"}, ["１２３ ٣"], KEEP[0], "tokenizer='mixed' knows"),
    ({"tokenizer": no_tokens}, ["1, 2."], KEEP[0], "tokenizer='mixed' knows"),
    *(
        (at, CLAUSES, "{tokenizer!r} splits at blanks", "{text:.39}", "'mixed'", "segment='char'")
        for at in SPLIT_AT_BLANKS
    ),
    *(({"tokenizer": name}, RARE, "so a whole clause is one token") for name in ("zh_char", "space")),
    ({"tokenizer": "space"}, [TIBETAN], "splits at blanks"),
]
ORDINARY_TEXTS = [
    ({"tokenizer": "ascii"}, ["a μ or β", "Beyoncé sings in Paris with Chloé", "Café crème", "hello world"]),
    ({}, [*LOST_IN_PART, "今天天气", "", " ", "\n\t\u3000"]),
    ({"tokenizer": "zh_char"}, ["Привет", TIBETAN]),  # which has syllables
    ({"tokenizer": "space"}, ["今天，天气"]),
    ({"punctuation": "keep"}, ["😀😀", "……", "\ue000"]),
    *(
        (at, ["今天 天气 很 好", "人工智能", "中华人民共和国 成立", "학교에서 공부한다", "การประชาสัมพันธ์ ของ บริษัท"])
        for at in SPLIT_AT_BLANKS
    ),
    *(({**at, "segment": "char"}, ["今天天气很好"]) for at in SPLIT_AT_BLANKS),
    # letters that the tokenizer never saw are not its loss
    ({"stop_words": ["今", "天"]}, ["今天"]),
    ({"max_bytes": 2}, ["今天"]),
    ({"max_words": 1}, [" hello"]),
    ({"sentence_split": "<q>"}, ["<q>"]),
    ({"tokenizer": "ascii", "normalize": "nfkc"}, ["ＡＢＣ"]),
]


@pytest.mark.parametrize("side", ["prediction", "reference"])
@each_engine
def test_an_odd_text_is_warned_of_and_others_are_not(side, engine):
    for values, texts, *fragments in (*ODD_TEXTS, *ORDINARY_TEXTS):
        rouge = Rouge(rouge_types=["rouge1"], engine=engine, **values)
        for text in texts:
            caught = recorded(rouge, *(([text], [""]) if side == "prediction" else ([""], [["", text]])))
            assert len(caught) == bool(fragments), (values, text)
            for warning in caught:
                expected = [each.format(text=text, **values) for each in fragments]
                assert [each for each in expected if each not in str(warning.message)] == [], (values, text)
                assert warning.filename == __file__


def test_lost_letters_name_the_tokenizer_and_shorten_the_text():
    rouge = Rouge("rouge_score", rouge_types=["rouge1"])
    with pytest.warns(RougeWarning, match="The tokenizer 'ascii' drops most letters of '今{39}…'"):
        rouge.compute(["今" * 500], ["今"])
    (warning,) = recorded(Rouge(rouge_types=["rouge1"], tokenizer=no_tokens), ["a"], ["b"])
    assert "'that was given'" not in str(warning.message)


# rougeLsum of texts with several sentences, none of which is cut

ONE, TWO, CHINESE = "one sentence", "two\nsentences", "一。二"


@pytest.mark.parametrize(
    ("predictions", "references", "values", "better"),
    [
        ([ONE, ONE], [ONE, ONE], {}, None),
        (["One. Two.", ONE], [ONE, ONE], {}, "auto"),
        ([ONE, ONE], [ONE, "One! Two?"], {}, "auto"),
        ([ONE], [[ONE, ONE, "Eins. Zwei"]], {}, "auto"),
        (["One. Two."], [TWO], {}, None),
        ([TWO, "One. Two."], [ONE, ONE], {}, None),
        (["One. Two."], [[ONE, ONE, TWO]], {}, None),
        (["Один. Два."], [ONE], {}, "auto"),
        (["एक। दो।"], [ONE], {}, "auto"),
        (["Wait… what"], [ONE], {}, "auto"),
        ([CHINESE], ["一"], {}, "zh"),
        (["First. Second. 一。二"], ["一"], {}, "zh"),
        ([CHINESE], ["一"], {"sentence_split": "zh"}, None),
        (["一。"], ["一！"], {"sentence_split": "zh"}, None),
        (["One. Two."], ["One."], {"sentence_split": "zh"}, "auto"),
        (["One. Two."], ["One."], {"sentence_split": "auto"}, None),
        (["Dr. One"], ["U.S. troops"], {}, None),
        (["Dr. One"], ["U.S. troops"], {"sentence_split": "auto"}, None),
        (["3.5 of 4", "e.g. it!"], ["a. b. c", "v1.2? no"], {"max_words": 9}, "auto"),
        (["It ends.", "So."], ["It ends. ", "..."], {}, None),
        ([f"\n{ONE}\n"], [f"{ONE}\n\n"], {}, None),
        ([f"{ONE}\n...\n \n"], [f"!\n{ONE}"], {}, None),
        (["今天。明天"], ["明天"], {"tokenizer": "ascii"}, None),
        (["the\ncat. Two"], ["cat"], {"stop_words": ["the"]}, None),
        ([""], [""], {}, None),
        (["One. Two."], [ONE], {"sentence_split": "none"}, None),
        ([TWO], [CHINESE], {"sentence_split": "none"}, None),
        (["One. Two."], [ONE], {"sentence_split": "token"}, None),
        (["a<q>b. c"], [ONE], {"sentence_split": "<q>"}, None),
        ([TWO], [ONE], {"sentence_split": "<q>"}, "newline"),
        (["One. Two."], [TWO], {"sentence_split": str.splitlines}, None),
        (["One. Two."], [ONE], {"sentence_split": str.splitlines}, "auto"),
        (["One. Two."], [ONE], {"rouge_types": ["rouge1", "rougeL"]}, None),
        (["One. Two."], [ONE], {"rouge_types": ["rougeL"], "tool": {"lcs": "union"}}, "auto"),
        (["One. Two."], [ONE], {"rouge_types": ["rougeW"]}, None),
        (["One. Two."], [ONE], {"rouge_types": ["rougeLsum"]}, "auto"),
        (["One. Two."], [ONE], {"tool": {"lcs": "union"}}, "auto"),
        (["One. Two."], [ONE], {"prepare": ["opencompass"]}, None),
    ],
)
@each_engine
@pytest.mark.filterwarnings("ignore:The tokenizer 'ascii' drops")
def test_warning_of_sentences_that_are_not_cut(predictions, references, values, better, engine):
    caught = recorded(Rouge(engine=engine), predictions, references, **values)
    messages = [str(warning.message) for warning in caught if BREAKS in str(warning.message)]
    assert len(messages) == (better is not None)
    for message in messages:
        is_union = "rougeLsum" not in values.get("rouge_types", ["rougeLsum"])
        assert message.startswith("rougeL compares sentences here, and no text" if is_union else "rougeLsum: no text")
        assert f". sentence_split={better!r} cuts them; sentence_split='none' says that every text is one." in message
        set_to = values.get("sentence_split", "newline")
        by = f"sentence_split={set_to!r}" if isinstance(set_to, str) else "the sentence_split that was given"
        assert f"has a sentence break by {by}, so {'each is one' if is_union else 'it is rougeL'}; but " in message
        assert {warning.filename for warning in caught} == {__file__}
        # what is recommended does away with the warning
        values = {**values, "sentence_split": better}
        assert recorded(Rouge(engine=engine), predictions, references, **values) == []


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

    def call_it():
        rouge.compute(["fine", "今天", "明天"], ["a", "b", "昨天"])

    with pytest.warns(RougeWarning, match="'今天'") as caught:
        call_it()
    assert [warning.lineno for warning in caught] == [call_it.__code__.co_firstlineno + 1]


def test_sentence_break_is_forgotten_after_the_call():
    rouge = Rouge()
    assert recorded(rouge, [TWO], ["One. Two."]) == []
    assert len(recorded(rouge, ["One. Two."], [ONE])) == 1
    assert recorded(rouge, [TWO], ["One. Two."]) == []


def test_good_texts_do_not_warn():
    english, chinese = [ONE, TWO], ["今天天气很好。", "明天雨", "一。二"]
    for convention, good in {
        "default": english,
        "rouge_score": english,
        "zh_char": chinese,
        "zh_word": chinese,
    }.items():
        assert [recorded(Rouge(convention), [text], [text]) for text in good] == [[]] * len(good)


def test_readers_keep_so_many_documents_at_most():
    texts = []
    rules = RougeSettings(tokenizer=lambda text: texts.append(text) or [text], rouge_types=("rouge1",)).text_rules
    reader = readers_by_side(rules, InputNotes(rules), cache_size=3).reference
    for text in "aabbccdda":
        assert reader(text).tokens == [text]

    assert texts == list("abcda")
