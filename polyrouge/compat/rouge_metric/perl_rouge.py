"""``rouge_metric.PerlRouge`` without Perl: the package ``polyrouge.rouge155`` behind that class's names."""

from __future__ import annotations

import glob
import os
import subprocess
from collections.abc import Sequence
from typing import Any

from polyrouge.compat.script_metric import script_as_polyrouge
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.rouge155 import Rouge155Options, Rouge155Task, evaluate_tasks
from polyrouge.rouge155.files import read_sentences155
from polyrouge.tools.rouge155 import split_sentences155


class PerlRouge:
    """Scores of ROUGE-1.5.5 with its bootstrap intervals, as ``rouge_metric.PerlRouge``.

    Args:
        rouge_n_max: ROUGE-1 to ROUGE-N.
        rouge_l: ROUGE-L.
        rouge_w: ROUGE-W.
        rouge_w_weight: its exponent, 1 to 5.
        rouge_s: ROUGE-S.
        rouge_su: ROUGE-SU.
        skip_gap: tokens allowed between the two of a skip-bigram; None for any.
        multi_ref_mode: ``"average"`` adds up the counts of all references, ``"best"`` takes the best.
        alpha: weight of precision in F, 0 to 1.
        stemming: Porter stems. The package's table of irregular words is empty, so there is none here either;
            ``polyrouge.compat.pyrouge`` has it.
        remove_stopwords: leave out the stop words, a file that the package ``rouge-metric`` brings along.
        word_limit: words of each text to look at.
        byte_limit: bytes of each text to look at.
        confidence: level of the intervals in per cent.
        resampling: resamples.
        temp_dir: not used: no file is written here.
        clean_up: not used.

    The arguments are looked at when something is scored, as there.
    """

    def __init__(
        self,
        rouge_n_max: int | None = 2,
        rouge_l: bool = True,
        rouge_w: bool = False,
        rouge_w_weight: float = 1.2,
        rouge_s: bool = False,
        rouge_su: bool = False,
        skip_gap: int | None = None,
        multi_ref_mode: str | None = "average",
        alpha: float | None = 0.5,
        stemming: bool = False,
        remove_stopwords: bool = False,
        word_limit: int | None = None,
        byte_limit: int | None = None,
        confidence: float | None = 95,
        resampling: int | None = 1000,
        temp_dir: str | None = "./.rouge_metric/",
        clean_up: bool = True,
    ) -> None:
        self.rouge_n_max = rouge_n_max
        self.rouge_l = rouge_l
        self.rouge_w = rouge_w
        self.rouge_w_weight = rouge_w_weight
        self.rouge_s = rouge_s
        self.rouge_su = rouge_su
        self.skip_gap = skip_gap
        self.multi_ref_mode = multi_ref_mode
        self.alpha = alpha
        self.stemming = stemming
        self.remove_stopwords = remove_stopwords
        self.word_limit = word_limit
        self.byte_limit = byte_limit
        self.confidence = confidence
        self.resampling = resampling
        self.temp_root = temp_dir
        self.clean_up = clean_up

    def evaluate(
        self, hypotheses: Sequence[str], multi_references: Sequence[Sequence[str]]
    ) -> dict[str, dict[str, Any]]:
        """Score texts; a line is a sentence.

        The resamples draw from the rows in the order of their numbers as strings. The package hands its rows to the
        script in the order in which the file system lists them, so its intervals, and its averages in the last
        digits, differ from one machine to another.

        Args:
            hypotheses: the texts to score.
            multi_references: for each of them the list of its references.

        Returns:
            For each kind (``"rouge-1"``, ``"rouge-l"``, ``"rouge-w-1.2"``, ``"rouge-su4"``) recall ``"r"``, precision
            ``"p"`` and F ``"f"``, 0 to 1, rounded to 5 digits as the script prints them; and behind each its interval
            ``"r_conf_int"`` and so on.

        Raises:
            ValueError: unequal numbers of hypotheses and reference lists, or an argument of the constructor that is
                not allowed.
            RuntimeError: a hypothesis has no reference.
            subprocess.CalledProcessError: ROUGE-W of a reference without tokens, at which the script dies.
            TypeError: a row is no text.
        """
        if len(hypotheses) != len(multi_references):
            raise ValueError(
                "Hypotheses and references must be the same size: there are "
                f"{len(hypotheses)} hypotheses and {len(multi_references)} lists of references."
            )
        for row, references in enumerate(multi_references):
            if isinstance(references, str):
                raise TypeError(f"multi_references[{row}] is a string; give the list of this hypothesis's references.")
            if not len(references):
                raise RuntimeError(f"Reference not found for hypothesis {row}: multi_references[{row}] is empty.")
        options = self._options()
        if not len(hypotheses):
            return {}
        inputs = check_inputs(hypotheses, multi_references, reference_kind="list")
        tasks = [
            Rouge155Task(f"{number}.A", split_sentences155(prediction), list(map(split_sentences155, references)))
            for number, (prediction, references) in enumerate(
                zip(inputs.predictions, inputs.references, strict=True), start=1
            )
        ]
        return self._result(tasks, options)

    def evaluate_from_files(self, hypothesis_dir: str, reference_dir: str) -> dict[str, dict[str, Any]]:
        """Score files; the references of ``summary1.txt`` are ``summary1.*``, a line is a sentence.

        Args:
            hypothesis_dir: folder with a file a hypothesis, read in the order of their names.
            reference_dir: folder with one file or more for each.

        Returns:
            As ``evaluate``.

        Raises:
            RuntimeError: a hypothesis has no reference.
            ValueError: as ``evaluate``.
            subprocess.CalledProcessError: as ``evaluate``.
        """
        options = self._options()
        tasks = []
        for path in _files(os.path.join(hypothesis_dir, "*")):
            stem, _ = os.path.splitext(os.path.basename(path))
            references = _files(os.path.join(reference_dir, f"{stem}.*"))
            if not references:
                raise RuntimeError(f"Reference not found for {path}")
            texts = [read_sentences155(file, "SPL") for file in (path, *references)]
            tasks.append(Rouge155Task(f"{len(tasks) + 1}.A", texts[0], texts[1:]))
        return self._result(tasks, options) if tasks else {}

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``, which has a signature and explanations; its stems know WordNet's exceptions.

        Raises:
            ValueError: an option that is not allowed, or n-grams above 9.
        """
        return script_as_polyrouge(self._options())

    def _options(self) -> Rouge155Options:
        """The script's options, checked in the package's words."""
        if self.confidence is not None and not 0 <= self.confidence <= 100:
            raise ValueError(f"Invalid confidence {self.confidence}: expected between [0, 100]")
        if self.multi_ref_mode is not None and self.multi_ref_mode not in ("average", "best"):
            raise ValueError(f"Invalid scoring_formula {self.multi_ref_mode}: expected (average, best)")
        if self.rouge_w and not self.rouge_w_weight >= 1:
            raise ValueError(f"Invalid rouge_w_weight {self.rouge_w_weight}: expected >= 1")
        if self.alpha is not None and not 0 <= self.alpha <= 1:
            raise ValueError(f"Invalid alpha {self.alpha}: expected between [0, 1]")
        if self.word_limit is not None and self.byte_limit is not None:
            raise ValueError("Cannot specify both word_limit and byte_limit")
        gap = -1 if self.skip_gap is None else self.skip_gap
        return Rouge155Options(
            max_n=max(0, self.rouge_n_max or 0),
            lcs=self.rouge_l,
            weight=self.rouge_w_weight if self.rouge_w else None,
            skip_gap=gap if self.rouge_s or self.rouge_su else None,
            skip_units="bigrams" if not self.rouge_su else "both" if self.rouge_s else "with_unigrams",
            stem=self.stemming,
            remove_stop_words=self.remove_stopwords,
            max_words=self.word_limit,
            max_bytes=self.byte_limit,
            multi_reference="best" if self.multi_ref_mode == "best" else "average",
            alpha=0.5 if self.alpha is None else self.alpha,
            confidence=95 if self.confidence is None else self.confidence,
            n_resamples=1000 if self.resampling is None else self.resampling,
        )

    def _result(self, tasks: list[Rouge155Task], options: Rouge155Options) -> dict[str, dict[str, Any]]:
        result = evaluate_tasks(tasks, options, exceptions={})  # none: its table of them is empty
        if result.error is not None:
            raise subprocess.CalledProcessError(255, "ROUGE-1.5.5", str(result.error)) from result.error
        found: dict[str, dict[str, Any]] = {}
        for metric, scores in result.metrics.items():
            name = f"ROUGE-W-{self.rouge_w_weight}" if metric.startswith("ROUGE-W") else metric
            of_metric = found[name.lower()] = {}
            for letter, line in (("r", scores.recall), ("p", scores.precision), ("f", scores.fmeasure)):
                if line is not None:
                    of_metric[letter] = line.average
                    of_metric[f"{letter}_conf_int"] = (line.low, line.high)
        return found


def _files(pattern: str) -> list[str]:
    return sorted(filter(os.path.isfile, glob.glob(pattern)))
