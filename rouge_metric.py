"""ROUGE as a Hugging Face ``evaluate`` metric: ``evaluate.load("polyrouge/rouge_metric")``.

This file is all that evaluate loads. The scores are made by the package ``polyrouge``, which must be installed.
"""

import contextlib
import inspect
import json
import os
import re
import warnings
from collections import Counter
from typing import Any, ClassVar

import datasets
import evaluate
from datasets.utils.filelock import FileLock, Timeout
from datasets.utils.py_utils import temp_seed

SCRIPT_VERSION = "0.1.0"  # of the package that this file was written for


def _install_command() -> str:
    """The pip command that brings the package from where this file came from: a clone, a Space, or our own."""
    origin = os.path.abspath(__file__)
    # evaluate writes where it found the script beside its copy, and the address beside a download.
    for record, key in ((os.path.splitext(origin)[0] + ".json", "original file path"), (None, "url")):
        with contextlib.suppress(FileNotFoundError), open(record or origin + ".json", encoding="utf-8") as file:
            origin = json.load(file)[key]
    folder = os.path.dirname(origin)
    if os.path.isfile(os.path.join(folder, "pyproject.toml")):
        return f'pip install "{folder}"'
    space = re.match(r"(https?://.+?/spaces/[^/]+/[^/]+)/resolve/([^/]+)/", origin)
    url = space[1] if space else "https://huggingface.co/spaces/polyrouge/rouge_metric"
    revision = f"@{space[2]}" if space and space[2] != "main" else ""
    return f'pip install "polyrouge @ git+{url}{revision}"'


# Not at the start of a line, where evaluate would check it: it would name one command, wherever this file came from,
# and would say nothing at all where it falls back on a copy in its cache.
try:
    import polyrouge
    from polyrouge.metric_card import CITATION, DESCRIPTION, KWARGS_DESCRIPTION
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "polyrouge":
        raise
    msg = f"rouge_metric needs the package polyrouge {SCRIPT_VERSION}, which is not installed: {_install_command()}"
    raise ModuleNotFoundError(msg, name="polyrouge") from None

if polyrouge.__version__ != SCRIPT_VERSION:
    warnings.warn(
        f"rouge_metric.py is of version {SCRIPT_VERSION}, the installed polyrouge of {polyrouge.__version__}, which "
        f"makes the scores and signs them. To have both of one version: {_install_command()}",
        polyrouge.RougeWarning,
        stacklevel=2,
    )

EVALUATE_OPTIONS = tuple(inspect.signature(evaluate.Metric).parameters)


def _refuse_positional(given: tuple[Any, ...], method: str, arguments: str) -> None:
    if given:
        msg = f"{method} takes its texts by name, as all metrics of evaluate do: {method}({arguments})."
        raise TypeError(msg)


def _is_empty(rows: Any) -> bool:
    return hasattr(rows, "__len__") and len(rows) == 0


@evaluate.utils.file_utils.add_start_docstrings(DESCRIPTION, KWARGS_DESCRIPTION)
class RougeMetric(evaluate.Metric):
    """The metric behind ``evaluate.load``: evaluate's files and locks around ``polyrouge.Rouge``.

    Args:
        config_name: name of a convention, ``"default"`` if None.
        seed: serves both: evaluate sets numpy's global generator to it during ``compute``, and it seeds our interval.
        **options: evaluate's own, and fields of ``polyrouge.RougeSettings``.
    """

    _computed: ClassVar[Counter[tuple[Any, ...]]] = Counter()
    """How often this process has computed an experiment with others."""

    def __init__(self, config_name: str | None = None, seed: int | None = None, **options: Any) -> None:
        own = {name: options.pop(name) for name in EVALUATE_OPTIONS if name in options}
        self._rouge = polyrouge.Rouge("default" if config_name is None else config_name, **options)
        if seed is not None:  # not as a setting of ours alone, which has no effect without an interval
            self._rouge.settings = self._rouge.settings.replace(seed=seed)
        self._reference_kind: polyrouge.ReferenceKind | None = None  # of the rows added so far
        # What needs none of evaluate's files is the package's own, and is sent to other processes as such.
        for name in ("settings", "signature", "score", "count", "score_batch", "explain", "for_trainer", "as_reward"):
            setattr(self, name, getattr(self._rouge, name))
        super().__init__(config_name=config_name, seed=seed, **own)
        self._experiment = (self.data_dir, self.experiment_id, self.num_process, self.process_id)

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=KWARGS_DESCRIPTION,
            features=[
                datasets.Features({"predictions": text, "references": text}),
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
            ],
            license="Apache-2.0",
            homepage="https://huggingface.co/spaces/polyrouge/rouge_metric",
            codebase_urls=["https://huggingface.co/spaces/polyrouge/rouge_metric"],
            reference_urls=["https://aclanthology.org/W04-1013"],
        )

    def _compute(self, predictions: Any, references: Any, settings: Any = None) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride] # evaluate's own modules do it so
        """Texts to a flat dict of floats; see ``polyrouge.Rouge.compute``."""
        return self._rouge.compute(predictions, references, **(settings or {}))  # pyright: ignore[reportArgumentType]

    def compute(
        self, *positional: Any, predictions: Any = None, references: Any = None, **settings: Any
    ) -> dict[str, Any] | None:
        """Compute the metric on what was added and on what is given.

        A call that is refused (a bad row, an unknown setting) leaves what was added as it was. One that fails
        later leaves nothing behind: what was added is gone, and the object works on. Of several processes some may
        have no rows.
        """
        if len(positional) == 1 and hasattr(positional[0], "label_ids"):
            self._rouge.compute(positional[0])  # says what to give the Trainer
        _refuse_positional(positional, "compute", "predictions=[...], references=[...]")
        self._rouge.options_with(settings)
        if predictions is not None or references is not None:
            if self.writer is None and self.num_process == 1:  # evaluate's files would only hold a copy
                with temp_seed(self.seed):
                    return self._compute(predictions, references, settings)
            self.add_batch(predictions=predictions, references=references)
        elif self.writer is None and self.num_process > 1:
            self._join_without_rows()
        elif self.writer is None:
            msg = "There is nothing to score: give predictions and references, or add some before."
            raise ValueError(msg)
        try:
            result = super().compute(settings=settings)
        except BaseException:
            self._discard()
            raise
        finally:
            self._computed[self._experiment] += 1
        self.filelocks = None  # released, but no pickle takes them
        return result

    def add_batch(self, *positional: Any, predictions: Any = None, references: Any = None, **unknown: Any) -> None:
        """Add rows of predictions and references; a batch with a bad row is refused whole."""
        _refuse_positional(positional, "add_batch", "predictions=[...], references=[...]")
        if unknown:
            msg = f"Unknown arguments {', '.join(unknown)}; rows are predictions and references."
            raise TypeError(msg)
        if self.num_process > 1 and _is_empty(predictions) and _is_empty(references):
            if self.writer is None:
                self._join_without_rows()
            return
        kind = None if self.writer is None else self._reference_kind
        rows = polyrouge.check_inputs(predictions, references, first_row=len(self), reference_kind=kind)
        self._reference_kind = rows.reference_kind
        as_texts = rows.reference_kind == "text" and self.num_process == 1  # another process may hold lists
        column = [row[0] for row in rows.references] if as_texts else list(rows.references)
        try:
            super().add_batch(predictions=rows.predictions, references=column)
        except BaseException:
            self._discard()
            raise

    def add(self, *positional: Any, prediction: Any = None, reference: Any = None, **unknown: Any) -> None:
        """Add one prediction and its reference, or its list of references."""
        _refuse_positional(positional, "add", "prediction=..., reference=...")
        # evaluate.combine and older scripts name the arguments in the plural here too
        if prediction is None and reference is None:
            prediction, reference = unknown.pop("predictions", None), unknown.pop("references", None)
        self.add_batch(predictions=[prediction], references=[reference], **unknown)

    # Not documented, as read in evaluate 0.4.6: _init_writer, _check_rendez_vous, writer, selected_feature_format,
    # filelock, filelocks, rendez_vous_lock, buf_writer, data. tests/test_evaluate_module.py drives them; read them in a
    # newer evaluate.

    def _join_without_rows(self) -> None:
        """Open this process's file, for which the first process waits; evaluate's own metrics leave it waiting."""
        self._reference_kind = None
        self.selected_feature_format = self.features[1]  # lists of references, as all processes write them
        self._init_writer()

    def _init_writer(self, timeout: int = 1) -> None:
        """Open this process's file of rows and, of several processes, wait until each has its own.

        evaluate takes the same files in every call. A process that is ahead of the first one would write rows of its
        next call into a file that the first one has still to read. So there are two sets of files in turn, and none is
        in use when its turn comes: a process waits in each call until the first one has come to it.
        """
        if self.num_process > 1:
            _, name, _, _ = self._experiment
            self.info.experiment_id = f"{name}-odd" if self._computed[self._experiment] % 2 else name
        super()._init_writer(timeout)

    def _check_rendez_vous(self) -> None:
        """Wait for the first process, one process at a time.

        Each tries to take the lock of the first process, to see whether that holds it. If two tried at once, one would
        take the other for the first process and go on alone, and the first one would later wait for it in vain.
        """
        lock = FileLock(os.path.join(self.data_dir, f"{self.experiment_id}-{self.num_process}-wait.lock"))
        try:
            with lock.acquire(timeout=self.timeout):
                super()._check_rendez_vous()
        except Timeout:
            msg = (
                f"Process {self.process_id} has waited {self.timeout} s for process 0 of the experiment "
                f"{self._experiment[1]!r}. All processes need the same experiment_id, num_process and cache_dir; "
                "timeout=... waits longer."
            )
            raise ValueError(msg) from None

    def _discard(self) -> None:
        """Drop what was added: close and remove evaluate's files, release its locks."""
        if self.writer is not None:
            with contextlib.suppress(Exception):
                self.writer.close()
        for lock in [*(self.filelocks or [self.filelock]), self.rendez_vous_lock]:
            if lock is not None:
                with contextlib.suppress(FileNotFoundError):  # the file of rows that it is for; in memory there is none
                    os.remove(lock.lock_file.removesuffix(".lock"))
                lock.release()
        self.writer = self.buf_writer = self.data = None
        self.filelock = self.filelocks = None
