"""ROUGE as a Hugging Face ``evaluate`` metric: ``evaluate.load("polyrouge/rouge_metric")``.

evaluate's loader reads this file line by line and copies the siblings that it names, so every
module of ours is named here, also those that only another one needs. It imports evaluate, beside which
the garbage collector would take five times as long as loading our modules does.
"""

import contextlib
import os
from collections.abc import Callable
from typing import Any

import datasets
import evaluate
from datasets.utils.py_utils import temp_seed

from .garbage_pause import no_garbage_collection

with no_garbage_collection():
    from .inputs import Inputs, ReferenceKind, SingleReferences, check_inputs
    from .metric import Rouge
    from .metric_card import CITATION, DESCRIPTION, KWARGS_DESCRIPTION
    from .results import compute_result
    from .settings import RougeSettings

# Every module that travels along. evaluate's loader takes these lines for imports, as it knows only the other kind of
# quotes; it does not see those that are further in.
# fmt: off
_MODULES = '''
from .aggregation import column_means
from .bit_intrinsics import load_eight
from .code_points import character_table
from .compiled_engine import count_chunk
from .convention import Convention
from .conventions import find_convention
from .cutting_state import reading_state
from .distinct_kernels import find_firsts
from .documents import DocumentReader
from .draw_kernels import count_draws
from .engines import choose_engine
from .errors import warn_user
from .explanation import explain_example
from .explanation_html import explanation_html
from .generated_texts import TextReader
from .inputs import Inputs, ReferenceKind, SingleReferences, check_inputs
from .jieba_words import jieba_cutter
from .key_kernels import slot_of
from .lcs import lcs_length
from .lcs_kernels import count_lcs
from .metric import Rouge
from .metric_card import CITATION, DESCRIPTION, KWARGS_DESCRIPTION
from .ngram_kernels import count_ngrams
from .ngrams import count_ngrams
from .plain_engine import count_pair
from .porter_kernels import stem_in_place
from .process_group import process_count
from .py_rouge_texts import py_rouge_tokenizer
from .quirks import QUIRKS
from .refusals import refusal_of
from .results import compute_result
from .rewards import RougeReward
from .rouge155_texts import limit_sentences155
from .rouge155_words import tokenize155
from .rouge_types import parse_rouge_type
from .running_scores import RunningScores
from .sacrerouge_texts import sacrerouge_stem
from .sample_files import SampleFile
from .scan_kernels import scan_any
from .scorer import score_examples
from .scores import PairCounts
from .sentences import sentence_splitter
from .setting_checks import checked_number
from .settings import RougeSettings
from .signature import write_signature
from .skip_kernels import count_skip_bigrams
from .skipgrams import count_skip_bigrams
from .spaced_texts import spaced_texts
from .stem_kernels import StemMemory
from .sumeval_texts import sumeval_tokenizer
from .text_kernels import tokenize_texts
from .text_limits import limit_text
from .text_notes import TextNotes
from .text_processes import TextProcesses
from .token_filters import porter_stem
from .token_ids import TokenBatch
from .token_places import TokenPlacer
from .token_rows import read_rows
from .tokenization import build_tokenizer
from .tool_conventions import TOOL_CONVENTIONS
from .tool_lcs import type_union_lcs
from .tool_texts import text_preparation
from .tool_tokenizers import TOKENIZERS
from .traced_texts import TracedText
from .trainer import TrainerMetrics
from .unicode_words import unicode_words
from .union_lcs_kernels import count_union_lcs
from .unit_matches import match_units
from .weighted_lcs import weighted_lcs
from .weighted_lcs_kernels import count_weighted_lcs
from .xlsum_stems import xlsum_stem
from .xlsum_texts import xlsum_tokenizer
'''
# fmt: on


@evaluate.utils.file_utils.add_start_docstrings(DESCRIPTION, KWARGS_DESCRIPTION)
class RougeMetric(evaluate.Metric):
    """The metric behind ``evaluate.load``: evaluate's files and locks around ``Rouge``."""

    def __init__(
        self,
        config_name: str | None = None,
        keep_in_memory: bool = False,
        cache_dir: str | None = None,
        num_process: int = 1,
        process_id: int = 0,
        seed: int | None = None,
        experiment_id: str | None = None,
        hash: str = "",
        max_concurrent_cache_files: int = 10000,
        timeout: float = 100,
        **settings: Any,
    ) -> None:
        """Check the convention and the settings, then set up evaluate's own.

        ``seed`` serves both: evaluate sets numpy's global generator to it during ``compute``, and
        it seeds our interval.
        """
        if seed is not None:
            settings["seed"] = seed
        self._rouge = Rouge(config_name or "default", **settings)
        self._reference_kind: ReferenceKind | None = None  # of the rows added so far
        super().__init__(
            config_name=config_name,
            keep_in_memory=keep_in_memory,
            cache_dir=cache_dir,
            num_process=num_process,
            process_id=process_id,
            seed=seed,
            experiment_id=experiment_id,
            hash=hash,
            max_concurrent_cache_files=max_concurrent_cache_files,
            timeout=timeout,
        )

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

    @property
    def settings(self) -> RougeSettings:
        """The ``RougeSettings`` of this object."""
        return self._rouge.settings

    def signature(self) -> str:
        """One line that names every setting able to move a score; put it beside the numbers."""
        return self._rouge.signature()

    def score(self, predictions: Any, references: Any, **options: Any) -> dict:
        """Score each example, as columns; see ``Rouge.score``. Nothing that was added is touched."""
        return self._rouge.score(predictions, references, **options)

    def explain(self, prediction: str, reference: Any, **settings: Any) -> Any:
        """Say where the hits of a prediction and its references stand; see ``Rouge.explain``."""
        return self._rouge.explain(prediction, reference, **settings)

    @property
    def score_batch(self) -> Callable[..., dict[str, list[float]]]:
        """Adds the scores of each row to a data set; see ``Rouge.score_batch``.

        The function is that of the object inside, so that workers are sent no files and no locks.
        """
        return self._rouge.score_batch

    def for_trainer(self, processing_class: Any = None, **options: Any) -> Any:
        """Return a ``compute_metrics`` for a Trainer, without evaluate's files; see ``Rouge.for_trainer``."""
        return self._rouge.for_trainer(processing_class, **options)

    def as_reward(self, **options: Any) -> Any:
        """Return a reward function in TRL's shape, without evaluate's files; see ``Rouge.as_reward``."""
        return self._rouge.as_reward(**options)

    def compute(self, *, predictions: Any = None, references: Any = None, **settings: Any) -> dict | None:
        """Compute the metric on what was added and on what is given.

        A call that is refused (a bad row, an unknown setting) leaves what was added as it was. One
        that fails later leaves nothing behind: what was added is gone, and the object works on.
        """
        chosen = self._rouge.settings_with(settings)
        if predictions is not None or references is not None:
            inputs = self._checked(predictions, references)
            if self.writer is None and self.num_process == 1:  # all is here: evaluate's files would only hold a copy
                with temp_seed(self.seed):
                    return compute_result(inputs, chosen)
            self._write(inputs)
        elif self.writer is None:
            msg = "There is nothing to score: give predictions and references, or add some before."
            raise ValueError(msg)
        try:
            result = super().compute(settings=chosen)
        except BaseException:
            self._discard()
            raise
        self.file_paths = self.filelocks = None
        return result

    def add_batch(self, *, predictions: Any = None, references: Any = None, **unknown: Any) -> None:
        """Add rows of predictions and references.

        A batch with a bad row is refused whole.
        """
        self._refuse(unknown)
        self._write(self._checked(predictions, references))

    def add(self, *, prediction: Any = None, reference: Any = None, **unknown: Any) -> None:
        """Add one prediction and its reference, or its list of references."""
        # evaluate.combine and older scripts name the arguments in the plural here too
        if prediction is None and reference is None:
            prediction, reference = unknown.pop("predictions", None), unknown.pop("references", None)
        self._refuse(unknown)
        self._write(self._checked([prediction], [reference]))

    def _compute(self, predictions: list[str], references: list[Any], settings: RougeSettings | None = None) -> dict:  # pyright: ignore[reportIncompatibleMethodOverride] # evaluate's own modules do it so
        kind = "text" if isinstance(references[0], str) else "list"
        rows = SingleReferences(references) if kind == "text" else references
        return compute_result(Inputs(predictions, rows, kind), settings or self._rouge.settings)

    def _checked(self, predictions: Any, references: Any) -> Inputs:
        """The rows, checked before evaluate could make something else of them."""
        kind = None if self.writer is None else self._reference_kind
        return check_inputs(predictions, references, first_row=len(self), reference_kind=kind)

    def _write(self, inputs: Inputs) -> None:
        """Hand checked rows to evaluate's storage."""
        references: list = [*inputs.references]
        if isinstance(inputs.references, SingleReferences) and self.num_process == 1:
            references = inputs.references.texts  # of several processes, some may hold lists
        self._reference_kind = inputs.reference_kind
        try:
            super().add_batch(predictions=inputs.predictions, references=references)
        except BaseException:
            self._discard()
            raise

    def _refuse(self, unknown: dict[str, Any]) -> None:
        if unknown:
            msg = f"Unknown arguments {', '.join(unknown)}; rows are predictions and references."
            raise TypeError(msg)

    def _discard(self) -> None:
        """Drop what was added: close and remove evaluate's files, release its locks."""
        paths = self.file_paths or [self.cache_file_name]
        locks = self.filelocks or [self.filelock]
        if self.writer is not None:
            with contextlib.suppress(Exception):
                self.writer.close()
        for path in paths:
            if path is not None:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(path)
        for lock in [*locks, self.rendez_vous_lock]:
            if lock is not None:
                lock.release()
        self.writer = self.buf_writer = self.data = None
        self.cache_file_name = self.filelock = self.file_paths = self.filelocks = None
        self.selected_feature_format = None
