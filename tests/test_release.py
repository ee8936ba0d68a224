"""What a release is made by: the check of versions and tags, the Space's files, the workflows."""

import re
import runpy
import shutil
import zipfile
from pathlib import Path

import pytest
import yaml

import polyrouge

ROOT = Path(__file__).resolve().parents[1]
CHECK = runpy.run_path(str(ROOT / ".ci" / "check_release.py"))
FAULTS, PLACES = CHECK["faults"], CHECK["PLACES"]
SPACE = runpy.run_path(str(ROOT / ".ci" / "assemble_space.py"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
VERSION = polyrouge.__version__
TAG = f"v{VERSION}"
SOURCE = f"polyrouge-{VERSION}.tar.gz"
ARCHIVES = [f"polyrouge-{VERSION}-cp311-abi3-linux_x86_64.whl", SOURCE]
PLATFORMS = """
    manylinux2014_x86_64.manylinux_2_17_x86_64 manylinux_2_27_aarch64.manylinux_2_28_aarch64 musllinux_1_2_x86_64
    musllinux_1_2_aarch64 macosx_10_9_x86_64 macosx_11_0_arm64 win_amd64
"""
PYTHONS = ("cp310-cp310", "cp311-abi3", "cp314-cp314t")
WHEELS = [f"polyrouge-{VERSION}-{python}-{platform}.whl" for python in PYTHONS for platform in PLATFORMS.split()]

# Versions, tags, the changelog


@pytest.fixture
def released(tmp_path):
    """The files that name the version, as they stand on the day of its release."""
    for name in (*PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    changelog = tmp_path / "CHANGELOG.md"
    text = re.sub(r"^## .*$", f"## {VERSION} (2026-12-01)", changelog.read_text(encoding="utf-8"), count=1, flags=re.M)
    changelog.write_text(text, encoding="utf-8")
    return tmp_path


def test_this_tree_can_be_released(released):
    assert FAULTS(ROOT, archives=ARCHIVES) == []
    assert FAULTS(released, TAG, ARCHIVES) == []
    assert FAULTS(released, TAG, [SOURCE, *WHEELS], all_wheels=True) == []


def spoil(folder, name, old, new):
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in PLACES if name != "polyrouge/version.py"])
def test_version_of_another_place_is_refused(released, name):
    spoil(released, name, VERSION, "9.8.7")
    assert FAULTS(released, TAG) == [f"{name} says 9.8.7, but version.py {VERSION}"]


def test_odd_version_is_refused(released):
    for name in PLACES:
        spoil(released, name, VERSION, "1.2")
    assert FAULTS(released)[0] == "1.2 is no version: 1.2.3, or 1.2.3rc1"


@pytest.mark.parametrize("tag", ["v9.8.7", VERSION, f"{TAG}-1", f"release-{VERSION}"])
def test_other_tag_is_refused(released, tag):
    assert FAULTS(released, tag) == [f"the tag is {tag}; that of this version is {TAG}"]


def test_changelog_without_the_version_or_with_unreleased_entries_is_refused(released):
    spoil(released, "CHANGELOG.md", f"## {VERSION}", f"## Unreleased\n\n- Forgotten.\n\n## {VERSION}")
    assert FAULTS(released, TAG) == ["CHANGELOG.md has entries that are still 'Unreleased'"]
    assert FAULTS(released) == []
    spoil(released, "CHANGELOG.md", "## Unreleased\n\n- Forgotten.\n\n", "")
    spoil(released, "CHANGELOG.md", f"## {VERSION} (2026-12-01)", f"## {VERSION}")
    assert FAULTS(released, TAG) == [f"CHANGELOG.md has no heading '## {VERSION} (YYYY-MM-DD)'"]


PURE = f"polyrouge-{VERSION}-py3-none-any.whl"
NO_WHEEL = f"which is no wheel of {VERSION} with kernels"


@pytest.mark.parametrize(
    ("archives", "all_wheels", "fault"),
    [
        (ARCHIVES[:1], False, f"has no {SOURCE}"),
        (ARCHIVES[1:], False, "has no wheel"),
        ([*ARCHIVES, "polyrouge-0.0.1.tar.gz"], False, f"holds polyrouge-0.0.1.tar.gz, {NO_WHEEL}"),
        ([*ARCHIVES, PURE], False, f"holds {PURE}, {NO_WHEEL}"),
        ([SOURCE, *WHEELS[:-1]], True, "has no wheel cp314-cp314t-win_amd64"),
        ([SOURCE, *WHEELS, ARCHIVES[0]], True, "has a wheel cp311-abi3-linux_x86_64, which no release has"),
    ],
)
def test_other_archives_are_refused(released, archives, all_wheels, fault):
    assert FAULTS(released, TAG, archives, all_wheels=all_wheels) == [f"dist/ {fault}"]


# The Space


KERNELS = "polyrouge/counting/compiled/kernels/_kernels.abi3.so"


@pytest.fixture
def wheel(tmp_path):
    """Of Linux, with nothing but its kernels."""
    with zipfile.ZipFile(tmp_path / ARCHIVES[0], "w") as archive:
        archive.writestr(KERNELS, b"\x7fELF\0")
        archive.writestr("polyrouge/version.py", "")
    return tmp_path / ARCHIVES[0]


@pytest.fixture
def space(tmp_path, wheel):
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs a clone, to know which files the Space has")
    SPACE["assemble"](tmp_path / "space", wheel)
    return tmp_path / "space"


def test_space_has_every_tracked_file_but_those_of_github_and_the_kernels(space):
    held = {path.relative_to(space).as_posix() for path in space.rglob("*") if path.is_file()}
    assert SPACE["faults"](space) == []
    assert held - set(SPACE["tracked_files"]()) == {".gitattributes", KERNELS}
    assert (space / "polyrouge" / "version.py").read_bytes() == (ROOT / "polyrouge" / "version.py").read_bytes()
    assert {name.partition("/")[0] for name in set(SPACE["tracked_files"]()) - held} == {".github"}
    assert not [name for name in held if "__pycache__" in name or name.startswith(("build/", "dist/", ".venv"))]
    assert (space / ".ci" / "run").stat().st_mode & 0o100


def test_the_hub_takes_the_kernels(space):
    """It leaves out what .gitignore names, and refuses binary files that git-lfs does not keep."""
    assert "*.so" not in (space / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "*.so filter=lfs" in (space / ".gitattributes").read_text(encoding="utf-8")


def test_space_is_assembled_anew(space, wheel):
    (space / "left_over.txt").write_text("of a file that is gone")
    SPACE["assemble"](space, wheel)
    assert not (space / "left_over.txt").exists()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (KERNELS, "the kernels are missing: the wheel has none for Linux"),
        *((name, f"{name} is missing") for name in SPACE["NEEDED"]),
    ],
)
def test_space_without_a_file_is_refused(space, name, fault):
    (space / name).unlink()
    faults = SPACE["faults"](space)
    assert fault in faults
    assert name != KERNELS or faults == [fault]


def test_space_with_a_dead_link_is_refused(space):
    (space / "docs" / "formulas.md").unlink()
    (space / "examples" / "train_causal.py").unlink()
    home = "https://huggingface.co/spaces/polyrouge/rouge_metric/blob/main"
    assert {
        "README.md links to docs/formulas.md, which is not there",
        f"docs/training.md links to {home}/examples/train_causal.py, which is not there",
    } <= set(SPACE["faults"](space))


def test_space_with_what_the_hub_refuses_is_refused(space):
    before = SPACE["faults"](space)
    (space / "docs" / "assets" / "film.gif").write_bytes(b"GIF89a\0")
    (space / "large.txt").write_text("a" * 10_000_001)
    assert [fault for fault in SPACE["faults"](space) if fault not in before] == [
        "docs/assets/film.gif is binary; give its kind a rule in ATTRIBUTES",
        "large.txt has 10,000,001 bytes; the Hub takes 10 MB without git-lfs",
    ]


# The workflows


def read_workflow(path):
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506 it makes texts only; "on" stays a key


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_jobs_may_read_only(path):
    workflow = read_workflow(path)
    used = [step["uses"] for step in steps_of(workflow) if "uses" in step]
    assert used
    assert not [action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)]
    assert workflow["permissions"] in ({}, {"contents": "read"}, "{}")
    for name, job in workflow["jobs"].items():
        granted = {key for key, level in job.get("permissions", {}).items() if level == "write"}
        assert granted == ({"attestations", "id-token"} if name == "publish" else set())
    for step in steps_of(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] == "false"
        assert "${{" not in step.get("run", "")  # a name of a branch or tag would be run


RELEASE = read_workflow(ROOT / ".github" / "workflows" / "release.yml")


def test_job_that_may_publish_runs_no_code_of_the_repository():
    publish = RELEASE["jobs"]["publish"]
    actions = "actions/download-artifact actions/attest-build-provenance pypa/gh-action-pypi-publish"
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == actions.split()
    assert publish["environment"]["name"] == "pypi"


def test_release_waits_for_the_tests_and_the_audit():
    jobs = RELEASE["jobs"]
    assert jobs["checks"]["uses"] == "./.github/workflows/ci.yml"
    assert jobs["audit"]["steps"][-1]["run"] == "nox -f .ci/noxfile.py -s audit"
    assert jobs["wheels"]["needs"] == ["checks", "audit"]
    assert jobs["build"]["needs"] == "wheels"
    assert (jobs["publish"]["needs"], jobs["space"]["needs"]) == ("build", "publish")


def test_tags_of_the_space_are_none_that_evaluate_asks_for():
    """Without a revision it asks for v0.4.6, if it is version 0.4.6 itself, and only then for main."""
    (upload,) = [step for step in steps_of(RELEASE) if "hf " in str(step)]
    (tag,) = re.findall(r"hf repos tag create polyrouge/rouge_metric \"(\S+)\"", upload["run"])
    assert not re.match(r"v?\d", tag.replace("$TAG", TAG))


def test_every_promised_python_is_tested():
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    jobs = read_workflow(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    assert jobs["tests"]["strategy"]["matrix"]["python"] == promised
    assert promised


def test_every_session_of_nox_is_run_by_a_workflow_or_by_hand():
    sessions = set(
        re.findall(r"^def ([a-z]\w*)\(session", (ROOT / ".ci" / "noxfile.py").read_text(encoding="utf-8"), re.MULTILINE)
    )
    jobs = [job for path in WORKFLOWS for job in read_workflow(path)["jobs"].values()]
    called = {name for job in jobs for name in job.get("strategy", {}).get("matrix", {}).get("session", [])}
    runs = [step.get("run", "") for job in jobs for step in job.get("steps", [])]
    called |= {name for run in runs for name in re.findall(r"noxfile\.py -s (\w+)", run)}
    assert sessions - called == {"coverage", "fuzz", "mutation", "soak"}
    assert called <= sessions
