"""The Space: its front matter, and the page in an environment of requirements.txt alone."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from importlib.metadata import distribution, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from page_server import running_page

pytestmark = pytest.mark.hub
ROOT = Path(__file__).resolve().parents[2]


FIRST_EXAMPLE = (
    "import evaluate; rouge = evaluate.load('./rouge_metric.py', 'zh_char', rouge_types=['rouge1'])\n"
    "print(rouge.compute(predictions=['今天天气很好。'], references=['今天天气不错。']))"
)


def run(*command, **options):
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def needed_distributions(requirements):
    """What requirements need, as it is installed here; to download and unpack it anew takes minutes."""
    seen, waiting = set(), list(map(Requirement, requirements))
    while waiting:
        wanted = waiting.pop()
        key = canonicalize_name(wanted.name), *sorted(wanted.extras)
        if key in seen:
            continue
        seen.add(key)
        installed = distribution(wanted.name)
        assert wanted.specifier.contains(installed.version, prereleases=True), wanted
        for needed in map(Requirement, installed.requires or ()):
            extras = [{"extra": extra} for extra in ("", *wanted.extras)]
            if needed.marker is None or any(map(needed.marker.evaluate, extras)):
                waiting.append(needed)
        yield installed


def environment_of(path, folder):
    """Make an environment of the requirements in a file and of what they need, and of nothing else; its Python."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    for installed in needed_distributions(lines):
        for file in installed.files:
            if ".." not in file.parts and not (site / file).exists():  # no programs
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                (site / file).symlink_to(file.locate())
                # Where Python keeps what it compiles: gradio is compiled once for both environments.
                kept, link = file.locate().parent / "__pycache__", (site / file).parent / "__pycache__"
                if file.suffix == ".py" and not link.exists():
                    kept.mkdir(exist_ok=True)
                    link.symlink_to(kept)
    return python


def test_front_matter_fits_what_is_installed():
    matter = yaml.safe_load((ROOT / "README.md").read_text(encoding="utf-8").split("---\n")[1])

    assert (matter["sdk"], matter["app_file"]) == ("gradio", "app.py")
    assert version("gradio") == matter["sdk_version"]
    (wanted,) = re.findall(r"^gradio\[mcp\](.*)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert SpecifierSet(wanted).contains(matter["sdk_version"])


@pytest.mark.xdist_group("archives")
def test_a_space_runs_on_requirements_alone(archives, tmp_path):
    space = tmp_path / "space"
    if shutil.which("git") is None:
        pytest.skip("needs git, to know which files the Space has")
    print(run(sys.executable, ROOT / ".ci" / "assemble_space.py", space, archives))
    python = environment_of(space / "requirements.txt", tmp_path / "venv")

    home = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PYTHONIOENCODING": "utf-8"}
    scores = "{'rouge1': 0.6666666666666666}\n"
    assert run(python, "-c", FIRST_EXAMPLE, cwd=space, env=home) == scores
    which = "import polyrouge; print(polyrouge.__file__, polyrouge.engine())"
    assert run(python, "-c", which, cwd=space, env=home) == f"{space / 'polyrouge' / '__init__.py'} compiled\n"

    with running_page(tmp_path, python=str(python), root=space, clean=True) as (address, _, printed):
        with urllib.request.urlopen(f"{address}/config") as answer:
            config = json.load(answer)
        shown = [part["props"].get("value") for part in config["components"] if part["type"] == "html"]
        assert any("pr-scores" in str(value) for value in shown)
        assert "Traceback" not in printed.read_text(encoding="utf-8")
