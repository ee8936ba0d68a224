"""The web page. ``app.py`` in the root starts it."""

from typing import Any

__all__ = ["serve"]


def serve(**options: Any) -> Any:
    """Serve the page.

    Args:
        **options: of ``gradio.Blocks.launch``.

    Returns:
        What that returns; None in the process of a job, which reads the script that has called this once more.
    """
    import sys

    # A job's process runs the script under this name; elsewhere it is that of the main module.
    if sys.modules.get("__mp_main__", sys.modules["__main__"]) is not sys.modules["__main__"]:
        return None
    from polyrouge.page.layout import launch  # not for jobs, which need no Gradio

    return launch(**options)
