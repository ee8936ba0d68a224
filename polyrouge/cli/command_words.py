"""Messages of the package as the command line spells them: ``--sentence-split auto`` for ``sentence_split='auto'``."""

import ast
import re
import shlex

from polyrouge.settings.rouge_settings import ALL_SETTINGS

_OPTIONS = [name for name in ALL_SETTINGS if name != "use_aggregator"]
_FLAGS = ("use_stemmer", "jieba_hmm", "use_aggregator")
_NAMES = "|".join(sorted(_OPTIONS, key=len, reverse=True))
_LONG_NAMES = "|".join(name for name in _OPTIONS if "_" in name)
# A value after the equals sign: a text, a list, a number or name, an ellipsis.
_VALUE = r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]|\([^)]*\)|\.\.\.|[+-]?\w+(?:[.+-]\w+)*"
_ASSIGNMENT = re.compile(rf"(?<![\w'./-])({_NAMES}|test)=({_VALUE})")
_SUBJECT = re.compile(rf"^({_NAMES})(?=:| (?:is|holds|names|has|gives|asks)\b)")
_RULE = re.compile(r"tool=\{'(\w+)': ([^}]*)\}")  # on the command line an option like the others
# A name by itself, neither in quotes nor part of a path; words such as "weight" are words here.
_NAMED = re.compile(rf"(?<![\w'./-])({_LONG_NAMES})(?![\w'/=-]|\.\w)")


def in_command_words(message: str) -> str:
    """The message, with settings written as options of the command."""
    message = _RULE.sub(r"\1=\2", message)
    message = _ASSIGNMENT.sub(lambda match: _option(match[1], match[2]), message)
    message = _SUBJECT.sub(lambda match: _dashed(match[1]), message)
    return _NAMED.sub(lambda match: _dashed(match[1]), message)


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _option(name: str, source: str) -> str:
    """An option with its value, as a user types it."""
    option = _dashed(name)
    if name in _FLAGS and source in ("True", "False"):
        return option if source == "True" else option.replace("--", "--no-", 1)
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return f"{option} {source}"
    if value is None or isinstance(value, bool):
        return f"{option} {str(value).lower()}"
    if value is ...:
        return f"{option} ..."
    typed = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return f"{option} {shlex.quote(typed)}"
