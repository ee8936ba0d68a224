"""The Chinese documents: scores in tables, limits that they name, and how a paragraph is written."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from polyrouge import Rouge
from polyrouge.texts.sentences import SENTENCE_SPLITS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ["README_zh.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.zh.md"))]
OTHERS_WORDS = ("准确率", "口径", "词干化", "替身", "您", "rjieba")  # the field, and our page, have other words


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def text_of(cell: str) -> str:
    """A text as a table shows it: ⟨U+200B⟩ for a character that nobody sees, and an escaped bar."""
    return re.sub(r"⟨U\+(\w+)⟩", lambda match: chr(int(match[1], 16)), cell.replace("\\|", "|"))


SURPRISES = re.findall(
    r"^\| `([^`]+)` \| `([^`]+)` \| ([\d /]+) \| ([\d /]+) \|", read("docs/chinese.zh.md"), re.MULTILINE
)


def test_surprising_scores_are_in_a_table():
    assert len(SURPRISES) >= 18


@pytest.mark.filterwarnings("ignore:The tokenizer .* leaves no token of '😀😀':polyrouge.RougeWarning")
@pytest.mark.parametrize(("prediction", "reference", "characters", "words"), SURPRISES)
@pytest.mark.filterwarnings("ignore:.* are one word in different:polyrouge.RougeWarning")  # which they are
def test_surprising_scores_are_what_they_are(prediction, reference, characters, words):
    for convention, written in (("zh_char", characters), ("zh_word", words)):
        rouge = Rouge(convention, rouge_types=["rouge1", "rouge2", "rougeL"], scale=100)
        scores = rouge.compute([text_of(prediction)], [text_of(reference)])
        assert " / ".join(f"{score:.0f}" for score in scores.values()) == written, convention


@pytest.mark.parametrize(("end", "n"), [*((each, 2) for each in ("!", "?", ";", "⋯⋯", "\r", "\u2028")), (".", 1)])
def test_marks_that_end_a_sentence(end, n):
    """The page on Chinese names them; mend it when this changes."""
    for split in ("zh", "auto"):
        assert len(SENTENCE_SPLITS[split].split(f"央行降息{end}股市大涨")) == n


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_paragraph_is_one_line(name):
    """A line break inside a Chinese sentence is shown as a blank."""
    text = re.sub(r"^```.*?^```", "", read(name), flags=re.DOTALL | re.MULTILINE)
    lines = text.split("\n")
    for line, following in pairwise(lines):
        is_paragraph = line.strip() and not re.match(r"\s*(?:[|#>-]|\d+\. |<!--|!\[)", line)
        assert not (is_paragraph and following.strip()), line


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if "licences" not in name])  # a list of packages' names
@pytest.mark.parametrize("word", OTHERS_WORDS)
def test_one_word_for_one_thing(name, word):
    assert word not in read(name)
