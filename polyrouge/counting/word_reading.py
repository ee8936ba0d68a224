"""Reading for segmenters of languages, which take longer than all that comes after them.

Each distinct text of a call is cut once. A segmenter that keeps Python's lock while it cuts is given to processes, one
for each thread, where there is so much to cut that they are worth their start.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.reading.documents import Document, Readers, document_readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import TextRules
from polyrouge.texts.sentences import is_users_split

# Seconds a character of those that keep the lock: python -m benchmarks.segmenters.
_HOLD_THE_LOCK = {
    **dict.fromkeys(("ja_mecab", "ja_mecab_ipadic", "stability_ja", "sacrebleu_ja-mecab"), 1e-6),
    **dict.fromkeys(("ko_mecab", "ko_mecab_morphs", "sacrebleu_ko-mecab"), 3e-6),
    **dict.fromkeys(("th_newmm", "vi_words", "lo_words", "xlsum_thai", "helm_thai"), 1.5e-6),
    "km_words": 8e-6,
    "zh_pkuseg": 10e-6,
}
_WORTH_PROCESSES = 8.0  # seconds of cutting: some two seconds pass before a process cuts
_KEPT = 500_000  # characters of documents that are kept
_PACKAGE_PARENT = str(Path(__file__).parents[2])
_CODE = "import sys; sys.path[:] = {!r}; from polyrouge.counting.word_reading import serve; serve()"


class _Read(NamedTuple):
    """What a process gives back: documents, and the notes on their texts."""

    documents: list[Document]
    notes: TextNotes


@dataclass
class _Reading:
    """The texts that one thread is reading, for others that want some of them."""

    texts: list[str] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    ended: threading.Event = field(default_factory=threading.Event)


class WordReader:
    """Reads texts whose words a segmenter cuts, for all chunks and threads of a call; close it at its end.

    Args:
        rules: how to read.
        characters: how much there is to read; 0 for no processes.
        threads: that read at once.
    """

    def __init__(self, rules: TextRules, characters: int = 0, threads: int = 1) -> None:
        self._rules = rules
        self._documents: dict[str, Document] = {}
        self._under_way: dict[str, _Reading] = {}
        self._lock = threading.Lock()
        self._kept = 0
        self._free: queue.SimpleQueue[_WordProcess] = queue.SimpleQueue()
        seconds = characters * _HOLD_THE_LOCK.get(str(rules.tokenizer), 0.0)
        if threads > 1 and seconds > _WORTH_PROCESSES and _can_be_sent(rules):
            with contextlib.suppress(OSError):  # where none can be started, this process cuts
                for _ in range(threads):
                    self._free.put(_WordProcess(rules))

    def read(self, texts: Sequence[str], notes: TextNotes) -> list[Document]:
        """The documents of some texts, in their order; those that were read before are not read again."""
        found: dict[str, Document] = {}
        reading = _Reading()
        others: dict[str, _Reading] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if text in self._documents:
                    found[text] = self._documents[text]
                elif text in self._under_way:  # another thread reads it
                    others[text] = self._under_way[text]
                else:
                    self._under_way[text] = reading
                    reading.texts.append(text)
        try:
            if reading.texts:
                reading.documents = dict(zip(reading.texts, self._read(reading.texts, notes), strict=True))
        finally:
            with self._lock:
                self._keep(reading.documents)
                for text in reading.texts:
                    del self._under_way[text]
            reading.ended.set()
        found |= reading.documents
        for text, other in others.items():
            other.ended.wait()
            found[text] = other.documents[text] if text in other.documents else self._read([text], notes)[0]
        return [found[text] for text in texts]

    def readers(self, notes: TextNotes) -> Readers:
        """The same for an engine that reads text after text."""

        def read(text: str) -> Document:
            document = self._documents.get(text)
            return self.read([text], notes)[0] if document is None else document

        return Readers(read, read)

    def _keep(self, documents: dict[str, Document]) -> None:
        for text, document in documents.items():
            self._kept += len(text)
            if self._kept > _KEPT:
                self._documents, self._kept = {}, len(text)
            self._documents[text] = document

    def _read(self, texts: list[str], notes: TextNotes) -> list[Document]:
        with contextlib.suppress(queue.Empty):
            process = self._free.get_nowait()
            answer = process.read(texts)
            if answer is not None:
                self._free.put(process)
                notes.merge(answer.notes)
                return answer.documents
            process.close()
        read = document_readers(self._rules, notes).reference
        return list(map(read, texts))

    def close(self) -> None:
        """End the processes."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._free.get_nowait().close()


class _WordProcess:
    """Another process that reads texts; it ends with this one, as its input does."""

    def __init__(self, rules: TextRules) -> None:
        paths = [_PACKAGE_PARENT, *filter(None, sys.path)]  # as this process finds packages, so does that one
        self._process: Any = subprocess.Popen(  # noqa: S603 # ourselves
            [sys.executable, "-c", _CODE.format(list(dict.fromkeys(paths)))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process, which ends that one
        )
        self._send(rules)

    def _send(self, what: object) -> None:
        pickle.dump(what, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def read(self, texts: list[str]) -> _Read | None:
        """The documents of some texts; None if the process has ended, as by an error."""
        try:
            self._send(texts)
            return pickle.load(self._process.stdout)  # noqa: S301 # what we have written ourselves
        except (OSError, EOFError, pickle.UnpicklingError):
            return None

    def close(self) -> None:
        """End it; what it is doing is of no use any more."""
        self._process.kill()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def serve() -> None:
    """What a process does: read the texts of each message, until there is none any more."""
    given, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a segmenter prints is no answer
    with contextlib.suppress(EOFError):
        rules = pickle.load(given)  # noqa: S301 # of the process that started this one
        while True:
            texts = pickle.load(given)  # noqa: S301
            notes = TextNotes(rules)
            read = document_readers(rules, notes).reference
            pickle.dump(_Read(list(map(read, texts)), notes), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def _can_be_sent(rules: TextRules) -> bool:
    """Whether a process that knows nothing of this one's functions reads by these rules; and there may be one."""
    name = os.path.basename(sys.executable or "").lower()
    has_python = "python" in name and not getattr(sys, "frozen", False)
    split = rules.sentence_split
    own = isinstance(split, str) and not is_users_split(split)
    return has_python and own and rules.jieba_dict is None and rules.clean is None and rules.segment is None
