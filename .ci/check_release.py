"""Check what is about to be released: its version in every place, its tag, its archives.

``make release-check``, or ``make release-check TAG=v1.2.3``
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


def faults(root: Path, tag: str = "", archives: list[str] | None = None) -> list[str]:
    """What is wrong, one sentence each.

    Args:
        root: of the repository.
        tag: the tag to be released; "" for a rehearsal, which needs none and no entry in the changelog.
        archives: names of the built files; None where none were built.
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
    wanted = {f"polyrouge-{version}-py3-none-any.whl", f"polyrouge-{version}.tar.gz"}
    if archives is not None and set(archives) != wanted:
        found.append(f"dist/ holds {', '.join(sorted(archives))}; it must hold {', '.join(sorted(wanted))}")
    return found


def main() -> None:
    """Print what is wrong, and fail; or print the version."""
    found = faults(ROOT, os.environ.get("TAG", ""), [path.name for path in (ROOT / "dist").iterdir()])
    if found:
        sys.exit("\n".join(found))
    print("versions, changelog and archives agree")  # noqa: T201


if __name__ == "__main__":
    main()
