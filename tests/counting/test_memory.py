"""What a call was given is not kept when the call is over: functions, dictionaries."""

import gc
import weakref

import pytest

from polyrouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


class Words:
    def __call__(self, text):
        return text.split()


@pytest.mark.parametrize("engine", ["plain", "compiled", "auto"])
@pytest.mark.parametrize("name", ["tokenizer", "sentence_split"])
def test_a_function_is_not_kept(engine, name):
    function = Words()
    kept = weakref.ref(function)

    Rouge(rouge_types=["rouge1", "rougeLsum"], engine=engine, **{name: function}).compute(["a b"] * 20, ["a c"] * 20)

    del function
    gc.collect()
    assert kept() is None


@pytest.mark.slow
def test_few_user_dictionaries_are_kept(tmp_path):
    def alive():
        return sum(1 for each in gc.get_objects() if type(each).__name__ == "Tokenizer" and getattr(each, "FREQ", None))

    path = tmp_path / "words.txt"
    gc.collect()
    gc.disable()  # the collector does not see how large a dictionary is
    before = alive()
    for number in range(7):  # each takes 60 MB
        path.write_text(f"今天天{'气' * (number + 2)} 10 n\n", encoding="utf-8")
        Rouge("zh_word", jieba_dict=str(path), engine="compiled").compute(["今天天气很好"] * 20, ["今天天气"] * 20)

    found = alive() - before
    gc.enable()
    assert found <= 4
