"""What evaluate's loader makes of this repository: from a path, from the Hub, and from its cache."""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import evaluate
import pytest
from evaluate.loading import get_imports

from polyrouge import Rouge

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "rouge_metric.py"
HUB_NAME = "polyrouge/rouge_metric"

# Modules of ours lie on sys.path on a Space; these names would hide what other packages import.
WELL_KNOWN = """
    accelerate bert_score click config datasets dill evaluate filelock fsspec gradio huggingface_hub jieba
    jinja2 multiprocess nltk numba numpy packaging pandas polars py_rouge pyarrow pyspark ray regex requests
    rich rouge rouge_chinese rouge_score sacrebleu sacrerouge scipy sklearn summ_eval tests tokenize
    tokenizer tokenizers torch torchmetrics tqdm transformers typer uniseg utils wandb xxhash yaml
"""

PREDICTIONS = ["今天天气很好。出门走走", "The cat sat\non the mat", "café au lait"]
REFERENCES = ["今天天气不错。出门走走吧", "the cat\nlay on a mat", "thé au lait"]

# name: (arguments, keywords) after the path; and for the bad ones the error and a part of its message.
GOOD_LOADS = {
    "nothing": ([], {}),
    "convention": (["zh_char"], {}),
    "setting": ([], {"rouge_types": ["rouge1"], "scale": 100}),
    "seed": ([], {"seed": 5, "confidence": 0.5, "n_resamples": 9}),
    "keep_in_memory": ([], {"keep_in_memory": True}),
    "cache_dir": ([], {"cache_dir": "rows"}),
    "experiment_id": ([], {"experiment_id": "run7"}),
    "module_type": ([], {"module_type": "metric"}),
}
BAD_LOADS = {
    "convention": (["zh_wrod"], {}, "ValueError", "Did you mean 'zh_word'?"),
    "keyword": ([], {"use_stemer": True}, "TypeError", "Did you mean 'use_stemmer'?"),
    "tokenizer": ([], {"tokenizer": "jeiba"}, "ValueError", "Did you mean 'jieba'?"),
    "type": ([], {"rouge_types": ["rougeLSum"]}, "ValueError", "Did you mean 'rougeLsum'?"),
    "choice": ([], {"lcs": "unoin"}, "ValueError", "Did you mean 'union'?"),
    "choice beside a convention": (["zh_char"], {"empty": "skipp"}, "ValueError", "Did you mean 'skip'?"),
    "number": ([], {"beta": -1}, "ValueError", "it must be at least 0"),
    "type of a number": ([], {"max_words": "3"}, "TypeError", "max_words is '3'; give a whole number or None"),
    "string for a list": ([], {"rouge_types": "rouge1"}, "TypeError", "['rouge1']"),
}

# The children below print one line of JSON; what they import before our code is theirs, not ours.
LOAD_FROM_PATH = """
import json, sys
import evaluate

script, predictions, references, good, bad = json.loads(sys.stdin.read())
before = {name.partition(".")[0] for name in sys.modules}
rouge = evaluate.load(script)
after = {name.partition(".")[0] for name in sys.modules}
report = {"module": type(rouge).__module__, "loaded": sorted(after - before)}
report["folder"] = type(evaluate.load(script.removesuffix("/rouge_metric.py"))).__module__
report["good"] = {}
for name, (args, options) in good.items():
    rouge = evaluate.load(script, *args, **options)
    rouge.add(prediction=predictions[0], reference=references[0])
    report["good"][name] = {
        "path": rouge.cache_file_name,
        "result": rouge.compute(predictions=predictions[1:], references=references[1:]),
        "signature": rouge.signature(),
        "seeds": [int(rouge.seed), rouge.settings.seed],
    }
report["bad"] = {}
for name, (args, options, *_) in bad.items():
    try:
        evaluate.load(script, *args, **options)
    except Exception as error:
        report["bad"][name] = [type(error).__name__, str(error)]
report["files"] = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
print(json.dumps(report))
"""
LOAD_BY_NAME = """
import json, sys
import evaluate

name, predictions, references = json.loads(sys.stdin.read())
report = {}
for convention in (None, "zh_word"):
    rouge = evaluate.load(name, convention)
    report[str(convention)] = [type(rouge).__module__, rouge.compute(predictions=predictions, references=references)]
print(json.dumps(report))
"""


def imports_of(path):
    """(dots, module) of each ``from ... import`` in a file, wherever it stands."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [(node.level, node.module or "") for node in nodes if isinstance(node, ast.ImportFrom)]


def reachable_siblings():
    """Modules of ours that rouge_metric.py needs, siblings of siblings too."""
    found, todo = set(), [SCRIPT]
    while todo:
        names = {name for dots, name in imports_of(todo.pop()) if dots}
        todo += [ROOT / f"{name}.py" for name in names - found]
        found |= names
    return sorted(found)


def named_siblings():
    return [name for kind, name, *_ in get_imports(str(SCRIPT)) if kind == "internal"]


def run_child(code, home, message, **variables):
    """Run code in a fresh process whose caches lie below ``home`` and whose folder is an empty one."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("HF_") and not name.lower().endswith("_proxy") and name != "PYTHONPATH"
    }
    environment |= {
        "HF_HOME": str(home),
        "HF_MODULES_CACHE": str(home / "modules"),
        "HF_METRICS_CACHE": str(home / "metrics"),
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    }
    elsewhere = home / "elsewhere"
    elsewhere.mkdir(parents=True, exist_ok=True)
    child = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(message),
        env=environment | variables,
        cwd=elsewhere,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return child.stdout


class Hub(ThreadingHTTPServer):
    """The Hub as evaluate sees it: the files of one Space at the revision main, and no other."""

    def __init__(self):
        self.requests = []
        super().__init__(("127.0.0.1", 0), HubRequest)


class HubRequest(BaseHTTPRequestHandler):
    server: Hub  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.wfile.write(self.answer())

    def answer(self):
        self.server.requests.append((self.command, self.path))
        match = re.fullmatch(rf"/spaces/{HUB_NAME}/resolve/main/([\w.]+)", self.path)
        content = (ROOT / match[1]).read_bytes() if match and (ROOT / match[1]).is_file() else b""
        self.send_response(200 if content else 404)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.end_headers()
        return content

    def log_request(self, code="-", size="-"):
        """Keep quiet."""


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """What a process reports that loads a copy of only the script and the siblings that it names."""
    home = tmp_path_factory.mktemp("home")
    copy = tmp_path_factory.mktemp("copy") / "rouge_metric"
    copy.mkdir()
    for name in ["rouge_metric", *named_siblings()]:
        shutil.copy(ROOT / f"{name}.py", copy)
    message = [(copy / "rouge_metric.py").as_posix(), PREDICTIONS, REFERENCES, GOOD_LOADS, BAD_LOADS]
    report = json.loads(run_child(LOAD_FROM_PATH, home, message, HF_HUB_OFFLINE="1"))
    return SimpleNamespace(**report, home=home, copy=copy)


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """What processes print that load from the Hub, and after it is gone; and what they asked it for."""
    home = tmp_path_factory.mktemp("home")
    message = [HUB_NAME, PREDICTIONS, REFERENCES]
    with Hub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        endpoint = f"http://127.0.0.1:{server.server_port}"
        try:
            online = run_child(LOAD_BY_NAME, home, message, HF_ENDPOINT=endpoint)
        finally:
            server.shutdown()
            thread.join()
    offline = run_child(LOAD_BY_NAME, home, message, HF_ENDPOINT=endpoint, HF_EVALUATE_OFFLINE="1", HF_HUB_OFFLINE="1")
    # huggingface_hub asks for things of its own elsewhere
    requests = [(command, path) for command, path in server.requests if path.startswith("/spaces/")]
    return SimpleNamespace(online=online, offline=offline, requests=requests)


# What the loader reads


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("from .scores import PairCounts", [("internal", "scores", "scores", None)]),
        ("    from .scores import PairCounts", []),
        ("from . import scores", []),
        ("from .scores import PairCounts  # noqa: F401", [("external", "scores", "# noqa: F401", None)]),
        ("from .parts.scores import PairCounts", [("internal", "parts", "parts", None)]),
        ("import datasets, evaluate", [("library", "datasets,", "datasets,", None)]),
        ("import numpy", [("library", "numpy", "numpy", None)]),
    ],
    ids=["sibling", "indented", "from dot", "comment", "nested", "two in one", "library"],
)
def test_loader_reads_only_one_form_of_import(tmp_path, line, seen):
    script = tmp_path / "metric.py"
    script.write_text(f"{line}\n", "utf-8")
    assert get_imports(str(script)) == seen


def test_loader_sees_every_sibling_that_is_needed():
    assert sorted(named_siblings()) == reachable_siblings()


def test_siblings_are_named_one_a_line_without_comment():
    # The loader does not see an import that is further in; what it imports is named once more.
    lines = [line for line in SCRIPT.read_text("utf-8").splitlines() if re.match(r"from\s+\.", line)]
    assert [line for line in lines if not re.fullmatch(r"from \.[a-z0-9_]+ import \w+(, \w+)*", line)] == []
    assert [line.split()[1].removeprefix(".") for line in lines] == named_siblings()


def test_script_needs_only_required_libraries_at_load_time():
    required = re.findall(r"^[\w-]+", (ROOT / "requirements.txt").read_text("utf-8"), flags=re.MULTILINE)
    allowed = {name.replace("-", "_") for name in required} | {"pyarrow", "__future__"} | sys.stdlib_module_names
    needed = {name for kind, name, *_ in get_imports(str(SCRIPT)) if kind == "library"}
    for sibling in reachable_siblings():
        for node in ast.parse((ROOT / f"{sibling}.py").read_text("utf-8")).body:
            if isinstance(node, ast.Import):
                needed |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                needed.add((node.module or "").partition(".")[0])
    assert {"evaluate", "datasets", "numpy"} <= needed
    assert needed - allowed == set()


@pytest.mark.parametrize("name", ["rouge_metric", *reachable_siblings()])
def test_module_imports_siblings_flat_and_by_dot(name):
    path = ROOT / f"{name}.py"
    assert [(dots, name) for dots, name in imports_of(path) if dots and (dots > 1 or not name.isidentifier())] == []
    assert re.findall(r"^\s*(?:from|import) polyrouge\b.*", path.read_text("utf-8"), flags=re.MULTILINE) == []


@pytest.mark.parametrize("name", sorted(path.stem for path in ROOT.glob("*.py") if path.stem != "__init__"))
def test_module_hides_no_well_known_one(name):
    assert name not in sys.stdlib_module_names
    assert name not in WELL_KNOWN.split()


# From a path


def test_path_loads_copies_from_the_cache(local):
    folder = local.home / "modules" / Path(*local.module.split(".")[:-1])
    package = local.module.rpartition(".")[0]
    ours = {name: file for name, file in local.files.items() if name.startswith(f"{package}.")}
    names = ["rouge_metric", *reachable_siblings()]
    assert local.module.startswith("evaluate_modules.metrics.rouge_metric.")
    assert ours.items() <= {f"{package}.{name}": str(folder / f"{name}.py") for name in names}.items()
    assert f"{package}.metric" in ours
    assert f"{package}.compiled_engine" not in ours  # loaded on demand, but there
    assert sorted(path.name for path in folder.glob("*.py")) == sorted(["__init__.py", *(f"{n}.py" for n in names)])


def test_path_loads_nothing_from_where_it_lies(local):
    assert [file for file in local.files.values() if Path(file).parent in (ROOT, local.copy)] == []
    assert [name for name in local.files if name.partition(".")[0] == "polyrouge"] == []


def test_folder_of_the_script_loads_the_same_module(local):
    assert local.folder == local.module


def test_loading_imports_our_modules_and_no_library(local):
    assert set(local.loaded) - sys.stdlib_module_names == {"evaluate_modules"}


@pytest.mark.parametrize("name", GOOD_LOADS)
def test_load_gives_the_scores_of_the_package(local, name):
    args, options = GOOD_LOADS[name]
    ours = {key: value for key, value in options.items() if key in Rouge().settings.names()}
    rouge = Rouge(*args, **ours)
    assert local.good[name]["result"] == rouge.compute(PREDICTIONS, REFERENCES)
    assert local.good[name]["signature"] == rouge.signature()


def test_seed_serves_evaluate_and_the_interval(local):
    assert local.good["seed"]["seeds"] == [5, 5]
    unseeded = Rouge(confidence=0.5, n_resamples=9).compute(PREDICTIONS, REFERENCES)
    assert local.good["seed"]["result"].keys() == unseeded.keys()
    assert local.good["seed"]["result"] != unseeded


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("nothing", "{home}/metrics/rouge_metric/default/default_experiment-1-0.arrow"),
        ("convention", "{home}/metrics/rouge_metric/zh_char/default_experiment-1-0.arrow"),
        ("cache_dir", "rows/rouge_metric/default/default_experiment-1-0.arrow"),
        ("experiment_id", "{home}/metrics/rouge_metric/default/run7-1-0.arrow"),
        ("keep_in_memory", None),
    ],
)
def test_rows_are_kept_where_evaluate_keeps_them(local, name, path):
    expected = None if path is None else path.format(home=local.home)
    assert expected == local.good[name]["path"]


def test_loads_leave_no_rows_behind(local):
    assert [path.name for path in local.home.rglob("*.arrow")] == []


@pytest.mark.parametrize("name", BAD_LOADS)
def test_bad_load_names_what_is_allowed(local, name):
    *_, kind, part = BAD_LOADS[name]
    assert name in local.bad, "loaded without an error"
    assert local.bad[name][0] == kind
    assert part in local.bad[name][1]


# From the Hub


@pytest.mark.parametrize("convention", [None, "zh_word"], ids=str)
def test_hub_gives_the_scores_of_the_package(hub, convention):
    module, result = json.loads(hub.online)[str(convention)]
    assert module.startswith("evaluate_modules.metrics.polyrouge--rouge_metric.")
    assert result == Rouge(convention or "default").compute(PREDICTIONS, REFERENCES)


def test_hub_is_asked_for_the_script_and_its_siblings_only(hub):
    main = f"/spaces/{HUB_NAME}/resolve/main"
    tag = f"/spaces/{HUB_NAME}/resolve/v{evaluate.__version__}/rouge_metric.py"
    files = sorted(f"{main}/{name}.py" for name in ["rouge_metric", *reachable_siblings()])
    assert sorted(path for command, path in hub.requests if command == "GET") == files
    assert sorted({path for command, path in hub.requests if command == "HEAD"}) == sorted([*files, tag])


def test_cache_gives_the_same_bytes_without_the_hub(hub):
    assert hub.offline == hub.online
    assert len(json.loads(hub.offline)) == 2
