"""Rows of several files: joined by their ids where all files have them, by their place elsewhere."""

import random
import re

import pyarrow as pa
import pytest
from paired_files import read, write_jsonl, write_table

from polyrouge.files.joining import KeyedRows, join_rows
from polyrouge.files.pairs import open_pairs
from polyrouge.files.table import InputFileError, Row

IDS = [f"n{number}" for number in range(30)]
SHUFFLED = random.Random(3).sample(IDS, len(IDS))


def texts(what, ids=IDS):
    return [f"{what} {each}" for each in ids]


def write(path, ids, what="prediction"):
    rows = [{"id": each, what: text} for each, text in zip(ids, texts(what, ids), strict=True)]
    if path.suffix == ".parquet":
        return write_table(path, pa.Table.from_pylist(rows))
    if path.suffix == ".jsonl":
        return write_jsonl(path, rows)
    lines = [f"id,{what}", *(",".join(row.values()) for row in rows)] if path.suffix == ".csv" else texts(what, ids)
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize("order", [IDS, SHUFFLED, IDS[::-1], [*IDS[1:], IDS[0]]], ids=["same", "any", "back", "late"])
@pytest.mark.parametrize(("first", "second"), [("p.jsonl", "r.jsonl"), ("p.csv", "r.parquet"), ("p.parquet", "r.csv")])
def test_rows_of_the_same_id_belong_together(tmp_path, order, first, second):
    rows = read([write(tmp_path / first, IDS)], [write(tmp_path / second, order, "reference")])

    assert rows.predictions == [texts("prediction")]
    assert rows.references == texts("reference")
    assert rows.ids == IDS  # the order of the first file


AB = [{"id": 2, "reference": "B"}, {"id": 1, "reference": "A"}]
IN_ONE_FILE = [{"reference": "A"}, {"reference": "B"}]
OF_TWO = {
    "numbers and texts": ("1,a\n2,b\n", AB, {}, ["A", "B"], ["1", "2"]),
    "by their places": ("1,a\n2,b\n", AB, {"id_column": "none"}, ["B", "A"], []),
    "ids of one file are names": ("x,a\nx,b\n", IN_ONE_FILE, {}, ["A", "B"], ["x", "x"]),
}


@pytest.mark.parametrize(("predictions", "references", "options", "expected", "ids"), OF_TWO.values(), ids=OF_TWO)
def test_ids_of_two_rows(tmp_path, predictions, references, options, expected, ids):
    (tmp_path / "p.csv").write_text(f"id,prediction\n{predictions}")

    rows = read([tmp_path / "p.csv"], [write_jsonl(tmp_path / "r.jsonl", references)], **options)

    assert (rows.predictions, rows.references, rows.ids) == ([["a", "b"]], expected, ids)


def test_systems_are_joined_with_each_other_and_with_all_references(tmp_path):
    systems = [write(tmp_path / "a.jsonl", IDS), write(tmp_path / "b.jsonl", SHUFFLED)]
    references = [write(tmp_path / "r.jsonl", SHUFFLED, "reference"), write(tmp_path / "q.jsonl", IDS, "reference")]

    rows = read(systems, references)

    assert rows.predictions == [texts("prediction")] * 2
    assert rows.references == [[each] * 2 for each in texts("reference")]


def test_systems_with_the_same_references_are_joined_before_these_are_compared(tmp_path):
    for name, order in (("a", IDS), ("b", SHUFFLED)):
        rows = [{"id": each, "prediction": f"{name} {each}", "reference": f"r {each}"} for each in order]
        write_jsonl(tmp_path / f"{name}.jsonl", rows)

    rows = read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])

    assert (rows.predictions, rows.references) == ([texts("a"), texts("b")], texts("r"))


def test_the_column_of_ids_may_have_another_name_in_each_file(tmp_path):
    predictions = [{"key": "a", "prediction": "1"}, {"key": "b", "prediction": "2"}]
    references = [{"Doc_Id": "b", "reference": "B"}, {"Doc_Id": "a", "reference": "A"}]
    files = [write_jsonl(tmp_path / "p.jsonl", predictions)], [write_jsonl(tmp_path / "r.jsonl", references)]

    with open_pairs(*files, id_column="key") as pairs:
        rows = pairs.read_all()

    assert (rows.predictions, rows.references, rows.ids) == ([["1", "2"]], ["A", "B"], ["a", "b"])
    pattern = r"ids are in .*p\.jsonl \('key'\), .*r\.jsonl \('Doc_Id'\); rows are joined by them"
    assert any(re.search(pattern, guess) for guess in pairs.guesses)
    with pytest.raises(InputFileError, match=r"'key' of .* and 'Doc_Id' of .*"):
        read(*files)


P, R = "p.jsonl (column 'id')", "r.jsonl (column 'id')"
REFUSED = {
    "first missing": ("abc", "bc", f"1 of {P} is not in {R} ('a')."),
    "others": ("abc", "dea", f"2 of {P} are not in {R} ('b', 'c'), and 2 of {R} are not in {P} ('d', 'e')."),
    "many": (IDS, [f"m{n}" for n in range(9)], f"30 of {P} are not in {R} ('n0', 'n1', 'n2', ...), and 9 of {R} are "),
    "twice in the second": ("abc", "abb", "r.jsonl, line 3: the id 'b' (column 'id') is there for the second time"),
    "twice, waiting": ("abc", "ccb", "r.jsonl, line 2: the id 'c' (column 'id') is there for the second time"),
    "twice in both": ("abb", "abb", "p.jsonl, line 3: the id 'b' (column 'id') is there for the second time"),
    "twice after a missing one": ("cabb", "abd", "p.jsonl, line 4: the id 'b' (column 'id') is there for the second"),
    "no id": (["a", None], "ab", "p.jsonl, line 2: 'id' is empty; each row needs an id"),
    "NaN": (["a", float("nan")], "ab", "p.jsonl, line 2: 'id' is empty; each row needs an id"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_ids_that_do_not_agree_are_one_error(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    ids, others, message = REFUSED[case]
    write(tmp_path / "p.jsonl", ids)
    write(tmp_path / "r.jsonl", others, "reference")

    with pytest.raises(InputFileError) as caught:
        read(["p.jsonl"], ["r.jsonl"])

    assert message in str(caught.value)
    assert str(caught.value).endswith("Or pair the rows by their place: id_column='none'.")


def test_ids_are_compared_where_not_all_files_have_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, order in (("a", "xyz"), ("b", "xyz"), ("c", "xzy")):
        write(tmp_path / f"{name}.jsonl", order)
    write(tmp_path / "r.txt", "xyz", "reference")

    first, second = read(["a.jsonl", "b.jsonl"], ["r.txt"]).predictions
    assert first == second
    message = r"c\.jsonl, line 2: the id is 'z', but 'y' in a\.jsonl, line 2\. .* by ids, as r\.txt has none"
    with pytest.raises(InputFileError, match=message):
        read(["a.jsonl", "c.jsonl"], ["r.txt"])


def test_only_rows_out_of_order_wait():
    """A file that is larger than the memory can be joined if its order is about that of the other."""
    names = []

    def rows(name, ids):
        for each in ids:
            names.append(name)
            yield Row("", {"id": each})

    swapped = [each for pair in zip(IDS[1::2], IDS[::2], strict=True) for each in pair]
    files = [KeyedRows(name, rows(name, ids), "id") for name, ids in (("p", IDS), ("r", swapped))]
    ahead = [names.count("r") - names.count("p") for _ in join_rows(files)]

    assert ahead == [1, 0] * 15


# Lines of predictions and of references; what is said of texts of several lines.
BLANK_LINES = [
    ("a\nb\n\nc\n\nd\n", "a\nb\n\nc\n\nd\n", "3"),
    ("a\nb\n\nc\n\nd\n\n", "a\n\nb\n\nc\nd\n\n", "3"),  # in other places, and one at the end
    ("a\n\nb\n\nc\n", "a\n\nb\n\nc\n", "3"),
    ("a\nb\n\nc\n", "a\n\nb\n", "2"),  # unequal numbers of lines
    ("a\nb\nc\n", "a\n\nb\nb\n\nc\n", "3"),
    ("a\nb\n\nc\n", "a\nb\n\nc\n", None),  # one empty text
    ("a\n\n\nb\n\nc\n", "a\n\n\nb\n\nc\n", None),  # two in a row
    ("\na\n\nb\n\nc\n", "\na\n\nb\n\nc\n", None),
    ("a\n\nb\n\nc\n", "a\nb\nc\nd\ne\n", None),  # on one side
    ("a\n\nb\n\nc\n", "a\nb\nb\n\nc\n", None),
    (f"a\n\nb\n\n{'c' * 90}".replace("c", "c\n"), f"a\n\nb\n\n{'c' * 90}".replace("c", "c\n"), None),  # few
]


@pytest.mark.parametrize(("predictions", "references", "n_texts"), BLANK_LINES)
def test_texts_between_blank_lines_are_noted(tmp_path, predictions, references, n_texts):
    (tmp_path / "p.txt").write_text(predictions, encoding="utf-8")
    (tmp_path / "r.txt").write_text(references, encoding="utf-8")

    try:
        with open_pairs([str(tmp_path / "p.txt")], [str(tmp_path / "r.txt")]) as pairs:
            pairs.read_all()
            said = " ".join(pairs.notes)
        assert predictions.count("\n") == references.count("\n")
    except InputFileError as error:
        said = str(error)
        assert "unequal numbers of rows" in said

    assert ("Blank lines part" in said) == (n_texts is not None)
    assert n_texts is None or f" into {n_texts} texts, and here each line is a text" in said


def test_empty_texts_of_a_list_are_no_blank_lines(tmp_path):
    for name in ("p.json", "r.json"):
        (tmp_path / name).write_text('["a", "", "b", "", "c"]', encoding="utf-8")
    with open_pairs([str(tmp_path / "p.json")], [str(tmp_path / "r.json")]) as pairs:
        pairs.read_all()
        assert pairs.notes == []
