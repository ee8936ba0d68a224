"""The measured numbers of the documents, which stand there between ``<!-- measured: NAME -->`` and ``<!-- end -->``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.results import Comparison, Fact, Run, short_number

__all__ = ["DOCUMENTS", "document_text"]

DOCUMENTS = [
    "README.md",
    "README_zh.md",
    *(f"docs/{name}{language}.md" for name in ("migrating", "pairs", "performance") for language in ("", ".zh")),
]
_BLOCK = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


class _Work(NamedTuple):
    """A line of a table: the words for it in both languages, and what was measured, on one thread."""

    en: str
    zh: str
    row: str
    texts: str
    peer: str
    work: str = ""


_ENGLISH = ("synthetic, 62 words", "real CNN/DM outputs", "real XSum outputs")
_CHARACTERS, _VCSUM, _LCSTS = "synthetic, 100 characters", "real VCSum outputs", "real LCSTS outputs"
_END_TO_END = "synthetic, 62 words, 11,490 pairs"
_SPEED = (
    *(
        _Work(f"ROUGE-1, -2, -L; {en}", f"ROUGE-1、-2、-L；{zh}", "ngrams_and_lcs", texts, peer)
        for en, zh, texts in zip(
            ("62 words", "outputs for CNN/DailyMail", "outputs for XSum"),
            ("62 个词", "CNN/DailyMail 的输出", "XSum 的输出"),
            _ENGLISH,
            strict=True,
        )
        for peer in ("rouge-score-rs", "rouge_score")
    ),
    *(
        _Work(
            "four types with stems; outputs for CNN/DailyMail",
            "四种类型，词干提取；CNN/DailyMail 的输出",
            "stemmer",
            _ENGLISH[1],
            peer,
        )
        for peer in ("rouge-score-rs", "rouge_score")
    ),
    *(
        _Work("four types; 220 words", "四种类型；220 个词", "words_220", "synthetic, 220 words", peer)
        for peer in ("rouge-score-rs", "rouge_score")
    ),
    _Work(
        "with intervals, through evaluate; 11,490 pairs of 62 words",
        "含置信区间，经 evaluate；11,490 对，62 个词",
        "end_to_end",
        _END_TO_END,
        "evaluate's rouge",
    ),
    *(
        _Work(f"`zh_char`; {en}", f"`zh_char`；{zh}", "characters", texts, "rouge-chinese")
        for en, zh, texts in (
            ("100 characters", "100 字", _CHARACTERS),
            ("outputs for LCSTS", "LCSTS 的输出", _LCSTS),
            ("outputs for VCSum", "VCSum 的输出", _VCSUM),
        )
    ),
    *(
        _Work(f"`zh_word`; {en}", f"`zh_word`；{zh}", "chinese_words", texts, "list(jieba.cut(t)) alone")
        for en, zh, texts in (
            ("100 characters", "100 字", _CHARACTERS),
            ("outputs for LCSTS", "LCSTS 的输出", _LCSTS),
            ("outputs for VCSum", "VCSum 的输出", _VCSUM),
        )
    ),
    *(
        _Work(
            f"`llama_factory`; {en}",
            f"`llama_factory`；{zh}",
            "conventions",
            texts,
            "rouge_chinese, the tool",
            "llama_factory",
        )
        for en, zh, texts in (
            ("outputs for LCSTS", "LCSTS 的输出", _LCSTS),
            ("outputs for VCSum", "VCSum 的输出", _VCSUM),
        )
    ),
    _Work(
        "ROUGE-1.5.5 `-m -n 2`, scores; outputs for CNN/DailyMail",
        "ROUGE-1.5.5 `-m -n 2`，分数；CNN/DailyMail 的输出",
        "rouge155",
        _ENGLISH[1],
        "ROUGE-1.5.5.pl -r 1",
        "-m -n 2: scores",
    ),
)
_CALLS = (
    *(
        _Work(f"default, {en}", f"default，{zh}", "small_calls", texts, "rouge-score-rs", f"1/2/L/Lsum, calls of {n}")
        for n, en, zh in (
            (1, "1 pair", "1 对"),
            (8, "8 pairs", "8 对"),
            (30, "30 pairs", "30 对"),
            (300, "300 pairs", "300 对"),
        )
        for texts in _ENGLISH[:1]
    ),
    *(
        _Work(
            f"`{name}`, {n} {'title' if n == 1 else 'titles'}",
            f"`{name}`，{n} 个标题",
            "small_calls",
            _LCSTS,
            "jieba and rouge_chinese" if name == "zh_word" else "its tool",
            f"{name}, calls of {n}",
        )
        for name in ("zh_word", "llama_factory", "ms_swift", "longbench_zh")
        for n in (1, 300)
    ),
)
_TITLES, _BLANKS = ("title of 4 words", "4 个词的标题"), "characters, blanks between"
_DROP_INS = (
    *(
        _Work(f"{en} | {texts[0]}", f"{zh} | {texts[1]}", "compat", measured, peer)
        for en, zh, peer in (
            ("rouge_score", "rouge_score", "rouge_score"),
            ("rouge_score, stemmer", "rouge_score，词干提取", "rouge_score, stemmer"),
            ("py-rouge", "py-rouge", "py-rouge"),
        )
        for texts, measured in (
            (("62 words", "62 个词"), "synthetic, 62 words"),
            (_TITLES, "synthetic, titles of 4 words"),
        )
    ),
    *(
        _Work(f"{en} | {texts[0]}", f"{zh} | {texts[1]}", "compat", f"synthetic, {n} {_BLANKS}", peer)
        for en, zh, peer in (
            ("rouge (pltrdy)", "rouge（pltrdy）", "rouge"),
            ("rouge_chinese", "rouge_chinese", "rouge_chinese"),
            ("pycocoevalcap", "pycocoevalcap", "pycocoevalcap"),
        )
        for texts, n in ((("100 characters", "100 字"), 100), (("title of 20 characters", "20 字的标题"), 20))
    ),
    _Work(
        "torchmetrics, `ROUGEScore` | 62 words",
        "torchmetrics，`ROUGEScore` | 62 个词",
        "compat_metrics",
        "synthetic, 62 words",
        "the package",
        "torchmetrics.ROUGEScore, a call a pair",
    ),
    _Work(
        "torchmetrics, one `update` | 2,000 pairs of 62 words",
        "torchmetrics，一次 `update` | 2,000 对，各 62 个词",
        "compat_metrics",
        "synthetic, 62 words",
        "the package",
        "torchmetrics.ROUGEScore, one call",
    ),
    _Work(
        "rouge_score, `score_batch` | 5,000 pairs of 62 words",
        "rouge_score，`score_batch` | 5,000 对，各 62 个词",
        "compat",
        "synthetic, 62 words",
        "rouge_score",
        "rouge_score, score_batch",
    ),
)
_HEADS = {
    "speed": ("work | polyrouge | other | its time | times faster", "内容 | polyrouge | 对照 | 对照用时 | 快多少倍"),
    "calls": (
        "one call | polyrouge, a pair | other | its time | times faster",
        "一次调用 | polyrouge，每对 | 对照 | 对照用时 | 快多少倍",
    ),
    "drop_ins": ("package | texts | here | the package | times faster", "包 | 文本 | 这里 | 原包 | 快多少倍"),
}
_TABLES = {"speed": _SPEED, "calls": _CALLS, "drop_ins": _DROP_INS}
_PEERS = {"rouge-score-rs": "rouge-score-rs (Rust)", "list(jieba.cut(t)) alone": "`list(jieba.cut(text))`"}
_PAIR_HEAD = ("work | time | memory above the inputs", "做什么 | 时间 | 输入之外的内存")
_DUPLICATES = "near duplicates of "
_PAIR_FACTS = (
    (
        "`deduplicate`, 52,002 English instructions, above 0.7",
        "`deduplicate`，52,002 条英文指令，界限 0.7",
        f"{_DUPLICATES}52,002 instructions (en), rougeL above 0.7",
    ),
    (
        "the same above 0.5, which drops 31,140",
        "同上，界限 0.5，去掉 31,140 条",
        f"{_DUPLICATES}52,002 instructions (en), rougeL above 0.5",
    ),
    (
        "20,465 Chinese instructions by character, above 0.7",
        "20,465 条中文指令，按字，界限 0.7",
        f"{_DUPLICATES}20,465 instructions (zh), rougeL above 0.7",
    ),
    (
        "a million texts made of these, above 0.7",
        "由这些指令改出的一百万条，界限 0.7",
        f"{_DUPLICATES}1,000,000 texts, rougeL above 0.7",
    ),
    (
        "`nearest`, 5 of 52,002 for each of 1,000 of them",
        "`nearest`，其中 1,000 条各在 52,002 条里找 5 条",
        "nearest 5 of 52,002 instructions, rougeL, of 1,000 of them, themselves",
    ),
    (
        "the same for 1,000 others like them",
        "同上，换成 1,000 条相近的文本",
        "nearest 5 of 52,002 instructions, rougeL, of 1,000 of them, redrawn",
    ),
)
_PAIR_SPEED = (
    _Work(
        "`deduplicate`, the first 1,500 of these, a text",
        "`deduplicate`，其中头 1,500 条，每条",
        "near_duplicates",
        "Alpaca's instructions, the first 1,500",
        "rouge_score's loop, once",
    ),
    _Work(
        "`pairwise`, 1,000 × 1,000, four types, a pair",
        "`pairwise`，1,000 × 1,000，四种类型，每对",
        "all_pairs",
        "Alpaca's instructions",
        "rouge-score-rs by batches",
    ),
    _Work(
        "`consensus` of 32 candidates of 60 words, a pair",
        "`consensus`，32 条候选，每条 60 词，每对",
        "candidates",
        "32 candidates of 60 words; 20 questions",
        "rouge-score-rs, a double loop",
    ),
    _Work(
        '`oracle_batch(method="presumm")`, a document of 30 sentences',
        '`oracle_batch(method="presumm")`，一篇 30 句的文档',
        "oracles",
        "real articles of 30 sentences",
        "PreSumm's greedy_selection, written anew",
    ),
)
_SIZE_HEAD = ("installed | MB", "安装的内容 | MB")
_SIZES = (
    ("polyrouge: metric, command, report", "polyrouge：指标、命令、报告", "polyrouge"),
    ("polyrouge and evaluate", "polyrouge 和 evaluate", "polyrouge evaluate"),
    ("rouge_score and evaluate", "rouge_score 和 evaluate", "rouge_score evaluate"),
    ("rouge_score", "rouge_score", "rouge_score"),
)


class _Measured:
    """What all runs have found, by what it is."""

    def __init__(self, runs: Sequence[Run]) -> None:
        results = [result for run in runs for result in run.results]
        self.facts = {result.what: result for result in results if isinstance(result, Fact)}
        self.comparisons = [result for result in results if isinstance(result, Comparison) and result.threads == 1]

    def comparison(self, work: _Work) -> Comparison:
        """The one that a line names."""
        (result,) = (
            each
            for each in self.comparisons
            if (each.row, each.texts, each.peer) == (work.row, work.texts, work.peer)
            and (work.work == each.work or (not work.work and not each.work.endswith("score_batch")))
        )
        return result

    def fact(self, what: str) -> str | None:
        """Its value with its unit, if it was measured."""
        return f"{short_number(self.facts[what].value)} {self.facts[what].unit}" if what in self.facts else None


def document_text(text: str, runs: Sequence[Run], name: str) -> str:
    """A document with what is measured between its comments.

    Args:
        text: of the document.
        runs: the newest of each row.
        name: of the document, which says its language.

    Raises:
        KeyError: a comment names no table.
        ValueError: a line of a table was not measured, or more than once.
    """
    measured, language = _Measured(runs), int("zh" in name)
    return _BLOCK.sub(lambda block: f"{block[1]}\n{_BLOCKS[block[2]](measured, language)}\n\n{block[3]}", text)


def _speed_table(name: str, measured: _Measured, language: int) -> str:
    """Our time beside others', a line for each."""
    rows = []
    for line in _TABLES[name]:
        result = measured.comparison(line)
        unit = result.unit.partition(" ")[0]
        ours, theirs = (f"{short_number(value)} {unit}" for value in (result.ours, result.theirs))
        cells = [line[language], ours, theirs, short_number(result.ratio)]
        if name != "drop_ins":
            cells.insert(2, _PEERS.get(line.peer, line.peer.removesuffix(", the tool").removesuffix(" -r 1")))
        rows.append(" | ".join(cells))
    left = 2 if name == "drop_ins" else 1
    return _table(_HEADS[name][language], rows, left, other=2 if name != "drop_ins" else None)


def _pairs_table(measured: _Measured, language: int) -> str:
    """Time and memory of texts against each other."""
    rows = []
    for *words, what in _PAIR_FACTS:
        memory = measured.fact(f"{what}: peak memory above the inputs") or ""
        rows.append(f"{words[language]} | {measured.fact(f'{what}: time')} | {memory}")
    for line in _PAIR_SPEED:
        result = measured.comparison(line)
        against = line.peer.removesuffix(", once").removesuffix(", written anew")
        faster = (
            f", {short_number(result.ratio)} times faster than {against}",
            f"，是 {against} 的 {short_number(result.ratio)} 倍速度",
        )
        rows.append(
            f"{line[language]} | {short_number(result.ours)} {result.unit.partition(' ')[0]}{faster[language]} | "
        )
    return _table(_PAIR_HEAD[language], rows, 1)


def _sizes_table(measured: _Measured, language: int) -> str:
    """What an installation takes."""
    rows = [f"{words[language]} | {_megabytes(measured, packages)}" for *words, packages in _SIZES]
    names = ("numpy", "jieba", "pyarrow", "pandas", "polyrouge")
    parts = [_megabytes(measured, f"polyrouge evaluate: {name}") for name in names]
    text = (
        "Numpy ({} MB) and jieba's dictionary and models ({} MB) are most of the first row; the second adds evaluate's "
        "pyarrow ({} MB)\nand pandas ({} MB). polyrouge itself takes {} MB.",
        "第一行主要是 numpy（{} MB）和 jieba 的词典与模型（{} MB）；"
        "第二行多出 evaluate 的 pyarrow（{} MB）和 pandas（{} MB）。polyrouge 自己占 {} MB。",
    )[language]
    return f"{_table(_SIZE_HEAD[language], rows, 1)}\n\n{text.format(*parts)}"


def _size(measured: _Measured, language: int) -> str:
    """What an installation takes, in a sentence."""
    text = (
        "The installation takes {} MB, with evaluate {} MB: most of it is numpy, jieba's dictionary, and evaluate's "
        "pyarrow and pandas\n([in numbers](docs/performance.md#size-of-the-installation)).",
        "指标、命令和报告共 {} MB，连 evaluate 共 {} MB（[各占多少](docs/performance.zh.md#安装的大小)）："
        "主要是 numpy、jieba 的词典，以及 evaluate 的 pyarrow 和 pandas。",
    )[language]
    return text.format(*(_megabytes(measured, packages) for packages in ("polyrouge", "polyrouge evaluate")))


def _megabytes(measured: _Measured, packages: str) -> str:
    """What they take when installed."""
    return f"{measured.facts[f'site-packages of {packages}'].value:.0f}"


def _memory(measured: _Measured, language: int) -> str:
    """What many pairs take above the inputs."""
    memory = measured.fact("zh_char, 1/2/L/Lsum, 1,000,000 pairs of 20 characters: peak memory above the inputs")
    return (
        f"A million pairs of 20 Chinese characters take {memory} above the inputs.",
        f"一百万对 20 字的中文，在输入之外占 {memory} 内存。",
    )[language]


def _headline(measured: _Measured, language: int) -> str:
    """How much faster than rouge_score and evaluate's rouge, by texts."""
    lines = [each for each in _SPEED if each.row == "ngrams_and_lcs" and each.peer == "rouge_score"]
    lines.sort(key=lambda each: measured.comparison(each).ratio)
    (through_evaluate,) = (each for each in _SPEED if each.row == "end_to_end")
    ratios = [f"{measured.comparison(each).ratio:.0f}" for each in (lines[0], lines[-1], through_evaluate)]
    texts = (re.split("; |；", each[language])[1] for each in (lines[0], lines[-1]))
    lowest, highest = (re.sub("^(?=[0-9]+ words)", "texts of ", each) for each in texts)
    return (
        f"On one thread it is {ratios[0]} times ({lowest}) to {ratios[1]} times ({highest}) as fast as rouge_score. "
        f'Through\n`evaluate`, with intervals, it is {ratios[2]} times as fast as `evaluate.load("rouge")` '
        "([how this was measured](docs/performance.md#how-fast)).",
        f"单线程的速度是 rouge_score 的 {ratios[0]} 倍（{lowest}）到 {ratios[1]} 倍（{highest}）；"
        f'经 `evaluate` 并含置信区间时，是 `evaluate.load("rouge")` 的 {ratios[2]} 倍'
        "（[测量方法](docs/performance.zh.md)）。",
    )[language]


def _plain_engine(measured: _Measured, language: int) -> str:
    """How much slower the plain engine is, by texts."""
    ratios = sorted(result.ratio for result in measured.comparisons if result.row == "engines")
    return (
        "Without the compiled engine a call takes {:.0f} to {:.0f} times as long, by texts and convention.",
        "没有编译的引擎时，同样的调用要用 {:.0f} 到 {:.0f} 倍的时间，因文本和约定而异。",
    )[language].format(ratios[0], ratios[-1])


def _table(head: str, rows: Sequence[str], left: int, other: int | None = None) -> str:
    """Markdown: the first columns to the left, numbers to the right."""
    n = head.count("|") + 1
    marks = ["---" if column < left or column == other else "--:" for column in range(n)]
    return "\n".join(f"| {line} |" for line in (head, " | ".join(marks), *rows))


_BLOCKS: dict[str, Callable[[_Measured, int], str]] = {
    **{name: lambda measured, language, name=name: _speed_table(name, measured, language) for name in _TABLES},
    "pairs": _pairs_table,
    "sizes": _sizes_table,
    "size": _size,
    "memory": _memory,
    "headline": _headline,
    "plain_engine": _plain_engine,
}
