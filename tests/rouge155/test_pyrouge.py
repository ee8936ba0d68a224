"""pyrouge with our command in the place of the script."""

import os
import sys
from pathlib import Path

import pytest
import rouge155_script
from peer_packages import run_peer

pytestmark = pytest.mark.peers
ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import json, logging, os, sys
home, folder, arguments = json.load(sys.stdin)
os.environ["XDG_CONFIG_HOME"] = os.environ["HOME"] = folder
from pyrouge import Rouge155

rouge = Rouge155(home, arguments)
rouge.log.handlers = [logging.NullHandler()]
rouge.system_dir, rouge.model_dir = folder + "/systems", folder + "/models"
rouge.system_filename_pattern = r"text.(\\d+).txt"
rouge.model_filename_pattern = "text.[A-Z].#ID#.txt"
print(json.dumps(rouge.output_to_dict(rouge.convert_and_evaluate())))
"""

TEXTS = [
    ("Two ferries left the harbour.\nOne became stuck.", "The ferries left harbour early.\nA third was stuck."),
    ("The bakery sold oxen-shaped bread.", "Bread shaped like an ox was sold\nby the baker."),
    ("Nothing in common here.", "Wholly different words."),
]


def write_texts(folder):
    for name, place in (("systems", 0), ("models", 1)):
        (folder / name).mkdir(parents=True)
        for number, pair in enumerate(TEXTS):
            letter = "" if name == "systems" else "A."
            (folder / name / f"text.{letter}{number}.txt").write_text(pair[place])


def write_home(folder, lines):
    """A folder that pyrouge takes for the release: the command, and the tables."""
    folder.mkdir()
    (folder / "data").symlink_to(rouge155_script.need_release() / "data")
    command = folder / "ROUGE-1.5.5.pl"
    command.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    command.chmod(0o755)


def run_pyrouge(folder, home, arguments):
    write_texts(folder)
    return run_peer("pyrouge", PROGRAM, [str(home), str(folder), arguments])


@pytest.mark.parametrize("options", ["-n 4 -2 -1 -U -r 1000 -w 1.2 -c 95 -a -m", "-n 2 -a -s -f B"])
def test_pyrouge_gets_what_the_script_gives(options, tmp_path):
    rouge155_script.need_perl()
    release = rouge155_script.need_release()
    paths = os.pathsep.join([str(ROOT.parent), *filter(None, sys.path)])
    ours = f"PYTHONPATH='{paths}' exec '{sys.executable}' -m polyrouge.rouge155.command \"$@\""
    write_home(tmp_path / "ours", [ours])
    data = rouge155_script.build_data_folder(
        tmp_path / "data", release / "data" / "smart_common_words.txt", release / "data" / "WordNet-2.0-Exceptions"
    )
    libraries = rouge155_script.perl_environment(tmp_path).get("PERL5LIB", "")
    script = f"PERL5LIB='{libraries}' exec '{rouge155_script.PERL}' '{release / 'ROUGE-1.5.5.pl'}' \"$@\""
    write_home(tmp_path / "theirs", [script])
    expected = run_pyrouge(tmp_path / "1", tmp_path / "theirs", f"-e {data} {options}")
    assert len(expected) > 10
    assert expected == run_pyrouge(tmp_path / "2", tmp_path / "ours", f"-e {tmp_path / 'ours' / 'data'} {options}")
