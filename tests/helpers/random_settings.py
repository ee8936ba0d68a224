"""Random settings and random samples: what the engines are compared on, and what signatures are written of."""

import functools
import random
import re
from typing import Any

from language_packages import usable_tokenizers

from polyrouge import CONVENTIONS, QUIRKS, REFUSALS, SENTENCE_SPLITS, Rouge
from polyrouge.settings.allowed_values import STOP_LISTS, Choice, Flag, Range
from polyrouge.settings.rouge_settings import ALL_SETTINGS, grouped
from polyrouge.settings.rouge_types import DEFAULT_ROUGE_TYPES
from polyrouge.texts.preparation import STEPS


def _fails(text: str) -> list[str]:
    if "x" in text:
        raise ValueError("x is not wanted")
    return text.split()


TOKENIZER_FUNCTIONS = [
    str.split,
    list,
    re.compile(r"\w+").findall,
    functools.partial(re.findall, r"[^\s]{1,2}"),
    lambda text: text.lower().split("a"),
    lambda text: [text],
    lambda _text: [],
    lambda text: text.split()[::-1],
    lambda text: [word * 2 for word in text.split()],
    _fails,
    lambda text: tuple(text.split()),  # no list: allowed or refused, but by both engines
    lambda text: [len(text)],
    lambda _text: None,
]
SPLIT_FUNCTIONS = [
    str.splitlines,
    lambda text: text.split("a"),
    functools.partial(re.split, "(?<=[.!?。])"),
    lambda text: [text],
    lambda _text: [],
    lambda text: ["", text, ""],
    _fails,
    lambda _text: [None],
]

_TYPES = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU"]
_TYPES += [f"rouge{kind}{gap}" for kind in ("S", "SU") for gap in (0, 1, 2, 4, 63, 64, 1_000_000)]
_PIECES = [
    *"the cat sat on a mat A The running agreements national U.S. Dr. 3.14 1,000 don't it's x-ray _ - x".split(),
    *"今天 天气 很 好 今天天气很好 边边边 A股 T恤 的 了 研究生命起源 上海 。 ！ ？ ； …… ， 、 ” 》".split(),
    *"é É ß İ K e\u0301 ﬁ Ａ １ ｶﾞ ไทยภาษา 한국어 हिन्दी العربية книга ひらがな カナー".split(),
    *"😀 👨\u200d👩\u200d👧 🇨🇳 𠮷 㐀".split(),
    *". ! ? ... , ; : ' \" ( ) [ ] < > <q> <n> <think> </think> &amp; ## * @-@ | # % \\ /".split(),
    *(" ", "  ", "\n", "\r\n", "\r", "\t", "\u3000", "\xa0", "\u2028", "\x85", "\x1c", "\x0b", "\0"),
    *("\u200b", "\ufeff", "\u200c", "\u200d", "՞", "ʼ", "ප්\u200dරධාන", "می\u200cروم", "Ինչպե՞ս"),
]
_LENGTHS = [0, 1, 2, 3, 5, 8, 13, 21, 40, 62, 63, 64, 65, 66, 127, 128, 129]


def random_text(rng: random.Random) -> str:
    """A text of one of many kinds, from empty to some hundred tokens; often with repeats."""
    n = rng.choice(_LENGTHS)
    kind = rng.random()
    if kind < 0.5:
        pieces = rng.sample(_PIECES, rng.randint(1, 12))
        return rng.choice(["", " ", " ", "\n"]).join(rng.choice(pieces) for _ in range(n))
    if kind < 0.75:
        return " ".join(rng.choice("abcd") for _ in range(n)).replace(" a", rng.choice([" a", ".\na", "\n"]))
    if kind < 0.9:
        return "".join(rng.choice("今天天气很好。！的了是abc 1.\n") for _ in range(n))
    if kind < 0.99:
        return "".join(chr(rng.choice([rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)])) for _ in range(n))
    return "a \ud83d b"  # half a character: refused


def random_samples(rng: random.Random) -> tuple[list[str], list[Any]]:
    """Predictions and their references: one text for each, or for each some, not always as many."""
    n = rng.choice([1, 1, 2, 3, 5])
    pool = [random_text(rng) for _ in range(rng.randint(1, 2 * n + 1))]

    def text() -> str:
        return rng.choice(pool) if rng.random() < 0.7 else random_text(rng)

    if rng.random() < 0.3:
        return [text() for _ in range(n)], [text() for _ in range(n)]
    return [text() for _ in range(n)], [[text() for _ in range(rng.choice([1, 1, 2, 3]))] for _ in range(n)]


def _number(rng: random.Random, name: str, allowed: Range) -> Any:
    """A number in the range of a setting: small ones mostly, its ends, and at times one that is refused."""
    if allowed.may_be_none and rng.random() < 0.3:
        return None
    if name == "n_resamples":
        return rng.choice([1, 2, 20])
    if allowed.kind is int:
        return rng.choice([allowed.low, 1, 2, 3, 4, 5, 7, 12, 17, min(64, allowed.high), allowed.high])
    ends = [] if allowed.is_open else [allowed.low, allowed.high]
    inside = rng.uniform(allowed.low, min(allowed.high, allowed.low + 3))
    return rng.choice([*ends, inside, inside, round(inside, 1), 0.5, 1, 1.5])


def _value(rng: random.Random, name: str, *, functions: bool) -> Any:
    """A value of one setting."""
    if name == "rouge_types":
        return rng.sample(_TYPES, rng.randint(1, 6))
    if name == "tokenizer":
        return rng.choice(TOKENIZER_FUNCTIONS) if functions and rng.random() < 0.3 else rng.choice(usable_tokenizers())
    if name == "sentence_split":
        if functions and rng.random() < 0.3:
            return rng.choice(SPLIT_FUNCTIONS)
        return rng.choice([*SENTENCE_SPLITS, "<q>", "a", "|", ". ", "今", "\n\n"])
    if name == "lowercase":
        return rng.choice([True, False, "ascii", "fold"])
    if name == "stop_words":
        return rng.choice([None, ["the", "a", "on", "今天"], ["|", ",", "%"], _PIECES[:15], *STOP_LISTS])
    if name == "refuses":
        return rng.sample(list(REFUSALS), rng.randint(0, 2))
    if name == "prepare":
        return [
            rng.choice(["", "prediction.", "reference."]) + step
            for step in rng.choices(list(STEPS), k=rng.randint(0, 3))
        ]
    if name == "quirks":
        return rng.sample(list(QUIRKS), rng.randint(0, 2))
    if name == "word_tables":
        return None
    allowed = ALL_SETTINGS[name].values
    if isinstance(allowed, Flag):
        return rng.random() < 0.5
    if isinstance(allowed, Range):
        return _number(rng, name, allowed)
    assert isinstance(allowed, Choice), name
    return rng.choice(allowed.allowed)


_READ_BY_THE_KERNEL = (
    *("mixed", "ascii", "zh_char", "char", "space", "rouge155", "jieba", "hanzi", "pltrdy", "rouge_chinese"),
    *("single_space", "every_char"),
)
_NOT_DRAWN = {"engine", "threads", "jieba_dict", "subword_model", "pkuseg_model", "weights", "seed"}


def random_rouge(rng: random.Random, *, functions: bool = True) -> Rouge | None:
    """A metric under random settings, ``functions`` among them; None where they were refused, as some must be."""
    usable = [name for name, each in CONVENTIONS.items() if each.settings.tokenizer in usable_tokenizers()]
    convention = rng.choice(usable) if rng.random() < 0.5 else "default"
    names = [name for name in ALL_SETTINGS if name not in _NOT_DRAWN]
    chosen = rng.sample(names, rng.choice([0, 1, 2, 3, 4, 6, 10]))
    values = {name: _value(rng, name, functions=functions) for name in chosen}
    if rng.random() < 0.3:  # an odd pair: a convention's filters and sentences with another tool's tokens
        values["tokenizer"] = rng.choice(_READ_BY_THE_KERNEL)
        values |= {"use_stemmer": rng.random() < 0.5, "segment": rng.choice([None, None, "char", "jieba"])}
        if rng.random() < 0.5:
            values["stop_words"] = None
    if rng.random() < 0.5:
        values.setdefault("rouge_types", _value(rng, "rouge_types", functions=False))
    if rng.random() < 0.1:
        values["weights"] = [rng.uniform(-2, 2) for _ in values.get("rouge_types", DEFAULT_ROUGE_TYPES)]
    try:
        return Rouge(convention, **grouped(values))
    except (ValueError, TypeError, ModuleNotFoundError):
        return None
