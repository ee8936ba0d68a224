"""The fast road to UAX #29's words against uniseg's own, on characters of every kind in any order."""

import random
import unicodedata

import pytest
import shared_data
from amounts import few_or_many
from uniseg.wordbreak import word_break, words

from polyrouge.texts.unicode_words import _SAME_TO_BOTH, unicode_words

# Words next to which a character shows its property.
AROUND = "a{0}a 1{0}1 カ{0}カ _{0}_ a{0}1 中{0}中 a{0}.a 1,{0}1 {0}{0} \r{0}\n {0}"


def words_of_uniseg(text):
    return [word for word in words(text) if not word.isspace()]


@pytest.fixture(scope="module")
def kinds():
    """All characters by their property, and what is frequent."""
    found = {"blanks": list("  \n\t"), "frequent": list("abcdAEIO123.,:;-'’\"_ 中文かカ한é")}
    for point in range(0x110000):
        if unicodedata.category(chr(point)) not in ("Cs", "Cn", "Co"):
            found.setdefault(word_break(chr(point)).name, []).append(chr(point))
    return found


@pytest.mark.slow
def test_every_character_that_regex_is_given():
    given = [chr(point) for point in range(0x110000) if _SAME_TO_BOTH.fullmatch(chr(point))]
    assert len(given) > 40_000
    alphabets = [character for character in given if not ("\u3400" <= character <= "\ud7a3")]
    many = random.Random(0).sample([character for character in given if "\u3400" <= character <= "\ud7a3"], 500)
    for character in [*alphabets, *many]:
        text = AROUND.format(character)
        assert unicode_words(text) == words_of_uniseg(text), (character, hex(ord(character)))


@pytest.mark.parametrize("frequent", [0, 10])
@few_or_many(1000, 5000)
def test_random_texts(n, frequent, kinds):
    rng = random.Random(frequent)
    names = [*kinds, *["blanks", "frequent"] * frequent]
    for _ in range(n):
        text = "".join(rng.choice(kinds[rng.choice(names)]) for _ in range(rng.randint(0, 25)))
        assert unicode_words(text) == words_of_uniseg(text), text


@pytest.mark.parametrize(
    "text",
    [
        "don't l'amour 'Oh' ’tis O'Neil's 'I",
        "a \u0301b a\u200d b \u00adc \ufeff\nd\u0301 \u2003x",
        "👨\u200d👩\u200d👧 🇩🇪🇫🇷🇩 🇩🇪 x🇩",
        "שלום ל\"ע ה'",
        "เธอไปไหน हिन्दी में العربيّة",
        "\r\n\r \n",
        "",
    ],
)
def test_what_regex_cuts_otherwise(text):
    assert unicode_words(text) == words_of_uniseg(text)


@shared_data.needs_shared
@pytest.mark.parametrize("name", ["en_news", "zh_short", "multilingual", "edge"])
def test_real_texts(name):
    rows = shared_data.read_rows("data", f"{name}.jsonl")
    texts = list({text[:500] for row in rows[:: max(1, len(rows) // 60)] for text in _texts(row)})
    assert len(texts) > 20
    for text in texts:
        assert unicode_words(text) == words_of_uniseg(text)


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
