"""Notes on what stands in place of a text: a missing value, an error, an address, a label, several texts."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from polyrouge.documents.input_notes import BEGINNING, Sample, shortened
from polyrouge.errors import Note
from polyrouge.texts.patterns import pattern

_SIDES = ("prediction", "reference")
# What pandas, NumPy, Python, JSON, JavaScript and spreadsheets write for a value that is not there.
_MISSING = frozenset(
    (
        *("nan", "NaN", "NaT", "<NA>", "None", "null", "NULL", "undefined", "N/A", "n/a"),
        *("#N/A", "#NAME?", "#REF!", "#VALUE!"),
    )
)
_FILE_NAME = pattern(r"[^\s'\"]+\.(?:txt|jsonl?|csv|tsv|parquet|xlsx)")
# Names of files and folders, and addresses, whole texts.
_PATH = pattern(
    r"(?:[A-Za-z]:)?[\w.~-]*(?:(?:/|\\(?!x\w\w))[\w.@%+~-]+)+"
    r"|[^\s'\"]+\.(?:txt|jsonl?|csv|tsv|parquet|xlsx|story)"
)
_ADDRESS = pattern(r"(?:https?|ftp|s3|gs|hdfs|file)://\S+|www\.\S+")
_FEWEST_ADDRESSES = 3  # texts
# Ids of tokens, as lists and tensors print them, or as the bytes of 32-bit numbers (MLPerf).
_IDS = pattern(r"(?:tensor\(|array\()?\[{0,2}\s*\d+(?:[\s,]+\d+){2,}[\s,]*[\])]*|(?:[0-9A-Fa-f]{8}){2,}[0-9A-Fa-f]*")
_FEWEST_IDS = 3  # texts
# Beginnings of what programs and models write where they fail.
_FAILURE = pattern(
    r"\s*[\[<({*\"]{0,3}(?:(?:\w+ ){0,2}[\w.]*(?:error|exception)\b|traceback \(most recent call last\)"
    r"|http[ /]?\S* ?[45]\d\d\b|[45]\d\d (?:client|server|too|bad|internal|service|gateway|forbidden|not)\b"
    r"|rate limit|too many requests|timed? ?out\b|cuda out of memory"
    r"|(?:the )?(?:request|connection|server|api|model)\b.{0,20}\b(?:timed? ?out|failed|refused|reset|overloaded)"
    r"|(?:i['’]?m|i am) (?:\w+ )?(?:sorry|unable)\b|sorry, (?:but )?i (?:can|am|was)|as an ai\b"
    r"|i (?:can['’]?t|cannot|can not) (?:assist|help|provide|fulfill|summarize|comply|answer)"
    r"|(?:很?抱歉|对不起)[，,]?但?(?:我|作为).{0,8}(?:无法|不能)|作为(?:一个|一名)?(?:人工智能|AI|大?语言模型)"
    r"|(?:[您你]好[，,！!]?)?我(?:暂时)?(?:无法|不能)(?:提供|回答|协助|帮助|完成|满足|生成|总结|处理|给到|给出|讨论)"
    r"|(?:请求|调用|接口|服务器?|网络|生成|连接).{0,6}(?:失败|错误|超时|异常|出错)|(?:错误|异常|报错)[:：])",
    re.IGNORECASE,
)
_FEW = 20  # characters, which tell most predictions apart
_DIGITS = pattern("[0-9]+")
_BEGINNING_OF_FAILURE = 40  # characters, which are the same in several rows
_FEWEST_FAILURES, _MOST_ROWS = 3, 400
# Labels: a letter or a digit of a choice, or few words that repeat.
_CHOICE = pattern(r"[(\[]?(?:[A-J]|-?[0-9])[)\].:]?")
_FEWEST_LABELS, _LEAST_DIFFERENT = 8, 0.25  # texts
_LONGEST_LABEL = pattern(r"[\x21-\x7e]{1,20}|[^\s\x21-\x7e]{1,4}")  # a word
# Bars between texts. Three are hardly anything else; two are, in code and formulas, so all texts must have them.
_BARS = pattern(r"(?<=[^\s|])[^\S\n]*\|{2,}[^\S\n]*(?=[^\s|])")
_ANY_BARS = pattern(r"\|+")
_TELLING_BARS = 3
_FEWEST_OF_TWO_BARS = 3  # texts


def missing_values(sample: Sample) -> Note | None:
    """Note a missing value that was written as a text."""
    for chunk in sample.chunks:
        references = [*chain.from_iterable(chunk.references)]
        for side, texts in zip(_SIDES, (chunk.predictions, references), strict=True):
            if not _MISSING.isdisjoint(texts) and not _are_equal_there(chunk.predictions, chunk.references):
                text = next(filter(_MISSING.__contains__, texts))
                return Note(
                    f"The {side} {text!r}, and perhaps others, looks like a missing value that was written as a text, "
                    "and is scored as a word. Fill such values before they become texts: an empty text where a system "
                    "gave no answer; leave out a row that has no reference.",
                    kind="missing_values",
                    side=side,
                    text=repr(text),
                )
    return None


def _are_equal_there(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Say whether such words are answers: each stands on both sides of its row."""
    return all(
        _MISSING.isdisjoint((prediction, *row)) or prediction in row
        for prediction, row in zip(predictions, references, strict=True)
    )


def file_names(sample: Sample) -> Note | None:
    """Note that the texts of the only row are names of files."""
    if sample.reading.n_rows != 1 or not sample.beginnings:
        return None
    prediction, references = sample.beginnings[0]
    if not all(map(_FILE_NAME.fullmatch, (prediction, *references))):
        return None
    return Note(
        f"{shortened(prediction)!r} looks like the name of a file; it is scored as a text, and the file is not read. "
        "Give the texts of the file; the command `polyrouge score` takes names of files.",
        kind="file_names",
        text=repr(shortened(prediction)),
    )


def addresses(sample: Sample) -> Note | None:
    """Note that all texts of one side are names of files or addresses, and not those of the other side."""
    predictions = [text for text, _ in sample.beginnings]
    sides = predictions, [text for _, references in sample.beginnings for text in references]
    are_addresses = [len(texts) >= _FEWEST_ADDRESSES and all(map(_is_address, texts)) for texts in sides]
    if are_addresses[0] == are_addresses[1]:
        return None
    side = 0 if are_addresses[0] else 1
    text = shortened(sides[side][0])
    return Note(
        f"The {_SIDES[side]}s are addresses or names of files, such as {text!r}; they are scored as texts, and what "
        "they name is not read. Give its texts.",
        kind="addresses",
        text=repr(text),
    )


def _is_address(text: str) -> bool:
    text = text.strip()
    return text not in _MISSING and (_ADDRESS.fullmatch(text) or _PATH.fullmatch(text)) is not None


def token_ids(sample: Sample) -> Note | None:
    """Note that all texts of one side are numbers, as the ids of tokens are, and those of the other side are not."""
    sides = (
        [text for text, _ in sample.beginnings],
        [text for _, references in sample.beginnings for text in references],
    )
    are_ids = [[_IDS.fullmatch(text.strip()) is not None for text in texts] for texts in sides]
    for side, texts in enumerate(sides):
        if len(texts) >= _FEWEST_IDS and all(are_ids[side]) and not any(are_ids[1 - side]):
            text = shortened(texts[0])
            return Note(
                f"The {_SIDES[side]}s are numbers, such as {text!r}, as the ids of tokens are, and match no words. "
                "Decode them by the tokenizer that made them: tokenizer.batch_decode(ids, skip_special_tokens=True).",
                kind="token_ids",
                side=_SIDES[side],
                text=repr(text),
            )
    return None


def failures(sample: Sample) -> Note | None:
    """Note that one error of a program, or one refusal of a model, stands in several rows in place of a text."""
    if not sample.beginnings:
        return None
    step = 1 + sum(len(chunk.predictions) for chunk in sample.chunks) // _MOST_ROWS  # some hundred rows over the sample
    suspects = _frequent_failures([text for chunk in sample.chunks for text in chunk.predictions[::step]])
    if not suspects:
        return None
    counts: Counter[str] = Counter()
    firsts: dict[str, str] = {}
    for chunk in sample.chunks:
        for prediction, references in zip(chunk.predictions, chunk.references, strict=False):
            if prediction[:_FEW] in suspects and is_failure(prediction) and not any(map(is_failure, references)):
                beginning = _beginning_of_failure(prediction)
                counts[beginning] += 1
                firsts.setdefault(beginning, prediction)
    beginning, n_failed = counts.most_common(1)[0] if counts else ("", 0)
    if n_failed < _FEWEST_FAILURES:
        return None
    text = shortened(firsts[beginning])
    return Note(
        f"{n_failed} predictions begin alike, with {text!r}, which looks like an error or a refusal in place of an "
        "answer, and is scored as a text. Ask for these rows again; an answer that a system can't "
        "give is an empty text.",
        kind="failures",
        n=n_failed,
        text=repr(text),
    )


def _frequent_failures(predictions: Sequence[str]) -> set[str]:
    """Return the first characters of failures that several predictions share.

    Most texts are told apart by their first characters, which takes a tenth of the time that the expression takes.
    """
    counts = Counter([text[:_FEW] for text in predictions])
    frequent = {first for first, n in counts.items() if n >= _FEWEST_FAILURES}
    return {text[:_FEW] for text in predictions if text[:_FEW] in frequent and is_failure(text)} if frequent else set()


def is_failure(text: str) -> bool:
    """Say whether a text begins as errors and refusals do."""
    return _FAILURE.match(text, 0, 2 * _BEGINNING_OF_FAILURE) is not None


def _beginning_of_failure(text: str) -> str:
    return _DIGITS.sub("0", text[: 2 * _BEGINNING_OF_FAILURE].strip())[:_BEGINNING_OF_FAILURE]


def class_labels(sample: Sample) -> Note | None:
    """Note that references are labels of a choice or of classes: letters or digits, or few words on both sides."""
    rows = sample.beginnings
    references = [text for _, of_row in rows for text in of_row]
    different = {*references}
    if len(different) < 2 or not are_labels(references):
        return None
    if not all(map(_CHOICE.fullmatch, different)):
        predictions = [text for text, _ in rows]
        if not all(map(_LONGEST_LABEL.fullmatch, different)) or not are_labels(predictions):
            return None
        if different.isdisjoint(predictions):
            return None
    first, second = list(dict.fromkeys(references))[:2]
    return Note(
        f"The references are labels, such as {first!r} and {second!r}: ROUGE finds them equal or not, and says nothing "
        "of texts. Give the texts that they stand for, such as those of the choices, or count the accuracy.",
        kind="class_labels",
        first=repr(first),
        second=repr(second),
    )


def are_labels(texts: Sequence[str]) -> bool:
    """Say whether texts look like labels: a letter or a digit each, or few words that repeat."""
    if len(texts) < _FEWEST_LABELS:
        return False
    different = {*texts}
    if all(map(_CHOICE.fullmatch, different)):
        return True
    is_few = len(different) <= _LEAST_DIFFERENT * len(texts)
    return is_few and not any(character.isspace() for text in different for character in text)


def parted_texts(sample: Sample) -> Note | None:
    """Note that bars part several texts on one side, as data sets write several references, and not on the other."""
    if "||" not in sample.joined_first_texts or "|" in str(sample.rules.sentence_split):
        return None
    marks = [[_mark_between_texts(text) for of, text in sample.first_texts if of == side] for side in range(2)]
    for side, of_side in enumerate(marks):
        if any(marks[1 - side]) or not any(of_side):
            continue
        mark = next(filter(None, of_side))
        if mark.count("|") < _TELLING_BARS and not (all(of_side) and len(of_side) >= _FEWEST_OF_TWO_BARS):
            continue
        text = next(text for of, text in sample.first_texts if of == side and mark in text)
        noun = _SIDES[side]
        several = "references, make lists of them" if side else "answers, such as beams, score the first"
        parts = f"[text.split({mark!r}){'' if side else '[0]'} for text in {noun}s]"
        in_file = "; in a file, write them as lists, in JSONL or Parquet" if side else ""
        return Note(
            f"The {noun} {shortened(text)!r}, and perhaps others, is scored as one text, and {mark.strip()!r} seems to "
            f"stand between several. If they are several {several}: {parts}{in_file}.",
            kind="parted_texts",
            text=repr(shortened(text)),
            mark=repr(mark.strip()),
        )
    return None


def _mark_between_texts(text: str) -> str:
    """Return the bars between texts with the blanks around them; "" where there are others too, as in a table."""
    match = _BARS.search(text)
    return match[0] if match is not None and {*_ANY_BARS.findall(text)} == {match[0].strip()} else ""


STAND_INS: tuple[Callable[[Sample], Note | None], ...] = (
    missing_values,
    file_names,
    addresses,
    token_ids,
    failures,
    class_labels,
    parted_texts,
)
"""These notes, in the order of the warnings."""


def may_be_stand_ins(predictions: Sequence[str], references: Sequence[str], joined: str) -> bool:
    """Say quickly whether any of these notes may apply to a few pairs; ``joined`` is all texts in one."""
    if not (_MISSING.isdisjoint(predictions) and _MISSING.isdisjoint(references)):
        return True
    if "||" in joined:
        return True
    prediction, reference = predictions[0], references[0]
    n = len(predictions)
    if n == 1:
        return "." in prediction[-8:] and _FILE_NAME.fullmatch(prediction) is not None
    if n >= _FEWEST_ADDRESSES and (_is_address(prediction[:BEGINNING]) or _is_address(reference[:BEGINNING])):
        return True
    if n >= _FEWEST_IDS and any(map(_IDS.fullmatch, (prediction[:BEGINNING], reference[:BEGINNING]))):
        return True
    if n >= _FEWEST_LABELS and _LONGEST_LABEL.fullmatch(reference) is not None and are_labels(references):
        return True
    return n >= _FEWEST_FAILURES and bool(_frequent_failures(predictions))
