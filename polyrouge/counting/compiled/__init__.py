"""The compiled engine: the same counts from kernels over arrays of ids."""

from polyrouge.counting.compiled.kernels import is_built
from polyrouge.settings.rules import TextRules


def uses_kernels(engine: str, text_rules: TextRules) -> bool:
    """Whether the compiled engine counts: it is installed, knows the rules, and is not ruled out."""
    return engine != "plain" and is_built() and not text_rules.bytes_uncounted
