"""What a report file holds, unpacked as its page does it, from how `polyrouge.report` documents it."""

import base64
import gzip
import json
import re
from itertools import accumulate, pairwise

import numpy as np


def unpacked(text):
    """A packed value; its ``numbers`` are arrays."""
    data = gzip.decompress(base64.b64decode(text))
    behind = 4 + int.from_bytes(data[:4], "little")
    value = json.loads(data[4:behind])
    for name, column in value.get("numbers", {}).items():
        dtype, start = np.dtype(f"<i{column['bytes']}"), behind + column["start"]
        size = int(np.prod(column["shape"], dtype=np.int64))
        value["numbers"][name] = np.frombuffer(data, dtype, size, start).reshape(column["shape"])
    return value


def index_of(page):
    """What the page has of all rows."""
    (index,) = re.findall(r'id="index">([^<]*)<', page)
    return unpacked(index)


def rows_of(page):
    """The rows of a report with one system or several, worst first.

    Each is a dict: ``predictions`` and ``references``, of which each has ``text``, ``tokens`` (start and end, or None)
    and ``sentences``, a list of such tokens each; ``hits`` [reference][system][type], (ours, theirs, totals) or None;
    and ``source``, None if there are none.
    """
    n_systems = len(index_of(page)["systems"])
    return [row for text in re.findall(r'class="page">([^<]*)<', page) for row in _rows(unpacked(text), n_systems)]


def _rows(page, n_systems):
    numbers = page["numbers"]
    tokens = _split(_places(numbers["starts"], numbers["lengths"], numbers["tokens"]), numbers["tokens"])
    sizes = _split(numbers["sentenceTokens"].tolist(), numbers["sentences"])
    own = [sum(each) if is_own else 0 for each, is_own in zip(sizes, numbers["hasOwn"], strict=True)]
    own_sizes = [size for each, is_own in zip(sizes, numbers["hasOwn"], strict=True) if is_own for size in each]
    own_tokens = _split(_places(numbers["ownStarts"], numbers["ownLengths"], own_sizes), own)
    texts = []
    for place, text in enumerate(page["texts"]):
        flat = own_tokens[place] if numbers["hasOwn"][place] else tokens[place]
        texts.append({"text": text, "tokens": tokens[place], "sentences": _split(flat, sizes[place])})
    counts = numbers["hits"]
    steps = list(zip(numbers["ours"].tolist(), numbers["theirs"].tolist(), strict=True))
    hits = iter(_split(steps, np.maximum(counts, 0).ravel()))
    by_pair = []
    for pair, of_types in enumerate(counts.tolist()):
        found = []
        for column, count in enumerate(of_types):
            of_type = next(hits)
            ours, theirs = ([*accumulate(step[side] for step in of_type)] for side in (0, 1))
            found.append(None if count < 0 else (ours, theirs, numbers["totals"][pair, column].tolist()))
        by_pair.append(found)
    first_text, first_pair = 0, 0
    for place, n_references in enumerate(page["references"]):
        behind = first_text + n_systems
        yield {
            "predictions": texts[first_text:behind],
            "references": texts[behind : behind + n_references],
            "hits": [by_pair[first_pair + n_systems * each :][:n_systems] for each in range(n_references)],
            "source": page["sources"][place] if "sources" in page else None,
        }
        first_text, first_pair = behind + n_references, first_pair + n_systems * n_references


def _split(values, sizes):
    return [values[start:end] for start, end in pairwise(accumulate(map(int, sizes), initial=0))]


def _places(starts, lengths, sizes):
    """Start and end of each token, or None; each stretch of so many begins at 0."""
    found = []
    for stretch in _split(list(zip(starts.tolist(), lengths.tolist(), strict=True)), sizes):
        begins = accumulate(step for step, _ in stretch)
        found += [
            None if length < 0 else (begin, begin + length) for begin, (_, length) in zip(begins, stretch, strict=True)
        ]
    return found
