"""Lines of a file in UTF-8, or in another encoding that is named or certain."""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from polyrouge.errors import Note, Option
from polyrouge.files.table import InputFileError
from polyrouge.texts.jieba_words import jieba_cutter

Lines = Iterator[tuple[int, str]]
"""Lines with their numbers."""

# That of UTF-32 begins as one of UTF-16 does.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SAMPLE = 1 << 16  # bytes that tell whether a file is Chinese
# Of the characters beyond ASCII, those in words of jieba's dictionary: Chinese has 0.5 and more. Texts in other
# encodings that happen to be valid GB18030 become Han characters at random, of which hardly two are a word.
_LEAST_SHARE, _LEAST_CHARACTERS = 0.3, 4
_HAN = re.compile("[\u3400-\u9fff]{2,}")
# Two words of Korean may look like two of Chinese, but in CP949 they begin with other bytes: 0.4 of Chinese is above.
_LAST_OF_HANGUL, _LEAST_OTHERS = 0xC8, 0.05
_ISO_2022 = b"\x1b$"


def checked_encoding(name: str) -> str:
    """Return the name of a codec as Python writes it; raises ``ValueError`` if there is no such codec for texts."""
    try:
        codec = codecs.lookup(name)
        "a".encode(codec.name)
    except (LookupError, UnicodeError):
        raise ValueError(
            f"Unknown encoding {name!r}; give the name of a codec, such as utf-8, gb18030, big5, utf-16 or latin-1."
        ) from None
    return codec.name


def numbered_lines(stream: io.BufferedReader, name: str, encoding: str | None, notes: list[str]) -> Lines:
    r"""Lines without their ``\n`` or ``\r\n``, of UTF-8, UTF-16 with a mark, or Chinese in GB18030 if none is named."""
    start = stream.peek(4)[:4]
    by_mark = next((codec for mark, codec in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), None)
    codec = encoding or by_mark or "utf-8"
    # Else the first line beyond ASCII tells UTF-8 from GB18030, which holds GBK and GB 2312.
    is_certain = encoding is not None or by_mark is not None
    is_recoded = codec != "utf-8"
    guessed_line = 0  # the line that told GB18030
    # A letter in UTF-16 has a zero byte; a text may begin with NUL, but not go on so.
    if codec == "utf-8" and (start[1:2] == b"\0" or start[0:1] == start[2:3] == b"\0"):
        advice = " Say so: ", Option("encoding", "utf-16-le" if start[1:2] == b"\0" else "utf-16-be"), "."
        raise InputFileError(f"{name} seems to be UTF-16 without a byte order mark.", *advice)
    if encoding is not None and not encoding.startswith("utf"):
        _note_utf8(stream, name, encoding, notes)
    lines: Iterator[bytes] = _as_utf8(stream, codec) if is_recoded else iter(stream)
    number = 0
    try:
        while (line := next(lines, None)) is not None:
            number += 1
            data = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                data = data.removeprefix(codecs.BOM_UTF8)
            if not is_certain:
                if _ISO_2022 in data:
                    raise InputFileError(
                        f"{name}, line {number} has escape sequences of ISO-2022.",
                        " Name its encoding, such as ",
                        Option("encoding", "iso-2022-jp"),
                        ".",
                    )
                if not data.isascii():
                    is_certain = True
                    if not _is_utf8(data):
                        sample = _sample_of(line, lines)
                        lines = chain(sample[1:], lines)
                        if _is_chinese(b"".join(sample)):
                            codec, guessed_line = "gb18030", number
                            message = (
                                f"{name} is no UTF-8 and was read as GB18030 (GBK), as from line {number} on it fits."
                            )
                            notes.append(Note(message, kind="read_as_gb18030", file=name))
            elif guessed_line and not data.isascii() and _is_utf8(data):
                raise InputFileError(
                    f"{name}: line {guessed_line} is GB18030 (GBK) and no UTF-8, and line {number} is valid UTF-8; "
                    "convert the file to one encoding.",
                    " If all of it is GB18030, say so: ",
                    Option("encoding", "gb18030"),
                    ".",
                )
            yield number, data.decode("utf-8" if is_recoded else codec)
    except UnicodeDecodeError as error:
        wrong = encoding or codec.replace("utf-8", "UTF-8")
        raise InputFileError(
            f"{name}, line {number + is_recoded}: byte {error.object[error.start]:#04x} is not {wrong}; convert the "
            "file to UTF-8.",
            " Or name its encoding: ",
            Option("encoding"),
            ".",
        ) from None
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(name, error) from None


def _sample_of(line: bytes, following: Iterator[bytes]) -> list[bytes]:
    """Return a line and those behind it, about ``_SAMPLE`` bytes."""
    sample, size = [line], len(line)
    while size < _SAMPLE and (line := next(following, b"")):
        sample.append(line)
        size += len(line)
    return sample


def _is_chinese(sample: bytes) -> bool:
    """Return whether bytes are GB18030, and their characters words of Chinese."""
    try:
        text = sample.decode("gb18030")
    except UnicodeDecodeError:
        return False
    n_wide = sum(character >= "\x80" for character in text)
    words = jieba_cutter(hmm=False)(text)
    n_in_words = sum(len(word) for word in words if _HAN.fullmatch(word))
    if n_in_words < max(_LEAST_CHARACTERS, _LEAST_SHARE * n_wide):
        return False
    first_bytes = "".join(re.findall(_HAN, text)).encode("gb2312", "ignore")[::2]
    return sum(byte > _LAST_OF_HANGUL for byte in first_bytes) >= _LEAST_OTHERS * len(first_bytes)


def _note_utf8(stream: io.BufferedReader, name: str, encoding: str, notes: list[str]) -> None:
    """Note that the beginning of a file is UTF-8, and more than ASCII, where another encoding was asked for."""
    with suppress(UnicodeDecodeError):
        if not codecs.getincrementaldecoder("utf-8")().decode(stream.peek(1 << 12)).isascii():
            said = Option("encoding"), " says."
            notes.append(Note(f"{name} is valid UTF-8, but was read as {encoding}, as ", *said))


def _as_utf8(stream: io.BufferedReader, encoding: str) -> Iterator[bytes]:
    """Yield the lines of a file in another encoding, in UTF-8."""
    with io.TextIOWrapper(stream, encoding, newline="\n") as lines:
        yield from map(str.encode, lines)


def unreadable(name: str, error: Exception) -> InputFileError:
    """Return the error for a file whose bytes can't be read or can't be unzipped."""
    if isinstance(error, (EOFError, zlib.error, gzip.BadGzipFile)):
        return InputFileError(f"{name} is no whole gzip file ({error}); copy or download it again.")
    return InputFileError(f"{name} can't be read: {error}.")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
