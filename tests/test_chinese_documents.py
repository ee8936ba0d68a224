"""The Chinese documents: scores in tables, limits that they name, and how a paragraph is written; and the glossary."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from polyrouge import Rouge
from polyrouge.page.wording import page_asset, page_texts
from polyrouge.report.note_texts import note_texts
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


def text_of(cell: str) -> str:
    """A text as a table shows it: ⟨U+200B⟩ for a character that nobody sees, and an escaped bar."""
    return re.sub(r"⟨U\+(\w+)⟩", lambda match: chr(int(match[1], 16)), cell.replace("\\|", "|"))


SURPRISES = re.findall(
    r"^\| `([^`]+)` \| `([^`]+)` \| ([\d /]+) \| ([\d /]+) \|", read("docs/chinese.zh.md"), re.MULTILINE
)


@pytest.mark.filterwarnings("ignore:The tokenizer .* leaves no token of '😀😀':polyrouge.RougeWarning")
@pytest.mark.parametrize(("prediction", "reference", "characters", "words"), SURPRISES)
@pytest.mark.filterwarnings("ignore:.* are one word in different:polyrouge.RougeWarning")  # which they are
@pytest.mark.filterwarnings("ignore:.* holds marks such as:polyrouge.RougeWarning")
@pytest.mark.filterwarnings("ignore:.* is in traditional Chinese characters:polyrouge.RougeWarning")
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


def told(language: str) -> dict[str, str]:
    """By their names the texts of documents, page, report and command; quotations of code are none of ours."""
    documents = (
        {"README_zh.md", *DOCUMENTS}
        if language == "zh"
        else {name.replace("_zh", "").replace(".zh", "") for name in DOCUMENTS}
    )
    texts = {
        name: re.sub(r"```.*?```|`[^`\n]*`", "", read(name), flags=re.DOTALL)
        for name in documents
        if "licences" not in name
    }
    texts["page"] = "\n".join(each[language] for each in page_texts().values())
    texts["notes"] = "\n".join(
        text for each in note_texts().values() for kind, text in each.items() if kind.startswith(language)
    )
    texts["report"] = "\n".join(
        map(str, json.loads(read("polyrouge/report/assets/report_texts.json"))[language].values())
    )
    if language == "zh":
        texts["conventions"] = "\n".join(
            word for each in json.loads(page_asset("page_chinese.json")).values() for word in each.values()
        )
    else:
        texts |= {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "polyrouge/cli").glob("*.py")}
    return texts


TOLD = {language: told(language) for language in GLOSSARY}


@pytest.mark.parametrize(
    ("language", "word"), [(language, word) for language in GLOSSARY for word in GLOSSARY[language]]
)
def test_one_word_for_one_thing(language, word):
    texts = TOLD[language]
    assert any(word in texts[name].lower() for name in ("page", "report"))
    others = {name: re.findall(GLOSSARY[language][word], text) for name, text in texts.items()}
    assert not {name: found for name, found in others.items() if found}


@pytest.mark.parametrize("name", ["page", "notes", "report", "conventions"])
def test_page_and_report_name_the_reference_in_full(name):
    assert not re.findall("参考(?!文本|篇数).{,5}", TOLD["zh"][name])
