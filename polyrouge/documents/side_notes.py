"""Notes on texts that one side has in another form: with labels, in LaTeX, misread, in another script."""

import codecs
from collections import Counter
from collections.abc import Callable, Sequence

from polyrouge.documents.input_notes import BEGINNING, Sample, shortened
from polyrouge.documents.json_notes import first_object, json_answers, may_hold_json
from polyrouge.documents.stand_ins import failures, is_failure
from polyrouge.errors import Note
from polyrouge.texts.markup import first_mark
from polyrouge.texts.model_output import has_thoughts, has_turns
from polyrouge.texts.patterns import pattern
from polyrouge.texts.preparation import SIDES, preparation, steps_of

_SIDES = ("prediction", "reference")
_LABEL = pattern(r"\s*(【[^】\n]{1,20}】|\[[A-Za-z][^\]\n]{0,19}\]|[^\n:：{}\"]{1,60}[:：](?!//))")
_BRACKETS = ("[", "【")
_LABEL_OF_A_LINE = pattern(r"(?m)^[\s*#]*([^\n:：{}\"]{1,60}[:：])")
_NUMBER_OF_A_ROW = pattern(r"\s*[\[(#]?(\d{1,9})[\])]?[.:：、)\t](?!\d)")
# What answers from sources hold, such as [1], [^1^] and 【1†source】; but a[1] is code.
_CITATIONS = (
    pattern(r"\[(?<![A-Za-z0-9_)\]]\[)\^?\d{1,3}\^?(?:[,，\s-]+\d{1,3})*\]"),
    pattern(r"【\d{1,3}[†:：][^】\n]{1,40}】"),
)
_FEWEST_CITING = 3  # texts
# What formulas hold; but C:\\times\\x is a path, and \\nequal a break of a line.
_BOX = pattern(r"\\boxed\s*\{")
_LATEX = pattern(
    r"\\(?:boxed|text(?:bf|it|rm)?|[dt]?frac|sqrt|math(?:rm|bf|bb|cal)|overline|begin)\s*\{"
    r"|\\(?:times|cdot|[lg]eq?|neq|approx|pm|div|left|right|infty|pi|alpha|theta|circ)(?![A-Za-z\\/])"
)
_BEFORE_A_COMMAND = 10  # characters that a message shows
_FEWEST_OF_LATEX = 3  # texts; of fewer rows, half
_LETTERS_OF_A_TEXT = 60
_FEWEST_IN_ANOTHER_SCRIPT = 3  # rows
_LAST_OF_LATIN = "\u024f"
_FEWEST_NUMBERED = 3  # rows
_FEWEST_LABELLED, _SHARE_LABELLED = 3, 0.8  # rows
# Labels that are known to be one in fewer rows.
_KNOWN_LABELS = frozenset(
    (
        *("summary", "answer", "final answer", "the answer is", "response", "output", "assistant", "translation"),
        *("highlights", "headline", "title", "abstract", "tl;dr"),
        *("here is the summary", "here is a summary", "here's a summary"),
        *("最终答案", "最终回答", "摘要", "总结", "概括", "答案", "回答", "答", "输出", "翻译", "译文", "标题", "助手"),
    )
)
# UTF-8 that was read by a codec of one byte: a lead byte and a continuation byte, as CP1252 or Latin-1 shows them.
_BEYOND_LATIN_1 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"  # of CP1252
_TWO_BYTES = pattern(f"[\xc2-\xf4][\x80-\xbf{_BEYOND_LATIN_1}]")
_LAST_OF_CP1252 = "\u2122"
# Bytes of another encoding that were read by one of these codecs: no language writes nearly all its letters in the
# upper half of Latin-1, and several in a row.
_UPPER_HALF = pattern(f"[\x80-\xff{_BEYOND_LATIN_1}]")
_UPPER_HALF_IN_A_ROW = pattern(f"[\x80-\xff{_BEYOND_LATIN_1}]{{4}}")
_OF_ONE_BYTE = pattern(f"[\x00-\xff{_BEYOND_LATIN_1}]+")
_ASCII_WORDS, _LETTERS_OF_LATIN_1 = pattern("[A-Za-z0-9]"), pattern("[\xc0-\xff]")
_FEWEST_OF_UPPER_HALF, _LEAST_SHARE_OF_UPPER_HALF, _FEWEST_DISTINCT = 8, 2 / 3, 3  # Big5 has a quarter of ASCII
# The first bytes of kana, Han, Hangul and wide marks in UTF-8.
_EAST_ASIAN_BYTES = range(0xE3, 0xF0)
# Bytes as escapes: a quick sign, those of characters beyond ASCII, a blank, the name, and what decodes them.
_ESCAPES_OF_BYTES = (
    (
        pattern("%[0-9A-Fa-f]{2}"),
        pattern("(?:%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f])+)+"),
        pattern("(?<=[^\\s%])%20(?=\\S)(?![a-z](?![A-Za-z]))"),  # no width in %20s of a program
        "escapes of addresses (%20)",
        "urllib.parse.unquote(text)",
    ),
    (
        pattern("=[0-9A-F]{2}"),
        pattern("(?:=[C-F][0-9A-F](?:=[89AB][0-9A-F])+)+"),
        pattern("(?<=[A-Za-z,.;])=20(?=[A-Za-z\\n])"),
        "escapes of mail, quoted-printable (=20)",
        "quopri.decodestring(text.encode()).decode()",
    ),
    (
        pattern(r"\\x[0-9A-Fa-f]{2}"),
        pattern(r"(?:\\x[C-Fc-f][0-9A-Fa-f](?:\\x[89ABab][0-9A-Fa-f])+)+"),
        pattern("(?!)"),
        r"escapes of bytes, as Python prints them (\xe4)",
        "text.encode('latin-1').decode('unicode_escape').encode('latin-1').decode()",
    ),
)
_SIGNS_OF_BYTES = [(sign, escapes[0]) for sign, escapes in zip("%=\\", _ESCAPES_OF_BYTES, strict=True)]
_PRINTED_BYTES = ("b'", 'b"', "tf.Tensor(b'", 'tf.Tensor(b"')
# The bytes of a tokenizer such as GPT-2's, each as a character: those that are no letters or marks are U+0100 and on.
_LETTERS_OF_BYTES = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_BYTES_OF_A_TOKENIZER = {chr(byte): byte for byte in _LETTERS_OF_BYTES} | {
    chr(0x100 + number): byte for number, byte in enumerate(sorted({*range(0x100)} - {*_LETTERS_OF_BYTES}))
}
_ADDRESS = pattern(r"(?:https?|ftp)://[!-~]+|www\.[!-~]+")  # in which such escapes belong
_FEWEST_ESCAPED_BLANKS = 2
_UNREADABLE = ("\ufffd", "锟斤拷")
_HALF_A_CHARACTER = pattern("(?<=[\u3000-\uffef])\ufffd+$")  # where the generation was cut off; it is no token
_FEW = 8  # characters, which tell most texts that read well
_FEWEST_MISREAD = 4  # characters of Chinese, Japanese or Korean
_EAST_ASIAN = pattern(r"[\x00-\x7f\u2010-\u2026\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]+")
# Frequent characters that only one of the two scripts of Chinese has.
_SCRIPTS = {
    "simplified": pattern(
        "[们这来时个为对发经问车长开东电话见现还过头业产书义习买亲从众华单卫历县双变号员听团园图场处备应战务动机区选报国会]"
    ),
    "traditional": pattern(
        "[們這來時個為對發經問車長開東電話見現還過頭業產書義習買親從眾華單衛歷縣雙變號員聽團園圖場處備應戰務動機區選報國會]"
    ),
}
_FEWEST_OF_A_SCRIPT = 2
_OF_A_SMALL_CALL = 60  # characters
_KANA = pattern("[\u3041-\u30ff]")


def labels(sample: Sample) -> Note | None:
    """Note that most texts of one side begin with a label, such as "Summary:", and none of the other side does."""
    rows, joined = sample.beginnings, sample.joined_beginnings
    if not any(sign in joined for sign in (":", "：", *_BRACKETS)):
        return None
    steps = [preparation(steps_of(sample.rules.prepare, side)) for side in SIDES]
    columns = [prediction for prediction, _ in rows], [text for _, row in rows for text in row]
    label_counts = [
        Counter(_label(prepare(text)) for text in texts if _may_have_label(text))
        for prepare, texts in zip(steps, columns, strict=True)
    ]
    for side, counts in enumerate(label_counts):
        del counts[""]
        label, n_labelled = counts.most_common(1)[0] if counts else ("", 0)
        n = len(columns[side])
        is_label = n_labelled >= max(_FEWEST_LABELLED, _SHARE_LABELLED * n) or _is_known_label(label)
        if is_label and is_failure(label) and failures(sample) is not None:  # noted as an error
            continue
        if _is_other_mark(label) or (label and first_object(sample.first_answers[side]) is not None):  # also noted
            continue
        if label and is_label and not label_counts[1 - side][label]:
            last = _label_of_answers(sample.first_answers[side], label)
            remedy = f"Keep what is behind {last!r}: [text.rpartition({last!r})[2]"
            if last in ("", label):
                remedy = f"Take it off first: [text.removeprefix({label!r})"
            return Note(
                f"The {_SIDES[side]}s begin with {label!r} ({n_labelled} of {n} that were checked), and no "
                f"{_SIDES[1 - side]} does, so the label is scored. {remedy} for text in {_SIDES[side]}s].",
                kind="labels",
                side=_SIDES[side],
                label=repr(label),
            )
    return None


def _label(text: str) -> str:
    match = _LABEL.match(text)
    return match[1] if match else ""


def _may_have_label(text: str) -> bool:
    return ":" in text[:61] or "：" in text[:61] or text.lstrip().startswith(_BRACKETS)


def _is_other_mark(label: str) -> bool:
    """Say whether another note says what a label is: the mark of a turn, of a call or of a model."""
    return has_turns(f"{label} ") or has_thoughts(label) or first_mark(label) is not None


def _label_of_answers(texts: Sequence[str], first: str) -> str:
    """Return the last known label that begins a line of each text with a first label, as behind thoughts; else ""."""
    by_text = [_LABEL_OF_A_LINE.findall(text) for text in texts if _label(text) == first]
    known = list(filter(_is_known_label, by_text[0] if by_text else ()))
    return next((label for label in reversed(known) if all(label in labels for labels in by_text)), "")


def _is_known_label(label: str) -> bool:
    return label[:-1].strip("*#_ []【】").lower() in _KNOWN_LABELS


def row_numbers(sample: Sample) -> Note | None:
    """Note that the texts of one side begin with the numbers of their rows, and those of the other do not."""
    rows = sample.beginnings
    sides = [text for text, _ in rows], [row[0] for _, row in rows if row]
    are_numbered = [_are_numbered(texts) for texts in sides]
    if are_numbered[0] == are_numbered[1]:
        return None
    side = 0 if are_numbered[0] else 1
    first, last = shortened(sides[side][0]), shortened(sides[side][-1])
    return Note(
        f"The {_SIDES[side]}s begin with the numbers of their rows, from {first!r} to {last!r}, and no "
        f"{_SIDES[1 - side]} does, so the numbers are scored. Take them off first: "
        f"[re.sub(r'^\\W*\\d+\\W+', '', text) for text in {_SIDES[side]}s].",
        kind="row_numbers",
        side=_SIDES[side],
        first=repr(first),
        last=repr(last),
    )


def _are_numbered(texts: Sequence[str]) -> bool:
    if len(texts) < _FEWEST_NUMBERED:
        return False
    matches = [_NUMBER_OF_A_ROW.match(text) for text in texts]
    numbers = [int(match[1]) for match in matches if match is not None]
    return len(numbers) == len(texts) and numbers[0] <= 1 and numbers == [*range(numbers[0], numbers[0] + len(texts))]


def citations(sample: Sample) -> Note | None:
    """Note that predictions cite sources by numbers, and no reference does."""
    if not _cited(sample.joined_first_texts):
        return None
    sides = [[match for of, text in sample.first_texts if of == side and (match := _cited(text))] for side in range(2)]
    if len(sides[0]) < _FEWEST_CITING or sides[1]:
        return None
    mark = sides[0][0]
    return Note(
        f"Predictions cite sources, as by {mark!r}, and no reference does, so the numbers are scored. Take them out "
        "first: [re.sub(r'\\[\\^?[\\d, -]+\\^?\\]|【\\d+[†:：][^】]*】', '', text) for text in predictions].",
        kind="citations",
        mark=repr(mark),
    )


def _cited(text: str) -> str:
    matches = (citation.search(text, 1) for citation in _CITATIONS)  # at the beginning it may number the text
    return next((match[0] for match in matches if match), "")


def latex(sample: Sample) -> Note | None:
    """Note that one side has boxes of LaTeX, or commands of it, and the other has none."""
    sides = [[text for text in texts if "\\" in text] for texts in sample.first_answers]
    if not any(sides):
        return None
    fewest = min(_FEWEST_OF_LATEX, (len(sample.first_answers[0]) + 1) // 2)
    for mark in (_BOX, _LATEX):
        matches = [[(text, match) for text in texts if (match := mark.search(text))] for texts in sides]
        side = 0 if matches[0] else 1
        if matches[1 - side] or len(matches[side]) < fewest:
            continue
        text, match = matches[side][0]
        shown = shortened(text[max(0, match.start() - _BEFORE_A_COMMAND) :])
        if mark is _BOX:
            return Note(
                f"The {_SIDES[side]}s have answers in boxes of LaTeX, such as {shown!r}, and no {_SIDES[1 - side]} "
                "has, so 'boxed' and what stands around the box are scored. Keep what is in the last box: "
                f"[re.sub(r'(?s).*\\\\boxed\\{{(.*)\\}}.*', r'\\1', text) for text in {_SIDES[side]}s].",
                kind="boxed_answers",
                side=_SIDES[side],
                text=repr(shown),
            )
        command = match[0].rstrip("{ ")
        return Note(
            f"The {_SIDES[side]}s hold LaTeX, such as {shown!r}, and no {_SIDES[1 - side]} does, so names of commands "
            f"({command!r}) are scored as words. Write both sides in one form, such as by "
            "pylatexenc.latex2text.LatexNodes2Text().latex_to_text(text).",
            kind="latex",
            side=_SIDES[side],
            text=repr(shown),
            command=repr(command),
        )
    return None


def another_script(sample: Sample) -> Note | None:
    """Note that all texts of one side are in Latin letters, and those of the other are not."""
    rows = [row for row in sample.beginnings if any(map(str.isalpha, row[0][:_LETTERS_OF_A_TEXT]))]
    if len(rows) < _FEWEST_IN_ANOTHER_SCRIPT:
        return None
    is_latin = _is_latin(rows[0][0])
    if any(_is_latin(prediction) != is_latin or is_latin in map(_is_latin, row) for prediction, row in rows):
        return None
    if first_mark(rows[0][0]) is not None or misread(sample) is not None or escaped_bytes(sample) is not None:
        return None  # another note says why
    sides = ("predictions", "references") if is_latin else ("references", "predictions")
    prediction, reference = repr(shortened(rows[0][0])), repr(shortened(rows[0][1][0]))
    return Note(
        f"The {sides[0]} are in Latin letters and the {sides[1]} in another script, such as {prediction} for "
        f"{reference}, so they share no words. Did the system answer in another language, or in a transcription?",
        kind="another_script",
        prediction=prediction,
        reference=reference,
    )


def _is_latin(text: str) -> bool:
    """Say whether most letters of a text are Latin."""
    if text.isascii():
        return True
    letters = list(filter(str.isalpha, text[:_LETTERS_OF_A_TEXT]))
    return 2 * sum(character <= _LAST_OF_LATIN for character in letters) >= len(letters)


def misread(sample: Sample) -> Note | None:
    """Note a text that was read by the wrong encoding."""
    if sample.joined_beginnings.isascii():
        return None
    texts = [text for row in sample.beginnings for text in (row[0], *row[1]) if not text.isascii()]
    texts = [_HALF_A_CHARACTER.sub("", text) if text[-1:] == "\ufffd" else text for text in texts]
    joined = "".join(texts)
    if _TWO_BYTES.search(joined) is None and not any(mark in joined for mark in _UNREADABLE):
        texts = _texts_of_utf_8_bytes(texts)
    for text in texts:
        if any(mark in text for mark in _UNREADABLE):
            return _note_of_misread(text, "holds characters that could not be decoded", "utf-8")
        if (encoding := misreading_of(text)) is not None:
            return _note_of_misread(text, f"is UTF-8 that was read as {encoding}", "utf-8")
        if _is_of_tokens(text):
            return Note(
                f"{shortened(text)!r}, and perhaps other texts, is the tokens of a model, whose characters stand for "
                "bytes, so such words match no others. Make texts of them: tokenizer.convert_tokens_to_string(tokens).",
                kind="tokens_as_bytes",
                text=repr(shortened(text)),
            )
    for prediction, references in sample.beginnings if _UPPER_HALF_IN_A_ROW.search(joined) is not None else ():
        odd = [text for text in (prediction, *references) if _is_of_upper_half(text)]
        if odd and len(odd) <= len(references):
            why = "looks like another encoding (GBK, Big5, EUC-KR, CP1251 or so) that was read as Latin-1"
            return _note_of_misread(odd[0], why, "gb18030")
    return None


def escaped_bytes(sample: Sample) -> Note | None:
    """Note a text whose bytes were written as those of addresses (%20) or of mail (=20)."""
    joined = sample.joined_beginnings
    if (printed := _printed_bytes(sample)) is not None:
        return printed
    if not any(sign.search(joined) for sign, *_ in _ESCAPES_OF_BYTES):
        return None
    for text in (text for row in sample.beginnings for text in (row[0], *row[1])):
        plain = _ADDRESS.sub(" ", text)
        for sign, escapes, blank, name, remedy in _ESCAPES_OF_BYTES:
            if sign.search(plain) is None:
                continue
            n_blanks = len(blank.findall(plain))
            is_spaced = n_blanks >= _FEWEST_ESCAPED_BLANKS and n_blanks > plain.count(" ")
            if not is_spaced and not any(_is_utf_8(match[0]) for match in escapes.finditer(plain)):
                continue
            return Note(
                f"{shortened(text)!r}, and perhaps other texts, has its characters as {name}, and such words match no "
                f"others. Decode them first: {remedy}.",
                kind="escaped_bytes",
                text=repr(shortened(text)),
                name=name,
            )
    return None


def _printed_bytes(sample: Sample) -> Note | None:
    """Note that all texts of a side are bytes as Python prints them."""
    sides = [text for text, _ in sample.beginnings], [text for _, row in sample.beginnings for text in row]
    texts = next((texts for texts in sides if texts and all(map(_is_printed_bytes, texts))), None)
    if texts is None:
        return None
    return Note(
        f"{shortened(texts[0])!r}, and perhaps other texts, is bytes as Python prints them, and its marks are scored. "
        "Decode bytes before they become texts: value.decode(); or read them back: ast.literal_eval(text).decode().",
        kind="printed_bytes",
        text=repr(shortened(texts[0])),
    )


def _is_printed_bytes(text: str) -> bool:
    return text.startswith(_PRINTED_BYTES) and (text.endswith(("'", '"', ")")) or len(text) >= BEGINNING)


def _is_utf_8(escapes: str) -> bool:
    """Say whether escaped bytes are characters beyond ASCII; the last may be cut off."""
    written = bytes.fromhex(escapes.replace("%", "").replace("=", "").replace("\\x", ""))
    text = _decoded(written)
    return bool(text) and not text.isascii()


def _note_of_misread(text: str, why: str, encoding: str) -> Note:
    return Note(
        f"{shortened(text)!r}, and perhaps other texts, {why}, so such words match no others. Read the file again by "
        f"its own encoding, such as encoding={encoding!r}.",
        kind="misread",
        text=repr(shortened(text)),
    )


def _is_of_upper_half(text: str) -> bool:
    """Say whether nearly all letters of a text are of the upper half of Latin-1, several in a row."""
    if text.isascii() or max(text[:_FEW]) > _LAST_OF_CP1252:  # most texts end here
        return False
    if _UPPER_HALF_IN_A_ROW.search(text) is None or _OF_ONE_BYTE.fullmatch(text) is None:
        return False
    n = len(_UPPER_HALF.findall(text))
    has_most = n >= _LEAST_SHARE_OF_UPPER_HALF * (n + len(_ASCII_WORDS.findall(text)))
    return n >= _FEWEST_OF_UPPER_HALF and has_most and len({*_LETTERS_OF_LATIN_1.findall(text)}) >= _FEWEST_DISTINCT


def _texts_of_utf_8_bytes(texts: list[str]) -> list[str]:
    """Return the texts whose first characters, as bytes of GB18030, are UTF-8; all at once, as most texts are not."""
    beginnings = "\n".join([text[:_FEW].replace("\n", " ") for text in texts])
    lines = beginnings.encode("gb18030", "replace").decode("utf-8", "replace").split("\n")
    return [text for text, line in zip(texts, lines, strict=True) if "\ufffd" not in line[:-1]]  # the last may be cut


def misreading_of(text: str) -> str | None:
    """Return the encoding by which a text of UTF-8 was read; None if it reads well."""
    if _TWO_BYTES.search(text) is not None:
        as_latin_1 = text.translate({ord(character): character.encode("cp1252")[0] for character in _BEYOND_LATIN_1})
        if max(as_latin_1) <= "\xff" and _decoded(as_latin_1.encode("latin-1")) is not None:
            return "CP1252"
    if not text.isascii():
        try:
            if _decoded(text[:_FEW].encode("gb18030")) is None:  # most texts end here
                return None
            meant = _decoded(text.encode("gb18030"))
        except UnicodeEncodeError:  # a lone surrogate
            return None
        if meant is not None and len(meant) >= _FEWEST_MISREAD and _EAST_ASIAN.fullmatch(meant) is not None:
            return "GB18030"
    return None


def _is_of_tokens(text: str) -> bool:
    """Say whether the characters of a text are the bytes of East Asian characters, as GPT-2's tokenizer shows them."""
    written = [_BYTES_OF_A_TOKENIZER.get(character) for character in text if character != " "]
    if text.isascii() or max(text) <= "\xff" or None in written:
        return False
    meant = _decoded(bytes(filter(None, written))) or ""
    return sum(character > "\u2fff" for character in meant) >= _FEWEST_MISREAD


def _decoded(written: bytes) -> str | None:
    """Decode UTF-8, whose last character may be cut off."""
    try:
        return codecs.utf_8_decode(written)[0]
    except UnicodeDecodeError:
        return None


def chinese_scripts(sample: Sample) -> Note | None:
    """Note that a prediction is in traditional characters and its reference in simplified ones, or vice versa."""
    traditional = _SCRIPTS["traditional"].search
    if traditional(sample.joined_beginnings) is None:
        return None
    for prediction, references in sample.beginnings:
        if prediction.isascii():
            continue
        is_traditional = traditional(prediction) is not None
        for reference in references:
            if (traditional(reference) is not None) == is_traditional:
                continue
            script = _script_of(prediction)
            if script and _script_of(reference) not in ("", script):
                return Note(
                    f"{shortened(prediction)!r} is in {script} Chinese characters and {shortened(reference)!r} in "
                    f"{_script_of(reference)} ones, which match no others. Convert both sides to one script first, "
                    "such as by OpenCC('t2s').convert(text).",
                    kind="chinese_scripts",
                    prediction=repr(shortened(prediction)),
                    reference=repr(shortened(reference)),
                )
    return None


def _script_of(text: str) -> str:
    """Return the script that a text has several characters of, and none of the other; "" if there is none."""
    if text.isascii() or _KANA.search(text) is not None:
        return ""
    counts = {name: len(characters.findall(text)) for name, characters in _SCRIPTS.items()}
    (script, most), (_, fewest) = sorted(counts.items(), key=lambda item: -item[1])
    return script if most >= _FEWEST_OF_A_SCRIPT and fewest == 0 else ""


SIDE_NOTES: tuple[Callable[[Sample], Note | None], ...] = (
    json_answers,
    labels,
    row_numbers,
    citations,
    latex,
    misread,
    escaped_bytes,
    another_script,
    chinese_scripts,
)
"""These notes, in the order of the warnings."""


def may_be_mistaken(predictions: Sequence[str], references: Sequence[str], joined: str) -> bool:
    """Say quickly whether any of these notes may apply to a few pairs; ``joined`` is all texts in one."""
    prediction, reference = predictions[0], references[0]
    if may_hold_json(joined) or ("\\" in joined and _LATEX.search(joined) is not None):
        return True
    if prediction.startswith(_PRINTED_BYTES) or reference.startswith(_PRINTED_BYTES):
        return True
    if any(sign in joined and sign_and_digits.search(joined) for sign, sign_and_digits in _SIGNS_OF_BYTES):
        return True
    if ":" in joined or "：" in joined or prediction.startswith(_BRACKETS) or reference.startswith(_BRACKETS):
        firsts = (_label(prediction), _label(reference))
        if firsts[0] != firsts[1]:
            if any(map(_is_known_label, firsts)):
                return True
            for label, texts in zip(firsts, (predictions, references), strict=True):
                if label and len(predictions) >= _FEWEST_LABELLED and label in map(_label, texts[1:_FEWEST_LABELLED]):
                    return True
    if len(predictions) >= _FEWEST_NUMBERED:
        if any(map(_NUMBER_OF_A_ROW.match, (prediction, reference))):
            return True
        if ("]" in joined or "】" in joined) and _cited(joined):
            return True
        first, other = sorted((prediction[0], reference[0]))
        if first.isalpha() and first <= _LAST_OF_LATIN < other and other.isalpha():
            return True
    return not joined.isascii() and _may_be_misread(prediction[:BEGINNING], reference[:BEGINNING], joined)


def _may_be_misread(prediction: str, reference: str, joined: str) -> bool:
    """Look at the first characters only: a whole file is misread, or in another script."""
    if "\ufffd" in joined or "锟" in joined:
        return True
    firsts = prediction[0] + reference[0]
    both = f"{prediction} {reference}"
    is_of_one_byte = min(firsts) <= _LAST_OF_CP1252
    if is_of_one_byte and (_TWO_BYTES.search(both) or _UPPER_HALF_IN_A_ROW.search(both)) is not None:
        return True
    as_bytes = firsts.encode("gb18030", "replace")
    if as_bytes[0] in _EAST_ASIAN_BYTES or (len(as_bytes) > 2 and as_bytes[-2] in _EAST_ASIAN_BYTES):
        return True
    traditional = _SCRIPTS["traditional"].search
    return (traditional(prediction, 0, _OF_A_SMALL_CALL) is None) != (
        traditional(reference, 0, _OF_A_SMALL_CALL) is None
    )
