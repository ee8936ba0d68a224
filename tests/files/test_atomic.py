"""A file is written whole or not at all."""

import os

import pytest

from polyrouge.files.atomic import atomic_write, remove_leftovers


def write(path, text, error=None):
    with atomic_write(path) as temporary:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        if error is not None:
            raise error


@pytest.mark.parametrize("name", ["out.txt", "长" * 80 + ".csv"])
def test_a_file_takes_its_place_when_it_is_finished(tmp_path, name):
    path = tmp_path / name
    write(path, "old")
    for error in (RuntimeError(), KeyboardInterrupt(), SystemExit(143)):
        with pytest.raises(type(error)):
            write(path, "half", error)
        assert path.read_text("utf-8") == "old"
    mask = os.umask(0)
    os.umask(mask)

    write(str(path), "new")

    assert path.read_text("utf-8") == "new"
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    assert os.listdir(tmp_path) == [name]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    path = str(tmp_path / "none" / "out.json")

    with pytest.raises(FileNotFoundError) as raised:
        write(path, "")

    assert raised.value.filename == path  # and not the temporary one beside it


def test_only_unfinished_files_are_removed(tmp_path):
    left = atomic_write(tmp_path / "out.csv")
    left.__enter__()
    for name in (".out.csv", ".hidden", "out.polyrouge-1.csv"):
        (tmp_path / name).touch()

    remove_leftovers(tmp_path)

    assert sorted(os.listdir(tmp_path)) == [".hidden", ".out.csv", "out.polyrouge-1.csv"]
