"""A setting that is changed under a convention changes scores on some text, or it is said, or it is refused."""

import warnings

import numpy as np
import pytest
from language_packages import DISTINCT_CONVENTIONS, convention_settings

from polyrouge import QUIRKS, REFUSALS, SENTENCE_SPLITS, Rouge, RougeWarning
from polyrouge.settings.allowed_values import STOP_LISTS, Choice
from polyrouge.settings.rouge_settings import ALL_SETTINGS, TOOL_RULES

TYPES = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeSU4")
LONG = " ".join(f"w{n}" for n in range(1100))
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
ZERO = {("on_error", "zero"): "a text without tokens scores 0 anyway, which is what is asked for"}
MARKS = {("joined_split", "rouge_chinese"): "it would cut a token of two marks"}
ROUNDED_F = {("epsilon", 1e-8): "F is rounded to five digits"}
EXACT = "sums of single precision are exact, in any order"
LOWER = {("lowercase", rule): "the steps lower-case the text" for rule in (True, "ascii")}
WITHOUT_BLANKS = {("segment", "jieba_without_spaces"): "the steps leave no blanks that jieba would make words of"}
NO_SENTENCES = "the steps leave nothing that a sentence could be cut at"
KNOWN = {
    "torchmetrics": {("aggregate", "running_mean"): EXACT, ("aggregate", "numpy_mean"): EXACT},
    "vi_word": {("normalize", None): "pyvi composes a text itself; it matters where texts are cut to a length"},
    "rouge155": ZERO | ROUNDED_F,
    "rouge_chinese": ZERO,
    "lawrouge": ZERO,
    "lexeval": {
        **LOWER,
        **WITHOUT_BLANKS,
        **MARKS,
        ("lowercase", "fold"): "the steps leave no letter whose folded form is another, in these texts",
        **{("sentence_split", name): NO_SENTENCES for name in ("newline", "zh", "auto", "none", "<q>")},
        ("multi_reference", "best"): "rougeL is highest with one reference in all its parts",
        ("on_error", "score"): "a text without words, for which the tool raises, scores 0 either way",
        **{
            ("refuses", names): "a text that the tool raises for scores 0, as one without words does"
            for names in (
                (),
                *((name,) for name in REFUSALS if name.startswith("empty")),
                ("rougeW_of_empty_reference",),
            )
        },
    },
    "promptcblue": {
        **LOWER,
        ("normalize", "nfc"): "the steps take accents off",
        ("normalize", "tr"): "the steps lower-case the text before",
        **{("sentence_split", name): NO_SENTENCES for name in ("newline", "<q>")},
        ("joined_split", "pltrdy"): "the steps leave single blanks, and a text is never empty",
        ("joined_split", "single_space"): "the steps leave single blanks, and a text is never empty",
        **{
            ("empty", value): "an empty text becomes 无 。"
            for value in ("skip", "skip_blank_reference", "error", "one_if_both")
        },
    },
    "lveval": {("sentence_split", name): "no token keeps a full stop or a mark" for name in ("none", "<q>")},
    "mbert_rouge": {**MARKS, ("use_stemmer", True): "the model that is made here has short subwords only"},
    "sumeval": MARKS,
}
"""Changes that are not said to have no effect, and have none on these texts."""
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
    return allowed.allowed if isinstance(allowed, Choice) else (True, False)


def outcome(convention, settings):
    """The scores as they are printed, or what is refused; and the settings that are said to have no effect."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.random.seed(0)
        try:
            result = repr(Rouge(convention, **settings).compute(list(SAMPLES), list(SAMPLES.values())))
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
    assert set(silent) == KNOWN.get(convention, {}).keys()
