"""Which kernels a run needs, and whether this process has them; numba is imported where they are loaded.

A unit is a group of kernels that are needed, compiled and loaded together.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from polyrouge.counting.compiled.covered_rules import (
    is_compiled_chinese,
    is_compiled_tokenization,
    is_filtered,
)
from polyrouge.counting.compiled.kernel_folder import are_ready, mark_ready
from polyrouge.fork_lock import ForkLock
from polyrouge.settings.stages import CountRules, TextRules, cuts_with_jieba

_KERNELS = "polyrouge.counting.compiled.kernels"
_OF_ALL_TEXTS = ("scan.note_ascii_letters", "composed.may_need_composing")
UNITS: dict[str, tuple[str, ...]] = {
    "texts": ("texts.tokenize", *_OF_ALL_TEXTS),
    "stems": ("texts.tokenize_stems", *_OF_ALL_TEXTS),
    "jieba": (
        "jieba_texts._ids_into",
        "jieba_texts._ends_into",
        "scan.note_ascii_letters",
        "composed.may_need_composing",
    ),
    "jieba_tables": ("jieba_trie.plain_trie", "jieba_trie.double_array"),
    "unigrams": ("ngrams._count_unigrams",),
    "ngrams": ("ngrams._count_bigrams", "ngrams._count_ngrams"),
    "lcs": ("lcs._count_lcs",),
    "pairwise_lcs": ("lcs._count_pairwise_lcs",),
    "union_lcs": ("union_lcs._count_union_lcs",),
    "weighted_lcs": ("weighted_lcs._count_weighted",),
    "weighted_lcs_paper": ("weighted_lcs._count_weighted_paper",),
    "skip_bigrams": ("skip_bigrams._count_in_square", "skip_bigrams._count_by_rows"),
    "match_places": ("match_places._place_matches",),
    "draws": ("draws.count_draws",),
}
"""The kernels of each unit, by module and function; those that take longest to compile first."""


def needed_units(text_rules: TextRules, count_rules: CountRules) -> tuple[str, ...]:
    """The units with which the compiled engine counts under these rules.

    They are not remembered: rules hold functions and dictionaries, which would be kept with them.
    """
    needed = set()
    if cuts_with_jieba(text_rules):
        needed |= {"jieba", "jieba_tables"}
    if not is_compiled_chinese(text_rules) and is_compiled_tokenization(text_rules):
        needed.add("stems" if text_rules.use_stemmer and not is_filtered(text_rules) else "texts")
    for rouge_type in count_rules.types:
        if rouge_type.kind == "ngram":
            needed.add("unigrams" if rouge_type.n == 1 else "ngrams")
        elif rouge_type.kind == "skip_bigram":
            needed |= {"skip_bigrams", "unigrams"} if rouge_type.with_unigrams else {"skip_bigrams"}
        elif rouge_type.kind == "weighted_lcs":
            needed.add("weighted_lcs_paper" if count_rules.definition == "paper" else "weighted_lcs")
        elif rouge_type.kind == "lcs" and count_rules.lcs == "sentence":
            needed.add("lcs")
        elif rouge_type.kind == "lcs" and count_rules.lcs == "pairwise_sum":
            needed.add("pairwise_lcs")
        else:
            needed.add("union_lcs")
    return tuple(unit for unit in UNITS if unit in needed)


_LOADED: set[str] = set()
_LOADING = ForkLock()


def are_loaded(units: Iterable[str]) -> bool:
    """Whether this process can call all kernels of these units."""
    return _LOADED.issuperset(units)


def load_units(units: Iterable[str], *, may_compile: bool = False) -> None:
    """Load the kernels of these units from disk, or compile them.

    Args:
        units: which.
        may_compile: compile what is not there, and write it down.

    Raises:
        NotCompiledError: some kernel is not there, or damaged, and may not be compiled.
        ImportError: numba can't be imported.
        OSError: with ``may_compile``, what was compiled could not be written down; it can be called all the same.
    """
    written: OSError | None = None
    with _LOADING.held():
        for unit in units:
            if unit in _LOADED:
                continue
            from polyrouge.counting.compiled.kernels.kernel import load_kernel

            try:
                for name in UNITS[unit]:
                    importlib.import_module(f"{_KERNELS}.{name.partition('.')[0]}")
                    load_kernel(name, may_compile=may_compile)
                if may_compile:
                    mark_ready(unit)
            except OSError as error:
                written = error
            _LOADED.add(unit)
    if written is not None:
        raise written


def load_if_ready(unit: str) -> bool:
    """Whether a unit could be loaded without compiling."""
    if unit in _LOADED:
        return True
    if not are_ready([unit]):
        return False
    try:
        load_units([unit])
    except Exception:  # there is another way to do without it
        return False
    return True
