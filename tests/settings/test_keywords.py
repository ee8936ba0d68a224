"""What editors and type checkers know of the settings that ``Rouge`` and its calls take by keyword."""

import inspect
import re
import subprocess
import sys

import pytest
from derived_texts import keyword_types
from new_process import ROOT

import polyrouge
from polyrouge import Rouge
from polyrouge.settings.keywords import RougeKeywords
from polyrouge.training.trainer import TRAINER_OPTIONS, TrainerKeywords, TrainerMetrics


def test_the_keywords_are_those_of_the_declarations_with_their_types():
    written = {name: each.__forward_arg__ for name, each in RougeKeywords.__annotations__.items()}
    assert list(written.items()) == list(keyword_types().items()), "make snapshot writes them."
    assert not RougeKeywords.__required_keys__


def test_the_keywords_of_a_trainer_are_its_options_too():
    own = {
        name: each
        for name, each in TrainerKeywords.__annotations__.items()
        if name not in RougeKeywords.__annotations__
    }
    parameters = inspect.signature(TrainerMetrics).parameters
    assert list(own) == list(TRAINER_OPTIONS)
    assert own == {name: parameters[name].annotation for name in own}
    assert TrainerKeywords.__annotations__.keys() - own.keys() == RougeKeywords.__annotations__.keys()


@pytest.mark.parametrize(
    ("function", "keywords"),
    [
        *((each, "RougeKeywords") for each in (Rouge.__init__, Rouge.compute, Rouge.score, Rouge.count, Rouge.explain)),
        (Rouge.score_batch, "RougeKeywords"),
        (polyrouge.rouge, "RougeKeywords"),
        (Rouge.for_trainer, "TrainerKeywords"),
    ],
)
def test_every_call_that_takes_settings_names_them(function, keywords):
    *_, last = inspect.signature(function).parameters.values()
    assert (last.kind, last.annotation) == (inspect.Parameter.VAR_KEYWORD, f"Unpack[{keywords}]")


SNIPPET = """
from pathlib import Path
from polyrouge import Rouge, rouge

metric = Rouge("zh_char", use_stemmer=True, rouge_types=["rouge1"], threads=2, stop_words={"a"}, tokenizer=str.split)
Rouge("pltrdy", tool={"lcs": "union"}, weights=[1, 2], subword_model=Path("x"), scale=100, confidence=None)
metric.compute(["a"], ["b"], confidence=0.95, engine="plain")
metric.for_trainer(None, num_samples=3, use_stemmer=True)
Rouge("zh_char", use_stemer=True)  # no
Rouge("zh_char", use_stemmer="yes")  # no
metric.compute(["a"], ["b"], use_stemer=True)  # no
metric.score(["a"], ["b"], best_reference=True, thread=1)  # no
metric.score_batch({}, "p", "r", rouge_type=["rouge1"])  # no
rouge("a", "b", use_stemer=True)  # no
metric.for_trainer(None, num_sample=3)  # no
metric.for_trainer(None, use_stemer=True)  # no
"""


@pytest.mark.process
def test_a_type_checker_finds_what_is_misspelt_and_nothing_else(tmp_path):
    script = tmp_path / "snippet.py"
    script.write_text(SNIPPET, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(
        f'{{"typeCheckingMode": "standard", "pythonVersion": "3.10", "extraPaths": ["{ROOT.as_posix()}"]}}', "utf-8"
    )
    command = [sys.executable, "-m", "basedpyright", "--project", str(tmp_path), str(script)]
    printed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    found = {int(line) for line in re.findall(r"snippet\.py:(\d+):\d+ - error", printed)}
    assert found == {n for n, line in enumerate(SNIPPET.split("\n"), 1) if line.endswith("# no")}, printed
