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
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from polyrouge.documents.document import Document, Readers, document_readers
from polyrouge.documents.input_notes import InputNotes
from polyrouge.settings.rules import TextRules
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


class WordReader:
    """Reads texts whose words a segmenter cuts, for all chunks and threads of a call; close it at its end.

    ``characters`` says how much there is to read, 0 for no processes; ``threads`` how many read at once.
    """

    def __init__(self, rules: TextRules, characters: int = 0, threads: int = 1) -> None:
        self._rules = rules
        self._documents: dict[str, Future[dict[str, Document]]] = {}  # a future for all that one thread reads at once
        self._lock = threading.Lock()
        self._kept = 0
        self._free: queue.SimpleQueue[_WordProcess] = queue.SimpleQueue()
        seconds = characters * _HOLD_THE_LOCK.get(str(rules.tokenizer), 0.0)
        if threads > 1 and seconds > _WORTH_PROCESSES and _can_be_sent(rules):
            with contextlib.suppress(OSError):  # where none can be started, this process cuts
                for _ in range(threads):
                    self._free.put(_WordProcess(rules))

    def read(self, texts: Sequence[str], notes: InputNotes) -> list[Document]:
        """The documents of some texts, in their order; those that were read before are not read again."""
        new: list[str] = []
        reading: Future[dict[str, Document]] = Future()
        found: dict[str, Future[dict[str, Document]]] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if text not in self._documents:
                    self._kept += len(text)
                    if self._kept > _KEPT:
                        self._documents, self._kept = {}, len(text)
                    self._documents[text] = reading
                    new.append(text)
                found[text] = self._documents[text]
        try:
            reading.set_result(dict(zip(new, self._read(new, notes), strict=True)))
        except BaseException as error:
            reading.set_exception(error)
            raise
        return [found[text].result()[text] for text in texts]

    def readers(self, notes: InputNotes) -> Readers:
        """The same for an engine that reads text after text."""

        def read(text: str) -> Document:
            return self.read([text], notes)[0]

        return Readers(read, read)

    def _read(self, texts: list[str], notes: InputNotes) -> list[Document]:
        with contextlib.suppress(queue.Empty):
            process = self._free.get_nowait()
            try:
                documents, its_notes = process.read(texts)
            except (OSError, EOFError, pickle.UnpicklingError):  # it has ended, as by an error
                process.close()
            else:
                self._free.put(process)
                notes.merge(its_notes)
                return documents
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

    def read(self, texts: list[str]) -> tuple[list[Document], InputNotes]:
        """The documents of some texts, and the notes on them."""
        self._send(texts)
        return pickle.load(self._process.stdout)  # noqa: S301 # what we have written ourselves

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
            notes = InputNotes(rules)
            read = document_readers(rules, notes).reference
            pickle.dump((list(map(read, texts)), notes), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def _can_be_sent(rules: TextRules) -> bool:
    """Whether a process that knows nothing of this one's functions reads by these rules; and there may be one."""
    name = os.path.basename(sys.executable or "").lower()
    has_python = "python" in name and not getattr(sys, "frozen", False)
    split = rules.sentence_split
    own = isinstance(split, str) and not is_users_split(split)
    return has_python and own and rules.jieba_dict is None and rules.clean is None and rules.segment is None
