"""The same call gives the same bytes: on every run, in every process."""

import json
import subprocess
import sys

import pytest

from polyrouge import Rouge

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


@pytest.fixture(scope="module")
def outputs() -> list[list[str]]:
    """What two processes with different hash seeds print."""
    return [
        subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}, text=True
        ).stdout.splitlines()
        for seed in ("1", "2")
    ]


def test_two_processes_and_three_runs_give_the_same_bytes(outputs):
    first, second = outputs

    assert first == second
    for start in range(0, len(first), 4):
        assert first[start] == first[start + 1] == first[start + 2]
        assert len(json.loads(first[start])) == 7 * 3 * 3


SENTENCES = {
    "Arabic": "اللغة العربية جميلة",
    "Armenian": "Հայերեն լեզու",
    "Bengali": "বাংলা ভাষা",
    "Chinese": "今天天气很好",
    "Georgian": "ქართული ენა",
    "Greek": "Ελληνική γλώσσα",
    "Hebrew": "שפה עברית",
    "Hindi": "हिन्दी भाषा सुंदर है",
    "Japanese": "東京へ行きました",
    "Khmer": "ភាសាខ្មែរ",
    "Korean": "한국어 문장입니다",
    "Lao": "ພາສາລາວ",
    "Myanmar": "မြန်မာဘာသာ",
    "Persian": "می‌خواهم بروم",
    "Russian": "Русский язык",
    "Tamil": "தமிழ் மொழி",
    "Thai": "ภาษาไทยไม่มีช่องว่าง",
    "Tibetan": "བོད་སྐད་ཡིན",
    "Ukrainian": "українська мова",
    "Vietnamese": "tiếng Việt đẹp",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_identical_texts_score_1_in_every_language(language):
    text = SENTENCES[language]

    result = Rouge(sentence_split="none").compute([text], [text])

    assert {"rouge1": 1.0, "rouge2": 1.0, "rougeL": 1.0, "rougeLsum": 1.0} == result
