"""Check predictions and references before anything is scored: each must be a text; an error names its row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, filterfalse
from typing import Any, Literal, NamedTuple, overload

from polyrouge.errors import Option, RefusedType, Sentence, shown_value

ReferenceKind = Literal["text", "list"]
"""Whether each row of references is one text or a list of texts."""

_KEYS_OF_TEXT = ("content", "text", "generated_text", "value", "answer")  # messages; SQuAD; Transformers; ShareGPT
_LONGEST_TOKEN = 15  # characters; a longer text in a list by itself is no token
_TEXTS_AT_ONCE = 100  # joined to look for lone surrogates: faster than one by one, and never a copy of all


class SingleReferences(Sequence[list[str]]):
    """References of one text a row; builds the list of a row on demand, which takes longer than counting."""

    __slots__ = ("texts",)

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, row: int) -> list[str]: ...
    @overload
    def __getitem__(self, row: slice) -> "SingleReferences": ...
    def __getitem__(self, row: int | slice) -> "list[str] | SingleReferences":
        return SingleReferences(self.texts[row]) if isinstance(row, slice) else [self.texts[row]]

    def __iter__(self) -> Iterator[list[str]]:
        return ([text] for text in self.texts)

    def __eq__(self, other: object) -> bool:
        return [*self] == ([*other] if isinstance(other, SingleReferences) else other)

    __hash__ = None  # pyright: ignore[reportAssignmentType] # a list has none either

    def __repr__(self) -> str:
        return f"SingleReferences({self.texts!r})"


class Inputs(NamedTuple):
    """Checked texts of a call, and what messages call their rows."""

    predictions: Sequence[str]  # one text a row
    references: Sequence[Sequence[str]]  # at least one text a row: lists, or ``SingleReferences``
    reference_kind: ReferenceKind
    first_row: int = 0  # in messages, where earlier calls scored rows
    names: tuple[str, str] = ("predictions", "references")  # of the two columns in messages
    rows: Sequence[int] | None = None  # numbers in messages, where some rows are left out

    def row_name(self, column: int, row: int) -> str:
        """What messages call a row of the predictions (0) or the references (1)."""
        return f"{self.names[column]}[{self.rows[row] if self.rows is not None else self.first_row + row}]"


class EmptyTexts(NamedTuple):
    """How many texts are empty or blank."""

    predictions: tuple[int, ...]  # of each system
    references: int  # of all rows


def reference_texts(references: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the references of some rows, one after the other."""
    if isinstance(references, SingleReferences):
        return references.texts
    return list(chain.from_iterable(references))


def total_length(texts: Sequence[str]) -> int:
    """Return how many characters the texts have."""
    return sum(map(len, texts))


def is_blank(text: str) -> bool:
    """Return whether a text is empty or has nothing but white space."""
    return not text or text.isspace()


def check_inputs(
    predictions: Any,
    references: Any,
    *,
    first_row: int = 0,
    reference_kind: ReferenceKind | None = None,
    names: tuple[str, str] = ("predictions", "references"),
) -> Inputs:
    """Return the texts as lists of Python strings.

    Args:
        predictions: any iterable of strings (list, generator, numpy array, pandas or polars series, Arrow array,
            ``datasets`` column). Empty texts are allowed.
        references: as many rows: all strings, or all lists of at least one string.
        first_row: number of the first row in messages, where rows were added before.
        reference_kind: of the rows that were added before.
        names: of the two columns in messages.

    Raises:
        TypeError: something that is no text or no list of texts: None, NaN, a number, bytes, one string in place of a
            list, strings among lists.
        ValueError: no rows, unequal numbers of rows, a row without a reference, or a lone surrogate.
    """
    of_prediction, of_reference = names
    if not isinstance(first_row, int):
        raise TypeError(f"first_row is {shown_value(first_row)}; give a whole number.")
    _refuse_other_order(predictions, references, names)
    pred_rows = column_rows(predictions, of_prediction)
    ref_rows = column_rows(references, of_reference)
    if len(pred_rows) != len(ref_rows):
        by_column = all(isinstance(row, (list, tuple)) and len(row) == len(pred_rows) for row in ref_rows)
        hint = f" They look like lists by reference: list(map(list, zip(*{of_reference})))." if by_column else ""
        if len(pred_rows) == 1 and all(isinstance(row, str) for row in ref_rows):
            hint = f" If they all belong to the one prediction, give them as its list: [{of_reference}]."
        raise ValueError(
            f"{len(pred_rows)} {of_prediction} but {len(ref_rows)} {of_reference}; give one row of references "
            f"(a string, or a list of strings) for each prediction.{hint if ref_rows else ''}"
        )
    if not pred_rows:
        raise ValueError(f"{of_prediction} and {of_reference} are empty; give at least one of each.")
    texts = _texts(pred_rows, of_prediction, first_row)
    kind = reference_kind or _kind(ref_rows[0], f"{of_reference}[{first_row}]")
    if kind == "text" and _are_plain_texts(ref_rows):
        return Inputs(texts, SingleReferences(ref_rows), kind, first_row, names)
    usual_type = str if kind == "text" else list
    for i, row in enumerate(ref_rows, first_row):
        if type(row) is not usual_type and kind != _kind(row, f"{of_reference}[{i}]"):
            these = (
                "a string, but the rows before are lists"
                if kind == "list"
                else "a list, but the rows before are strings"
            )
            raise TypeError(f"{of_reference}[{i}] is {these}; give all rows as strings or all as lists.")
    if kind == "list":
        lists = check_text_lists(ref_rows, of_reference, first_row)
        if not all(lists):
            row = first_row + lists.index([])
            raise ValueError(f"{of_reference}[{row}] is empty; every prediction needs at least one reference.")
        return Inputs(texts, lists, kind, first_row, names)
    return Inputs(texts, SingleReferences(_texts(ref_rows, of_reference, first_row)), kind, first_row, names)


def _refuse_other_order(predictions: Any, references: Any, names: tuple[str, str]) -> None:
    """Raise for two Series of pandas whose indexes have the same labels in another order."""
    prediction_index, reference_index = getattr(predictions, "index", None), getattr(references, "index", None)
    if (
        prediction_index is None
        or reference_index is None
        or not hasattr(prediction_index, "equals")
        or not hasattr(reference_index, "equals")
    ):
        return
    if prediction_index.equals(reference_index) or len(prediction_index) != len(reference_index):
        return
    if prediction_index.sort_values().equals(reference_index.sort_values()):
        raise ValueError(
            f"The indexes of {names[0]} and {names[1]} hold the same labels in another order, and rows are paired by "
            f"their place. Give {names[1]}.loc[{names[0]}.index], or lists if the places are right."
        )


def check_texts(texts: Any, name: str) -> list[str]:
    """Return one column of texts as a list of Python strings; errors call it ``name``, as ``check_inputs`` does."""
    return _texts(column_rows(texts, name), name, 0)


def check_text_lists(rows: list, name: str, first_row: int = 0) -> list[list[str]]:
    """Return a column with several texts a row as lists of Python strings; errors call a row ``name[number]``."""
    if set(map(type, rows)) <= {list} and _are_plain_texts(list(chain.from_iterable(rows))):
        return rows
    return [check_texts(row, f"{name}[{i}]") for i, row in enumerate(rows, first_row)]


def column_rows(column: Any, column_name: str) -> list:
    """Return the rows of a list, a generator or a library's column; ``TypeError`` calls it ``column_name``."""
    if column is None:
        raise TypeError(f"{column_name} is missing (None); give a list of texts.")
    if isinstance(column, (str, bytes, bytearray)):
        raise TypeError(
            f"{column_name} is one {type(column).__name__}, {column[:40]!r}; give a list: [{column[:40]!r}]."
        )
    if isinstance(column, (Mapping, Set)):
        raise TypeError(
            f"{column_name} is a {type(column).__name__}, whose rows have no order to pair them by; give a list."
        )
    if type(column) is list:
        return column
    if hasattr(column, "columns") or hasattr(column, "column_names"):  # pandas, polars; Arrow, datasets
        raise TypeError(f"{column_name} is a table ({type(column).__name__}); give one of its columns.")
    for to_list in ("to_pylist", "to_list", "tolist"):  # Arrow; pandas, polars; numpy
        if hasattr(column, to_list):
            rows = getattr(column, to_list)()
            if isinstance(rows, list):
                return rows
    if not isinstance(column, Iterable) or getattr(column, "shape", None) == ():
        raise TypeError(f"{column_name} is {column!r} ({type(column).__name__}); give a list of texts.")
    return list(column)


def _kind(row: Any, name: str) -> ReferenceKind:
    if isinstance(row, str):
        return "text"
    if isinstance(row, (bytes, bytearray, Mapping, Set)) or not isinstance(row, Iterable):
        problem = f"{name} is {shown_value(row)}; each row must be a string or a list of strings."
        raise TypeError(f"{problem} {_text_inside(row, name)}".rstrip())
    return "list"


def _texts(rows: list, name: str, first_row: int) -> list[str]:
    """Return rows that must all be texts."""
    if _are_plain_texts(rows):
        return rows
    return [_text(row, f"{name}[{i}]") for i, row in enumerate(rows, first_row)]


def _are_plain_texts(values: list) -> bool:
    """Return whether all are Python strings without a lone surrogate."""
    if not set(map(type, values)) <= {str}:
        return False
    non_ascii = list(filterfalse(str.isascii, values))
    try:
        for start in range(0, len(non_ascii), _TEXTS_AT_ONCE):
            "".join(non_ascii[start : start + _TEXTS_AT_ONCE]).encode()
    except UnicodeEncodeError:
        return False
    return True


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise RefusedType(f"{name} is {shown_value(value)}; each text must be a string. ", *_remedy(value, name))
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{name} holds the lone surrogate {value[error.start]!a} at character {error.start}, which is no "
                "character (a broken emoji or a wrong decoding); clean it, for example by "
                "text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')."
            ) from None
    return str.__str__(value)  # a plain string, even if a subclass prints something else


def _remedy(value: Any, name: str) -> Sentence:
    """What to pass instead of tokens, of ids, or of nothing."""
    if inside := _text_inside(value, name):
        return (inside,)
    items = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(items, (list, tuple)):
        items = [items] if "][" in name else []
    elif items and all(isinstance(item, str) for item in items):
        if len(items) == 1 and (" " in items[0] or len(items[0]) > _LONGEST_TOKEN):
            return (f"Give the text of it: {name}[0].",)
        space = Option("tokenizer", "space"), " to keep them as they are."
        return "Join tokens: ' '.join(tokens), with ", *space
    if items and all(isinstance(item, int) and not isinstance(item, bool) for item in items):
        return ("Ids of tokens are decoded first: tokenizer.decode(ids, skip_special_tokens=True).",)
    return ("An empty text is ''.",)


def _text_inside(value: Any, name: str) -> str:
    """Say where an object has its text, or the last message of a conversation; ``name`` is that of an argument."""
    is_list = isinstance(value, list) and value
    message = value[-1] if is_list else value
    if not isinstance(message, Mapping) or " " in name:
        return ""
    texts = [key for key, item in message.items() if isinstance(item, str)]
    keys = [key for key in _KEYS_OF_TEXT if key in message] or (texts if len(texts) == 1 else [])
    return f"Give the text of it: {name}{'[-1]' if is_list else ''}[{keys[0]!r}]." if keys else ""
