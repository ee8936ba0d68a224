"""The Chinese documents: scores in tables, limits that they name, and how a paragraph is written; and the glossary."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from polyrouge import Rouge
from polyrouge.texts.sentences import SENTENCE_SPLITS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ["README_zh.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.zh.md"))]
# The word for a thing in page, report, command and documents, and what others call it.
GLOSSARY = {
    "zh": {
        "生成文本": "预测(?!文件)|候选(?:文本|摘要)|机器摘要|系统摘要",
        "参考文本": "参考摘要|标准摘要|标准答案|参照文本|人工摘要",
        "系统": "参赛者|模型之间|各模型的分数",
        "样本": "样例|实例|例句",
        "词元": "令牌|标记符|记号",
        "约定": "口径|惯例|方言",
        "精确率": "准确率|查准率",
        "召回率": "查全率",
        "分组": "切片|分片|子集",
        "置信区间": "可信区间|误差线",
        "词干提取": "词干化",
        "签名": "指纹",
        "原文": "源文本|源文档",
        "你": "您",
        "jieba": "rjieba|替身",
    },
    "en": {
        "prediction": r"hypothes[ei]s\b(?! is empty)|candidate (?:text|summar)|system summar",
        "reference": "gold (?:text|summar|reference)|ground truth|target (?:text|summar)",
        "sample": "data ?points?|instances? of (?:text|data)",
        "slice": "subgroup|subset|stratum|strata",
        "convention": "flavou?r|preset|dialect",
        "interval": "error bar|credible",
        "source": "source article|input document",
        "signature": "fingerprint",
    },
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


SURPRISES = re.findall(
    r"^\| `([^`]+)` \| `([^`]+)` \| ([\d /]+) \| ([\d /]+) \|", read("docs/chinese.zh.md"), re.MULTILINE
)


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize(("prediction", "reference", "characters", "words"), SURPRISES)
def test_surprising_scores_are_what_they_are(prediction, reference, characters, words):
    """⟨U+200B⟩ stands for a character that nobody sees."""
    texts = [
        re.sub(r"⟨U\+(\w+)⟩", lambda match: chr(int(match[1], 16)), cell.replace("\\|", "|"))
        for cell in (prediction, reference)
    ]
    for convention, written in (("zh_char", characters), ("zh_word", words)):
        rouge = Rouge(convention, rouge_types=["rouge1", "rouge2", "rougeL"], scale=100)
        scores = rouge.compute(texts[:1], texts[1:])
        assert " / ".join(f"{score:.0f}" for score in scores.values()) == written, convention


@pytest.mark.parametrize(("end", "n"), [*((each, 2) for each in ("!", "?", ";", "⋯⋯", "\r", "\u2028")), (".", 1)])
def test_marks_that_end_a_sentence(end, n):
    """The page on Chinese names them; mend it when this changes."""
    for split in ("zh", "auto"):
        assert len(SENTENCE_SPLITS[split].split(f"央行降息{end}股市大涨")) == n


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_paragraph_is_one_line(name):
    """A line break inside a Chinese sentence is shown as a blank."""
    lines = re.sub(r"^```.*?^```", "", read(name), flags=re.DOTALL | re.MULTILINE).split("\n")
    for line, following in pairwise(lines):
        is_paragraph = line.strip() and not re.match(r"\s*(?:[|#>-]|\d+\. |<!--|!\[)", line)
        assert not (is_paragraph and following.strip()), line


ASSETS = [path.relative_to(ROOT).as_posix() for path in (ROOT / "polyrouge").glob("*/assets/*_*.json")]
ENGLISH = [name.replace("_zh", "").replace(".zh", "") for name in DOCUMENTS]
FILES = {"zh": [*DOCUMENTS, *ASSETS], "en": [*ENGLISH, *ASSETS]}


@pytest.mark.parametrize("language", GLOSSARY)
def test_one_word_for_one_thing(language):
    """Quotations of code are none of ours."""
    for name in FILES[language]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", read(name), flags=re.DOTALL)
        for word, others in GLOSSARY[language].items():
            assert "licences" in name or re.findall(others, text) == [], f"{name}: {word}"
