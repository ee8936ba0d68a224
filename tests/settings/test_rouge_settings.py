"""Settings are checked at construction, and their signature names them all and leads back to them."""

import functools
import hashlib
import math
import re
import unicodedata
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from amounts import examples_in_ci
from hypothesis import example, given
from hypothesis import strategies as st
from language_packages import every_convention, train_bpe, train_pkuseg
from random_settings import random_rouge

from polyrouge import CONVENTIONS, TOKENIZERS, Rouge, RougeSettings, RougeWarning
from polyrouge.settings.allowed_values import Choice, Flag, Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS, grouped
from polyrouge.version import VERSION


def refused(error: type[Exception], field: str = "", **values) -> None:
    """Construction raises ``error`` and names the setting."""
    with pytest.raises(error) as raised:
        RougeSettings(**grouped(values))
    assert raised.value.field == (field or next(iter(values))), (values, raised.value)  # type: ignore[reportAttributeAccessIssue]


def signature_of(**values) -> str:
    return RougeSettings(**grouped(values)).signature()


def entries(signature: str) -> dict[str, str]:
    pairs = [entry.split(":", 1) for entry in signature.split("|")]
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


LONG_LIST = tuple(f"word{i:02}" for i in range(11))
# Of settings that are no plain choice or range: the default, and values that differ; "FILE" stands for a dictionary.
VALUES = {
    "rouge_types": [
        ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        *((f"rouge{name}",) for name in "1 2 3 4 5 6 7 8 9 L Lsum W S SU S0 SU0 S4 SU4 SU137".split()),
        ("rougeSU4", "rougeW"),
        ("rouge2", "rouge1", "rougeL", "rougeLsum"),
    ],
    "tokenizer": [name for name, entry in TOKENIZERS.items() if entry.takes_pieces],
    "prepare": [(), ("opencompass",), ("strip", "prediction.first_line", "strip")],
    "stop_words": [None, (), ("the",), ("none",), ("[x]", "a,b"), ("a", "b"), LONG_LIST, "rouge155", "sumeval_zh"],
    "word_tables": [None, "FOLDER"],
    "sentence_split": ["newline", "zh", "auto", "none", "<q>", "。", "a@b", " ", "\n\n", "|"],
    "weight": [1.2, 2.0, 1.25, 1.2000000000000002],
    "beta": [1.0, 0.0, 1.5, 1 / 3],
    "epsilon": [0.0, 1e-8],
    "refuses": [(), ("empty",), ("deep_recursion", "empty_unless_blank")],
    "confidence": [None, 0.95, 0.9, 0.123456789],
    "weights": [None, (0.2, 0.4, 0.4, 0.0), "geometric"],
    "quirks": [(), ("float32",), ("rouge155_choice", "rounded_ratios")],
    "jieba_dict": [None, "FILE"],
    "subword_model": [None, "MODEL"],
    "pkuseg_model": [None, "PKUSEG"],
}


def values_of(name: str) -> list:
    """The default of a setting, then values that differ from it: every choice, or the ends of a range."""
    if name in VALUES:
        return VALUES[name]
    allowed, default = ALL_SETTINGS[name].values, RougeSettings().value(name)
    if isinstance(allowed, Choice):
        values = allowed.allowed
    elif isinstance(allowed, Flag):
        values = (True, False, *allowed.texts)
    else:
        assert isinstance(allowed, Range), f"VALUES needs a row for {name!r}"
        values = (*map(allowed.kind, (allowed.low, allowed.high)), *[None] * allowed.may_be_none)
    return [default, *(value for value in values if value != default)]


# Our type, and other spellings of it, with a bar between
SPELLINGS_OF_TYPES = {
    "rouge1": "rouge1|Rouge1|R1|ROUGE-1|rouge_1|1",
    "rouge2": "rouge-2|ROUGE 2|2|r2",
    "rougeL": "rougel|ROUGEL|rougeL\n|rouge-l|RL|ROUGE-L|l",
    "rougeLsum": "rougelsum|rouge-lsum|rouge_l_sum|ROUGE-L-Sum|rougeLSum",
    "rougeW": "rougew|rouge-w",
    "rougeS": "ROUGE-S*|rouge-s|rougeS*",
    "rougeS4": "rougeS4 |rougeS04|ROUGE-S4",
    "rougeSU": "ROUGE-SU*|rouge_su",
    "rougeSU2": "rouge-su2",
    "rougeSU4": "rougesu4|ROUGE-SU4|rouge_su4",
}
# The nearest type, and names that may mean something else; the catalogue has more
NEAREST_TYPES = {
    "rougeS": "rouge\u017f",
    "rougeSU": "rougeSU\u0664",
    "rougeW": "ROUGE-W-1.2",
    "rouge1": "rouge1_fmeasure",
    "rougeLsum": "rougeLsum-f1",
}


def test_other_spellings_of_a_type_are_taken():
    for own, names in SPELLINGS_OF_TYPES.items():
        for name in names.split("|"):
            assert RougeSettings(rouge_types=[name]) == RougeSettings(rouge_types=[own]), name
    assert Rouge(rouge_types=["ROUGE-1", "rouge-l"]).compute(["a"], ["a"]) == {"rouge1": 1.0, "rougeL": 1.0}
    refused(ValueError, rouge_types=["rouge1", "ROUGE-1"])


def test_rouge_type_that_is_not_known():
    for nearest, name in NEAREST_TYPES.items():
        with pytest.raises(ValueError, match=rf"^Did you mean '{nearest}'") as raised:
            RougeSettings(rouge_types=["rouge2", name])
        assert ("It is the F-measure; output='all' adds" in str(raised.value)) == bool(re.search("[-_]f", name))


# Our value, and other words for it; the catalogue has more
SYNONYMS = [
    ("multi_reference", "best_recall", "best-recall BestRecall"),
    ("aggregate", "bootstrap_median", "bootstrap-median"),
    ("output", "fmeasure", "F-measure F"),
    ("definition", "rouge155", "ROUGE-1.5.5 perl"),
    ("normalize", None, "none None"),
    ("lowercase", "ascii", "ASCII"),
    ("tokenizer", "zh_char", "zh-char ZH_CHAR"),
    ("sentence_split", "newline", "Newline new-line"),
]


def test_other_words_for_a_value_are_taken_and_signed_with_ours():
    for name, own, words in SYNONYMS:
        for word in words.split():
            assert RougeSettings(**grouped({name: word})).value(name) == own
            assert signature_of(**{name: word}) == signature_of(**{name: own})


INTEGERS = "max_words max_bytes max_characters round_each round_result n_resamples seed"
FLOATS = "weight beta alpha epsilon scale confidence"
# Settings, and values of a type or shape that they do not take
NO_INTEGERS = (True, False, 1.0, math.nan, "1", [1], b"1", Fraction(3))
REFUSED = [
    (ValueError, "normalize", ["nfkd"]),
    (TypeError, "rouge_types", [["rouge1", value] for value in (2, None, ["rouge1"])]),
    (ValueError, "punctuation ngram_counts lcs definition multi_reference empty output aggregate", (None, 1, ["keep"])),
    (TypeError, "tokenizer sentence_split", (None, 1, True, b"mixed", ["mixed"], {"mixed": 1})),
    (TypeError, "lowercase use_stemmer use_aggregator jieba_hmm", (None, 0, 1, "true", 1.0, np.True_, [])),
    (TypeError, "stop_words", [b"the", [["the"]], ["the", None], True]),
    (ValueError, "stop_words", [["<\ud83d>"]]),
    (ValueError, "sentence_split", ["<\ud83d>"]),
    (TypeError, INTEGERS, NO_INTEGERS),
    (TypeError, FLOATS, (True, False, "0.5", [0.5], b"1", 1j)),
    (TypeError, "weight beta scale seed n_resamples", [None]),
    (ValueError, FLOATS, [10**400]),  # which is no float
]


def test_values_of_other_types_are_refused_by_name():
    for error, names, values in REFUSED:
        for name in names.split():
            for value in values:
                refused(error, **{name: value})


def test_user_dictionary(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("云计算 5 n\n", encoding="utf-8")
    assert RougeSettings(tokenizer="jieba", jieba_dict=path) == RougeSettings(tokenizer="jieba", jieba_dict=str(path))
    refused(ValueError, "jieba_dict", tokenizer="jieba", jieba_dict=tmp_path)
    refused(TypeError, "jieba_dict", tokenizer="jieba", jieba_dict=5)


# The object


def test_normalised_so_that_equal_means_equal():
    words, types = ["the", "a", "the", "an"], ("rouge1", "rougeL")
    first = RougeSettings(rouge_types=list(types), stop_words=words, beta=2, scale=100)
    second = RougeSettings(rouge_types=iter(types), stop_words=set(words), beta=2.0, scale=100.0)
    assert first == second
    assert hash(first) == hash(second)
    assert first.signature() == second.signature()
    assert (first.rouge_types, first.stop_words) == (types, ("a", "an", "the"))
    assert RougeSettings(stop_words=[]).stop_words == ()
    table = {RougeSettings(): 1, RougeSettings(beta=2): 2, RougeSettings(tokenizer=str.split): 3}
    assert table[RougeSettings(beta=2.0)] == 2
    assert table[RougeSettings(tokenizer=str.split)] == 3


def test_replace_changes_a_copy_and_checks_it():
    value = RougeSettings(beta=2)
    changed = RougeSettings(beta=2, tool={"lcs": "union"}, stop_words=("a", "b"))
    assert value.replace(tool={"lcs": "union"}, stop_words=["b", "a"]) == changed
    assert value.replace() == value == RougeSettings(beta=2)
    with pytest.raises(ValueError, match="Unknown lcs 'onion'"):
        value.replace(tool={"lcs": "onion"})
    for call in (value.replace, functools.partial(Rouge().count, ["a"], ["a"])):
        with pytest.raises(TypeError, match=r"^Did you mean 'stop_words'"):
            call(stopwords=1)


# The signature: every field


def first_half(text: str) -> list[str]:
    return text[: len(text) // 2].split()


NEED_MODELS = ("subword_model", "pkuseg_model")
each_setting = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.languages) if name in NEED_MODELS else name for name in ALL_SETTINGS]
)


def with_file(value, folder: Path) -> tuple[dict, object]:
    """The other settings that a value needs, and the value: a path for the name of a file or folder."""
    if value == "FILE":
        (folder / "words.txt").write_text("云计算 5 n\n", encoding="utf-8")
        return {"tokenizer": "jieba"}, str(folder / "words.txt")
    if value == "FOLDER":
        (folder / "tables").mkdir()
        (folder / "tables" / "smart_common_words.txt").write_text("the\n", encoding="utf-8")
        return {}, str(folder / "tables")
    if value == "MODEL":
        return {"tokenizer": "subwords"}, str(train_bpe(folder))
    if value == "micro":
        return {"multi_reference": "pooled"}, value
    return ({"tokenizer": "zh_pkuseg"}, str(train_pkuseg(folder))) if value == "PKUSEG" else ({}, value)


@each_setting
def test_each_value_has_a_signature_that_leads_back(name, tmp_path):
    signatures = {RougeSettings().signature()}
    for written in values_of(name)[1:]:
        extra, value = with_file(written, tmp_path)
        if name == "jieba_hmm":
            extra = {"tokenizer": "jieba"}
        changed = RougeSettings(**grouped({name: value, **extra}))
        signature = changed.signature()
        signatures.add(signature)
        needed = {name: value} if value is LONG_LIST or value != written else {}
        assert changed.value(name) == value
        assert RougeSettings.from_signature(signature, **needed) == changed
        if needed:
            with pytest.raises(ValueError, match=rf"from_signature\(text, {name}=\.\.\.\)"):
                RougeSettings.from_signature(signature)
        if name not in ("tokenizer", *NEED_MODELS):  # it shows beside another change too
            assert changed.replace(tokenizer="jieba").signature() != signature_of(tokenizer="jieba")
    assert len(signatures) == len(values_of(name))


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({}, ""),
        ({"confidence": 0.95}, "resamples seed"),
        ({"aggregate": "bootstrap_median"}, "resamples"),
        ({"rouge_types": ["rougeW"]}, "def w"),
        ({"rouge_types": ["rougeSU4"]}, "def w"),
        ({"tokenizer": "jieba"}, "dict hmm"),
    ],
    ids=str,
)
def test_setting_shows_where_it_can_move_a_score(values, shown):
    conditional = {"seed", "resamples", "w", "def", "dict", "hmm", "out", "lists"}
    assert conditional & entries(signature_of(**values)).keys() == set(shown.split())


# The signature: libraries and versions


@pytest.mark.parametrize(
    ("values", "libraries"),
    [
        *(({"tokenizer": name}, ["regex"]) for name in ("mixed", "zh_char", "char", "space")),
        ({"tokenizer": "ascii"}, []),
        ({"tokenizer": "jieba"}, ["jieba", "regex"]),
        ({"tokenizer": "unicode"}, ["regex", "uniseg"]),
        ({"tokenizer": "ascii", "use_stemmer": True}, ["nltk"]),
        ({"tokenizer": "jieba", "use_stemmer": True}, ["jieba", "nltk", "regex"]),
    ],
)
def test_versions_behind_the_score(values, libraries):
    expected = [*(f"{library}:{metadata.version(library)}" for library in libraries), f"v:{VERSION}"]
    written = signature_of(normalize=None, **values).split("|")
    assert written[-len(expected) :] == expected
    assert not {"jieba", "nltk", "regex", "uniseg", "ucd"} & entries("|".join(written[: -len(expected)])).keys()
    for form in ("nfc", "nfkc"):
        assert entries(signature_of(normalize=form))["ucd"] == unicodedata.unidata_version


@pytest.mark.parametrize(("library", "values"), [("v", {}), ("jieba", {"tokenizer": "jieba"}), ("ucd", {})])
def test_other_version_warns_and_reads_on(library, values):
    signature, here = signature_of(**values), entries(signature_of(**values))[library]
    other = signature.replace(f"|{library}:{here}", f"|{library}:0.0.1")
    with pytest.warns(RougeWarning, match=re.escape(f"{library} 0.0.1 (here {here})")) as caught:
        assert RougeSettings.from_signature(other) == RougeSettings(**values)
    assert [warning.filename for warning in caught] == [__file__]


# The signature: any setting there and back

ODD = st.text(
    st.one_of(
        st.sampled_from("|:,#%()[]\"'\\ \n\r\t\0none<q>-+*&.~/?;=@$!^`{}"),
        st.sampled_from("中文，。\u3000\u2028\x85é😀\U0010ffff"),
        st.characters(exclude_categories=("Cs",)),
    ),
    min_size=1,
    max_size=8,
)
WORDS = st.one_of(ODD, st.sampled_from("none a,b [x] [ ] custom a@1 3#abc %2C a|b:c # 的".split()))
SEPARATORS = st.one_of(
    ODD, st.sampled_from(["\n", " ", "none ", *"| : , # % %7C \" ' 中。 custom. a@1 [] a#b".split()])
).filter(lambda text: re.search(r"\W", text))


def drawn_settings(rng) -> RougeSettings:
    """Random settings whose signature says all: more than ten stop words are shown by their digest only."""
    while True:
        rouge = random_rouge(rng, functions=False)
        words = rouge and rouge.settings.stop_words
        if rouge is not None and not (isinstance(words, tuple) and len(words) > 10):
            return rouge.settings


some_settings = st.one_of(
    st.randoms(use_true_random=False).map(drawn_settings),
    st.builds(
        lambda words, split: RougeSettings(stop_words=words, sentence_split=split),
        st.lists(WORDS, max_size=10),
        SEPARATORS,
    ),
)


@given(some_settings)
@example(RougeSettings(stop_words=["none", "a,b", "[x]"], sentence_split="|:,#%\"'\n中"))
@example(RougeSettings(stop_words=["none"], sentence_split="custom@1"))
@examples_in_ci(150)
@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
def test_any_signature_leads_back(value):
    signature = value.signature()
    assert signature.isascii()
    assert signature.isprintable()
    assert " " not in signature
    assert signature.rpartition("|")[2] == f"v:{VERSION}"
    assert RougeSettings.from_signature(f"  {signature}\n") == value
    assert Rouge.from_signature(signature).settings == value


@given(some_settings, some_settings)
@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
def test_signatures_are_equal_only_where_settings_are(one, other):
    assert (one.signature() == other.signature()) == (one == other)


def test_long_list_of_stop_words_shows_its_size_and_digest():
    rest = tuple(f"z{i}" for i in range(10))
    for one, other in (LONG_LIST, (*LONG_LIST[:-1], "word1O")), (("a\nb", "c", *rest), ("a", "b\nc", *rest)):
        shown = [entries(signature_of(stop_words=words))["stop"] for words in (one, other)]
        assert shown[0] != shown[1]
        assert all(re.fullmatch(r"1[12]#[0-9a-f]{12}", text) for text in shown)


def test_dictionary_is_told_by_name_and_content(tmp_path):
    first, second, other = tmp_path / "a.txt", tmp_path / "b b.txt", tmp_path / "other" / "a.txt"
    other.parent.mkdir()
    written = []
    for path, content in ((first, "云计算 5\n"), (first, "云计算 6\n"), (second, "云计算 6\n"), (other, "云计算 5\n")):
        path.write_text(content, encoding="utf-8")
        written.append(signature_of(tokenizer="jieba", jieba_dict=path))
    names, digests = zip(*(entries(text)["dict"].split("#") for text in written), strict=True)
    assert names == ("a.txt", "a.txt", "b%20b.txt", "a.txt")
    assert all(re.fullmatch("[0-9a-f]{12}", digest) for digest in digests)
    assert digests[0] == digests[3] != digests[1] == digests[2]
    # of another folder it is accepted by its content
    assert RougeSettings.from_signature(written[0], jieba_dict=other).jieba_dict == str(other)
    with pytest.raises(ValueError, match=r"jieba_dict=.*but the signature says"):
        RougeSettings.from_signature(written[1], jieba_dict=other)


def test_jiebas_own_dictionary_is_told_by_its_content():
    import jieba

    with jieba.Tokenizer().get_dict_file() as words:
        digest = hashlib.sha256(words.read()).hexdigest()
    for tokenizer in ("jieba", "sumeval_zh", "xlsum_chinese"):
        signature = signature_of(tokenizer=tokenizer)
        assert entries(signature)["dict"] == f"jieba#{digest[:12]}"
        assert RougeSettings.from_signature(signature).jieba_dict is None
    other = signature_of(tokenizer="jieba").replace(digest[:12], "0123456789ab")
    with pytest.warns(RougeWarning, match=r"jieba#0123456789ab \(here jieba#"):
        assert RougeSettings.from_signature(other).jieba_dict is None


def test_words_of_a_tokenizer_stand_in_the_signature(tmp_path):
    import jieba

    (tmp_path / "words.txt").write_text("今天 9 n\n石墨 5 n\n烯 5 n\n", encoding="utf-8")
    tokenizer, same = jieba.Tokenizer(str(tmp_path / "words.txt")), jieba.Tokenizer(str(tmp_path / "words.txt"))
    written = [signature_of(tokenizer="jieba", jieba_dict=tokenizer)]
    assert re.fullmatch("tokenizer#[0-9a-f]{12}", entries(written[0])["dict"])
    for word, frequency in (("石墨烯", 5), ("石墨烯", 6), ("今天", 0)):
        tokenizer.add_word(word, frequency)
        written.append(signature_of(tokenizer="jieba", jieba_dict=tokenizer))
        same.add_word(word, frequency)
        assert signature_of(tokenizer="jieba", jieba_dict=same) == written[-1]
    assert len(set(written)) == 4

    assert RougeSettings.from_signature(written[-1], jieba_dict=tokenizer).jieba_dict is tokenizer
    with pytest.raises(ValueError, match=r"jieba_dict=.*but the signature says"):
        RougeSettings.from_signature(written[0], jieba_dict=tokenizer)
    with pytest.raises(ValueError, match=r"from_signature\(text, jieba_dict=\.\.\.\)"):
        RougeSettings.from_signature(written[0])


def test_what_may_cut_otherwise_than_jieba_is_no_dictionary():
    import jieba

    own = type("Own", (jieba.Tokenizer,), {})
    for value in (own(), jieba, jieba.lcut):
        refused(TypeError, "jieba_dict", tokenizer="jieba", jieba_dict=value)


# Reading a signature: what is refused


# What is refused, and what the message names
NO_SIGNATURES = [
    ("", "key:value"),
    ("types", "key:value"),
    ("tok:mixed||v:0.1.0", "''"),
    ("tok:mixed|tok:char", "tok"),
    ("tokk:mixed", "Did you mean 'tok'?"),
    ("case:Lower", "Did you mean 'lower'?"),
    ("stem:none", "porter"),
    ("types:1,,2", "'rouge'"),
    ("types:1,1", "twice"),
    ("scale:0x10", "a number"),
    ("resamples:1e3", "a whole number"),
    ("types:1|weights:a", "'a'"),
    ("words:0", "max_words"),
    ("beta:", "''"),
    ("beta:nan", "beta"),
    ("words:5|bytes:5", "not both"),
    ("split:custom", "register_sentence_split"),
    ("tok:my%2Dwords@2%2B1", "register_tokenizer"),
    ("tok:mixed@1", "not registered"),
    ("stop:[the", "stop"),
    ("stop:11#0123456789ab", "stop_words=..."),
    ("tok:jieba|dict:a.txt#0123456789ab", "jieba_dict=..."),
]


def test_text_that_is_no_signature():
    for text, named in NO_SIGNATURES:
        with pytest.raises(ValueError, match=re.escape(named)):
            RougeSettings.from_signature(text)


def test_given_value_that_does_not_match():
    needed = {"tokenizer": first_half, "stop_words": LONG_LIST}
    with pytest.warns(RougeWarning, match="custom"):
        signature = signature_of(**needed)
    for name, value in (("tokenizer", "mixed"), ("stop_words", LONG_LIST[:-1]), ("stop_words", None)):
        with pytest.raises(ValueError, match=f"{name}=.*but the signature says"):
            RougeSettings.from_signature(signature, **{**needed, name: value})
    assert RougeSettings.from_signature(signature, **needed).tokenizer is first_half
    assert Rouge.from_signature(signature, **needed).settings == RougeSettings(**needed)
    with pytest.raises(ValueError, match="no entry for jieba_dict"):
        RougeSettings.from_signature(RougeSettings().signature(), jieba_dict="words.txt")


# Conventions


@pytest.mark.parametrize("name", every_convention())
def test_a_convention_has_a_signature_and_what_is_set_beside_it_shows(name):
    convention = CONVENTIONS[name]
    signature = convention.settings.signature()
    is_own = name in ("default", "zh_char", "zh_word", "ja_word", "ko_word", "th_word", "vi_word")
    assert ("|norm:nfc|" if is_own else "|norm:none|") in signature
    assert ("|ucd:" in signature) == is_own
    assert RougeSettings.from_signature(signature) == convention.settings
    changed = convention.override(convention.settings, {"beta": 3, "sentence_split": "auto"})
    assert changed == convention.settings.replace(beta=3.0, sentence_split="auto", tool={"alpha": None})
    assert entries(changed.signature())["beta"] == "3"
    assert changed.signature() != convention.settings.signature()


def test_text_rules_beside_a_tokenizer():
    """A user's replaces those of rouge_score, as there, in the convention and in a call, but what is given with it."""
    implied = {"lowercase": False, "punctuation": "keep", "use_stemmer": False}
    for name in ("rouge_score", "evaluate_rouge"):
        for change in ({}, {"lowercase": True}, {"punctuation": "drop"}, {"use_stemmer": True}):
            rouge, given_with_it = Rouge(name, use_stemmer=True), {"tokenizer": str.split, **change}
            for settings in (Rouge(name, **given_with_it).settings, rouge.options_with(given_with_it)[0]):
                assert {key: getattr(settings, key) for key in implied} == {**implied, **change}
                assert settings.tokenizer == str.split
    for name in ("default", "zh_char", "zh_word"):  # our own conventions keep theirs
        assert Rouge(name, tokenizer=str.split).settings == CONVENTIONS[name].settings.replace(tokenizer=str.split)
    assert Rouge("rouge_score", tokenizer="mixed").settings == RougeSettings(tokenizer="mixed", normalize=None)


def test_a_convention_in_a_call_is_told_where_it_belongs():
    with pytest.raises(TypeError, match=r"'convention' .* Rouge\('zh_char'\) or evaluate\.load"):
        Rouge().compute(["a"], ["a"], convention="zh_char")
