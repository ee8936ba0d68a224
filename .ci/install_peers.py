"""Download what tests compare with: ``install_peers.py FOLDER``.

Packages of the group "peers" go to ``FOLDER/peers/NAME``, as several overwrite each other's files.
"""

import subprocess
import sys
from pathlib import Path

from pip._vendor import tomli  # Python 3.10 has no reader of TOML of its own

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def main() -> None:
    """Install each by itself."""
    groups = tomli.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    for peer in groups["peers"]:
        target = Path(sys.argv[1]) / "peers" / peer.partition("==")[0]
        command = [*PIP, "install", "--no-compile", "--no-deps", "--upgrade", "--target", target, peer]
        subprocess.run(command, check=True)  # noqa: S603


if __name__ == "__main__":
    main()
