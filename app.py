"""The page: ``python app.py``, ``polyrouge app``, or a Space.

On a Space only requirements.txt is installed and this file runs as a script from the root. This is the one
place where it finds its siblings there: the folder that it is in becomes the package ``polyrouge``, unless
that is loaded from here already (``polyrouge app``).
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def load_own_package() -> None:
    """Make ``import polyrouge`` mean this folder, whether or not a polyrouge is installed."""
    root = Path(__file__).resolve().parent
    loaded = sys.modules.get("polyrouge")
    if loaded is not None and Path(str(loaded.__file__)).resolve().parent == root:
        return
    spec = importlib.util.spec_from_file_location(
        "polyrouge", root / "__init__.py", submodule_search_locations=[str(root)]
    )
    if spec is None or spec.loader is None:
        msg = f"There is no package in {root}; this file belongs beside the modules of polyrouge."
        raise ImportError(msg)
    package = importlib.util.module_from_spec(spec)
    sys.modules["polyrouge"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    load_own_package()
    from polyrouge.page.layout import serve

    serve()
