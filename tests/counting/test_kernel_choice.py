"""``engine="auto"`` on machines with and without compiled kernels: nobody waits, nothing breaks, no score moves."""

import os
import random
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from polyrouge import Rouge
from polyrouge.counting import kernel_choice, work
from polyrouge.counting.compiled import background, compiling, kernel_folder, kernel_units
from polyrouge.counting.compiled.kernels import kernel
from polyrouge.inputs import check_inputs
from polyrouge.settings.rouge_settings import RougeSettings

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

MANY = 40_000  # samples: worth a compiler
PATIENCE = 600  # seconds; only a broken program needs them
SCORE = """
import sys, warnings
from polyrouge import Rouge
n = {n}
texts = [f"the cat number {{i}} sat\\non a mat {{i % 7}} and the dog {{i % 5}} ran" for i in range(n)]
rouge = Rouge(rouge_types={types!r}, engine={engine!r})
print(rouge.compute(texts, texts[::-1]), "polyrouge.counting.compiled.engine" in sys.modules)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache of kernels."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("POLYROUGE_COMPILE", raising=False)
    return tmp_path


def start(code, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def score(n=20, types=("rouge1",), engine="auto", **environment):
    """What a new process prints, and its messages."""
    process = start(SCORE.format(n=n, types=list(types), engine=engine), **environment)
    printed, messages = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, messages
    return printed, messages


def expected(n=20, types=("rouge1",)):
    texts = [f"the cat number {i} sat\non a mat {i % 7} and the dog {i % 5} ran" for i in range(n)]
    return str(Rouge(rouge_types=list(types), engine="plain").compute(texts, texts[::-1]))


def wait_until(is_true):
    end = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.mark.usefixtures("folder")
class TestEmptyCache:
    def test_a_run_does_not_wait_and_a_later_one_finds_the_kernels(self):
        printed, messages = score(MANY)
        assert printed.startswith(expected(MANY))
        assert "RougeWarning" not in messages
        assert "compiling" not in messages

        wait_until(lambda: kernel_folder.are_ready(["texts", "unigrams"]))  # it outlives the run
        assert score(MANY) == (f"{expected(MANY)} True\n", "")

    def test_a_small_run_starts_nothing(self, folder):
        assert score(50) == (f"{expected(50)} False\n", "")
        assert list(folder.iterdir()) == []

    def test_never_compiles_where_that_is_switched_off(self, folder):
        assert score(MANY, POLYROUGE_COMPILE="never") == (f"{expected(MANY)} False\n", "")
        assert list(folder.iterdir()) == []

    def test_never_warns_where_compiled_kernels_were_asked_for(self):
        printed, messages = score(engine="compiled", POLYROUGE_COMPILE="never")
        assert printed.startswith(expected())
        assert messages.count("RougeWarning") == 1
        assert "POLYROUGE_COMPILE=never" in messages

    def test_now_waits(self):
        assert score(MANY, POLYROUGE_COMPILE="now")[0] == f"{expected(MANY)} True\n"

    def test_ten_processes_at_once(self):
        processes = [start(SCORE.format(n=3000, types=["rouge1"], engine="auto")) for _ in range(10)]
        outputs = [process.communicate(timeout=PATIENCE) for process in processes]
        assert {printed.rpartition(" ")[0] for printed, _ in outputs} == {expected(3000)}
        assert {messages for _, messages in outputs} == {""}

    def test_an_unknown_value_is_refused_with_the_allowed_ones(self, monkeypatch):
        monkeypatch.setenv("POLYROUGE_COMPILE", "sometimes")
        with pytest.raises(ValueError, match="auto, now, never"):
            kernel_choice.compile_when()


class TestTakingOver:
    @pytest.mark.parametrize("asked", [1, 2, 5])
    def test_the_rest_of_a_run_is_counted_by_kernels(self, monkeypatch, asked):
        rng = random.Random(asked)
        texts = [" ".join(rng.choices("abcdefgh", k=rng.randint(0, 12))) for _ in range(400)]
        types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
        plain = Rouge(engine="plain", rouge_types=types).count(texts, texts[::-1])
        calls = []

        def take_over(self, _ahead):
            calls.append(self)
            return len(calls) >= asked and kernel_choice.load_or_compile(self.units)

        monkeypatch.setattr(kernel_choice.KernelChoice, "is_loaded", lambda _self: False)
        monkeypatch.setattr(kernel_choice.KernelChoice, "take_over", take_over)
        monkeypatch.setattr("polyrouge.counting.engines._PLAIN_SECONDS", 1e-4)
        switched = Rouge(rouge_types=types).count(texts, texts[::-1])

        assert len(calls) == asked
        for name in ("counts", "offsets", "prediction_empty", "reference_empty"):
            assert np.array_equal(getattr(plain, name), getattr(switched, name))

    def test_many_small_calls_come_to_the_kernels(self):
        program = (
            "import sys, time; from polyrouge import Rouge; r = Rouge(rouge_types=['rouge1'])\n"
            "from polyrouge.counting.kernel_choice import load_or_compile\n"
            "from polyrouge import compile_kernels; compile_kernels()\n"
            "end = time.monotonic() + 200\n"
            "while 'polyrouge.counting.compiled.engine' not in sys.modules and time.monotonic() < end:\n"
            "    r.compute(['a b c d'] * 8, ['a c'] * 8)\n"
            "print('polyrouge.counting.compiled.engine' in sys.modules)"
        )
        printed, messages = start(program).communicate(timeout=PATIENCE)
        assert printed == "True\n", messages

    @pytest.mark.parametrize(
        ("types", "prediction", "reference"),
        [
            pytest.param(["rougeS"], "a b c d " * 3000, "a c d b " * 3000, id="rougeS"),
            pytest.param(["rougeLsum"], "a b c\n" * 2000, "c b a\n" * 2000, id="rougeLsum"),
            pytest.param(["rougeW"], "a b c d " * 2500, "a c d b " * 2500, id="rougeW"),
        ],
    )
    def test_what_grows_with_the_square_is_seen_beforehand(self, types, prediction, reference):
        settings = RougeSettings(rouge_types=types)
        inputs = check_inputs([prediction], [reference])
        assert work.plain_seconds(inputs, 0, 1, settings.text_rules, settings.count_rules) > 3

    def test_short_texts_are_little_work(self):
        settings = RougeSettings()
        inputs = check_inputs(["a b c"] * 100, ["a b"] * 100)
        assert work.plain_seconds(inputs, 0, 100, settings.text_rules, settings.count_rules) < 0.05


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache with the kernels of rouge1."""
    cache = tmp_path_factory.mktemp("cache")
    score(engine="compiled", NUMBA_CACHE_DIR=str(cache))
    return cache


@pytest.mark.usefixtures("folder")
class TestDamage:
    """A cache that was cut off, emptied, overwritten, filled up or taken away."""

    @pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
    @pytest.mark.parametrize("damage", ["cut", "empty", "other", "gone"])
    def test_the_scores_are_right_and_the_cache_is_mended(self, filled, damage, suffix):
        files = [file for file in filled.rglob("*") if file.suffix == suffix]
        assert files
        for file in files:
            content = file.read_bytes()
            if damage == "gone":
                file.unlink()
            else:
                changed = bytes([byte ^ 0x55 for byte in content[: len(content) // 2]]) + content[len(content) // 2 :]
                file.write_bytes({"cut": content[: len(content) // 3], "empty": b"", "other": changed}[damage])
        environment = {"NUMBA_CACHE_DIR": str(filled)}

        assert score(MANY, **environment, POLYROUGE_COMPILE="never") == (f"{expected(MANY)} False\n", "")
        assert score(engine="compiled", **environment)[0] == f"{expected()} True\n"
        assert score(MANY, **environment, POLYROUGE_COMPILE="never") == (f"{expected(MANY)} True\n", "")

    def test_a_folder_that_cannot_be_made(self, tmp_path):
        (tmp_path / "file").write_text("no folder")
        cache = str(tmp_path / "file" / "cache")
        printed, messages = score(MANY, NUMBA_CACHE_DIR=cache)
        assert printed == f"{expected(MANY)} False\n"
        assert messages.count("RougeWarning") == 1
        assert cache in messages

    def test_a_full_disk(self):
        def nothing_large_can_be_written():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        process = subprocess.run(
            [sys.executable, "-c", SCORE.format(n=20, types=["rouge1"], engine="compiled")],
            capture_output=True,
            text=True,
            check=True,
            preexec_fn=nothing_large_can_be_written,
            timeout=PATIENCE,
        )
        assert process.stdout == f"{expected()} True\n"
        assert process.stderr.count("RougeWarning") == 1
        assert "could not be kept" in process.stderr
        assert not kernel_folder.are_ready(["texts"])

    @pytest.mark.parametrize("engine", ["auto", "compiled"])
    def test_a_compiler_that_is_switched_off(self, engine):
        printed, messages = score(MANY, engine=engine, NUMBA_DISABLE_JIT="1")
        assert printed == f"{expected(MANY)} False\n"
        assert messages.count("RougeWarning") == (engine == "compiled")

    def test_a_change_of_the_source_is_another_folder(self, monkeypatch):
        before = kernel_folder.kernel_folder()
        monkeypatch.setattr(kernel_folder, "source_digest", lambda: "another")
        kernel_folder._fingerprint.cache_clear()
        after = kernel_folder.kernel_folder()
        monkeypatch.undo()
        kernel_folder._fingerprint.cache_clear()
        assert before != after

    def test_the_oldest_folders_are_removed(self, folder):
        for number in range(20):
            old = folder / "polyrouge" / f"kernels-{number:02}"
            old.mkdir(parents=True)
            os.utime(old, (number, number))
        kernel_folder.kernel_folder().mkdir(parents=True, exist_ok=True)
        kernel_folder.sweep()
        left = {each.name for each in (folder / "polyrouge").iterdir()}
        assert left == {kernel_folder.kernel_folder().name} | {f"kernels-{number:02}" for number in range(12, 20)}


@pytest.mark.usefixtures("folder")
class TestProcessThatCompiles:
    UNITS = ("unigrams", "lcs")

    def test_killed_again_and_again(self):
        kernel_folder.kernel_folder().mkdir(parents=True, exist_ok=True)
        rng = random.Random(5)
        for _ in range(20):
            compiler = background.BackgroundCompiler(self.UNITS, 0)
            time.sleep(rng.uniform(0, 1.5))  # the moment is what is tested
            compiler._process.kill()
            compiler._process.wait()

        compiler = background.BackgroundCompiler(self.UNITS, 0)
        wait_until(lambda: not compiler.is_running())
        assert compiler.trouble() is None
        assert kernel_folder.are_ready(self.UNITS)
        assert [each for each in kernel_folder.kernel_folder().iterdir() if each.suffix == ".failed"] == []
        printed, _ = score(types=["rouge1", "rougeL"], engine="compiled")
        assert printed == f"{expected(types=['rouge1', 'rougeL'])} True\n"

    def test_one_compiles(self):
        kernel_folder.kernel_folder().mkdir(parents=True, exist_ok=True)
        with kernel_folder.compiling_lock() as is_ours:
            assert is_ours
            assert kernel_folder.is_compiling()
            compiler = background.BackgroundCompiler(self.UNITS, 0)
            wait_until(lambda: not compiler.is_running())
        assert not kernel_folder.is_compiling()
        assert compiler.trouble() is None
        assert not kernel_folder.are_ready(["unigrams"])

    def test_its_trouble_is_told(self):
        kernel_folder.kernel_folder().mkdir(parents=True, exist_ok=True)
        compiler = background.BackgroundCompiler(["no such unit"], 0)
        wait_until(lambda: not compiler.is_running())
        assert compiler.trouble() == "the compiler failed"
        assert kernel_folder.failure() == "KeyError: 'no such unit'"

    def test_a_compiler_that_failed_is_not_started_again(self):
        kernel_folder.kernel_folder().mkdir(parents=True, exist_ok=True)
        kernel_folder.mark_failed("LLVM says no")
        printed, messages = score(MANY)
        assert printed == f"{expected(MANY)} False\n"
        assert messages.count("RougeWarning") == 1
        assert "LLVM says no" in messages


def test_every_kernel_belongs_to_a_unit():
    kernel_units.load_units(kernel_units.UNITS, may_compile=True)
    listed = {name for names in kernel_units.UNITS.values() for name in names}
    assert listed == set(kernel._KERNELS)


@pytest.mark.usefixtures("folder")
class TestAhead:
    def test_shares_are_even_and_whole(self):
        shares = compiling._shares(tuple(kernel_units.UNITS), 2)
        assert sorted(unit for share in shares for unit in share) == sorted(kernel_units.UNITS)
        seconds = [sum(compiling._SECONDS.get(unit, 1.0) for unit in share) for share in shares]
        assert max(seconds) - min(seconds) < 2

    def test_progress_and_what_is_returned(self, monkeypatch):
        monkeypatch.setattr(compiling, "UNITS", {"unigrams": (), "lcs": ()})
        steps = []
        first = compiling.compile_kernels(lambda *step: steps.append(step), processes=2)
        second = compiling.compile_kernels()
        assert first.units == ("unigrams", "lcs")
        assert first.folder == kernel_folder.kernel_folder()
        assert steps[-1] == (2, 2)
        assert second.units == ()
        assert kernel_folder.are_ready(["unigrams", "lcs"])

    def test_a_compiler_that_is_switched_off(self, monkeypatch):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
        with pytest.raises(RuntimeError, match="NUMBA_DISABLE_JIT"):
            compiling.compile_kernels()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("types", [["rougeL"], ["rougeLsum"], ["rougeW"], ["rougeS"]], ids=lambda types: types[0])
def test_an_interrupt_ends_a_large_call_and_leaves_nothing(types, engine):
    n = {"rougeL": 2_000_000, "rougeLsum": 2_000_000, "rougeW": 200_000, "rougeS": 400_000}[types[0]]
    # The kernel of rougeS looks at each distinct token once; the plain engine keeps each distinct pair.
    is_distinct = types == ["rougeS"] and engine == "compiled"
    text = f"' '.join(map(str, range({n})))" if is_distinct else f"'a b c d ' * {n // 4}"
    program = (
        "import signal, threading; from polyrouge import Rouge\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background ignores it
        f"rouge = Rouge(rouge_types={types!r}, engine={engine!r}, tokenizer='space', sentence_split='none')\n"
        "rouge.compute(['a b'], ['a c'])\n"
        f"text = {text}\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    rouge.compute([text], [text[2:]])\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', threading.active_count(), rouge.compute(['a b'], ['a b']))\n"
    )
    process = start(program)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)  # so that it is in the middle, which nothing shows
        process.send_signal(signal.SIGINT)
        printed, messages = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert printed == f"interrupted 1 {Rouge(rouge_types=types).compute(['a b'], ['a b'])}\n", messages
