"""Download what tests compare with: ``install_peers.py FOLDER``.

Packages of the group "peers" go to ``FOLDER/peers/NAME``, as several overwrite each other's files, and sources of the
group "suites", which hold the tests of their packages, to ``FOLDER/suites``.
"""

import subprocess
import sys
import tarfile
from pathlib import Path

from pip._vendor import tomli  # Python 3.10 has no reader of TOML of its own

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def main() -> None:
    """Install, download, unpack."""
    folder = Path(sys.argv[1])
    groups = tomli.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    for peer in groups["peers"]:
        target = folder / "peers" / peer.partition("==")[0]
        subprocess.run([*PIP, "install", "--no-deps", "--upgrade", "--target", target, peer], check=True)  # noqa: S603
    suites = folder / "suites"
    download = ["download", "--no-deps", "--no-binary", ":all:", "--dest", suites]
    subprocess.run([*PIP, *download, *groups["suites"]], check=True)  # noqa: S603
    for archive in suites.glob("*.tar.gz"):
        with tarfile.open(archive) as release:
            release.extractall(suites, filter="data")


if __name__ == "__main__":
    main()
