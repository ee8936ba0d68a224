"""The newest release of each tool that a convention stands for, from PyPI, beside the convention: drift shows.

Only the file that scores is run, in another process; what it imports besides and does not need is stubbed.
"""

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest
import shared_data

from polyrouge import Rouge

pytestmark = pytest.mark.drift

STUBS = '''
import importlib.abc, importlib.machinery, json, sys, types
from unittest.mock import MagicMock

import jieba, nltk.translate.bleu_score, numpy

TARGET = sys.argv[1]
sys.path.insert(0, TARGET)


class Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Make a mock of each module that is not installed."""

    def find_spec(self, name, path, target=None):
        if name.startswith("six."):  # which makes its modules itself
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


def bare(*names):
    """Packages whose own code does not run, but whose modules are found."""
    for name in names:
        module = types.ModuleType(name)
        module.__path__ = [f"{TARGET}/{name.replace('.', '/')}"]
        sys.modules[name] = module


def stub(name, **attributes):
    module = types.ModuleType(name)
    module.__path__ = []
    module.__getattr__ = lambda attribute: MagicMock(name=attribute)
    vars(module).update(attributes)
    sys.modules[name] = module


class Register:
    def register_module(self, *_, **__):
        return lambda cls: cls


sys.meta_path.append(Missing())
'''
RUN = """
for line in sys.stdin:
    prediction, reference = json.loads(line)
    try:
        scores = score(prediction, reference)
    except Exception as error:
        scores = {"error": repr(error)}
    print("scores:" + json.dumps(scores))
"""


class Tool(NamedTuple):
    """How the score of one pair is made by a tool."""

    packages: str  # to install, the tool first
    convention: str
    code: str  # defines score(prediction, reference), which gives some keys of Rouge.compute
    settings: dict = {}  # noqa: RUF012 # of the variant


_F_OF_ROUGE = '{"rouge1": s["rouge-1"]["f"], "rouge2": s["rouge-2"]["f"], "rougeL": s["rouge-l"]["f"]}'
_LM_EVAL = 'bare("lm_eval", "lm_eval.tasks", "lm_eval.tasks.longbench")\nfrom lm_eval.tasks.longbench import metrics\n'
_EVALSCOPE = """
bare("evalscope", "evalscope.metrics", "evalscope.metrics.utils", "evalscope.utils")
stub("evalscope.utils.logger")
from evalscope.metrics.utils import rouge
"""
TOOLS = {
    "rouge": Tool(
        "rouge",
        "pltrdy",
        "from rouge import Rouge\ndef score(p, r):\n    s = Rouge().get_scores([p], [r], avg=True)\n"
        f"    return {_F_OF_ROUGE}",
    ),
    "rouge-chinese": Tool(
        "rouge-chinese",
        "rouge_chinese",
        "from rouge_chinese import Rouge\ndef score(p, r):\n    s = Rouge().get_scores([p], [r], avg=True)\n"
        f"    return {_F_OF_ROUGE}",
        {"segment": None},
    ),
    "rouge-score": Tool(
        "rouge-score six absl-py",
        "rouge_score",
        "from rouge_score.rouge_scorer import RougeScorer\n"
        'scorer = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])\n'
        "def score(p, r):\n    return {name: s.fmeasure for name, s in scorer.score(r, p).items()}",
        {"multi_reference": "first"},
    ),
    "ms-swift": Tool(
        "ms-swift rouge",
        "ms_swift",
        'bare("swift", "swift.metrics")\n'
        'for name in ("torch", "torch.distributed", "transformers", "swift.utils"):\n'
        "    stub(name)\n"
        "class Mean:\n    values = ()\n    def update(self, value):\n        self.values = [*self.values, value]\n"
        '    def compute(self):\n        return {"value": sum(self.values) / max(1, len(self.values))}\n'
        'stub("swift.metrics.base", EvalMetrics=object)\nstub("swift.metrics.utils", MeanMetric=Mean)\n'
        "from swift.metrics.nlg import compute_rouge_bleu\n"
        "def score(p, r):\n    s = compute_rouge_bleu([p], [r])\n"
        '    return {"rouge1": s["rouge-1"], "rouge2": s["rouge-2"], "rougeL": s["rouge-l"]}',
    ),
    "evalscope": Tool(
        "evalscope rouge-chinese",
        "evalscope",
        f"{_EVALSCOPE}\ndef score(p, r):\n    s = rouge.compute_rouge_score_one_sample_zh([p], [r])\n"
        '    return {"rouge1": s["Rouge-1-F"], "rouge2": s["Rouge-2-F"], "rougeL_recall": s["Rouge-L-R"]}',
        {"output": "all"},
    ),
    "evalscope, English": Tool(
        "evalscope rouge-chinese rouge-score six absl-py",
        "rouge_score",
        f"{_EVALSCOPE}\ndef score(p, r):\n    s = rouge.compute_rouge_score_one_sample([p], [r])\n"
        '    return {"rouge1": s["rouge-1-f"], "rouge2": s["rouge-2-f"], "rougeL": s["rouge-l-f"]}',
        {"tokenizer": "space", "lowercase": False, "punctuation": "keep"},
    ),
    "modelscope": Tool(
        "modelscope rouge",
        "modelscope",
        'bare("modelscope", "modelscope.metrics", "modelscope.utils")\nstub("modelscope.metainfo")\n'
        'stub("modelscope.metrics.base", Metric=object)\n'
        'stub("modelscope.metrics.builder", METRICS=Register(), MetricKeys=types.SimpleNamespace(\n'
        '    ROUGE_1="rouge1", ROUGE_L="rougeL", BLEU_1="bleu1", BLEU_4="bleu4"))\n'
        'stub("modelscope.utils.registry")\n'
        "from modelscope.metrics.text_generation_metric import TextGenerationMetric\n"
        "def score(p, r):\n    metric = TextGenerationMetric()\n"
        '    metric.add({"preds": [p, "甲乙"]}, {"tgts": [r, "甲乙"]})\n'
        "    s = metric.evaluate()\n"
        '    return {"rouge1": s["rouge1"], "rougeL": s["rougeL"]}',
    ),
    "lm-eval, longbench": Tool(
        "lm-eval rouge",
        "lm_eval_longbench",
        f'{_LM_EVAL}def score(p, r):\n    s = metrics.get_rouge_score({{"answers": [r]}}, [p])\n'
        '    return {"rougeL": s["rouge_score"]}',
    ),
    "lm-eval, longbench_zh": Tool(
        "lm-eval rouge",
        "lm_eval_longbench_zh",
        f'{_LM_EVAL}def score(p, r):\n    s = metrics.get_rouge_zh_score({{"answers": [r]}}, [p])\n'
        '    return {"rougeL": s["rouge_zh_score"]}',
    ),
    "opencompass": Tool(
        "opencompass rouge-chinese",
        "opencompass_zh",
        'bare("opencompass", "opencompass.openicl", "opencompass.openicl.icl_evaluator", "opencompass.utils")\n'
        'stub("opencompass.registry", ICL_EVALUATORS=Register(), TEXT_POSTPROCESSORS=Register())\n'
        'stub("opencompass.openicl.icl_evaluator.icl_base_evaluator", BaseEvaluator=object)\n'
        "from opencompass.openicl.icl_evaluator.icl_jieba_rouge_evaluator import JiebaRougeEvaluator\n"
        "def score(p, r):\n    return JiebaRougeEvaluator().score([p], [r])",
    ),
    "paddlenlp": Tool(
        "paddlenlp",
        "paddlenlp",
        'stub("paddle", metric=types.SimpleNamespace(Metric=object))\nbare("paddlenlp", "paddlenlp.metrics")\n'
        'stub("paddlenlp.metrics.utils")\nfrom paddlenlp.metrics.rouge import Rouge1, Rouge2, RougeL\n'
        "def score(p, r):\n    lcs = RougeL()\n    lcs.add_inst(p, [r])\n    n_grams = [Rouge1, Rouge2][:len(r)]\n"
        '    return {"rougeL": lcs.score(), **{f"rouge{n}": of().score([p], [r]) for n, of in enumerate(n_grams, 1)}}',
    ),
    "pycocoevalcap": Tool(
        "pycocoevalcap",
        "coco",
        'bare("pycocoevalcap", "pycocoevalcap.rouge")\nfrom pycocoevalcap.rouge.rouge import Rouge\n'
        'def score(p, r):\n    return {"rougeL": float(Rouge().calc_score([p], [r]))}',
    ),
}


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("name", TOOLS)
def test_newest_release_scores_as_the_convention(name, tmp_path):
    tool = TOOLS[name]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path / "tool")]
    subprocess.run([*install, *tool.packages.split()], check=True, timeout=600)
    script = tmp_path / "score.py"
    script.write_text(STUBS + tool.code + "\n" + RUN, encoding="utf-8")
    rows = shared_data.data_rows(shared_data.OWN_TEXTS).values()
    pairs = [(row["prediction"], row["references"][0]) for row in rows]
    run = subprocess.run(
        [sys.executable, "-X", "utf8", str(script), str(tmp_path / "tool")],
        input="\n".join(map(json.dumps, pairs)),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    theirs = [json.loads(line[7:]) for line in run.stdout.splitlines() if line.startswith("scores:")]
    assert len(theirs) == len(pairs)
    wrong, n = [], 0
    for pair, scores in zip(pairs, theirs, strict=True):
        ours = scores_of(tool, pair)
        if ours is None:  # left out of the mean
            continue
        n += 1
        if "error" in scores or "error" in ours:
            same = "error" in scores and "error" in ours
        else:
            same = {key: ours[key] for key in scores} == scores
        if not same:
            wrong.append((pair, scores, ours))
    print(
        f"{', '.join(folder.name for folder in Path(tmp_path / 'tool').glob('*.dist-info'))}: {n - len(wrong)} of {n}"
    )
    assert n > 70
    assert not wrong, (len(wrong), wrong[:3])


def scores_of(tool: Tool, pair: tuple[str, str]) -> dict | None:
    """What the convention gives: ``{"error": ...}`` where it refuses the pair, None where it leaves it out."""
    on_error = {} if Rouge(tool.convention).settings.on_error == "zero" else {"on_error": "raise"}
    predictions, references = [pair[0]], [pair[1]]
    if tool.convention == "modelscope":  # which scores nothing where all is left out
        predictions, references = [*predictions, "甲乙"], [*references, "甲乙"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Rouge(tool.convention, **{**on_error, **tool.settings}).compute(predictions, references)
    except ValueError as error:
        return None if "leaves out all" in str(error) else {"error": str(error)}
