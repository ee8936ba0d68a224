"""Messages in the words of who types a command: settings and arguments are options."""

import shlex

from polyrouge.errors import Option, sentence_of
from polyrouge.settings.allowed_values import Flag
from polyrouge.settings.rouge_settings import ALL_OPTIONS


def in_command(message: Exception | str) -> str:
    """Return the message with options as they are typed: ``--beta 2.0``, ``--no-use-stemmer``."""
    return "".join(part if isinstance(part, str) else _typed(part) for part in sentence_of(message))


def is_switch(name: str) -> bool:
    """Return whether the option of a setting takes no value: ``--use-stemmer`` or ``--no-use-stemmer``."""
    values = ALL_OPTIONS[name].values
    return isinstance(values, Flag) and not values.texts


def _typed(option: Option) -> str:
    name, value = option
    if name == "tool" and isinstance(value, dict):  # on the command line its rules are options like the others
        return " ".join(_typed(Option(*rule)) for rule in value.items())
    if not name.isidentifier():  # such as "A number of weights"
        return name
    dashed = f"--{name.replace('_', '-')}"
    if value is ...:
        return dashed
    if isinstance(value, bool) and (name not in ALL_OPTIONS or is_switch(name)):
        return dashed if value else dashed.replace("--", "--no-", 1)
    if value is None or isinstance(value, bool):
        return f"{dashed} {str(value).lower()}"
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return f"{dashed} {shlex.quote(text)}"
