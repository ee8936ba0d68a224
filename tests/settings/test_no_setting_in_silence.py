"""A setting that is changed under a convention changes scores on some text, or it is said, or it is refused."""

import itertools
import random
import warnings
from collections import Counter

import numpy as np
import pytest
from amounts import few_or_many
from language_packages import DISTINCT_CONVENTIONS, convention_settings

from polyrouge import QUIRKS, REFUSALS, SENTENCE_SPLITS, TOKENIZERS, Rouge, RougeWarning
from polyrouge.settings.allowed_values import STOP_LISTS, Choice, Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS, TOOL_RULES

TYPES = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeSU4")
LONG = " ".join("bcdfghjklmnpqrvwxyz"[n % 19] for n in range(1100))
# Samples in each of which some setting shows.
SAMPLES = {
    "The cats sat on the mat. They were running\nquickly, and quickly ran!": (
        ["A cat sits on mats. It runs\nquickly; quick runners ran.", " the cat was sitting", "mats"]
    ),
    "a b c d e a b": ["c d a b e", "b a d", "a b c d e a"],
    "a b c": ["a b", "", "a"],
    "d e f g": ["g", "d e", "d f e g h i j k", "e"],
    "": ["", "a"],
    " ": [" "],
    "x": [""],
    "x<q>y y": ["y<q>x y", "x"],
    "k l<q>m n": ["m n<q>k l"],
    "Apple's U.S. don't 3.14 1,000 gonna cannot K \u212a İ ß É é ＡＢＣ ﬁ x卡拉OKbar": (
        ["apples us dont 3 14 1000 gon na cannots k k i ss e E abc fi X OKbar", "Apple U S don t"]
    ),
    "Straße ÉCOLE ſ": ["STRASSE école s"],
    "İstanbul ISPARTA": ["istanbul ısparta"],
    "今天天气很好，我们去公园。他来了！真的？是的": ["今天天气不错。我们去公园！他 走了；真的。是 的", "我们今天去"],
    "今天下雨。我们回家": ["我们回家。今天下雨"],
    "今天 下雨。我们 回家": ["我们 回家。今天 下雨"],
    "a b。c d。e f。g": ["g。e f。c d。a b"],
    "a b. c d. e f. g h": ["g h. e f. c d. a b"],
    "a b\nc d\ne f": ["e f\nc d\na b"],
    "他来到了网易杭研大厦，小明硕士毕业于中国科学院计算所": ["小明硕士毕业于中国科学院，他来网易", "杭研大厦"],
    "系统以及自建的系统": ["系统 以及 自 建"],
    "SAA制": ["S AA"],
    " \na": ["a"],
    "a b\na b. a b。a b": ["a b\na c. a d。a e"],
    "T恤 A股 市场 上涨 了 的 的": ["t恤 a股 市场 下跌 的", "T恤"],
    "दुनिया खेलते लड़कियाँ": ["दुनियाओं खेलना लड़की"],
    "<think>hm</think>The answer &amp; more\u200b": ["The answer & more", "hm"],
    "governmental agreements nationally generously dying running": [
        "government agree national generous die run",
        "nation",
    ],
    ". . .": [". .", "a"],
    "。": ["。"],
    "a a a b b": ["a b b a a b", "b"],
    LONG: [LONG],
    f"  s t. {LONG} u": [f" s t. {LONG} v"],
    "die Häuser der Städte waren größer": ["das Haus der Stadt war groß", "Häusern"],
    "дома стояли красивые книги": ["дом стоял красивая книга"],
    "les chevaux étaient nationales": ["le cheval était national"],
    "การทดสอบภาษาไทย": ["ทดสอบภาษา"],
    "東京都は日本の首都です。": ["日本の東京は首都だ。"],
    "학교에 갔다. 서울은 수도이다.": ["학교는 갔다. 수도는 서울이다."],
    "e\u0301te\u0301 caf\u00e9": ["été cafe\u0301"],
    "ｶﾞｷﾞ １２３ …": ["ガギ 123 ..."],
    "a,b;c -- d_e #f": ["a b c d e f", "a, b; c - d_e"],
    "as the of and is a man": ["men as the of and are"],
    "p q r. s t\nu v": ["r s. t u\nv p q", "p q r"],
    "كِتابَ أحمد": ["كتاب احمد"],
    "the  two  blanks ": ["the two blanks", "the  two"],
    **{f"a b c {'d ' * n}e f g": [f"a c {'e ' * (n % 7)}b g"] for n in range(1, 25)},
}
VALUES = {
    "lowercase": (True, False, "ascii", "fold"),
    "stop_words": (None, ["the", "a", "的"], *STOP_LISTS),
    "max_words": (None, 3),
    "max_bytes": (None, 9),
    "max_characters": (None, 5),
    "sentence_split": (*SENTENCE_SPLITS, "<q>", "."),
    "weight": (0.7, 1.0, 1.2, 2.0),
    "beta": (1.0, 0.5, 1.2),
    "weights": (None, range(1, len(TYPES) + 1)),
    "confidence": (None, 0.9),
    "n_resamples": (1000, 50),
    "seed": (0, 5),
    "scale": (1.0, 100.0),
    "round_each": (None, 2, 4),
    "round_result": (None, 2, 4),
    "alpha": (None, 0.0, 0.5, 0.9),
    "epsilon": (0.0, 1e-8, 0.1),
    "refuses": ((), *((name,) for name in REFUSALS)),
    "word_tables": (None, "."),
}
ELSEWHERE = {
    "rouge_types": "asks for other keys",
    "tokenizer": "the whole of tests/texts is about it",
    "prepare": "a step without effect here is no mistake: lists of steps are copied from tool to tool",
    "jieba_dict": "refused where jieba does not cut",
    "pkuseg_model": "refused without its tokenizer",
    "subword_model": "refused without its tokenizer",
}
"""Settings that are not changed here."""
# Whose steps leave nothing that some settings could change, or whose tools score 0, or sum exactly, in any case
IDLE_IN_SILENCE = (
    *("torchmetrics", "rouge155", "rouge_chinese", "lawrouge", "lexeval", "promptcblue", "lveval", "sumeval"),
    *("vi_word", "mbert_rouge"),
)
ROUNDED = {"round_each", "round_result"}
FAST = ("default",)
SLOW = [name for name in DISTINCT_CONVENTIONS if name not in (*FAST, "zh_char", "zh_word")]
LANGUAGES = ("vi_word", "mbert_rouge")


def values_of(name, own):
    """The values that a setting is changed to; of quirks, one more or one fewer."""
    if name == "quirks":
        return [tuple(sorted({*own} ^ {quirk})) for quirk in QUIRKS]
    allowed = ALL_SETTINGS[name].values
    if name in VALUES:
        return VALUES[name]
    if isinstance(allowed, Range):
        return [*[None] * allowed.may_be_none, allowed.low, allowed.low + 2]
    return allowed.allowed if isinstance(allowed, Choice) else (True, False)


def outcome(convention, settings, texts=(list(SAMPLES), list(SAMPLES.values()))):  # noqa: B008
    """The scores as they are printed, or what is refused; and the settings that are said to have no effect."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.random.seed(0)
        try:
            result = repr(Rouge(convention, **settings).compute(*texts))
        except (ValueError, TypeError, ModuleNotFoundError, FileNotFoundError) as error:
            result = str(error)
    messages = [str(each.message) for each in caught if issubclass(each.category, RougeWarning)]
    return result, {each.partition("=")[0] for each in messages if "has no effect here: " in each}


def silent_and_wrong(convention):
    """The changes that are not said to have no effect and have none; and those that are said to, and have one."""
    base = {"rouge_types": TYPES, "weights": None, **convention_settings(convention)}
    silent, wrong = [], []
    for name in ALL_SETTINGS:
        if name in ELSEWHERE:
            continue
        given = base | dict.fromkeys(ROUNDED - {name})  # rounding hides what small numbers change
        own = Rouge(convention, **given).settings.value(name)
        without, _ = outcome(convention, given)
        for value in values_of(name, own):
            if ALL_SETTINGS[name].values.check(name, value) == own if value is not None else own is None:
                continue
            changed = {"tool": {name: value}} if name in TOOL_RULES else {name: value}
            result, said = outcome(convention, given | changed)
            if result == without and name not in said:
                silent.append((name, value))
            elif result != without and name in said:
                wrong.append((name, value))
    return silent, wrong


@pytest.mark.parametrize(
    "convention",
    [
        *FAST,
        *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW),
        *(pytest.param(name, marks=pytest.mark.languages) for name in LANGUAGES),
    ],
)
def test_each_setting_changes_scores_or_is_said_to_change_none(convention):
    silent, wrong = silent_and_wrong(convention)
    assert not wrong
    assert silent == [] or convention in IDLE_IN_SILENCE


# The same under several types, and beside settings that let others have an effect or none
TEXTS = (
    ["the cats sat. It ran, and\nran on. 天气很好。", "a b c d e", "", "x<q>y y", "U.S.", "Häuser K"],
    [["The cats ran. It sat, and\nran. 天气不错。"], ["c d a b e", "b a"], ["a"], ["y<q>x y"], ["u s ."], ["haus k"]],
)
TYPES_ASKED = (["rouge1"], ["rougeL"], ["rougeLsum", "rouge2"], ["rougeW"], ["rougeSU4"])
BESIDE = (
    {},
    {"confidence": 0.9},
    {"use_aggregator": False},
    {"aggregate": "bootstrap_median"},
    {"aggregate": "bootstrap_median", "confidence": 0.9},
    {"aggregate": "micro", "multi_reference": "first"},
    {"max_words": 3},
    {"max_bytes": 5},
    {"on_error": "raise"},
    {"tokenizer": "char"},
    {"tokenizer": "char", "use_stemmer": True},
    {"sentence_split": "none", "multi_reference": "best_recall", "on_error": "zero"},
)
NAMES = [name for name, setting in ALL_SETTINGS.items() if setting.need is not None]
NAMES += [name for entry in TOKENIZERS.values() for name in entry.alike]


@pytest.mark.filterwarnings("ignore")
@few_or_many(20, 150)
def test_what_is_said_to_have_no_effect_moves_nothing(n):
    idle, at_work = Counter(), Counter()
    conventions = ("default", "rouge155", "py_rouge", "pltrdy", "rouge_chinese", "coco")
    for convention, types, beside in random.Random(1).sample([*itertools.product(conventions, TYPES_ASKED, BESIDE)], n):
        given = {"rouge_types": types, **beside}
        without, _ = outcome(convention, given, TEXTS)
        is_missing = "not installed" in without  # tables of others, of which a folder may be given
        for name in {*NAMES} - beside.keys() if not is_missing else ["word_tables"]:
            for value in values_of(name, ()):
                changed = {"tool": {name: value}} if name in TOOL_RULES else {name: value}
                result, said = outcome(convention, given | changed, TEXTS)
                idle[name] += name in said
                at_work[name] += result != without
                assert name not in said or result == without, (convention, types, beside, name, value)
    assert all(idle[name] and at_work[name] for name in NAMES), (idle, at_work)
