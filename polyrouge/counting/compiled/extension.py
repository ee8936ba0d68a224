"""Whether the compiled extension is installed, and what to do where it is not."""

from __future__ import annotations

from polyrouge.counting.compiled import kernels

HOW_TO_GET_IT = "pip install --force-reinstall --no-deps --no-cache-dir polyrouge, as a wheel or with a C compiler"


def has_extension() -> bool:
    """Whether the kernels can be called in this process."""
    return kernels.is_built()


def engine() -> str:
    """Which engine counts by ``engine="auto"``: ``"compiled"``, or ``"plain"`` where the extension is not installed.

    The plain engine gives the same scores, some fifty times slower. It also counts, by any installation, under the few
    settings that the extension does not know.
    """
    return "compiled" if has_extension() else "plain"


def check_engine(asked: str) -> None:
    """Refuse ``engine="compiled"`` where there is none."""
    if asked == "compiled" and not has_extension():
        raise ModuleNotFoundError(
            f"engine='compiled' needs polyrouge's compiled extension, which is not installed here: {HOW_TO_GET_IT}. "
            "engine='auto' takes the plain engine instead, which gives the same scores, slower.",
            name="polyrouge.counting.compiled.kernels._kernels",
        )
