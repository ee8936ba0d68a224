"""Columns of every usual library, each made of a list of rows: what entrances take for predictions and references."""

import numpy as np
import pandas as pd
import pyarrow as pa
from late_modules import LateModule

datasets, pl = LateModule("datasets"), LateModule("polars")


def object_array(rows: list) -> np.ndarray:
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


def data_set(rows: list):
    return datasets.Dataset.from_dict({"rows": rows})


# Of texts, or of lists of texts.
COLUMNS = {
    "list": list,
    "tuple": tuple,
    "generator": lambda rows: (row for row in rows),
    "dict-values": lambda rows: dict(enumerate(rows)).values(),
    "numpy-object": object_array,
    "pandas": pd.Series,
    "pandas-other-index": lambda rows: pd.Series(rows, index=range(10, 10 + len(rows))),
    "polars": lambda rows: pl.Series(rows),
    "arrow": pa.array,
    "arrow-chunked": lambda rows: pa.chunked_array([pa.array(rows[:2]), pa.array(rows[2:])]),
    "datasets": lambda rows: data_set(rows)["rows"],
    "datasets-numpy": lambda rows: data_set(rows).with_format("numpy")[:]["rows"],
}
TEXT_COLUMNS = {
    **COLUMNS,
    "map": lambda rows: map(str, rows),
    "numpy-str": np.array,
    "numpy-StringDType": lambda rows: np.array(rows, dtype=np.dtypes.StringDType()),
    "list-of-np-str": lambda rows: [np.str_(row) for row in rows],
    "pandas-string": lambda rows: pd.Series(rows, dtype="string"),
    "pandas-pyarrow": lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.string())),
    "pandas-category": lambda rows: pd.Series(rows, dtype="category"),
    "pandas-index": pd.Index,
    "polars-categorical": lambda rows: pl.Series(rows, dtype=pl.Categorical),
    "arrow-large": lambda rows: pa.array(rows, pa.large_string()),
    "arrow-view": lambda rows: pa.array(rows, pa.string_view()),
    "arrow-dictionary": lambda rows: pa.array(rows).dictionary_encode(),
    "datasets-lazy-numpy": lambda rows: data_set(rows).with_format("numpy")["rows"],
}
LIST_COLUMNS = {
    **COLUMNS,
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "generators": lambda rows: ((text for text in row) for row in rows),
    "numpy-rows": lambda rows: list(map(np.array, rows)),
    "list-of-np-str": lambda rows: [[np.str_(text) for text in row] for row in rows],
    "pandas-rows": lambda rows: list(map(pd.Series, rows)),
    "pandas-arrow-lists": lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.list_(pa.string()))),
    "polars-rows": lambda rows: list(map(pl.Series, rows)),
    "polars-object": lambda rows: pl.Series(rows, dtype=pl.List(pl.String)),
    "arrow-large": lambda rows: pa.array(rows, pa.large_list(pa.string())),
    "arrow-rows": lambda rows: list(map(pa.array, rows)),
    "datasets-lazy-numpy": lambda rows: data_set(rows).with_format("numpy")["rows"],
}
