"""Which columns of which tables hold what: they are named, or guessed by their usual names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from polyrouge.documents.stand_ins import are_labels
from polyrouge.errors import Option, RefusedValue, folded, unknown_value
from polyrouge.files.table import (
    InputFileError,
    Table,
    check_text_column,
    may_be_text,
    names_of,
    outer_column,
    value_at,
)
from polyrouge.files.usual_names import (
    CONVERSATIONS,
    FIRST_OF_OTHERS,
    ID_COLUMNS,
    INPUTS,
    KNOWN,
    NAMES,
    OF_COPIES,
    OF_SYSTEMS,
    SHARED_IDS,
    numbered_references,
    tells_role,
)

NO_IDS = "none"
"""As the name of the id column: join the rows by their place."""

_SENTENCE = re.compile(r"[。，！？]|[.!?]$|(?:\S+\s+){3}\S")
_NUMBER = re.compile(r"\['?-?\d+\.\d+'?\]")  # in a list
_A_TEXT = 15  # characters
_DEEPEST_ID = 3  # objects in each other


class Roles(NamedTuple):
    """What the columns of one table are for, as far as their names tell."""

    predictions: list[str]  # of each system
    references: list[str]
    id: str | None
    source: str | None


class Column(NamedTuple):
    """A column of one of several tables."""

    table: int  # number of the table
    name: str  # "" for plain text


class Columns(NamedTuple):
    """What the columns of several tables are for; the tables of predictions are the first."""

    predictions: list[Column]  # one of each system
    references: list[Column]  # one of texts or lists of texts, or several of texts
    sources: list[Column]  # one of source texts, or none
    metadata: list[Column]
    ids: dict[int, str]  # by the number of the table
    # Columns of further tables of predictions, each with the first one of its name.
    repeated_texts: list[tuple[Column, Column]]  # must be equal
    repeated_metadata: list[tuple[Column, Column]]  # may differ
    guesses: list[str]  # in sentences
    keys: list[tuple[Column, Column]]  # of the same name in two tables, and different in each row, as far as is seen
    copies: list[Column]  # of tables with ids: what may tell rows of the same id apart
    choices: list[tuple[Column, str]]  # the rows to read: those with this value, as a text
    numbered: list[Column]  # ids of predictions: their numbers may tell that rows are in another order

    def texts_of(self, table: int) -> list[str]:
        """Names of the columns of a table that are read as texts."""
        columns = [*self.predictions, *self.references, *self.sources, *(first for first, _ in self.repeated_texts)]
        return [column.name for column in columns if column.table == table]

    def others_of(self, table: int) -> list[str]:
        """Names of the columns of a table that are read for other values."""
        columns = [*self.metadata, *(first for first, _ in self.repeated_metadata), *self.copies]
        columns += [*(column for pair in self.keys for column in pair), *(column for column, _ in self.choices)]
        columns += self.numbered
        names = [column.name for column in columns if column.table == table]
        return list(dict.fromkeys([*names, self.ids[table]] if table in self.ids else names))


def guess_column(table: Table, role: str, in_use: Sequence[str]) -> str:
    """Return the column of a file that holds predictions or references, by its name; others are ``in_use``."""
    id_column = guess_id_column(table.columns)
    free = [name for name in table.text_columns if name not in in_use and name != id_column]
    sample = table.read_sample()
    texts = [path for path in text_paths(sample) if path not in in_use and path != id_column]
    # A command on texts has one column; a summary is the reference of what extracts it.
    option = Option("column" if role == "text" else "reference_column" if role == "summary" else f"{role}_column")
    candidates = list(_candidates(role, free, sample, in_use, table.columns, texts))
    if not candidates:
        telling = [name for name in free if tells_role(name, role)]
        candidates = telling if len(telling) == 1 else []
    if not candidates and role == "reference":
        candidates = [group[0] for group in numbered_references(free)]
    if not candidates:  # for the message that it holds no texts
        named = [name for name in table.columns if folded(name) in NAMES[role] and name not in table.text_columns]
        candidates = [name for name in named if not any(isinstance(row.get(name), dict | list) for row in sample)]
    if not candidates and len(free) == 1 and not in_use and folded(free[0]) not in (*ID_COLUMNS, *SHARED_IDS):
        is_only = all(path.startswith(free[0]) for path in texts)  # no object holds texts
        is_only = is_only and not (table.format in ("csv", "tsv") and _SENTENCE.search(free[0]))  # a row, no name
        candidates = free if is_only and may_be_text(_first_value(sample, free[0], "")) else []
    if not candidates:
        advice: list[str | Option] = [" Say so with ", option, "."]
        if table.format in ("csv", "tsv") and table.columns[0] != "1":
            advice += [" If the first line is a row like the others: ", Option("header", value=False), "."]
        where = f" Texts are in {names_of(texts)}." if texts and texts != table.columns else ""
        unknown = [name for name in free if folded(name) not in KNOWN and _holds_words(name, sample)]
        unknown = unknown if role == "prediction" else []
        roles = "summaries" if role == "summary" else f"{role}s"
        names = names_of(table.columns)
        if len(unknown) > 1:  # each name is said once, as there may be many
            rest = [name for name in table.columns if name not in unknown]
            names = f"{names_of(rest)}, and {names_of(unknown)} may each be a system" if rest else names
        raise InputFileError(f"{table.name}: which column holds the {roles}? It has {names}.{where}", *advice)
    column = candidates[0]
    if role == "prediction":
        _refuse_alternatives(table, column, sample)
        column = _single_text(table, column, sample)
    remaining = [name for name in free if name != candidates[0] and folded(name) not in INPUTS]
    varied = [name for name in remaining if not _holds_names(name, sample) and _mean_length(name, sample) >= _A_TEXT]
    if role != "text" and varied and _holds_names(column, sample):
        raise InputFileError(
            f"{table.name}: the column {column!r} has {len(_different(column, sample))} different texts in "
            f"{len(sample)} rows, so it hardly holds the {role}s; {names_of(varied)} may.",
            " Say so with ",
            option,
            ".",
        )
    return column


def _numbered_like(table: Table, column: str, in_use: Sequence[str]) -> list[str]:
    """Return the other columns of references that are numbered as the guessed one: ``reference2``."""
    names, sample = [name for name in _free_texts(table, in_use) if name not in table.list_columns], table.read_sample()
    group: list[str] = next((group for group in numbered_references(names) if column in group), [])
    if _holds_words(column, sample):  # and no number or name
        group = [name for name in group if _holds_words(name, sample) or not any(_at(row, name) for row in sample)]
    return [name for name in group if name != column]


def holds_a_role(row: Mapping[str, Any], *roles: str) -> bool:
    """Return whether an object has predictions or references, or what is named, by the names of its values."""
    texts = [name for name, value in row.items() if isinstance(value, str | list)]
    of_roles = roles or ("prediction", "reference")
    return any(next(_candidates(role, texts, [row], (), list(row)), None) for role in of_roles)


def text_paths(sample: Sequence[Mapping[str, Any]], deepest: int = 8) -> list[str]:
    """Return the paths at which the first row with texts has them; of a list, that of its first item.

    A conversation is one text: its first item is what was asked.
    """

    def walk(path: str, value: Any, depth: int) -> Iterator[str]:
        is_conversation = bool(value) and isinstance(value, list) and isinstance(value[0], dict) and may_be_text(value)
        if isinstance(value, str) or is_conversation:
            yield path
        elif isinstance(value, list) and value and depth < deepest:
            yield from walk(f"{path}[0]", value[0], depth + 1)
        elif isinstance(value, dict) and depth < deepest:
            for name, item in value.items():
                yield from walk(f"{path}.{name}" if path else name, item, depth + 1)

    return next((paths for row in sample if (paths := list(walk("", dict(row), 0)))), [])


def _candidates(
    role: str,
    free: Sequence[str],  # columns that hold texts
    sample: Sequence[Mapping[str, Any]],
    in_use: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[str] = (),  # paths to all texts
) -> Iterator[str]:
    """Yield the columns and paths that may have a role, the most likely first."""
    by_name = {folded(name): name for name in reversed([*columns, *free])}
    for name in NAMES[role]:
        if name == FIRST_OF_OTHERS.get(role):
            yield from _inner_path(role, texts, in_use)
        is_path = "." in name or "[" in name
        column = name if is_path else by_name.get(name)
        if column is None or column in in_use or not _fits(role, name, sample, in_use, columns):
            continue
        value = _first_value(sample, column)
        is_text = may_be_text(value) and not ((is_path or role == "prediction") and value == [])
        if (is_text or (value is None and not is_path)) and (is_path or column in free):
            yield column
        elif not is_path and (path := _only_text(value, role)) and f"{column}{path}" not in in_use:
            yield f"{column}{path}"


def _first_value(sample: Sequence[Mapping[str, Any]], column: str, default: Any = None) -> Any:
    """Return the first value of a column, one that is no empty list if there is one."""
    values = [value for row in sample if (value := _at(row, column)) is not None]
    return next((value for value in values if value != []), values[0] if values else default)


def _only_text(value: Any, role: str) -> str:
    """Return the path to the only text, or list of texts, of an object, or of each of several references; else ""."""
    if role == "reference" and isinstance(value, list) and value:
        inner = _only_text(value[0], "")
        return f"[]{inner}" if inner and "[" not in inner else ""
    paths = text_paths([value]) if isinstance(value, Mapping) else []
    return f".{paths[0].removesuffix('[0]')}" if len(paths) == 1 else ""


def _inner_path(role: str, texts: Sequence[str], in_use: Sequence[str]) -> Iterator[str]:
    """Yield the path, or the column with full stops in its name, whose first or last part is a name of a role."""
    names = {*NAMES[role][: NAMES[role].index(FIRST_OF_OTHERS[role])]} - {"label", "labels"}  # inside, of classes
    paths = [path for path in texts if "." in path and "[" not in path and path not in in_use]
    paths = [path for path in paths if folded(path.partition(".")[0]) not in INPUTS]
    named = [
        path for path in paths if not {folded(part) for part in path.split(".")[:: path.count(".")]}.isdisjoint(names)
    ]
    named = [
        path for path in named if not path.endswith(tuple(f".{inner}" for inner in named))
    ]  # promptfoo has it twice
    if len(named) == 1:
        yield named[0]


def _fits(
    role: str, name: str, sample: Sequence[Mapping[str, Any]], in_use: Sequence[str], columns: Sequence[str]
) -> bool:
    """Return whether a name means a role beside the other columns."""
    names = {folded(column) for column in columns}
    if role == "prediction" and name == "answer":  # of a model, beside the right one
        return not names.isdisjoint(NAMES["reference"][: NAMES["reference"].index("answers")])
    if name in CONVERSATIONS:  # of a file of its own, as answers stand in the conversation too
        return role == "prediction" or not in_use
    if role == "reference" and name == "outputs":  # of RULER
        return isinstance(_first_value(sample, next(column for column in columns if folded(column) == name)), list)
    if role == "reference" and name == "output":  # of Alpaca's data, beside the response of a model
        return not in_use or folded(in_use[0]) == "response" or "instruction" in names
    if name == "doc.choices":  # of a multiple choice, others are wrong
        return all(len(_at(row, name) or ()) == 1 for row in sample)
    return True


def _at(row: Mapping[str, Any], column: str) -> Any:
    """Return a value; None if there is none, or NaN, as pandas writes it."""
    try:
        value = value_at(row, column)
    except KeyError:
        return None
    return value if value == value else None


def _single_text(table: Table, column: str, sample: Sequence[Mapping[str, Any]]) -> str:
    """Return the path to the only text of lists, of texts or of lists; several texts are refused."""
    if not sample and column in table.list_columns and folded(column) == "filteredresps":
        return f"{column}[0]"
    while lists := [value for row in sample if (value := _at(row, column)) is not None]:
        if any(not isinstance(value, list) or not value or not isinstance(value[0], str | list) for value in lists):
            break  # texts, or messages of a conversation
        if all(isinstance(item, list) and _NUMBER.fullmatch(str(item[:1])) for value in lists for item in value):
            raise InputFileError(
                f"{table.name}: the column {column!r} holds numbers, such as likelihoods of choices. Only "
                "generated texts have a ROUGE."
            )
        if (most := max(map(len, lists))) > 1:
            batch = _list_as_long(table, column, sample)
            are_words = most > 2 and not any(" " in str(item).strip() for value in lists for item in value)
            raise InputFileError(
                f"{table.name}: the column {column!r} holds lists of up to {most} texts, such as beams or samples. "
                "Name one: ",
                Option("prediction_column", f"{column}[0]"),
                f". If a row is a batch, with {batch!r}, write a row for each of its pairs." if batch else ".",
                " If they are the tokens of one text, join them." if are_words else "",
            )
        column = f"{column}[0]"
    return column


def _list_as_long(table: Table, column: str, sample: Sequence[Mapping[str, Any]]) -> str | None:
    """Return another column of lists that are as long, row by row, as those of a column; None if there is none."""
    lengths = [len(_at(row, column) or ()) for row in sample]
    references = [name for name in table.list_columns if folded(name) in NAMES["reference"] and name != column]
    return next((name for name in references if [len(_at(row, name) or ()) for row in sample] == lengths), None)


def _refuse_alternatives(table: Table, column: str, sample: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a usual path to the first of several texts, such as ``choices[0]`` of a request for two."""
    outer, is_first, _ = column.partition("[0]")
    most = max((len(value) for row in sample if isinstance(value := _at(row, outer), list)), default=0)
    if is_first and most > 1:
        raise InputFileError(
            f"{table.name}: {outer!r} holds lists of up to {most} texts, such as beams or samples. Name one: ",
            Option("prediction_column", column),
            ".",
        )


def _different(column: str, sample: Sequence[Mapping[str, Any]]) -> set[str]:
    return {repr(value) for row in sample if (value := _at(row, column)) is not None}


def _holds_names(column: str, sample: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the values are labels, such as names of systems or classes."""
    return are_labels([str(value) for row in sample if (value := _at(row, column)) is not None])


def _holds_words(column: str, sample: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a value has several words: no address, date, name of a state, or number."""
    texts = [str(_at(row, column) or "") for row in sample]
    return not texts or any(len(re.findall(r"[^\W\d_]+(?!\S)", text)) > 1 or not text.isascii() for text in texts)


def _mean_length(column: str, sample: Sequence[Mapping[str, Any]]) -> float:
    return sum(len(str(_at(row, column) or "")) for row in sample) / max(1, len(sample))


def guess_id_column(columns: Sequence[str], names: Sequence[str] = ID_COLUMNS) -> str | None:
    """Return the column of ids, by its name; None if there is none."""
    by_name = {folded(name): name for name in reversed(columns)}
    paths = {name: name for name in names if "." in name and name.partition(".")[0] in columns}
    return next((by_name.get(name) or paths[name] for name in names if name in by_name or name in paths), None)


def guess_roles(table: Table, most_systems: int) -> Roles:
    """Guess each role by itself: a role without a usual name takes nothing from the others."""
    texts: dict[str, list[str]] = {"prediction": [], "reference": []}
    used: list[str] = []
    for role, columns in texts.items():
        with suppress(InputFileError):
            column = guess_column(table, role, used)
            check_text_column(table, column)
            columns += [column, *(_numbered_like(table, column, used) if role == "reference" else ())]
            used += columns
    predictions = texts["prediction"]
    for first in predictions[:1]:
        predictions += _columns_of_systems(table, first, used)
    source = _source_column(table, used)
    return Roles(predictions[:most_systems], texts["reference"], guess_id_column(table.columns), source)


def _columns_of_systems(table: Table, first: str, used: Sequence[str]) -> list[str]:
    """Return the columns of texts that are named as the first system's and more, such as prediction_b."""
    return [name for name in _free_texts(table, used) if name.lower().startswith(first.lower())]


def _source_column(table: Table, used: Sequence[str]) -> str | None:
    """Return the column with a usual name of what was summarized; None if there is none."""
    by_name = {folded(name): name for name in reversed(_free_texts(table, used))}
    return next((by_name[name] for name in NAMES["source"] if name in by_name), None)


def _free_texts(table: Table, used: Sequence[str]) -> list[str]:
    id_column = guess_id_column(table.columns)
    return [name for name in table.text_columns if name not in (*used, id_column)]


def find_columns(
    tables: Sequence[Table],
    n_prediction_tables: int,
    *,
    prediction_columns: Sequence[str] = (),
    reference_columns: Sequence[str] = (),
    id_column: str | None = None,
    source_column: str | None = None,
    metadata_columns: Sequence[str] | None = (),
    where: Sequence[str] = (),
    guesses_systems: bool = False,
    guesses_source: bool = False,
) -> Columns:
    """Find the columns that are named, and guess the others; arguments as of ``open_pairs``."""
    columns = Columns([], [], [], [], {}, [], [], [], [], [], [], [])
    first, further = range(n_prediction_tables), range(n_prediction_tables, len(tables))

    def add_repeated(column: Column, repeated: list[tuple[Column, Column]]) -> None:
        """Add the columns of the same name in the other tables of predictions."""
        numbers = [number for number in first if column.name in tables[number].columns]
        repeated += [(Column(number, column.name), column) for number in numbers if number != column.table]

    for number, name in _spread(prediction_columns, first, "prediction"):
        columns.predictions.append(_text_column(tables, number, name, "prediction", columns))
    for number, name in _spread(reference_columns, further or range(1), "reference"):
        in_use = columns.texts_of(number)
        columns.references.append(_text_column(tables, number, name, "reference", columns))
        if name is None and (more := _numbered_like(tables[number], columns.references[-1].name, in_use)):
            columns.references.extend(Column(number, reference) for reference in more)
            columns.guesses.append(f"{tables[number].name}: further references are in {', '.join(map(repr, more))}")
    if not further:
        for column in columns.references:
            add_repeated(column, columns.repeated_texts)
    if guesses_systems and n_prediction_tables == 1 and not prediction_columns and tables[0].format != "text":
        named = _columns_of_systems(tables[0], columns.predictions[0].name, columns.texts_of(0))
        columns.predictions.extend(Column(0, name) for name in named)
        if named:
            columns.guesses.append(f"{tables[0].name}: further systems are the columns {', '.join(map(repr, named))}")
    if guesses_source and source_column is None and tables[0].format != "text":
        source_column = _source_column(tables[0], columns.texts_of(0))
        if source_column is not None:
            columns.guesses.append(f"{tables[0].name}: sources are the column {source_column!r}")
    if source_column is not None:
        order = [*further, *first]
        number = next(
            (table_number for table_number in order if source_column in tables[table_number].columns), order[0]
        )
        columns.sources.append(_text_column(tables, number, source_column, "source", columns))
        add_repeated(columns.sources[0], columns.repeated_texts)
    _add_ids(tables, id_column, columns)
    _add_keys(tables, id_column, columns)
    if id_column is None:
        _add_numbered(tables, n_prediction_tables, columns)
    _add_choices(tables, where, columns)
    for column in _metadata_columns(tables, metadata_columns, columns):
        columns.metadata.append(column)
        add_repeated(column, columns.repeated_metadata)
    return columns


def _spread(names: Sequence[str], tables: Sequence[int], role: str) -> Iterator[tuple[int, str | None]]:
    """Yield each table with its column: one for all, one for each, or all of one table; None: to be guessed."""
    if len(tables) > 1 and len(names) not in (0, 1, len(tables)):
        raise InputFileError(
            f"{len(names)} {role} columns for {len(tables)} files; name one for all of them, or one for each."
        )
    for position, table in enumerate(tables):
        of_table = [names[position]] if len(tables) > 1 and len(names) > 1 else names or [None]
        for name in of_table:
            yield table, name


def _text_column(tables: Sequence[Table], number: int, name: str | None, role: str, columns: Columns) -> Column:
    """Return the column of texts of a role, by its name or by guessing."""
    table, in_use = tables[number], columns.texts_of(number)
    if table.format == "text":
        if name is not None or in_use:
            wanted = f"column {name!r}" if name is not None else f"column of {role}s"
            raise InputFileError(
                f"{table.name} is plain text, without columns, so it has no {wanted}; give it as a file of its own.",
                " Or say that it has columns: ",
                Option("input_format", "tsv"),
                ".",
            )
        return Column(number, "")
    if name is None:
        name = guess_column(table, role, in_use)
        columns.guesses.append(f"{table.name}: {role}s are the column {name!r}")
    check_text_column(table, name)
    column = Column(number, name)
    if role == "reference" and column in columns.predictions:
        raise InputFileError(f"{table.name}: the column {name!r} is named for predictions and for references.")
    if role == "reference" and column in columns.references:
        raise InputFileError(f"{table.name}: the column {name!r} is named twice for references.")
    return column


def _add_ids(tables: Sequence[Table], id_column: str | None, columns: Columns) -> None:
    """Find the column of ids in each table that has one."""
    if id_column == NO_IDS:
        return
    if id_column is not None:
        _check_any_has(tables, id_column)
    in_use = {name for number in range(len(tables)) for name in columns.texts_of(number)}
    folded_names = [{folded(name) for name in table.columns} for table in tables]
    shared = next((name for name in (*ID_COLUMNS, *SHARED_IDS) if all(name in names for names in folded_names)), None)
    if any("customid" in names for names in folded_names):  # beside it, the id of a batch is that of a request
        shared = None
    for number, table in enumerate(tables):
        name = id_column if id_column is not None and outer_column(id_column, table.columns) else None
        if name is None and (id_column is None or len(tables) > 1):
            name = guess_id_column(table.columns, ID_COLUMNS if shared is None else (shared,))
        if name is None and id_column is not None:
            raise InputFileError(
                f"{table.name} has no column {id_column!r}, nor another of ids, to join its rows by.",
                " To pair rows by their place: ",
                Option("id_column", NO_IDS),
                ".",
            )
        if name is not None and name not in in_use:
            columns.ids[number] = name
    if len(columns.ids) > 1:
        of_tables = [f"{tables[number].name} ({name!r})" for number, name in columns.ids.items()]
        how = "joined by them" if len(of_tables) == len(tables) else "paired by place, as not all files have ids"
        columns.guesses.append(f"ids are in {', '.join(of_tables)}; rows are {how}")


def _add_keys(tables: Sequence[Table], id_column: str | None, columns: Columns) -> None:
    """Find what shows that rows belong together otherwise than they are joined, or are copies of one."""
    samples = [table.read_sample() for table in tables] if len(tables) > 1 or columns.ids else []
    if len(columns.ids) < len(tables) and id_column is None:
        for second in range(1, len(tables)):
            ids = columns.ids.get(0), columns.ids.get(second)
            paths = [path for path in _id_paths(samples[0]) if path in _id_paths(samples[second])]
            for name, other in [*_same_columns(tables[0], tables[second], *ids), *((path, path) for path in paths)]:
                used = name in columns.texts_of(0) or other in columns.texts_of(second)
                if not used and _are_keys((name, samples[0]), (other, samples[second])):
                    columns.keys.append((Column(0, name), Column(second, other)))
    for number in columns.ids:
        known = [name for name in OF_COPIES if any(_at(row, name) is not None for row in samples[number])]
        if "instance" in tables[number].columns:  # a perturbation may come later
            known = list(dict.fromkeys([*known, "instance.perturbation.name"]))
        columns.copies.extend(Column(number, name) for name in known if name not in columns.texts_of(number))


def _add_numbered(tables: Sequence[Table], n_prediction_tables: int, columns: Columns) -> None:
    """Find ids of predictions beside references without ids; predictions without ids are in the references' order."""
    usual = (*ID_COLUMNS, "requestid", *SHARED_IDS)
    named = [guess_id_column(table.columns, usual) for table in tables]
    if all(name is None for name in named[n_prediction_tables:]) and len(tables) > n_prediction_tables:
        for number, name in enumerate(named[:n_prediction_tables]):
            if name is not None and name not in columns.texts_of(number):
                columns.numbered.append(Column(number, name))


def several_systems(table: Table, columns: Columns) -> tuple[str, list[str]] | None:
    """Return the column that names several systems in one file of predictions, and their names; None without one."""
    used = {column.name for column in (*columns.metadata, *(column for column, _ in columns.choices))}
    sample = table.read_sample()
    for column in table.columns:
        names = [row[column] for row in sample if isinstance(row.get(column), str)]
        different = list(dict.fromkeys(names))
        repeats = all(names.count(name) > 1 for name in different)
        if folded(column) in OF_SYSTEMS and column not in used and len(different) > 1 and repeats:
            return column, different
    return None


def _id_paths(sample: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the paths into objects of the first row whose last name is that of ids."""

    def walk(path: str, value: Any, depth: int) -> Iterator[str]:
        for name, item in value.items():
            inner = f"{path}.{name}" if path else name
            if isinstance(item, dict) and depth < _DEEPEST_ID:
                yield from walk(inner, item, depth + 1)
            elif path and folded(name) in (*ID_COLUMNS, *SHARED_IDS):
                yield inner

    return list(walk("", sample[0], 0)) if sample else []


def _same_columns(
    first: Table, second: Table, first_id: str | None, second_id: str | None
) -> Iterator[tuple[str, str]]:
    """Yield columns of two tables that may hold the same: of one name, or one that holds ids and any other."""
    yield from ((name, name) for name in first.columns if name in second.columns)
    if first_id is not None:
        yield from ((first_id, name) for name in second.columns if name != first_id)
    elif second_id is not None:
        yield from ((name, second_id) for name in first.columns if name != second_id)


def _are_keys(*columns: tuple[str, Sequence[Mapping[str, Any]]]) -> bool:
    """Return whether columns hold texts or whole numbers, in each row of a sample another one, and some the same."""
    texts: list[set[str]] = []
    for name, sample in columns:
        values = [_at(row, name) for row in sample]
        if not values or any(isinstance(value, bool) or not isinstance(value, str | int) for value in values):
            return False
        texts.append(set(map(str, values)))
        if len(texts[-1]) < len(values):
            return False
    return columns[0][0] == columns[1][0] or not texts[0].isdisjoint(texts[1])


def _add_choices(tables: Sequence[Table], where: Sequence[str], columns: Columns) -> None:
    """Find the columns by which rows are chosen, in each table that has them."""
    for text in where:
        name, has_value, value = text.partition("=")
        if not has_value:
            raise RefusedValue(
                Option("where"), f" is {text!r}; give a column and a value: ", Option("where", "filter=none"), "."
            )
        numbers = [number for number, table in enumerate(tables) if outer_column(name, table.columns)]
        if not numbers:
            _check_any_has(tables, name)
        columns.choices.extend((Column(number, name), value) for number in numbers)


def _metadata_columns(tables: Sequence[Table], names: Sequence[str] | None, columns: Columns) -> Iterator[Column]:
    """Yield each column of metadata in the first table that has it; None: all columns that are not in use."""
    if names is None:
        numbers = [number for number, table in enumerate(tables) if table.format != "text"]
        in_use = {name for number in numbers for name in columns.texts_of(number)} | set(columns.ids.values())
        names = [name for table in tables for name in table.columns if name not in in_use]
    for name in dict.fromkeys(names):
        _check_any_has(tables, name)
        yield Column(next(number for number, table in enumerate(tables) if name in table.columns), name)


def _check_any_has(tables: Sequence[Table], column: str) -> None:
    """Raise ``InputFileError`` if no table has a column."""
    names = dict.fromkeys(name for table in tables for name in table.columns)
    if not names:
        raise InputFileError(f"There is no column {column!r}: the files are plain text, without columns.")
    if outer_column(column, names) is None:
        raise InputFileError(f"{tables[0].name}: {unknown_value(column, names, 'column')}")
