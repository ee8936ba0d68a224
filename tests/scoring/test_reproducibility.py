"""The same call gives the same bytes: on every run, in every process."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

_PROGRAM = """
import json, random, sys, warnings
from polyrouge import Rouge

warnings.simplefilter("ignore")
rng = random.Random(3)
words = "the cats sat happily on 今天 天气 很好 。 agreements were made 3.14 % U.S. привет ภาษา".split()
texts = [" ".join(rng.choices(words, k=rng.randint(0, 20))).replace("。 ", "。\\n") for _ in range(240)]
predictions, references = texts[:80], [texts[80 + 2 * i : 82 + 2 * i] for i in range(80)]
results = []
for name in ("default", "zh_char", "zh_word", "rouge_score"):
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]
    rouge = Rouge(name, rouge_types=types, output="all", confidence=0.95, use_stemmer=True)
    for _ in range(3):
        results.append(json.dumps({key: value.hex() for key, value in rouge.compute(predictions, references).items()}))
    results.append(rouge.signature())
sys.stdout.write("\\n".join(results))
"""


def printed(hash_seed: str) -> list[str]:
    """The lines that a process prints."""
    command, environment = [sys.executable, "-c", _PROGRAM], {"PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, capture_output=True, check=True, env=environment, text=True).stdout.splitlines()


def test_two_processes_and_three_runs_give_the_same_bytes():
    first = printed("1")

    assert first == printed("2")
    for start in range(0, len(first), 4):
        assert first[start] == first[start + 1] == first[start + 2]
        assert len(json.loads(first[start])) == 7 * 3 * 3
