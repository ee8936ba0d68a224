"""Find the units that are the hits of one prediction in its references, type by type.

By kernels and NumPy, as ``matching`` defines them; under ``engine="plain"`` by ``matching`` itself.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.plain.weighted_lcs import length_weights
from polyrouge.counting.texts import ReadTexts
from polyrouge.counting.token_ids import TokenIds
from polyrouge.explaining.hit_positions import SHOWN_TYPES, compiled_hits
from polyrouge.explaining.matching import MatchedUnit, is_of_sentences, match_units
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import RougeType, parse_rouge_type
from polyrouge.settings.rules import CountRules

MOST_UNITS = 200_000
"""Hits of one type in one reference that are placed; of more, nobody reads a list."""
_MOST_CELLS = 1 << 28  # of the tables of ROUGE-W with all references: seconds
_MOST_SKIPS = 10_000_000  # skip-bigrams of a text, hits or not

Units = list[MatchedUnit] | None
Positions = NDArray[np.int64]


def find_units(
    read: ReadTexts,
    prediction: int,
    references: NDArray[np.int64],
    settings: RougeSettings,
    run: RunOptions,
    counts: NDArray[np.float64],
) -> dict[str, list[Units]]:
    """Find for each type the hits with each reference, as ``match_units`` does; None for too many or too long texts.

    Texts are given by their numbers; ``counts`` is float64[n_references, n_types, 3].
    """
    rules = settings.count_rules
    is_plain = run.engine == "plain" or not kernels.is_built()
    has_too_many = {
        rouge_type.name: rouge_type.kind != "weighted_lcs" and bool((counts[:, column, 0] > MOST_UNITS).any())
        for column, rouge_type in enumerate(rules.types)
    }
    shown = {} if is_plain else _shown_units(read, prediction, references, rules, run, has_too_many)
    units = {}
    for rouge_type in rules.types:
        if has_too_many[rouge_type.name] or _is_too_long(read, prediction, references, rouge_type, rules):
            units[rouge_type.name] = [None] * len(references)
        elif rouge_type.name in shown:
            units[rouge_type.name] = shown[rouge_type.name]
        elif rouge_type.kind == "weighted_lcs" and not is_plain:
            units[rouge_type.name] = _runs(read, prediction, references, rouge_type, rules)
        elif rouge_type.kind in ("ngram", "skip_bigram") and not is_plain:
            texts = ((_ids(read, prediction), _ids(read, reference)) for reference in references.tolist())
            units[rouge_type.name] = [_shared_units(*ids, read.tokens.n_ids, rouge_type, rules) for ids in texts]
        else:
            units[rouge_type.name] = _plain_units(read, prediction, references, rouge_type, rules)
    return units


def _plain_units(
    read: ReadTexts, prediction: int, references: NDArray[np.int64], rouge_type: RougeType, rules: CountRules
) -> list[Units]:
    """Find the units by the readable version."""
    pred_document, *ref_documents = (read.documents[number] for number in (prediction, *references.tolist()))
    if is_of_sentences(rouge_type, rules):
        pred_sentences = pred_document.sentences
        return [match_units(pred_sentences, document.sentences, rouge_type, rules) for document in ref_documents]
    return [match_units([pred_document.tokens], [document.tokens], rouge_type, rules) for document in ref_documents]


def _is_too_long(
    read: ReadTexts, prediction: int, references: NDArray[np.int64], rouge_type: RougeType, rules: CountRules
) -> bool:
    """Say whether placing would take memory or time that grows with the square of long texts."""
    if rouge_type.kind == "weighted_lcs":
        sizes = _sizes(read.tokens, is_of_sentences(rouge_type, rules))
        return bool(sizes[prediction] * sizes[references].sum() > _MOST_CELLS)
    if rouge_type.kind == "skip_bigram":
        n_tokens = int(max(read.sizes[prediction], read.sizes[references].max(initial=0)))
        return n_tokens * min(n_tokens, _reach(rouge_type, n_tokens)) > _MOST_SKIPS
    return False


def _sizes(tokens: TokenIds, by_sentence: bool) -> NDArray[np.int64]:
    """Return the number of tokens of each text, int64[n_texts]."""
    return np.diff(tokens.sentence_tokens[tokens.text_sentences] if by_sentence else tokens.text_tokens)


def _ids(read: ReadTexts, number: int) -> NDArray[np.int64]:
    """Return the ids of the tokens of a text."""
    start, end = read.tokens.text_tokens[number : number + 2]
    return read.tokens.ids[start:end].astype(np.int64)


def _shown_units(
    read: ReadTexts,
    prediction: int,
    references: NDArray[np.int64],
    rules: CountRules,
    run: RunOptions,
    has_too_many: dict[str, bool],
) -> dict[str, list[Units]]:
    """Find the units of the types that the report shows too; none where the kernel can't."""
    if has_too_many.get("rougeL"):  # a sum over pairs of sentences: not to be placed
        rules = rules._replace(lcs="sentence")
    hits = compiled_hits(read, np.full(len(references), prediction), references, rules, run)
    if hits is None:
        return {}
    units: dict[str, list[Units]] = {name: [] for name in SHOWN_TYPES}
    end = 0
    for of_pair in hits.counts.tolist():
        for name, n_hits in zip(SHOWN_TYPES, of_pair, strict=True):
            start, end = end, end + n_hits
            steps = np.arange(parse_rouge_type(name).n or 1)
            units[name].append(_as_units(*(firsts[:, None] + steps for firsts in hits.positions[:, start:end])))
    return units


def _runs(
    read: ReadTexts, prediction: int, references: NDArray[np.int64], rouge_type: RougeType, rules: CountRules
) -> list[Units]:
    """Find the runs of ROUGE-W by the kernel."""
    by_sentence = is_of_sentences(rouge_type, rules)
    longest = int(max(_sizes(read.tokens, False).max(initial=0), _sizes(read.tokens, True).max(initial=0)))
    weights = np.array(length_weights(longest + 2, rules.weight))
    pairs = kernels.Pairs(*read.tokens, np.full(len(references), prediction), references, np.zeros(1, np.uint8))
    positions, counts = kernels.match_runs(pairs, weights, by_sentence)
    units: list[Units] = []
    for of_pair in np.split(positions, np.cumsum(counts)[:-1], axis=1):
        ends = [*np.flatnonzero(np.diff(of_pair[2], append=-1)) + 1]
        prediction_positions, reference_positions = of_pair[0].tolist(), of_pair[1].tolist()
        bounds = zip([0, *ends[:-1]], ends, strict=False)
        units.append(
            [
                MatchedUnit(tuple(prediction_positions[start:end]), tuple(reference_positions[start:end]))
                for start, end in bounds
            ]
        )
    return units


def _shared_units(
    pred_ids: NDArray[np.int64], ref_ids: NDArray[np.int64], n_ids: int, rouge_type: RougeType, rules: CountRules
) -> list[MatchedUnit]:
    """Find the n-grams or skip-bigrams that two texts share."""
    if rouge_type.kind == "ngram":
        steps = np.arange(rouge_type.n)
        in_prediction, in_reference = (
            np.arange(max(0, len(ids) - rouge_type.n + 1))[:, None] + steps for ids in (pred_ids, ref_ids)
        )
        return _paired(pred_ids, ref_ids, in_prediction, in_reference, n_ids, distinct=rules.ngram_counts == "set")
    shared = np.intersect1d(pred_ids, ref_ids)
    in_prediction, in_reference = (
        _skip_positions(ids, shared, _reach(rouge_type, len(ids))) for ids in (pred_ids, ref_ids)
    )
    units = _paired(pred_ids, ref_ids, in_prediction, in_reference, n_ids)
    if rouge_type.with_unigrams:
        if rules.definition != "paper":  # see ``skip_unigrams``
            pred_ids, ref_ids = pred_ids[:-1], ref_ids[:-1]
        in_prediction, in_reference = (np.arange(len(ids))[:, None] for ids in (pred_ids, ref_ids))
        units += _paired(pred_ids, ref_ids, in_prediction, in_reference, n_ids)
    return units


def _reach(rouge_type: RougeType, n_tokens: int) -> int:
    """Return how far from its first token a skip-bigram may end."""
    return n_tokens if rouge_type.gap is None else rouge_type.gap + 1


def _skip_positions(ids: NDArray[np.int64], shared: NDArray[np.int64], reach: int) -> Positions:
    """Return the positions of the skip-bigrams of shared tokens, in order, int64[n, 2]."""
    positions = np.flatnonzero(np.isin(ids, shared))
    most = min(reach, max(0, len(positions) - 1))
    followers = np.arange(len(positions))[:, None] + np.arange(1, most + 1)
    seconds = np.where(
        followers < len(positions), positions[np.minimum(followers, len(positions) - 1)], len(ids) + reach
    )
    first, step = np.nonzero(seconds - positions[:, None] <= reach)
    return np.stack([positions[first], seconds[first, step]], axis=1)


def _paired(
    pred_ids: NDArray[np.int64],
    ref_ids: NDArray[np.int64],
    pred_positions: Positions,
    ref_positions: Positions,
    n_ids: int,
    distinct: bool = False,
) -> list[MatchedUnit]:
    """Pair the first units that both texts have, by position in the reference: as many of each as both, or one."""
    n_prediction = len(pred_positions)
    tokens = np.concatenate([pred_ids[pred_positions], ref_ids[ref_positions]])
    keys = tokens[:, 0]
    for column in range(1, tokens.shape[1]):
        keys = np.unique(keys, return_inverse=True)[1] * n_ids + tokens[:, column]
    keys = np.unique(keys, return_inverse=True)[1]
    ranks = np.concatenate([_ranks(keys[:n_prediction]), _ranks(keys[n_prediction:])])
    units = keys * (len(keys) + 1) + ranks  # the same number in both texts: the same occurrence of a unit
    _, in_prediction, in_reference = np.intersect1d(
        units[:n_prediction], units[n_prediction:], assume_unique=True, return_indices=True
    )
    if distinct:
        is_first = ranks[in_prediction] == 0
        in_prediction, in_reference = in_prediction[is_first], in_reference[is_first]
    order = np.argsort(in_reference)
    return _as_units(pred_positions[in_prediction[order]], ref_positions[in_reference[order]])


def _ranks(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how often each key stood before, int64[n]."""
    order = np.argsort(keys, kind="stable")
    begins = np.flatnonzero(np.diff(keys[order], prepend=-1))
    ranks = np.empty_like(keys)
    ranks[order] = np.arange(len(keys)) - np.repeat(begins, np.diff(begins, append=len(keys)))
    return ranks


def _as_units(pred_positions: Positions, ref_positions: Positions) -> list[MatchedUnit]:
    """Return units of positions, int[n, tokens a unit]."""
    sides: Iterable = (zip(*side.T.tolist(), strict=True) for side in (pred_positions, ref_positions))
    return list(map(MatchedUnit, *sides))
