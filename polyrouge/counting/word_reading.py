"""Read texts by segmenters of languages, which take longer than everything after them.

Each distinct text of a call is cut once. A segmenter that holds Python's lock while it cuts runs in processes, one for
each thread, if there is enough text.
"""

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

from polyrouge.documents.document import Document, Readers, readers_by_side
from polyrouge.documents.input_notes import InputNotes, ReadingNotes
from polyrouge.settings.rules import TextRules
from polyrouge.texts.sentences import is_users_split

# Seconds a character of segmenters that keep the lock: python -m benchmarks.studies.segmenters.
_HOLD_THE_LOCK = {
    **dict.fromkeys(("ja_mecab", "ja_mecab_ipadic", "stability_ja", "sacrebleu_ja-mecab"), 1e-6),
    **dict.fromkeys(("ko_mecab", "ko_mecab_morphs", "sacrebleu_ko-mecab"), 3e-6),
    **dict.fromkeys(("th_newmm", "vi_words", "lo_words", "xlsum_thai", "helm_thai"), 1.5e-6),
    "km_words": 8e-6,
    "zh_pkuseg": 10e-6,
}
_WORTH_PROCESSES = 8.0  # seconds of cutting; a process takes some two seconds to start
_CACHED = 500_000  # characters of cached documents
_PACKAGE_PARENT = str(Path(__file__).parents[2])
_CODE = "import sys; sys.path[:] = {!r}; from polyrouge.counting.word_reading import serve; serve()"


class WordReader:
    """Read texts by a segmenter, for all chunks and threads of a call; ``characters`` of 0 start no process."""

    def __init__(self, rules: TextRules, characters: int = 0, threads: int = 1) -> None:
        self._rules = rules
        self._documents: dict[str, Future[dict[str, Document]]] = {}  # one future for all texts of a call
        self._lock = threading.Lock()
        self._cached = 0
        self._free: queue.SimpleQueue[_WordProcess] = queue.SimpleQueue()
        seconds = characters * _HOLD_THE_LOCK.get(str(rules.tokenizer), 0.0)
        if threads > 1 and seconds > _WORTH_PROCESSES and _can_be_sent(rules):
            with contextlib.suppress(OSError):  # if no process can start, this one cuts
                for _ in range(threads):
                    self._free.put(_WordProcess(rules))

    def read(self, texts: Sequence[str], notes: InputNotes) -> list[Document]:
        """Read texts in order, each distinct text once."""
        new: list[str] = []
        reading: Future[dict[str, Document]] = Future()
        futures: dict[str, Future[dict[str, Document]]] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if text not in self._documents:
                    self._cached += len(text)
                    if self._cached > _CACHED:
                        self._documents, self._cached = {}, len(text)
                    self._documents[text] = reading
                    new.append(text)
                futures[text] = self._documents[text]
        try:
            reading.set_result(dict(zip(new, self._read(new, notes), strict=True)))
        except BaseException as error:
            reading.set_exception(error)
            raise
        return [futures[text].result()[text] for text in texts]

    def readers(self, notes: InputNotes) -> Readers:
        """``read`` for an engine that reads text after text."""

        def read(text: str) -> Document:
            return self.read([text], notes)[0]

        return Readers(read, read)

    def _read(self, texts: list[str], notes: InputNotes) -> list[Document]:
        with contextlib.suppress(queue.Empty):
            process = self._free.get_nowait()
            try:
                documents, reading = process.read(texts)
            except (OSError, EOFError, pickle.UnpicklingError):  # the process has crashed
                process.close()
            else:
                self._free.put(process)
                notes.reading |= reading
                return documents
        return list(map(readers_by_side(self._rules, notes).reference, texts))

    def close(self) -> None:
        """End the processes."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._free.get_nowait().close()


class _WordProcess:
    """Run another process that reads texts; its input ends with this process, and so does the other."""

    def __init__(self, rules: TextRules) -> None:
        paths = [_PACKAGE_PARENT, *filter(None, sys.path)]  # finds packages where this process does
        self._process: Any = subprocess.Popen(  # noqa: S603 # our own code
            [sys.executable, "-c", _CODE.format(list(dict.fromkeys(paths)))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C goes to this process, which ends the other
        )
        self._send(rules)

    def _send(self, message: object) -> None:
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def read(self, texts: list[str]) -> tuple[list[Document], ReadingNotes]:
        """Return the documents of texts, and the notes of reading them."""
        self._send(texts)
        return pickle.load(self._process.stdout)  # noqa: S301 # our own

    def close(self) -> None:
        """End the process at once."""
        self._process.kill()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def serve() -> None:
    """Read the texts of each message, until the input ends: the loop of a process."""
    messages, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps a segmenter's prints out of the answers
    with contextlib.suppress(EOFError):
        rules = pickle.load(messages)  # noqa: S301 # of the process that started this one
        while True:
            texts = pickle.load(messages)  # noqa: S301
            notes = InputNotes(rules)
            read = readers_by_side(rules, notes).reference
            pickle.dump((list(map(read, texts)), notes.reading), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def _can_be_sent(rules: TextRules) -> bool:
    """Say whether another process can run, with rules that hold no function of this one."""
    name = os.path.basename(sys.executable or "").lower()
    has_python = "python" in name and not getattr(sys, "frozen", False)
    is_own_split = isinstance(rules.sentence_split, str) and not is_users_split(rules.sentence_split)
    return has_python and is_own_split and rules.jieba_dict is None and not rules.prepare and rules.segment is None
