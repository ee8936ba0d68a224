"""Turn a dictionary of jieba and its HMM into flat arrays, for the kernels that cut as jieba 0.42.1 does.

Tables are made once, from words and frequencies of a ``jieba.Tokenizer``, and cached on disk, so that later processes
need not load jieba itself.
"""

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.documents.input_notes import InputNotes
from polyrouge.texts.fork_lock import ForkLock
from polyrouge.texts.jieba_words import (
    KNOWN_JIEBA,
    JiebaDictionary,
    JiebaWords,
    jieba_cutter,
    jieba_dictionary,
    jieba_file,
    jieba_model,
    jieba_version,
)

_HAN = range(0x4E00, 0x9FD6)
# Characters of jieba's block class by number: of ASCII from 1 on, digits first, letters, marks; then Han.
_ASCII_BLOCK = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.%+#&_-"
_N_CODES = kernels.FIRST_HAN + len(_HAN)
_N_POINTS = 0x10000
_MIN_FLOAT = -3.14e100
_MOST_FREQUENCIES = 0xFFFF  # indexes of weights have 16 bits
_NO_SLOT = 0xFFFFFF  # slots have 24 bits; the parent of first characters, so that code 0 and a base of 0 lead nowhere
_MOST_FILES = 16
_FORMAT = "3"  # changes with the meaning of the arrays
_STATES = "BMES"
_TRANSITIONS = ("EB", "SB", "BM", "MM", "BE", "ME", "ES", "SS")
_HMM_FILES = ("finalseg/prob_start.py", "finalseg/prob_trans.py", "finalseg/prob_emit.py")


class JiebaTables(NamedTuple):
    """Arrays by which the kernels cut; must not be changed."""

    codes: NDArray[np.uint16]  # [0x10000]: number of each character of jieba's block class, 0 for all others
    units: NDArray[np.uint64]  # [n_slots]: of each node parent's slot << 40 | base << 16 | index in weights
    weights: NDArray[np.float64]  # [n + 1]: log(freq or 1) - log(total); [0]: of no word; [n]: of a new character
    emissions: NDArray[np.float64]  # [n_codes, 4]: of the states B, M, E, S
    hmm: NDArray[np.float64]  # [12]: start of B, M, E, S; transitions EB SB BM MM BE ME ES SS
    deleted: NDArray[np.bool_]  # [n_slots or 0]: words that the HMM must not make


_MAKING = ForkLock()
_LOADED: dict[str, JiebaTables | None] = {}
_MOST_LOADED = 8


def jieba_tables(dictionary: JiebaDictionary) -> JiebaTables | None:
    """Return the tables of a dictionary; None if jieba itself must cut: another version, or words that don't fit."""
    if jieba_version() != KNOWN_JIEBA:
        return None
    with _MAKING.held():
        if dictionary.digest not in _LOADED:
            while len(_LOADED) >= _MOST_LOADED:
                del _LOADED[next(iter(_LOADED))]
            name = _file_name(dictionary.digest)
            _LOADED[dictionary.digest] = _read(name) or _make(dictionary, name)
        return _LOADED[dictionary.digest]


def _file_name(digest: str) -> str:
    """Name the file by a digest of everything that decides the tables."""
    hmm = hashlib.sha256(b"".join(map(jieba_file, _HMM_FILES))).hexdigest()
    digest_of_all = hashlib.sha256("\n".join([_FORMAT, sys.byteorder, KNOWN_JIEBA, hmm, digest]).encode())
    return f"jieba-{digest_of_all.hexdigest()[:32]}"


def _read(name: str) -> JiebaTables | None:
    arrays = read_arrays(name)
    try:
        return None if arrays is None else _with_weights(arrays)
    except (KeyError, TypeError, ValueError):  # another format
        return None


def _with_weights(arrays: dict[str, NDArray]) -> JiebaTables:
    """Make tables of a file's frequencies (text, as they have any size); logarithms are made on this machine."""
    total, *frequencies = map(int, arrays.pop("frequencies").tobytes().split())
    logtotal = log(total)
    weights = [log(frequency or 1) - logtotal for frequency in frequencies]  # as in Tokenizer.calc
    return JiebaTables(weights=np.array([-np.inf, *weights[1:], weights[0]], np.float64), **arrays)


def _make(dictionary: JiebaDictionary, name: str) -> JiebaTables | None:
    tokenizer = dictionary.tokenizer
    arrays = _build(tokenizer.FREQ, tokenizer.total, sorted(filter(None, tokenizer.deleted_words)))
    if arrays is None:
        return None
    write_arrays(name, arrays)
    return _with_weights(arrays)


def _build(listed: dict[str, Any], total: Any, deleted: list[str]) -> dict[str, NDArray] | None:
    """Make the arrays of a file; None if the words don't fit."""
    frequencies = list(listed.values())
    if {*map(type, frequencies), type(total)} != {int} or min(frequencies, default=0) < 0 or total <= 0 or "" in listed:
        return None
    distinct = [0, *sorted(set(frequencies) - {0})]
    if len(distinct) > _MOST_FREQUENCIES:
        return None
    weight_index = {frequency: index for index, frequency in enumerate(distinct)}
    words = [*listed, *deleted]
    points = np.frombuffer("\n".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
    points = np.minimum(points, _N_POINTS - 1)  # which is in no word of the block class, like all above
    codes = _codes(points)
    ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)) + 1) - 1
    parents, labels, nodes = kernels.trie_of(codes[points], ends)
    listed_nodes, deleted_nodes = nodes[: len(listed)], nodes[len(listed) :]
    weights, is_listed = np.zeros(len(parents), np.uint64), np.zeros(len(parents), np.bool_)
    weights[listed_nodes] = list(map(weight_index.__getitem__, frequencies))
    is_listed[listed_nodes] = True
    weights[0], is_listed[0] = 0, True  # the root has no word, but those outside the block class
    slots, bases = kernels.pack_trie(parents, labels, _N_CODES)
    n_slots = int(slots.max()) + 1 + _N_CODES
    if not is_listed[parents[listed_nodes]].all() or n_slots >= _NO_SLOT:
        return None  # jieba does not find a word whose beginnings are not listed
    units = np.zeros(n_slots, np.uint64)
    parent_slots = np.where(parents == 0, _NO_SLOT, slots[parents]).astype(np.uint64)
    units[slots[1:]] = (parent_slots << 40 | bases.astype(np.uint64) << 16 | weights)[1:]
    deleted_slots = np.zeros(n_slots if deleted else 0, np.bool_)
    deleted_slots[slots[deleted_nodes[deleted_nodes > 0]]] = True
    emissions, hmm = _hmm_tables(codes)
    return {
        "codes": codes,
        "units": units,
        "emissions": emissions,
        "hmm": hmm,
        "deleted": deleted_slots,
        "frequencies": np.frombuffer(" ".join(map(str, [total, *distinct])).encode(), np.uint8),
    }


def _hmm_tables(codes: NDArray[np.uint16]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    finalseg = jieba_model()
    emissions = np.full((_N_CODES, len(_STATES)), _MIN_FLOAT)
    for column, state in enumerate(_STATES):
        emit: dict[str, float] = finalseg.emit_P[state]
        points = np.fromiter(map(ord, emit), np.int64, len(emit))
        emissions[codes[points], column] = np.fromiter(emit.values(), np.float64, len(emit))
    emissions[0] = _MIN_FLOAT
    start, transitions = finalseg.start_P, finalseg.trans_P
    hmm = [start[state] for state in _STATES]
    hmm += [transitions[previous].get(state, _MIN_FLOAT) for previous, state in _TRANSITIONS]
    return emissions, np.array(hmm, np.float64)


def _codes(points: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Number each character; frequent ones get low numbers, which packs the trie well."""
    codes = np.zeros(_N_POINTS, np.uint16)
    codes[[ord(character) for character in _ASCII_BLOCK]] = np.arange(1, kernels.FIRST_HAN)
    counts = np.bincount(points, minlength=_N_POINTS)[_HAN.start : _HAN.stop]
    order = np.argsort(-counts, kind="stable")
    codes[_HAN.start + order] = np.arange(kernels.FIRST_HAN, _N_CODES)
    return codes


def cache_folder() -> Path:
    """Return ``POLYROUGE_CACHE_DIR``, or else ``polyrouge`` in the user's cache folder."""
    if folder_setting := os.environ.get("POLYROUGE_CACHE_DIR"):
        return Path(folder_setting)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~\\AppData\\Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.path.expanduser(base), "polyrouge")
    # Without a home the path is relative, and would be below the current folder.
    return folder if folder.is_absolute() else Path(os.devnull, "polyrouge")


def read_arrays(name: str) -> dict[str, NDArray] | None:
    """Read the arrays that were written under a name; None if the file is missing, damaged or another user's."""
    try:
        with open(cache_folder() / f"{name}.npz", "rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            with np.load(file, allow_pickle=False) as arrays:  # zip files have checksums
                return dict(arrays)
    except Exception:  # a damaged zip file may look encrypted, of another version, ...
        return None


def _is_ours(status: os.stat_result) -> bool:
    """Say whether only this user, or root, can have written a file."""
    if sys.platform == "win32":  # a user's folder is closed to others
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_arrays(name: str, arrays: Mapping[str, NDArray]) -> None:
    """Write arrays, completely or not at all, if the folder allows it; keep only the latest files."""
    folder = cache_folder()
    temporary = None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=f"{name}.", delete=False) as file:  # for this user only
            temporary = file.name
            np.savez(file, **arrays)  # pyright: ignore[reportArgumentType] # its stubs take the names for options
        os.replace(temporary, folder / f"{name}.npz")
        temporary = None
        for old in sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)[:-_MOST_FILES]:
            old.unlink()
    except OSError:  # no folder, or a full disk
        pass
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def compiled_jieba_cutter(
    words: JiebaWords = None, *, hmm: bool = True, keep_blanks: bool = False, notes: InputNotes | None = None
) -> Callable[[str], list[str]]:
    """Make a ``jieba_cutter`` of the kernel; jieba itself cuts without tables of the words."""
    dictionary = jieba_dictionary(words)
    tables = jieba_tables(dictionary)
    if tables is None:
        if notes is not None:
            notes.notice(other_jieba=jieba_version())
        return jieba_cutter(dictionary, hmm=hmm, keep_blanks=keep_blanks)

    def cut(text: str) -> list[str]:
        data = text.encode()
        ends, _ = kernels.word_ends(np.frombuffer(data or b"\0", np.uint8), np.array([0, len(data)]), tables, hmm)
        return [data[start:end].decode() for start, end in pairwise([0, *ends.tolist()])]

    if keep_blanks:
        return cut
    return lambda text: [word for word in cut(text) if not word.isspace()]
