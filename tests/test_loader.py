"""What evaluate's loader makes of the script: from a path, from the Hub, from its cache, without the package."""

import json
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import evaluate
import pytest
from evaluate.loading import get_imports
from hub_server import HUB_NAME, ROOT, SCRIPT, run_child, running_hub

import polyrouge
from polyrouge import Rouge

OFFLINE = {"HF_HUB_OFFLINE": "1"}
PREDICTIONS = ["今天天气很好。出门走走", "The cat sat\non the mat", "café au lait"]
REFERENCES = ["今天天气不错。出门走走吧", "the cat\nlay on a mat", "thé au lait"]

# Arguments and keywords after the path.
GOOD_LOADS = {
    "nothing": ([], {}),
    "convention": (["zh_char"], {}),
    "setting": ([], {"rouge_types": ["rouge1"], "scale": 100}),
    "seed": ([], {"seed": 5, "confidence": 0.5, "n_resamples": 9}),
    "keep_in_memory": ([], {"keep_in_memory": True}),
    "cache_dir": ([], {"cache_dir": "rows"}),
}

# The children below print one line of JSON; what they import before our code is theirs, not ours.
LOAD_FROM_PATH = """
import json, sys
import evaluate

script, predictions, references, good = json.loads(sys.stdin.read())
rouge = evaluate.load(script)
report = {"module": type(rouge).__module__}
report["folder"] = type(evaluate.load(script.removesuffix("/rouge_metric.py"))).__module__
report["good"] = {}
for name, (args, options) in good.items():
    rouge = evaluate.load(script, *args, **options)
    rouge.add(prediction=predictions[0], reference=references[0])
    report["good"][name] = {
        "result": rouge.compute(predictions=predictions[1:], references=references[1:]),
        "signature": rouge.signature(),
        "seeds": [int(rouge.seed), rouge.settings.seed],
    }
import polyrouge
report["is_one_class"] = isinstance(rouge.settings, polyrouge.RougeSettings)
report["package"] = polyrouge.__file__
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
LOAD_WITHOUT_PACKAGE = """
import json, sys
import evaluate
sys.modules["polyrouge"] = None

try:
    evaluate.load(json.loads(sys.stdin.read()))
except Exception as error:
    print(json.dumps([type(error).__name__, str(error)]))
"""
LOAD_BESIDE_ANOTHER_VERSION = """
import json, sys, warnings
import evaluate, polyrouge
polyrouge.__version__ = "9.8.7"

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rouge = evaluate.load(json.loads(sys.stdin.read()))
print(json.dumps([str(each.message) for each in caught if each.category is polyrouge.RougeWarning]))
"""
ONE_REGISTRY = """
import json, sys, warnings
import evaluate, polyrouge

@polyrouge.register_tokenizer("halves", "two halves", version="1")
def build_halves(options):
    return lambda text: [text[: len(text) // 2], text[len(text) // 2 :]]

rouge = evaluate.load(json.loads(sys.stdin.read()), tokenizer="halves", rouge_types=["rouge1"])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = rouge.compute(predictions=["abxy"], references=["abcd"])
    rouge.compute(predictions=["今天"], references=["今天"], tokenizer="ascii")
print(json.dumps([result, [each.category is polyrouge.RougeWarning for each in caught]]))
"""
PICKLED = """
import json, pickle, sys
import cloudpickle, dill, evaluate

script, folder = json.loads(sys.stdin.read())
rouge = evaluate.load(script, "zh_char", rouge_types=["rouge1"])
things = {
    "score_batch": rouge.score_batch,
    "reward": rouge.as_reward(references="answer"),
    "settings": rouge.settings,
    "trainer": rouge.for_trainer(),
    "signature": rouge.signature,
}
for name, thing in things.items():
    with open(f"{folder}/{name}.pickle", "wb") as file:
        pickle.dump(thing, file)
# whole metrics are sent by value, as evaluate's users do it: by cloudpickle, and by dill in datasets.map
for name, pickler in {"cloudpickle": cloudpickle, "dill": dill}.items():
    copy = pickler.loads(pickler.dumps(rouge))
    print(json.dumps(copy.compute(predictions=["今天好"], references=["今天天"])))
"""


@pytest.fixture(scope="module")
def hub():
    with running_hub() as server:
        yield server


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """What a process reports that loads a copy of the script from a folder without anything else."""
    home = tmp_path_factory.mktemp("home")
    copy = tmp_path_factory.mktemp("copy") / "rouge_metric"
    copy.mkdir()
    shutil.copy(SCRIPT, copy)
    message = [(copy / "rouge_metric.py").as_posix(), PREDICTIONS, REFERENCES, GOOD_LOADS]
    report = json.loads(run_child(LOAD_FROM_PATH, home, message, **OFFLINE))
    return SimpleNamespace(**report, home=home)


# What the loader reads


def test_loader_sees_the_libraries_that_the_script_cannot_do_without():
    # The package is not among them: evaluate's own sentence would name one command for every origin.
    names = "contextlib inspect json os re warnings collections typing datasets evaluate datasets datasets"
    assert get_imports(str(SCRIPT)) == [("library", name, name, None) for name in names.split()]


# From a path


def test_path_loads_a_copy_of_the_script_and_the_package(local):
    folder = local.home / "modules" / Path(*local.module.split(".")[:-1])
    assert local.module.startswith("evaluate_modules.metrics.rouge_metric.")
    assert sorted(path.name for path in folder.glob("*.py")) == ["__init__.py", "rouge_metric.py"]
    assert local.package == str(ROOT / "polyrouge" / "__init__.py")
    assert local.is_one_class
    assert local.folder == local.module
    assert [path.name for path in local.home.rglob("*.arrow")] == []


@pytest.mark.filterwarnings("ignore:An interval of")
@pytest.mark.parametrize("name", GOOD_LOADS)
def test_load_gives_the_scores_of_the_package(local, name):
    args, options = GOOD_LOADS[name]
    rouge = Rouge(*args, **{key: value for key, value in options.items() if key in Rouge().settings.names()})
    assert local.good[name]["result"] == rouge.compute(PREDICTIONS, REFERENCES)
    assert local.good[name]["signature"] == rouge.signature()
    assert name != "seed" or local.good[name]["seeds"] == [5, 5]  # evaluate's own, and the interval's


# Without the package, or beside another version of it


@pytest.mark.process
def test_missing_package_names_the_clone_or_the_space(tmp_path):
    kind, message = json.loads(run_child(LOAD_WITHOUT_PACKAGE, tmp_path, str(SCRIPT), **OFFLINE))
    assert kind == "ModuleNotFoundError"
    assert message.endswith(f'is not installed: pip install "{ROOT}"')
    shutil.copy(SCRIPT, tmp_path)
    another, script = tmp_path / "home", str(tmp_path / SCRIPT.name)  # the cache remembers where a script is from
    _, message = json.loads(run_child(LOAD_WITHOUT_PACKAGE, another, script, **OFFLINE))
    assert message.endswith('pip install "polyrouge @ git+https://huggingface.co/spaces/polyrouge/rouge_metric"')


@pytest.mark.process
def test_missing_package_from_a_hub_names_that_hub(tmp_path, hub):
    kind, message = json.loads(run_child(LOAD_WITHOUT_PACKAGE, tmp_path, HUB_NAME, HF_ENDPOINT=hub.endpoint))
    assert kind == "ModuleNotFoundError"
    assert message.endswith(f'pip install "polyrouge @ git+{hub.endpoint}/spaces/{HUB_NAME}"')


@pytest.mark.process
def test_another_version_of_the_package_warns(tmp_path):
    (message,) = json.loads(run_child(LOAD_BESIDE_ANOTHER_VERSION, tmp_path, str(SCRIPT), **OFFLINE))
    assert f"rouge_metric.py is of version {polyrouge.__version__}, the installed polyrouge of 9.8.7" in message
    assert f'pip install "{ROOT}"' in message


# One package behind every door


@pytest.mark.process
def test_tokenizers_and_warnings_are_those_of_the_package(tmp_path):
    result, categories = json.loads(run_child(ONE_REGISTRY, tmp_path, str(SCRIPT), **OFFLINE))
    assert result == {"rouge1": 0.5}
    assert categories == [True]


@pytest.mark.process
def test_what_travels_is_the_packages_own(tmp_path):
    printed = run_child(PICKLED, tmp_path, [str(SCRIPT), str(tmp_path)], **OFFLINE)
    assert [json.loads(line) for line in printed.splitlines()] == [{"rouge1": 2 / 3}] * 2
    load = "import pickle, sys; [pickle.load(open(path, 'rb')) for path in sys.argv[1:]]"
    paths = sorted(map(str, tmp_path.glob("*.pickle")))
    assert len(paths) == 5
    subprocess.run([sys.executable, "-c", f"{load}; assert 'evaluate' not in sys.modules", *paths], check=True)
    with open(tmp_path / "reward.pickle", "rb") as file:
        reward = pickle.load(file)  # noqa: S301 our own
    assert reward(["今天好"], answer=["今天天"]) == [2 / 3]


# From the Hub


@pytest.mark.process
def test_hub_is_asked_for_the_script_alone_and_later_for_nothing(tmp_path, hub):
    hub.requests.clear()
    message = [HUB_NAME, PREDICTIONS, REFERENCES]
    online = run_child(LOAD_BY_NAME, tmp_path, message, HF_ENDPOINT=hub.endpoint)
    for convention, (module, result) in json.loads(online).items():
        assert module.startswith("evaluate_modules.metrics.polyrouge--rouge_metric.")
        rouge = Rouge("default" if convention == "None" else convention)
        assert result == rouge.compute(PREDICTIONS, REFERENCES)
    # huggingface_hub asks for things of its own elsewhere
    requests = [(command, path) for command, path in hub.requests if path.startswith("/spaces/")]
    script = f"/spaces/{HUB_NAME}/resolve/main/rouge_metric.py"
    tag = f"/spaces/{HUB_NAME}/resolve/v{evaluate.__version__}/rouge_metric.py"
    assert [path for command, path in requests if command == "GET"] == [script]
    assert {path for _, path in requests} == {script, tag}
    assert len(requests) <= 2 * 4  # two loads
    hub.requests.clear()
    variables = {"HF_ENDPOINT": hub.endpoint, "HF_EVALUATE_OFFLINE": "1"}
    assert online == run_child(LOAD_BY_NAME, tmp_path, message, **variables, **OFFLINE)
    assert hub.requests == []


@pytest.mark.slow
def test_eight_processes_load_at_once_on_an_empty_cache(tmp_path, hub):
    message = [HUB_NAME, PREDICTIONS, REFERENCES]
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(run_child, LOAD_BY_NAME, tmp_path, message, HF_ENDPOINT=hub.endpoint) for _ in range(8)]
        printed = [each.result() for each in asked]
    assert len(set(printed)) == 1


@pytest.mark.process
def test_a_request_that_fails_says_so(tmp_path):
    with running_hub() as server:
        server.is_broken = True
        _, message = json.loads(run_child(LOAD_WITHOUT_PACKAGE, tmp_path, HUB_NAME, HF_ENDPOINT=server.endpoint))
    assert HUB_NAME in message
    assert "rouge_metric.py" in message
