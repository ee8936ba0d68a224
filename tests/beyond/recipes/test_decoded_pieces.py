"""What a BERT tokenizer decodes, scored by the package rouge: LCSTS's convention ``bert_characters``."""

import importlib
import re

import pytest
from command_runs import ROWS
from peer_packages import run_peer

from polyrouge.beyond.recipes.benchmark import choose_convention
from polyrouge.beyond.recipes.loading import load_recipe
from polyrouge.scoring.sample_scores import StreamedScores

EXTRA = ("A股在2015年涨3.5%，iPhone6发布！", "A股在2015年跌5.3%，iPhone 6s发布。")
SCORES = """
import json, sys
from rouge import Rouge
predictions, references = json.load(sys.stdin)
scores = Rouge().get_scores(predictions, references, avg=True)
print(json.dumps([100 * scores[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l")]))
"""


def decoded(texts):
    """The texts through a BERT tokenizer whose vocabulary holds their words, and back; None for one with others.

    BERT keeps signs such as ℃ with their number.
    """
    tokenization = importlib.import_module("transformers.models.bert.tokenization_bert")
    words = {word for text in texts for word in re.findall(r"[a-z0-9]+", text.lower())}
    words |= {character for text in texts for character in text.lower()}
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(words)]
    tokenizer = tokenization.BertTokenizer({word: number for number, word in enumerate(vocabulary)})
    pieces = [tokenizer.encode(text) for text in texts]
    return [
        None if tokenizer.unk_token_id in each else tokenizer.decode(each, skip_special_tokens=True) for each in pieces
    ]


@pytest.mark.peers
def test_the_setting_scores_what_the_package_scores():
    pairs = [*((row["prediction"], row["references"][0]) for row in ROWS), EXTRA]
    seen = [*zip(*(decoded(list(side)) for side in zip(*pairs, strict=True)), strict=True)]
    known = [place for place, texts in enumerate(seen) if None not in texts]
    predictions, references = ([pairs[place][side] for place in known] for side in (0, 1))
    theirs = run_peer("rouge", SCORES, [[seen[place][side] for place in known] for side in (0, 1)])

    _, rouge = choose_convention(load_recipe("lcsts"), None, "bert_characters", {})
    stream = StreamedScores(rouge.settings, rouge.run)
    stream.add(predictions, references)
    ours = stream.result()

    assert [ours["rouge1"], ours["rouge2"], ours["rougeL"]] == pytest.approx(theirs, abs=1e-9)
    assert len(known) > len(pairs) / 2
    assert {"2015", "iphone6"} <= set(seen[-1][0].split())
