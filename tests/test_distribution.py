"""What is built and installed: the wheel, the source distribution, and the page from requirements.txt alone."""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from distributions import build
from page_server import running_page

from polyrouge.version import VERSION

pytestmark = [pytest.mark.hub, pytest.mark.xdist_group("archives")]  # they are built once

ROOT = Path(__file__).resolve().parents[1]
KERNELS = "polyrouge/counting/compiled/kernels"
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 350000\n"
FIRST_EXAMPLE = """
import json, sys, warnings
import polyrouge
from polyrouge import Rouge
from polyrouge.beyond.recipes import recipe_names

print(polyrouge.__file__, polyrouge.engine())
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(json.dumps(Rouge("zh_char").compute(["今天天气很好。"], ["今天天气不错。"])))
print(len(recipe_names()))
"""


@pytest.fixture
def source(archives, tmp_path):
    """What the commit holds, of another time and in another order."""
    (archive,) = archives.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path / "source")
    (folder,) = (tmp_path / "source").iterdir()
    (folder / "PKG-INFO").unlink()
    shutil.copytree(folder, tmp_path / "clone", symlinks=True)
    for path in sorted((tmp_path / "clone").rglob("*"), reverse=True):
        os.utime(path, (1_000_000_000, 1_000_000_000), follow_symlinks=False)
    return tmp_path / "clone"


def wheel_names(archives):
    (wheel,) = archives.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def run(*command, cwd=None, check=True, env=None):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=check, cwd=cwd, env=env)


def test_wheel_holds_the_package_with_what_it_reads_and_its_kernels(archives):
    names = wheel_names(archives)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"polyrouge"}
    for path in ("configs/lcsts.yaml", "examples/zh_news.jsonl", "examples/en_news.jsonl", "rouge_metric.py"):
        assert f"polyrouge/shipped/{path}" in names
    for pattern in ("report/assets/*", "page/assets/*", "py.typed"):
        wanted = {path.name for path in (ROOT / "polyrouge").glob(pattern) if path.is_file()}
        assert wanted
        assert {Path(name).name for name in names if Path(name).match(f"polyrouge/{pattern}")} == wanted
    assert [name for name in names if name.startswith(f"{KERNELS}/_kernels.") and name.endswith(".so")]


def test_what_was_built_in_place_gets_into_no_archive(source, tmp_path):
    """Nor the pointer that a clone without git-lfs has there."""
    (source / KERNELS / "_kernels.abi3.so").write_text(POINTER)
    (source / ".gitignore").unlink()

    printed = build(source, tmp_path / "dist", compiler="/bin/false")

    assert "_kernels is not built" in printed
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in wheel_names(tmp_path / "dist") if name.endswith(".so")]
    (archive,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        assert not [name for name in opened.getnames() if name.endswith(".so")]


def test_pypi_shows_the_card_without_front_matter_and_with_full_links(archives):
    (wheel,) = archives.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    shown = metadata.get_payload(decode=True).decode("utf-8")
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert shown.startswith("# polyrouge: ROUGE for every language\n")
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", shown)
    assert {link.partition(":")[0] for _, link in links if not link.startswith("#")} == {"https"}
    home = "https://huggingface.co/spaces/polyrouge/rouge_metric"
    assert ("", f"{home}/blob/main/docs/index.md") in links
    assert ("!", f"{home}/resolve/main/docs/assets/report.png") in links


@pytest.fixture(scope="module", params=["wheel", "in place, without a compiler"])
def installed(request, archives, tmp_path_factory):
    """A new environment that borrows what we need from this one: our folder, the engine, the Python."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    # A line of a .pth file is put on sys.path, but .pth files there are not read: ours is not found that way.
    borrowed = [each for each in sys.path if each.endswith("site-packages")]
    (Path(site) / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps"]
    if request.param == "wheel":
        (wheel,) = archives.glob("*.whl")
        done = run(*pip, wheel, check=False)
        place, engine = Path(site), "compiled"
    else:
        (archive,) = archives.glob("*.tar.gz")
        shutil.unpack_archive(archive, folder / "source")
        (place,) = (folder / "source").iterdir()
        command = [*pip, "--no-build-isolation", "--editable", place]
        done = run(*command, env=os.environ | {"CC": "/bin/false"}, check=False)
        engine = "plain"
    assert done.returncode == 0, done.stderr
    return place / "polyrouge", engine, python


def test_compiled_engine_that_is_not_installed_is_refused(installed, tmp_path):
    """Where the metric is made, not after an hour of generating texts; a pointer of git-lfs is no extension."""
    package, engine, python = installed
    program = "from polyrouge import Rouge, engine\nprint(engine())\nRouge(engine='compiled')"
    if engine == "compiled":
        assert run(python, "-I", "-c", program, cwd=tmp_path).stdout == "compiled\n"
        return
    for content in (None, POINTER):
        if content:
            (package.parent / KERNELS / "_kernels.abi3.so").write_text(content)
        done = run(python, "-I", "-c", program, cwd=tmp_path, check=False)
        assert done.stdout == "plain\n"
        assert "pip install" in done.stderr.splitlines()[-1], done.stderr


def test_first_example_runs(installed, tmp_path):
    package, engine, python = installed
    printed = run(python, "-I", "-c", FIRST_EXAMPLE, cwd=tmp_path).stdout.split("\n")
    assert printed[0] == f"{package / '__init__.py'} {engine}"
    assert '"rouge1": 0.6666666666666666' in printed[1]
    assert int(printed[2]) == len(list((ROOT / "configs").glob("*.yaml")))


def test_command_runs(installed, tmp_path):
    _, engine, python = installed
    command = python.parent / "polyrouge"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    asked = run(command, "--version", cwd=tmp_path, env=environment)
    assert asked.stdout == f"{VERSION} ({engine} engine)\n"
    example = ROOT / "examples" / "zh_news.jsonl"
    scored = run(command, "score", example, "-c", "zh_char", "--format", "json", cwd=tmp_path, env=environment)
    assert '"rouge1"' in scored.stdout


@pytest.mark.slow
def test_page_runs(installed, tmp_path):
    _, _, python = installed
    program = tmp_path / "page.py"
    program.write_text("from polyrouge.page import serve\nserve()\n", encoding="utf-8")
    with running_page(tmp_path, python=str(python), root=tmp_path, script=program, clean=True) as (address, _, printed):
        assert address.startswith("http")
        assert "Traceback" not in printed.read_text(encoding="utf-8")
