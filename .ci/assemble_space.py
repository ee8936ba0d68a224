"""Assemble what the Space's repository holds, and print its size: ``.ci/assemble_space.py FOLDER DIST``.

The Space is where people clone from: it holds every tracked file but those of GitHub, as it stands in the working tree,
and the rules by which the Hub takes binary files. A Space installs ``requirements.txt`` and builds nothing, so the
kernels of the wheel for Linux stand in the package's folder. A clone without git-lfs has pointers in their place, and
counts plainly.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = (".github/", ".gitattributes")  # what only GitHub reads; the Space has attributes of its own

# The Hub refuses a push with binary files that git-lfs does not keep, however small they are.
ATTRIBUTES = "".join(f"*.{kind} filter=lfs diff=lfs merge=lfs -text\n" for kind in ("png", "so"))
NEEDED = ("README.md", "app.py", "rouge_metric.py", "requirements.txt", "pyproject.toml", "LICENSE")


def tracked_files() -> list[str]:
    """Paths in the repository, as the working tree has them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def assemble(folder: Path, wheel: Path) -> list[str]:
    """Fill a folder, anew, with the repository and the kernels of a wheel; the paths of its files."""
    shutil.rmtree(folder, ignore_errors=True)
    names = [name for name in tracked_files() if not name.startswith(ELSEWHERE)]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)  # with its mode: .ci/run is a program
    (folder / ".gitattributes").write_text(ATTRIBUTES, encoding="utf-8")
    ignored = (folder / ".gitignore").read_text(encoding="utf-8")
    (folder / ".gitignore").write_text(ignored.replace("*.so\n", ""), encoding="utf-8")  # the Hub takes no ignored file
    with zipfile.ZipFile(wheel) as archive:
        kernels = [name for name in archive.namelist() if name.endswith(".so")]
        archive.extractall(folder, kernels)
    return [*names, ".gitattributes", *kernels]


def faults(folder: Path) -> list[str]:
    """What keeps the folder from being the Space: missing files, and binary files without a rule."""
    found = [f"{name} is missing" for name in NEEDED if not (folder / name).is_file()]
    if not any(folder.rglob("*.abi3.so")):
        found.append("the kernels are missing: the wheel has none for Linux")
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = path.relative_to(folder).as_posix()
        content = path.read_bytes()
        if b"\0" in content and path.suffix not in (".png", ".so"):
            found.append(f"{name} is binary; give its kind a rule in ATTRIBUTES")
        if len(content) > 10_000_000:
            found.append(f"{name} has {len(content):,} bytes; the Hub takes 10 MB without git-lfs")
    return found


def main() -> None:
    """Assemble, check, print."""
    folder, dist = map(Path, sys.argv[1:])
    wheels = [path for path in dist.glob("*-abi3-*linux*x86_64.whl") if "musl" not in path.name]
    if len(wheels) != 1:
        sys.exit(f"{dist} must have one wheel for Linux, glibc, x86-64: nox -f .ci/noxfile.py -s release builds it")
    names = assemble(folder, wheels[0])
    found = faults(folder)
    if found:
        sys.exit("\n".join(found))
    size = sum((folder / name).stat().st_size for name in names)
    print(f"{folder}: {len(names)} files, {size / 1e6:.2f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
