"""What is built and installed: the wheel, the source distribution, and the page from requirements.txt alone."""

import email
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from page_server import running_page

ROOT = Path(__file__).resolve().parents[1]
FIRST_EXAMPLE = """
import json, sys, warnings
import polyrouge
from polyrouge import Rouge
from polyrouge.recipes import recipe_names

print(polyrouge.__file__)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(json.dumps(Rouge("zh_char").compute(["今天天气很好。"], ["今天天气不错。"])))
print(len(recipe_names()))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with a wheel and a source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def wheel_names(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_wheel_holds_the_package_and_nothing_beside_it(built):
    assert {name.partition("/")[0].partition("-")[0] for name in wheel_names(built)} == {"polyrouge"}


@pytest.mark.parametrize(
    "pattern",
    [
        "polyrouge/configs/*.yaml",
        "polyrouge/report/assets/*",
        "polyrouge/page/assets/*",
        "polyrouge/examples/*.jsonl",
        "polyrouge/py.typed",
        "polyrouge/README.md",
        "polyrouge/README_zh.md",
        "polyrouge/docs/papers.md",
        "polyrouge/docs/papers.zh.md",
    ],
)
def test_wheel_holds_what_the_package_reads(built, pattern):
    at_the_root = ROOT.glob(pattern.removeprefix("polyrouge/"))
    wanted = {path.name for path in (*ROOT.glob(pattern), *at_the_root) if path.is_file()}
    found = {Path(name).name for name in wheel_names(built) if Path(name).match(pattern)}
    assert wanted
    assert found == wanted


def test_source_distribution_builds_the_same_wheel(built, tmp_path):
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "dist", folder]
    subprocess.run(command, capture_output=True, check=True)
    assert sorted(wheel_names(tmp_path / "dist")) == sorted(wheel_names(built))


def test_archives_of_another_time_and_folder_have_the_same_bytes(built, tmp_path):
    """Whoever builds the tagged commit again gets what is on PyPI."""
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    archives = []
    for number, touched in enumerate((1_000_000_000, 1_700_000_000)):
        copy = tmp_path / str(number) / "clone"
        shutil.copytree(folder, copy)
        for path in sorted(copy.rglob("*"), reverse=number == 1):
            os.utime(path, (touched, touched))
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", copy.parent / "dist", copy]
        subprocess.run(command, env=os.environ | {"SOURCE_DATE_EPOCH": "1600000000"}, capture_output=True, check=True)
        archives.append({path.name: path.read_bytes() for path in (copy.parent / "dist").iterdir()})
    assert len(archives[0]) == 2
    assert archives[0] == archives[1]


def test_pypi_shows_the_card_without_front_matter_and_with_full_links(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    shown = metadata.get_payload(decode=True).decode("utf-8")
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert shown.startswith("# ROUGE (polyrouge)\n")
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", shown)
    assert {link.partition(":")[0] for _, link in links if not link.startswith("#")} == {"https"}
    home = "https://huggingface.co/spaces/polyrouge/rouge_metric"
    assert ("", f"{home}/blob/main/docs/index.md") in links
    assert ("!", f"{home}/resolve/main/docs/assets/report.png") in links


def test_twine_finds_no_fault(built):
    command = [sys.executable, "-m", "twine", "check", "--strict", *built.iterdir()]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("PASSED") == 2


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installed(request, built, tmp_path_factory):
    """The Python of a new environment with our package installed, and what it needs borrowed from this one."""
    folder = tmp_path_factory.mktemp(request.param)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    what = [str(wheel)] if request.param == "wheel" else ["--no-build-isolation", "--editable", str(ROOT)]
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps"]
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    # A line of a .pth file is put on sys.path, but .pth files there are not read: ours is not found that way.
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    done = subprocess.run([*pip, *what], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return request.param, python


def test_first_example_runs(installed, tmp_path):
    kind, python = installed
    printed = subprocess.run(
        [python, "-I", "-c", FIRST_EXAMPLE], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout.split("\n")
    assert (Path(printed[0]).parent == ROOT / "polyrouge") is (kind == "editable")
    assert '"rouge1": 0.6666666666666666' in printed[1]
    assert int(printed[2]) == len(list((ROOT / "configs").glob("*.yaml")))


def test_command_runs(installed, tmp_path):
    _, python = installed
    command = python.parent / "polyrouge"
    subprocess.run([command, "--version"], check=True, capture_output=True, cwd=tmp_path)
    scored = subprocess.run(
        [command, "score", ROOT / "examples" / "zh_news.jsonl", "-c", "zh_char", "--format", "json"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert '"rouge1"' in scored.stdout


@pytest.mark.slow
def test_page_runs(installed, tmp_path):
    _, python = installed
    program = tmp_path / "page.py"
    program.write_text("from polyrouge.page import serve\nserve()\n", encoding="utf-8")
    with running_page(tmp_path, python=str(python), root=tmp_path, script=program, clean=True) as (address, _, printed):
        assert address.startswith("http")
        assert "Traceback" not in printed.read_text(encoding="utf-8")
