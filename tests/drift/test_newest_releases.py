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

from polyrouge import CONVENTIONS, Rouge

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
    code: str  # defines score(prediction, reference or references), which gives some keys of Rouge.compute
    settings: dict = {}  # noqa: RUF012 # of the variant
    tables: str = ""  # folder of the tool's tables, in what is installed
    all_references: bool = False  # the tool gets the list of all, not the first


_F_OF_ROUGE = '{"rouge1": s["rouge-1"]["f"], "rouge2": s["rouge-2"]["f"], "rougeL": s["rouge-l"]["f"]}'
_LM_EVAL = 'bare("lm_eval", "lm_eval.tasks", "lm_eval.tasks.longbench")\nfrom lm_eval.tasks.longbench import metrics\n'
_EVALSCOPE = """
bare("evalscope", "evalscope.metrics", "evalscope.metrics.utils", "evalscope.utils")
stub("evalscope.utils.logger")
from evalscope.metrics.utils import rouge
"""
_OPENCOMPASS = """
bare("opencompass", "opencompass.openicl", "opencompass.openicl.icl_evaluator", "opencompass.utils")
stub("opencompass.registry", ICL_EVALUATORS=Register(), TEXT_POSTPROCESSORS=Register())
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
    "llamafactory": Tool(
        "llamafactory rouge-chinese",
        "llama_factory",
        'bare("llamafactory", "llamafactory.extras", "llamafactory.train", "llamafactory.train.sft")\n'
        'stub("torch")\nstub("transformers.utils", is_nltk_available=lambda: True)\n'
        'stub("llamafactory.extras.constants", IGNORE_INDEX=-100)\n'
        'stub("llamafactory.extras.misc", numpify=lambda array: array)\n'
        'stub("llamafactory.extras.packages", is_jieba_available=lambda: True, is_rouge_available=lambda: True)\n'
        "from llamafactory.train.sft.metric import ComputeSimilarity\n"
        "def score(p, r):\n"
        "    def decode(rows, **_):\n        return [[p, r][row[0]] for row in rows]\n"
        "    tokenizer = types.SimpleNamespace(pad_token_id=0, batch_decode=decode)\n"
        "    rows = types.SimpleNamespace(predictions=numpy.array([[0]]), label_ids=numpy.array([[1]]))\n"
        "    s = ComputeSimilarity(tokenizer)(rows)\n"
        '    return {"rouge1": s["rouge-1"], "rouge2": s["rouge-2"], "rougeL": s["rouge-l"]}',
    ),
    "lighteval": Tool(
        "lighteval rouge-score six absl-py",
        "lighteval",
        'bare("lighteval", "lighteval.metrics", "lighteval.utils")\n'
        'for name in ("huggingface_hub", "transformers", "scipy.stats", "pydantic",\n'
        '        "lighteval.metrics.normalizations", "lighteval.models.model_output", "lighteval.tasks.requests",\n'
        '        *(f"lighteval.metrics.imports.{name}" for name in ("bert_scorer", "data_stats_metric", "summac")),\n'
        '        *(f"lighteval.metrics.utils.{name}" for name in ("judge_utils", "llm_as_judge"))):\n'
        "    stub(name)\n"
        'stub("lighteval.utils.utils", as_list=list)\n'
        "from lighteval.metrics.metrics_sample import ROUGE\n"
        'rouge = ROUGE(["rouge1", "rouge2", "rougeL", "rougeLsum"])\n'
        "def score(p, r):\n"
        "    texts = types.SimpleNamespace(get_golds=lambda: r), types.SimpleNamespace(final_text=[p])\n"
        "    return {name: float(value) for name, value in rouge.compute(*texts).items()}",
        all_references=True,
    ),
    "torchmetrics": Tool(
        "torchmetrics",
        "torchmetrics",
        "sys.meta_path.pop()  # torch is installed\n"
        "from torchmetrics.functional.text.rouge import rouge_score\n"
        "def score(p, r):\n"
        '    s = rouge_score(p, r, rouge_keys=("rouge1", "rouge2", "rougeL"))\n'
        '    return {name: float(s[f"{name}_fmeasure"]) for name in ("rouge1", "rouge2", "rougeL")}',
        all_references=True,
    ),
    **{
        f"pytorch-ignite, {multiref}": Tool(
            "pytorch-ignite",
            "rouge_score",
            "sys.meta_path.pop()  # torch is installed\n"
            "from ignite.metrics import Rouge\n"
            f'metric = Rouge(variants=[1, 2, "L"], multiref="{multiref}")\n'
            "def score(p, r):\n"
            "    metric.reset()\n"
            "    metric.update(([p.split()], [[text.split() for text in r]]))\n"
            '    return {f"rouge{name[6]}": value for name, value in metric.compute().items() if name[-1] == "F"}',
            {
                "tokenizer": "space",
                "lowercase": False,
                "punctuation": "keep",
                "tool": {"alpha": 0.0},
                "multi_reference": rule,
            },
            all_references=True,
        )
        for multiref, rule in (("average", "pooled"), ("best", "best_recall"))
    },
    "py-rouge": Tool(
        "py-rouge",
        "py_rouge",
        'stub("pkg_resources", resource_filename=lambda _module, name: f"{TARGET}/rouge/{name}")\n'
        "import nltk.tokenize\n"
        "nltk.tokenize.sent_tokenize = lambda text, language: [text]  # of words and blanks\n"
        "import rouge\n"
        'scorer = rouge.Rouge(["rouge-n", "rouge-l"], max_n=2)\n'
        "def score(p, r):\n    s = scorer.get_scores([p], [r])\n"
        f"    return {_F_OF_ROUGE}",
        tables="rouge",
    ),
    "sumeval": Tool(
        "sumeval",
        "sumeval",
        "from sumeval.metrics.rouge import RougeCalculator\n"
        'of = RougeCalculator(stopwords=True, lang="en")\n'
        "def score(p, r):\n"
        '    return {"rouge1": of.rouge_n(p, r, 1), "rouge2": of.rouge_n(p, r, 2), "rougeL": of.rouge_l(p, r)}',
        tables="sumeval/metrics/lang/data",
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
        f'{_OPENCOMPASS}stub("opencompass.openicl.icl_evaluator.icl_base_evaluator", BaseEvaluator=object)\n'
        "from opencompass.openicl.icl_evaluator.icl_jieba_rouge_evaluator import JiebaRougeEvaluator\n"
        "def score(p, r):\n    return JiebaRougeEvaluator().score([p], [r])",
    ),
    "opencompass, MedBench": Tool(
        "opencompass rouge-chinese",
        "promptcblue",
        f'{_OPENCOMPASS}bare("opencompass.datasets", "opencompass.datasets.medbench")\n'
        'stub("opencompass.registry", ICL_EVALUATORS=Register(), LOAD_DATASET=Register())\n'
        'stub("opencompass.openicl.icl_evaluator", BaseEvaluator=object)\n'
        'for name in ("datasets", "evaluate", "sklearn.metrics", "opencompass.datasets.base",\n'
        '        "opencompass.datasets.medbench.math_equivalence", "opencompass.datasets.medbench.post_process"):\n'
        "    stub(name)\n"
        "from opencompass.datasets.medbench.medbench import calc_nlg_task_scores\n"
        "def score(p, r):\n"
        "    if not (p and r):  # left out\n        return {}\n"
        '    return {"rougeL": calc_nlg_task_scores([r], [p])["RougeL"]}',
    ),
    "opencompass, LV-Eval": Tool(
        "opencompass rouge",
        "lveval",
        f'{_OPENCOMPASS}bare("opencompass.datasets", "opencompass.datasets.lveval")\n'
        'stub("opencompass.openicl.icl_evaluator", BaseEvaluator=object)\n'
        "from opencompass.datasets.lveval.evaluators import LVEvalOPTRougeEvaluator\n"
        "class Chinese(LVEvalOPTRougeEvaluator):\n    def __init__(self):\n        self.language = 'zh'\n"
        "def score(p, r):\n"
        '    return {"rougeL": Chinese().score([p], [[r]])["LVEval_rouge"]}',
        tables="opencompass/datasets/lveval",
    ),
    "paddlenlp": Tool(
        "paddlenlp",
        "paddlenlp",
        'stub("paddle", metric=types.SimpleNamespace(Metric=object))\nbare("paddlenlp", "paddlenlp.metrics")\n'
        'stub("paddlenlp.metrics.utils")\nfrom paddlenlp.metrics.rouge import Rouge1, Rouge2, RougeL\n'
        "def score(p, r):\n    lcs = RougeL()\n    lcs.add_inst(p, [r])\n    n_grams = [Rouge1, Rouge2][:len(r)]\n"
        '    return {"rougeL": lcs.score(), **{f"rouge{n}": of().score([p], [r]) for n, of in enumerate(n_grams, 1)}}',
    ),
    "VLMEvalKit": Tool(
        "ms-vlmeval pycocoevalcap",
        "coco",
        'bare("vlmeval", "vlmeval.dataset")\n'
        'for name in ("vlmeval.smp", "vlmeval.smp.file"):\n    stub(name)\n'
        'stub("vlmeval.dataset.image_base", ImageBaseDataset=object)\n'
        "class NotAsked:  # which fails for blank texts\n"
        "    def __init__(self, n_orders=0):\n        self.score = [] if n_orders else 0.0\n"
        "    def method(self):\n        return ''\n"
        "    def compute_score(self, *_):\n        return self.score, []\n"
        'bare("pycocoevalcap", "pycocoevalcap.rouge")\n'
        'stub("pycocoevalcap.bleu.bleu", Bleu=NotAsked)\nstub("pycocoevalcap.cider.cider", Cider=NotAsked)\n'
        "from vlmeval.dataset.image_caption import COCO_Caption_Scorer\n"
        "def score(p, r):\n"
        '    return {"rougeL": float(COCO_Caption_Scorer({"0": [p]}, {"0": r}).compute_scores()["ROUGE_L"])}',
        {"scale": 100},
        all_references=True,
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
    pairs = [(row["prediction"], row["references"] if tool.all_references else row["references"][0]) for row in rows]
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
        ours = scores_of(tool, pair, tmp_path / "tool")
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


def scores_of(tool: Tool, pair: tuple[str, str | list[str]], folder: Path) -> dict | None:
    """What the convention gives: ``{"error": ...}`` where it refuses the pair, None where it leaves it out."""
    on_error = {} if CONVENTIONS[tool.convention].settings.on_error == "zero" else {"on_error": "raise"}
    settings = tool.settings | ({"tool": {"word_tables": str(folder / tool.tables)}} if tool.tables else {})
    predictions, references = [pair[0]], [pair[1]]
    if tool.convention == "modelscope":  # which scores nothing where all is left out
        predictions, references = [*predictions, "甲乙"], [*references, "甲乙"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Rouge(tool.convention, **on_error, **settings).compute(predictions, references)
    except ValueError as error:
        return None if "leaves out all" in str(error) else {"error": str(error)}
