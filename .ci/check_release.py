"""Check what is about to be released: its version in every place, its tag, its archives.

``nox -f .ci/noxfile.py -s release -- v1.2.3`` runs it, with the tag in ``TAG``. With ``--all-wheels``
dist/ must hold all of a release.
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")

# Each place that names the version, and how.
PLACES = {
    "polyrouge/version.py": r'^VERSION = "(.+)"$',
    "rouge_metric.py": r'^SCRIPT_VERSION = "(.+?)"',
    "CITATION.cff": r"^version: (.+)$",
}

WHEELS = 21  # of a release: [tool.cibuildwheel] in pyproject.toml makes those of 3 Pythons for 7 platforms


def faults(root: Path, tag: str = "", archives: list[str] | None = None, *, all_wheels: bool = False) -> list[str]:
    """What is wrong, one sentence each.

    Args:
        root: of the repository.
        tag: the tag to be released; "" for a rehearsal, which needs none and no entry in the changelog.
        archives: names of the built files; None where none were built.
        all_wheels: whether the wheels of all Pythons and platforms must be there, instead of one or more.
    """
    found = []
    versions = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        versions[name] = match[1] if match else "none"
    version = versions["polyrouge/version.py"]
    found += [f"{name} says {each}, but version.py {version}" for name, each in versions.items() if each != version]
    if not VERSION.fullmatch(version):
        found.append(f"{version} is no version: 1.2.3, or 1.2.3rc1")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if tag:
        if tag != f"v{version}":
            found.append(f"the tag is {tag}; that of this version is v{version}")
        if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d{{2}}-\d{{2}}\)$", changelog, re.MULTILINE):
            found.append(f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'")
        if re.search(r"^## Unreleased\n+(?!## )\S", changelog, re.MULTILINE):
            found.append("CHANGELOG.md has entries that are still 'Unreleased'")
    elif not re.search(rf"^## (Unreleased|{re.escape(version)} )", changelog, re.MULTILINE):
        found.append("CHANGELOG.md has no heading '## Unreleased'")
    if archives is not None:
        found += _faulty_archives(archives, version, all_wheels=all_wheels)
    return found


def _faulty_archives(archives: list[str], version: str, *, all_wheels: bool) -> list[str]:
    """What is wrong with the names of the built files: one source distribution, and wheels with kernels."""
    source, wheel = f"polyrouge-{version}.tar.gz", re.compile(rf"polyrouge-{re.escape(version)}-cp\d+-\w+-\S+\.whl")
    wheels = [name for name in archives if wheel.fullmatch(name)]
    strangers = sorted({*archives} - {source, *wheels})
    found = [] if source in archives else [f"dist/ has no {source}"]
    found += [f"dist/ holds {name}, which is no wheel of {version} with kernels" for name in strangers]
    if all_wheels and len(wheels) != WHEELS:
        found.append(f"dist/ has {len(wheels)} wheels, not {WHEELS}")
    if not wheels:
        found.append("dist/ has no wheel")
    return found


def main() -> None:
    """Print what is wrong, and fail; or print the version."""
    archives = [path.name for path in (ROOT / "dist").iterdir()]
    found = faults(ROOT, os.environ.get("TAG", ""), archives, all_wheels="--all-wheels" in sys.argv)
    if found:
        sys.exit("\n".join(found))
    print("versions, changelog and archives agree")  # noqa: T201


if __name__ == "__main__":
    main()
