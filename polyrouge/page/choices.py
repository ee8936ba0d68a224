"""The choices of the page in plain words: what each stands for, in Python, and in a link."""

import functools
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlencode

from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import hearing_warnings
from polyrouge.metric import Rouge
from polyrouge.page.wording import say
from polyrouge.scoring.scores import point_scale

TYPES = ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")
RULES = ("best", "best_recall", "mean", "pooled", "jackknife", "first")
SPLITS = ("newline", "zh", "auto", "none")
_LONGEST_LINK = 6_000  # characters
_FLAGS = ("stemmer", "nfkc")
_PLAIN = ("default", "zh_char", "zh_word", "rouge_score", "rouge_score_stem")  # those with words of their own
_LANGUAGES = ("ja_word", "ko_word", "th_word", "vi_word")
CHOICES: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in CONVENTIONS},
    "rouge_score_stem": ("rouge_score", {"use_stemmer": True}),
}
_CHINESE = (
    "rouge_chinese", "llama_factory", "ms_swift", "chatglm", "opencompass_zh", "longbench_zh", "lcsts", "t5_pegasus",
    "dureader", "lawrouge", "xlsum",
)  # fmt: skip


class Choice(NamedTuple):
    """What a visitor chose; what is empty is left to the convention."""

    convention: str = "default"  # key of CHOICES
    types: tuple[str, ...] = ()  # of TYPES
    stemmer: bool = False
    rule: str = ""  # of RULES
    split: str = ""  # of SPLITS
    nfkc: bool = False

    def keywords(self) -> tuple[str, dict[str, Any]]:
        """Return the convention, and the settings that change it; scores of the page are points of 100."""
        convention, own_settings = CHOICES[self.convention]
        settings = dict(own_settings)
        if self.types:
            settings["rouge_types"] = [name for name in TYPES if name in self.types]
            if CONVENTIONS[convention].settings.weights is not None:
                settings["weights"] = None  # they are those of its own types
        choices = {"use_stemmer": self.stemmer, "multi_reference": self.rule, "sentence_split": self.split}
        choices["normalize"] = "nfkc" if self.nfkc else ""
        points = point_scale(CONVENTIONS[convention].settings)
        choices["scale"] = 0 if CONVENTIONS[convention].settings.scale == points else points
        return convention, settings | {name: value for name, value in choices.items() if value}

    def rouge(self, confidence: float | None = None) -> Rouge:
        """Return the metric, with precision and recall; raises ``ValueError`` for settings that don't go together."""
        convention, settings = self.keywords()
        settings |= {"output": "all", "confidence": confidence} if confidence else {"output": "all"}
        return Rouge(convention, **settings)

    def python(self, prediction: str, references: list[str]) -> str:
        """Lines of Python that print the same numbers."""
        convention, settings = self.keywords()
        options = "".join(f", {name}={value!r}" for name, value in {**settings, "output": "all"}.items())
        return (
            f"from polyrouge import Rouge\n\npredictions = {[prediction]!r}\nreferences = {[references]!r}\n"
            f"rouge = Rouge({convention!r}{options})\nprint(rouge.compute(predictions, references))\n"
        )


def choice_labels(language: str) -> list[tuple[str, str]]:
    """Pairs of label and key for a list of choices: plain words first, tools for Chinese, words of languages, others.

    Tools whose tables or packages are not on this machine are left out.
    """
    labels = [(say(language, f"choice_{name}"), name) for name in _PLAIN]
    other_conventions = [name for name in CONVENTIONS if name not in (*_PLAIN, *_CHINESE, *_LANGUAGES)]
    for group, names in (("groupChinese", _CHINESE), ("groupLanguages", _LANGUAGES), ("groupOther", other_conventions)):
        for name in filter(runs_here, names):
            # Up to the first comma or semicolon, without what is in brackets.
            tool = re.split(r"[,;]", re.sub(r"\s*\([^)]*\)", "", CONVENTIONS[name].reproduces))[0].strip()
            label = f"choice_{name}" if name in _LANGUAGES else "choice_of"
            labels.append((say(language, group) + say(language, label, name=name, tool=tool), name))
    return labels


@functools.cache
def runs_here(name: str) -> bool:
    """Return whether a convention finds all the packages and tables that it needs."""
    try:
        with hearing_warnings(), suppress(ValueError):  # a tool that refuses this text is there
            Rouge(name).compute(["a b"], ["a b"])
    except (FileNotFoundError, ModuleNotFoundError):
        return False
    return True


def settings_query(choice: Choice) -> dict[str, str]:
    """What a link says of a choice; ``read_link`` reads it."""
    flags = {name: "1" if getattr(choice, name) else "" for name in _FLAGS}
    settings = {**choice._asdict(), **flags, "types": ",".join(choice.types)}
    return {name: value for name, value in settings.items() if value}


def link_query(choice: Choice, prediction: str, references: str) -> tuple[str, bool]:
    """Return the query of a link, and whether it has the texts: without them if it would be too long."""
    settings = settings_query(choice)
    if len(prediction) + len(references) <= _LONGEST_LINK:
        full_query = urlencode({**settings, "prediction": prediction, "references": references})
        if len(full_query) <= _LONGEST_LINK:
            return full_query, True
    return urlencode(settings), False


def read_link(query: Mapping[str, str]) -> tuple[Choice, list[str]]:
    """Return the choice that a link describes, and what in the link is unknown and left out."""
    types = [name for name in query.get("types", "").split(",") if name]
    unknown = [f"types={name[:40]}" for name in types if name not in TYPES]
    allowed = {"convention": CHOICES, "rule": RULES, "split": SPLITS, **dict.fromkeys(_FLAGS, ("1",))}
    values: dict[str, Any] = {name: query[name] for name in allowed if query.get(name)}
    for name, value in tuple(values.items()):
        if value not in allowed[name] or (name == "convention" and not runs_here(CHOICES[value][0])):
            unknown.append(f"{name}={value[:40]}")
            del values[name]
    values |= {name: True for name in _FLAGS if name in values}
    return Choice(types=tuple(name for name in TYPES if name in types), **values), unknown
