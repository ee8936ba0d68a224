"""Random settings and texts, plain against compiled: the same scores, the same notes, or the same refusal."""

import warnings
from collections import Counter

import numpy as np
import pytest
from fuzz_rounds import no_hang, rounds
from random_settings import random_rouge, random_samples

from polyrouge.beyond.arrow import Partial
from polyrouge.errors import RougeWarning
from polyrouge.scoring.sample_scores import StreamedScores

pytestmark = pytest.mark.slow


def outcome(rouge, samples, **settings):
    """What a call gives: a result, written out to the last bit; or its error."""
    np.random.seed(0)  # aggregate="bootstrap_median" draws from numpy's own generator, as its tool does
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = repr(rouge.compute(*samples, **settings))
        except (ValueError, TypeError, ModuleNotFoundError) as error:
            return "refused", f"{type(error).__name__}: {error}", []
    # A segmenter may warn of its own source when Python compiles it; a setting without effect is told of once a metric.
    messages = [str(each.message) for each in caught if issubclass(each.category, RougeWarning)]
    return "scored", found, [message for message in messages if "has no effect here" not in message]


@pytest.mark.filterwarnings("ignore:The stop word:polyrouge.errors.RougeWarning")
def test_both_engines_say_the_same():
    outcomes = Counter()
    for rng in rounds("engines", 150, 0.5):
        rouge = random_rouge(rng)
        if rouge is None:
            outcomes["settings refused"] += 1
            continue
        samples = random_samples(rng)
        lists = {"use_aggregator": False, "confidence": None} if rng.random() < 0.5 else {}
        with no_hang():
            plain = outcome(rouge, samples, engine="plain", **lists)
            compiled = outcome(rouge, samples, engine="compiled", threads=rng.choice([1, 2, 5]), **lists)
        assert plain == compiled, (rouge.settings, lists, samples)
        outcomes[plain[0]] += 1
    print(outcomes)
    assert outcomes["scored"] > 0.5 * sum(outcomes.values())  # or else it compares errors
    assert outcomes["refused"]


def test_parts_give_what_one_call_gives():
    """Chunks of a stream, and partial results of parts in another order, as clusters make them."""
    outcomes = Counter()
    warnings.simplefilter("ignore", RougeWarning)
    for rng in rounds("parts", 150, 0.3):
        rouge = random_rouge(rng)
        if rouge is None:
            continue
        settings = rouge.settings.replace(use_aggregator=True)
        predictions, references = random_samples(rng)
        with no_hang():
            whole = outcome(rouge, (predictions, references), use_aggregator=True)
            stop = rng.randint(0, len(predictions))
            parts = [slice(0, stop), slice(stop, None)] if stop else [slice(None)]
            np.random.seed(0)
            stream = StreamedScores(settings, rouge.run)
            try:
                samples = [stream.add(predictions[part], references[part]) for part in parts if predictions[part]]
                streamed = repr(stream.result())
            except (ValueError, TypeError, ModuleNotFoundError):
                assert whole[0] == "refused", settings  # maybe for another fault, which one call meets first
                continue
        assert ("scored", streamed) == whole[:2], (settings, predictions, references)
        outcomes["streamed"] += 1
        try:
            total = Partial(settings)
        except ValueError:  # what can't be made of sums
            continue
        for each in reversed(samples):
            partial = Partial(settings)
            partial.add(each.scores, totals=each.totals)
            total += Partial.from_bytes(partial.to_bytes(), settings)
        assert repr(total.result()) == streamed, (settings, predictions, references)
        outcomes["merged"] += 1
    print(outcomes)
    assert outcomes["merged"] > 0.2 * outcomes["streamed"] > 5
