"""Folders with one text a file, stories, what fairseq prints, and files that hold no texts."""

import zipfile

import pytest
from paired_files import read

from polyrouge.files.pairs import open_pairs
from polyrouge.files.table import InputFileError

TEXTS = {
    "1": ("the cat sat\nit slept", "the cat sat down"),
    "2": ("a dog ran", "the dog ran"),
    "10": ("rain", "it rained"),
}


def write_folder(folder, files):
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return folder


# How the files of predictions and of references are called, by the number of a text.
NAMES = {
    "alike": ("{}.txt", "{}.txt"),
    "other suffixes": ("{}.dec", "{}.ref"),
    "pyrouge": ("text.{:0>3}.txt", "text.A.{:0>3}.txt"),
    "pointer-generator": ("{:0>6}_decoded.txt", "{:0>6}_reference.txt"),
    "DUC": ("D{:0>3}.M.100.T.17", "D{:0>3}.M.100.T.A"),
    "glued": ("pred{}.txt", "ref{}.txt"),
    "numbers with and without zeros": ("sys_{}.txt", "gold_{:0>4}.txt"),
    "no suffix": ("{}", "{}.gold"),
    "Chinese": ("新闻{}_生成.txt", "新闻{}_参考.txt"),
}


@pytest.mark.parametrize("case", NAMES)
def test_files_of_folders_belong_together_by_their_names(tmp_path, case):
    first, second = NAMES[case]
    write_folder(
        tmp_path / "p", {first.format(n): p for n, (p, _) in TEXTS.items()} | {"Thumbs.db": "", ".DS_Store": ""}
    )
    write_folder(tmp_path / "r", {second.format(n): r for n, (_, r) in TEXTS.items()})

    rows = read([tmp_path / "p"], [tmp_path / "r"])

    assert rows.predictions == [[p for p, _ in TEXTS.values()]]  # 1, 2, 10
    assert rows.references == [r for _, r in TEXTS.values()]


@pytest.mark.parametrize("second", ["text.{letter}.{n}.txt", "text.{n}.{letter}.txt", "{n}_{letter}"])
def test_several_references_of_a_text(tmp_path, second):
    write_folder(tmp_path / "p", {f"text.{n}.txt": p for n, (p, _) in TEXTS.items()})
    references = {second.format(n=n, letter=letter): f"{r} {letter}" for n, (_, r) in TEXTS.items() for letter in "AB"}
    references.pop(second.format(n=2, letter="B"))
    write_folder(tmp_path / "r", references)

    rows = read([tmp_path / "p"], [tmp_path / "r"])

    assert rows.references == [
        ["the cat sat down A", "the cat sat down B"],
        ["the dog ran A"],
        ["it rained A", "it rained B"],
    ]


def test_several_systems_and_folders_of_references(tmp_path):
    for folder in ("bart", "t5"):
        write_folder(tmp_path / folder, {f"{n}.{folder}": f"{p} {folder}" for n, (p, _) in TEXTS.items()})
    for folder in ("r1", "r2"):
        write_folder(tmp_path / folder, {f"ref_{n}.txt": f"{r} {folder}" for n, (_, r) in TEXTS.items()})

    with open_pairs(
        [str(tmp_path / "bart"), str(tmp_path / "t5")], [str(tmp_path / "r1"), str(tmp_path / "r2")]
    ) as pairs:
        rows = pairs.read_all()

    assert pairs.systems == ["bart", "t5"]
    assert rows.ids == ["1", "2", "10"]
    assert rows.predictions[1] == [f"{p} t5" for p, _ in TEXTS.values()]
    assert rows.references[1] == ["the dog ran r1", "the dog ran r2"]


FOLDERS = {
    "other names": (["1.txt", "2.txt"], ["1.txt", "3.txt"], "don't match by their names: 2 in the first"),
    "one more": (["1.txt", "2.txt", "README.md"], ["1.txt", "2.txt"], "Only one of them has 'README.md'"),
    "letters": (["a.txt", "b.txt"], ["1.txt", "2.txt"], "Name them alike"),
    "no files": (["1.txt", "2.txt"], [], "is a folder without files"),
    "rows": (["1.txt", "2.jsonl"], ["1.txt", "2.txt"], "is a folder whose files have rows. .* run_on='local'"),
}


@pytest.mark.parametrize(("names", "references", "message"), FOLDERS.values(), ids=FOLDERS)
def test_folders_that_do_not_match_are_refused(tmp_path, names, references, message):
    write_folder(tmp_path / "p", dict.fromkeys(names, "a"))
    write_folder(tmp_path / "r", dict.fromkeys(references, "a"))

    with pytest.raises(InputFileError, match=message):
        read([tmp_path / "p"], [tmp_path / "r"])


STORY = "The cat sat.\n\nIt slept all day.\n\n@highlight\n\nA cat slept\n\n@highlight\n\nIt sat before\n"


def test_stories_have_an_article_and_highlights(tmp_path):
    write_folder(tmp_path / "p", {"a1.txt": "a cat", "b2.txt": "a dog"})
    write_folder(tmp_path / "r", {"a1.story": STORY, "b2.story": STORY.replace("cat", "dog")})

    rows = read([tmp_path / "p"], [tmp_path / "r"], source_column="article")

    assert rows.references == ["A cat slept\nIt sat before", "A dog slept\nIt sat before"]
    assert rows.sources[0] == "The cat sat.\n\nIt slept all day."

    (tmp_path / "p.txt").write_text("a cat\n")
    assert read([tmp_path / "p.txt"], [tmp_path / "r" / "a1.story"]).references == ["A cat slept\nIt sat before"]


# fairseq

LOG = "INFO | fairseq_cli.generate | loading model(s)\n"


def generated(n, source, target, hypothesis, detokenized=None, beams=1):
    lines = [f"S-{n}\t{source}", *([] if target is None else [f"T-{n}\t{target}"])]
    for _ in range(beams):
        lines.append(f"H-{n}\t-0.51\t{hypothesis}")
        lines.append(f"D-{n}\t-0.51\t{hypothesis if detokenized is None else detokenized}")
        lines.append(f"P-{n}\t-0.1 -0.2")
        hypothesis = detokenized = "worse"
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", ["generate-test.txt", "gen.out"])
def test_samples_of_fairseq_are_sorted_by_their_numbers(tmp_path, name):
    samples = [generated(n, "x", f"target {n}", f"text {n}") for n in (10, 2, 0, 1, *range(3, 10))]
    (tmp_path / name).write_text(LOG * 20 + "".join(samples) + "Generate test with beam=5: BLEU4 = 3.2\n")

    with open_pairs([str(tmp_path / name)]) as pairs:
        rows = pairs.read_all()

    assert rows.predictions == [[f"text {n}" for n in range(11)]]
    assert rows.references == [f"target {n}" for n in range(11)]
    assert pairs.notes == []


# Lines of predictions, of references, and the texts that are read.
FAIRSEQ = {
    "beside references": (
        generated(1, "5 6", "7 8", "9 10", "It's b.") + generated(0, "5 6", "7 8", "9 10", "It's a."),
        *("a\nb\n", ["It's a.", "It's b."], ["a", "b"]),
    ),
    "a kind of lines in each": ("D-1\t-0.1\tb\nD-0\t-0.2\ta\n", "T-0\tA\nT-1\tB\n", ["a", "b"], ["A", "B"]),
    "texts that begin alike": ("H-1\tone\nplain\n", "a\nb\n", ["H-1\tone", "plain"], ["a", "b"]),
}


@pytest.mark.parametrize(("lines", "references", "p", "r"), FAIRSEQ.values(), ids=FAIRSEQ)
def test_lines_of_fairseq_beside_a_file_of_references(tmp_path, lines, references, p, r):
    (tmp_path / "g.txt").write_text(lines)
    (tmp_path / "r.txt").write_text(references)

    rows = read([tmp_path / "g.txt"], [tmp_path / "r.txt"])
    assert (rows.predictions, rows.references) == ([p], r)


def test_targets_of_fairseq_that_are_ids_are_no_references(tmp_path):
    (tmp_path / "g.txt").write_text(generated(0, "5 6", "7 8", "9 10", "It's a."))
    with pytest.raises(InputFileError, match="which column holds the references"):
        read([tmp_path / "g.txt"])


def test_what_differs_between_lines_of_fairseq_is_noted(tmp_path):
    (tmp_path / "g.txt").write_text("".join(generated(n, "x", "It 's", "it 's", "it's", beams=3) for n in (1, 0)))

    with open_pairs([str(tmp_path / "g.txt")]) as pairs:
        assert pairs.read_all().predictions == [["it's", "it's"]]
    assert "has several hypotheses of a sample; the first of each is read" in pairs.notes[0]
    assert "its T lines are tokenized as its H lines are" in pairs.notes[1]
    assert read([tmp_path / "g.txt"], prediction_columns=["hypothesis"]).predictions == [["it 's", "it 's"]]


# Files that hold no texts


def zipped(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")


BINARY = {
    "a.xlsx": (zipped, r"is a spreadsheet; save the sheet as CSV \(UTF-8\)"),
    "a.pt": (zipped, "is a file of PyTorch"),
    "a.eval": (zipped, "is a log of Inspect; convert it to JSON: inspect log dump"),
    "a.zip": (zipped, "is a ZIP archive; unpack it"),
    "a.pdf": (b"%PDF-1.7\n", "is a PDF; extract its text"),
    "a.npy": (b"\x93NUMPY\x01\0", "is an array of NumPy"),
    "a.db": (b"SQLite format 3\0", "is a database of SQLite"),
    "lfs.parquet": (b"version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS; .* git lfs pull"),
    "a.jsonl.zst": (b"\x28\xb5\x2f\xfd\x24", "is compressed by Zstandard; decompress it"),
    "a.txt.bz2": (b"BZh91AY&SY", "is compressed by bzip2"),
}


@pytest.mark.parametrize("name", BINARY)
def test_binary_files_are_named_as_what_they_are(tmp_path, name):
    content, message = BINARY[name]
    (tmp_path / name).write_bytes(content) if isinstance(content, bytes) else content(tmp_path / name)

    with pytest.raises(InputFileError, match=message):
        read([tmp_path / name])
