"""Notes on objects of JSON or Python in place of texts: on one side or both, whole, cut off, among words."""

from collections.abc import Iterator
from typing import NamedTuple

from polyrouge.documents.input_notes import BEGINNING, Sample, shortened
from polyrouge.errors import Note
from polyrouge.texts.model_output import has_thoughts, has_turns
from polyrouge.texts.patterns import pattern

_SIDES = ("prediction", "reference")
_BEGINNING_OF_OBJECT = pattern(r"""(?:\[\s*)?\{\s*(?:"([^"\n]{1,60})"|'([^'\n]{1,60})')\s*:""")
_DEEPEST = 8  # objects in each other
_MOST_OF_JSON = 20_000  # characters of an answer
_FEWEST_OBJECTS = 3  # texts, where the first holds none
_LEAST_SHARE = 1 / 3  # of a text
_MOST_NAMES = 3  # in a message

_Path = tuple[str | int, ...]


class _Object(NamedTuple):
    """The object that a text is, or holds."""

    text: str
    fields: list[_Path]  # names that lead to its texts, that of the longest first; if it is cut off, the first name
    name: str  # its first
    loads: str  # what reads it, in a message
    is_list: bool  # of objects
    is_alone: bool
    is_whole: bool


def json_answers(sample: Sample) -> Note | None:
    """Note that the texts of one side, or of both, are objects of JSON."""
    of_sides = [first_object(texts) for texts in sample.first_answers]
    if all(of_sides):
        return _note_of_both(of_sides)
    for noun, answer in zip(_SIDES, of_sides, strict=True):
        if answer is None:
            continue
        text, names = shortened(answer.text), _names(answer)
        remedy = _remedy([(answer, f"{noun}s")])
        if not answer.is_whole:
            return Note(
                f"The {noun} {text!r} begins an object of JSON that can't be read to its end, as where a limit of "
                "tokens cuts it off, and its names and marks are scored with its texts. Ask for it again with a "
                f"higher limit. {remedy}",
                kind="json_cut_off",
                side=noun,
                text=repr(text),
                names=names,
            )
        description = "is an object of JSON, and its names and marks are scored with its texts"
        if not answer.is_alone:
            description = "holds an object of JSON, and its names, and what stands around it, are scored with its texts"
        return Note(
            f"The {noun} {text!r} {description}. {remedy}", kind="json_answers", side=noun, text=repr(text), names=names
        )
    return None


def _note_of_both(of_sides: list[_Object | None]) -> Note:
    prediction, reference = [answer for answer in of_sides if answer is not None]
    texts = [repr(shortened(answer.text)) for answer in (prediction, reference)]
    return Note(
        f"Predictions and references are objects of JSON, such as {texts[0]} and {texts[1]}, so their names are scored "
        f"with their texts, and those that are the same raise the score. "
        f"{_remedy([(prediction, 'predictions'), (reference, 'references')])}",
        kind="json_on_both_sides",
        prediction=texts[0],
        reference=texts[1],
        names=_names(prediction),
    )


def _names(answer: _Object) -> str:
    return ", ".join(repr(".".join(map(str, path))) for path in (answer.fields or [(answer.name,)])[:_MOST_NAMES])


def _remedy(columns: list[tuple[_Object, str]]) -> str:
    """Say how the texts of fields are scored, of objects under the names of their arguments."""
    answer = columns[0][0]
    if not all(of_column.fields for of_column, _ in columns):
        it, its = ("it", "its") if len(columns) == 1 else ("them", "their")
        return f"Read {it} by {answer.loads}, and score {its} values alone, joined to one text."
    codes = [_code(of_column, texts) for of_column, texts in columns]
    return f"Score the text of a field ({_names(answer)}): {', and '.join(codes)}."


def _code(answer: _Object, texts: str) -> str:
    opening, closing = "[]" if answer.is_list else "{}"
    text = "text" if answer.is_alone else f"text[text.index({opening!r}):text.rindex({closing!r}) + 1]"
    longest = "".join(f"[{name!r}]" for name in answer.fields[0])
    return f"[{answer.loads}({text}){longest} for text in {texts}]"


def may_hold_json(joined: str) -> bool:
    """Say quickly whether a text of several may hold an object; ``joined`` is all texts in one."""
    return "{" in joined and _BEGINNING_OF_OBJECT.search(joined) is not None


def first_object(texts: list[str]) -> _Object | None:
    """Return the object of a column of texts, one that is whole if there is one; None if few texts hold one."""
    of_texts = [_object_of(text) for text in texts]
    objects = [of_text for of_text in of_texts if of_text is not None]
    if not objects or (of_texts[0] is None and len(objects) < max(_FEWEST_OBJECTS, (len(texts) + 1) // 2)):
        return None
    return next((of_text for of_text in objects if of_text.is_whole), objects[0])


def _object_of(text: str) -> _Object | None:
    """Return the object that makes up much of a text; None if there is none."""
    match = _BEGINNING_OF_OBJECT.search(text, 0, BEGINNING) if "{" in text[:BEGINNING] else None
    if match is None or len(text) > _MOST_OF_JSON or has_thoughts(text) or has_turns(text):  # noted; they hold some too
        return None
    import ast  # only here: most processes score no such text
    import json

    before, rest = text[: match.start()], text[match.start() :]
    name, is_list = match[1] or match[2], rest.startswith("[")
    is_whole, fields, loads = True, dict[_Path, str](), "json.loads" if match[1] else "ast.literal_eval"
    try:
        if match[1]:
            value, end = json.JSONDecoder().raw_decode(rest)
        else:
            end = rest.rfind("]" if is_list else "}") + 1
            value = ast.literal_eval(rest[:end])
        fields.update(_texts_of(value))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        fields[(0, name) if is_list else (name,)], end, is_whole = "", len(rest), False
    if end < _LEAST_SHARE * len(text):
        return None
    paths = sorted(fields, key=lambda path: -len(fields[path]))
    is_alone = not (before.strip() or rest[end:].strip())
    return _Object(text, paths, name, loads, is_list, is_alone, is_whole)


def _texts_of(value: object, path: _Path = ()) -> Iterator[tuple[_Path, str]]:
    """Yield the path of names to each text in objects."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        yield from _texts_of(value[0], (*path, 0))
    elif isinstance(value, dict) and len(path) < _DEEPEST:
        for name, field in value.items():
            yield from _texts_of(field, (*path, name))
