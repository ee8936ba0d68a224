"""docs/licences.md names every dependency, the extra or group that brings it, and the licence that it states."""

import re
from importlib import metadata
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib", reason="Python reads TOML since 3.11")

ROOT = Path(__file__).resolve().parents[1]
# What a licence's name in our table may be called in a package's own metadata.
STATED = {
    "Apache-2.0": r"apache|AL2",
    "BSD-2-Clause": r"BSD",
    "BSD-3-Clause": r"BSD",
    "ISC": r"\bISC\b",
    "MIT": r"\bMIT\b",
    "MPL-2.0": r"MPL|mozilla",
    "NAIST-2003": r"Nara Institute",
    "PSF-based": r"python software foundation|PSF",
}


def dependencies():
    """To each package, the extras and groups that name it; "" stands for what is always installed."""
    text = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = text["project"]
    lists = {"": project["dependencies"], **project["optional-dependencies"], **text["dependency-groups"]}
    for group in ("frameworks", "harnesses", "peers"):  # which only tests call
        del lists[group]
    names: dict[str, set[str]] = {}
    for where, packages in lists.items():
        for package in packages:
            name = "polyrouge" if isinstance(package, dict) else re.split(r"[^\w.-]", package)[0]
            if name != "polyrouge":  # an extra of ours, or another group
                names.setdefault(name, set()).add(where)
    return names


def rows(document):
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    table = re.findall(r"^\| ([\w.-]+) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    return {name: (licence, extras) for name, licence, extras in table if name not in ("package", "包")}


@pytest.mark.parametrize("document", ["licences.md", "licences.zh.md"])
def test_every_dependency_is_listed(document):
    listed = {name: set(re.findall("`(.+?)`", extras)) or {""} for name, (_, extras) in rows(document).items()}
    assert listed == dependencies()


def licences_stated_by(name):
    """What a package says of its licence in its metadata, or in its file where the metadata say nothing."""
    about = metadata.metadata(name)
    stated = [about.get("License-Expression"), about.get("License"), *about.get_all("Classifier", [])]
    licences = [each for each in stated if each and each != "UNKNOWN" and "::" not in each]
    licences += [each for each in stated if each and each.startswith("License ::")]
    if not licences:
        files = [file for file in metadata.files(name) or [] if file.name.upper().startswith(("LICENSE", "COPYING"))]
        licences = [Path(str(file.locate())).read_text(encoding="utf-8", errors="replace") for file in files]
    return licences


def test_the_licence_is_the_one_that_the_package_states():
    """Of all that is installed here."""
    installed = {re.sub(r"[-_.]+", "-", each.name).lower() for each in metadata.distributions()}
    wrong = {}
    for name in sorted(name for name in dependencies() if re.sub(r"[-_.]+", "-", name).lower() in installed):
        licence = rows("licences.md")[name][0]
        pattern = next(pattern for ours, pattern in STATED.items() if licence.startswith(ours))
        if not any(re.search(pattern, each, re.IGNORECASE) for each in licences_stated_by(name)):
            wrong[name] = licence, licences_stated_by(name)
    assert wrong == {}
    assert installed >= {"jieba", "numpy", "pyarrow", "regex", "nltk"}
