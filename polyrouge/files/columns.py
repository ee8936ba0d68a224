"""Which columns of which tables hold what: they are named, or guessed by their usual names."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from polyrouge.errors import Option, unknown_value
from polyrouge.files.table import InputFileError, Table, check_text_column

NO_IDS = "none"
"""As the name of the id column: join the rows by their place."""

# Usual names of the columns of each role, the most likely first.
_NAMES = {
    "prediction": (
        "prediction", "predictions", "pred", "predict", "predicted", "hypothesis", "hyp", "generated", "filtered_resps",
        "generated_text", "generation", "completion", "candidate", "output", "response", "system", "system_output",
        "model_output", "预测", "模型输出", "生成摘要", "生成文本",
    ),
    "reference": (
        "references", "reference", "refs", "ref", "label", "labels", "target", "targets", "gold", "answers", "answer",
        "ground_truth", "gold_summary", "reference_summary",
        "summary", "highlights", "abstract", "title", "参考", "参考答案", "标准摘要", "参考摘要", "参考文本",
    ),
    "source": ("source", "source_text", "document", "article", "dialogue", "原文", "正文"),
    "text": ("text", "instruction", "prediction", "content", "document", "sentence"),
}  # fmt: skip
_ID_COLUMNS = ("id", "example_id", "guid", "uid", "doc_id", "编号")


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

    def texts_of(self, table: int) -> list[str]:
        """Names of the columns of a table that are read as texts."""
        columns = [*self.predictions, *self.references, *self.sources, *(first for first, _ in self.repeated_texts)]
        return [column.name for column in columns if column.table == table]

    def others_of(self, table: int) -> list[str]:
        """Names of the columns of a table that are read for other values."""
        columns = [*self.metadata, *(first for first, _ in self.repeated_metadata)]
        names = [column.name for column in columns if column.table == table]
        return [*names, self.ids[table]] if table in self.ids else names


def guess_column(table: Table, role: str, in_use: Sequence[str]) -> str:
    """Return the column of a file that holds predictions or references, by its name; others are ``in_use``."""
    free = [name for name in table.text_columns if name not in in_use]
    by_name = {name.lower(): name for name in reversed(free)}
    candidates = [by_name[name] for name in _NAMES[role] if name in by_name]
    if not candidates:  # for the message that it holds no texts
        candidates = [name for name in _NAMES[role] if name in table.columns and name not in table.text_columns]
    if not candidates and len(table.text_columns) == len(free) == 1:
        candidates = free
    if not candidates:
        names = ", ".join(map(repr, table.columns))
        option = Option("column" if role == "text" else f"{role}_column")  # a command on texts has one column
        advice: list[str | Option] = [" Say so with ", option, "."]
        if table.format in ("csv", "tsv") and table.columns[0] != "1":
            advice += [" If the first line is a row like the others: ", Option("header", value=False), "."]
        raise InputFileError(f"{table.name}: which column holds the {role}s? It has {names}.", *advice)
    # lm-evaluation-harness keeps what each of its filters left of an output in a list.
    is_list = candidates[0] == "filtered_resps" and candidates[0] in table.list_columns
    return f"{candidates[0]}[0]" if is_list else candidates[0]


def guess_id_column(columns: Sequence[str]) -> str | None:
    """Return the column of ids, by its name; None if there is none."""
    by_name = {name.lower(): name for name in columns}
    return next((by_name[name] for name in _ID_COLUMNS if name in by_name), None)


def guess_roles(table: Table, most_systems: int) -> Roles:
    """Guess each role by itself: a role without a usual name takes nothing from the others."""
    texts: dict[str, list[str]] = {"prediction": [], "reference": []}
    used: list[str] = []
    for role, columns in texts.items():
        with suppress(InputFileError):
            column = guess_column(table, role, used)
            check_text_column(table, column)
            columns.append(column)
            used.append(column)
    id_column = guess_id_column(table.columns)
    free = [name for name in table.text_columns if name not in (*used, id_column)]
    predictions = texts["prediction"]
    predictions += [name for first in predictions[:1] for name in free if name.lower().startswith(first.lower())]
    source = next((name for name in free if name.lower() in _NAMES["source"]), None)
    return Roles(predictions[:most_systems], texts["reference"], id_column, source)


def find_columns(
    tables: Sequence[Table],
    n_prediction_tables: int,
    *,
    prediction_columns: Sequence[str] = (),
    reference_columns: Sequence[str] = (),
    id_column: str | None = None,
    source_column: str | None = None,
    metadata_columns: Sequence[str] | None = (),
) -> Columns:
    """Find the columns that are named, and guess the others; arguments as of ``open_pairs``."""
    columns = Columns([], [], [], [], {}, [], [], [])
    first, further = range(n_prediction_tables), range(n_prediction_tables, len(tables))

    def add_repeated(column: Column, repeated: list[tuple[Column, Column]]) -> None:
        """Add the columns of the same name in the other tables of predictions."""
        numbers = [number for number in first if column.name in tables[number].columns]
        repeated += [(Column(number, column.name), column) for number in numbers if number != column.table]

    for number, name in _spread(prediction_columns, first, "prediction"):
        columns.predictions.append(_text_column(tables, number, name, "prediction", columns))
    for number, name in _spread(reference_columns, further or range(1), "reference"):
        columns.references.append(_text_column(tables, number, name, "reference", columns))
    if not further and len(columns.references) == 1:
        add_repeated(columns.references[0], columns.repeated_texts)
    if source_column is not None:
        order = [*further, *first]
        number = next(
            (table_number for table_number in order if source_column in tables[table_number].columns), order[0]
        )
        columns.sources.append(_text_column(tables, number, source_column, "source", columns))
        add_repeated(columns.sources[0], columns.repeated_texts)
    _add_ids(tables, id_column, columns)
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
                f"{table.name} is plain text, without columns, so it has no {wanted}; give it as a file of its own."
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
    for number, table in enumerate(tables):
        name = id_column if id_column in table.columns else guess_id_column(table.columns)
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
    if column not in names:
        raise InputFileError(f"{tables[0].name}: {unknown_value(column, names, 'column')}")
