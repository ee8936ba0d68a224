"""The ROUGE counting rules, slow and obvious: what the fast code is tested against.

A text is a list of tokens, or of sentences, which are lists of tokens; the prediction (Lin's candidate, the peer of
ROUGE-1.5.5) comes first, the reference (the model) second. Where Lin (2004), "ROUGE: A Package for Automatic Evaluation
of Summaries", and the script ROUGE-1.5.5 disagree there is a function for each; that of the paper ends in `_paper`.
"""

import functools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

Tokens = Sequence[Hashable]
Sentences = Sequence[Tokens]
Score = tuple[float, float, float]  # precision, recall, F
Table = list[list[float]]  # [reference tokens so far][prediction tokens so far]


class Counts(NamedTuple):
    """What was matched, and the size of each side: floats for ROUGE-W, else ints."""

    hits: float
    prediction_total: float
    reference_total: float


def _flatten(sentences: Sentences) -> list[Hashable]:
    return [token for sentence in sentences for token in sentence]


def _clipped(prediction: Counter[tuple], reference: Counter[tuple]) -> Counts:
    """Compare two bags of units: each unit is hit min(its two counts) times."""
    hits = 0
    for unit in reference:
        hits += min(prediction[unit], reference[unit])
    return Counts(hits, sum(prediction.values()), sum(reference.values()))


def _ngrams(tokens: Tokens, n: int) -> Counter[tuple]:
    """Count the runs of n >= 1 tokens; there are max(0, len(tokens) - n + 1)."""
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def rouge_n(prediction: Tokens, reference: Tokens, n: int) -> Counts:
    """Count n-grams, clipped; Lin (2004), section 2."""
    return _clipped(_ngrams(prediction, n), _ngrams(reference, n))


def rouge_n_set(prediction: Tokens, reference: Tokens, n: int) -> Counts:
    """Count distinct n-grams: each one once, however often it occurs."""
    predicted, wanted = set(_ngrams(prediction, n)), set(_ngrams(reference, n))
    return Counts(len(predicted & wanted), len(predicted), len(wanted))


def lcs_table(prediction: Tokens, reference: Tokens) -> Table:
    """Return T[i][j] = LCS length of the first i reference, j prediction tokens."""
    table: Table = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, reference_token in enumerate(reference, start=1):
        for j, prediction_token in enumerate(prediction, start=1):
            if reference_token == prediction_token:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table


def _traceback(table: Table, prediction: Tokens, reference: Tokens) -> set[int]:
    """Return the reference positions matched on the path back from the last corner.

    A match goes to the diagonal. Otherwise the path goes up (drops the reference token) if up >= left, else left.
    """
    marked = set()
    i, j = len(reference), len(prediction)
    while i > 0 and j > 0:
        if reference[i - 1] == prediction[j - 1]:
            marked.add(i - 1)
            i -= 1
            j -= 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marked


def rouge_l(prediction: Tokens, reference: Tokens) -> Counts:
    """Count one LCS of the two whole texts; Lin (2004), section 3.1."""
    length = lcs_table(prediction, reference)[-1][-1]
    return Counts(length, len(prediction), len(reference))


def _union_hits(
    prediction_sentences: Sentences, reference_sentences: Sentences, table: Callable[[Tokens, Tokens], Table]
) -> Iterator[tuple[set[int], list[int]]]:
    """Yield for each reference sentence the positions that are marked by any prediction sentence, and the hits.

    A marked position is a hit only if both texts still have that token to spend, and then each of them spends one.
    """
    prediction_left, reference_left = Counter(_flatten(prediction_sentences)), Counter(_flatten(reference_sentences))
    for reference in reference_sentences:
        marked: set[int] = set()
        for prediction in prediction_sentences:
            marked |= _traceback(table(prediction, reference), prediction, reference)
        hits = []
        for position in sorted(marked):
            token = reference[position]
            if prediction_left[token] > 0 and reference_left[token] > 0:
                prediction_left[token] -= 1
                reference_left[token] -= 1
                hits.append(position)
        yield marked, hits


def rouge_l_union(prediction_sentences: Sentences, reference_sentences: Sentences) -> Counts:
    """Count the union LCS as in ROUGE-1.5.5, and in rouge_score as rougeLsum; Lin (2004), section 3.2."""
    hits = 0
    for _, positions in _union_hits(prediction_sentences, reference_sentences, lcs_table):
        hits += len(positions)
    return Counts(hits, len(_flatten(prediction_sentences)), len(_flatten(reference_sentences)))


def _f(length: float, weight: float) -> float:
    """Return f(k) = k^weight, the worth of a run of k tokens; weight > 0."""
    return float(length) ** weight


def _wlcs_table(prediction: Tokens, reference: Tokens, weight: float) -> Table:
    """Return the weighted LCS table of Lin (2004), section 4: a match after k matches adds f(k + 1) - f(k)."""
    table = [[0.0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    run = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, reference_token in enumerate(reference, start=1):
        for j, prediction_token in enumerate(prediction, start=1):
            if reference_token == prediction_token:
                k = run[i - 1][j - 1]
                table[i][j] = table[i - 1][j - 1] + _f(k + 1, weight) - _f(k, weight)
                run[i][j] = k + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table


def rouge_w(prediction_sentences: Sentences, reference_sentences: Sentences, weight: float) -> Counts:
    """Count the weighted union LCS exactly as ROUGE-1.5.5 does.

    The hits of a run of k adjacent marked positions are worth f(k) together. Quirks of the script:

    - A marked position that clipping rejects neither ends a run nor pays it out: the run goes on at the next hit of the
      sentence or, if there is none, is lost.
    - The reference total is weighted twice, f(sum of f(sentence length)), the prediction total once.
    - It dies on a reference without tokens; here the reference total is then 0.
    """
    hits = base = 0.0
    for reference in reference_sentences:
        base += _f(len(reference), weight)
    weighted = functools.partial(_wlcs_table, weight=weight)
    for marked, positions in _union_hits(prediction_sentences, reference_sentences, weighted):
        run = 0
        for position in positions:
            run += 1
            if position + 1 not in marked:
                hits += _f(run, weight)
                run = 0
    return Counts(hits, _f(len(_flatten(prediction_sentences)), weight), _f(base, weight))


def rouge_w_paper(prediction: Tokens, reference: Tokens, weight: float) -> Counts:
    """Count one weighted LCS of the two whole texts; Lin (2004), section 4.

    A cell of the table holds the lengths of its runs, so that nothing is rounded but f and the sum of the runs.
    """

    def value(runs: list[int]) -> float:
        total = 0.0
        for run in runs:
            total += _f(run, weight)
        return total

    table: list[list[list[int]]] = [[[] for _ in range(len(prediction) + 1)]]
    for reference_token in reference:
        above, row = table[-1], [[]]
        for j, prediction_token in enumerate(prediction, start=1):
            if reference_token != prediction_token:
                row.append(max(above[j], row[-1], key=value))
            elif len(table) > 1 and j > 1 and reference[len(table) - 2] == prediction[j - 2]:
                row.append([*above[j - 1][:-1], above[j - 1][-1] + 1])
            else:
                row.append([*above[j - 1], 1])
        table.append(row)
    return Counts(value(table[-1][-1]), _f(len(prediction), weight), _f(len(reference), weight))


def _skip_bigrams(tokens: Tokens, gap: int | None) -> Counter[tuple]:
    """Count ordered pairs with at most `gap` tokens in between; None: any number."""
    pairs: Counter[tuple] = Counter()
    for i in range(len(tokens)):
        for j in range(i + 1, len(tokens)):
            if gap is None or j - i - 1 <= gap:
                pairs[(tokens[i], tokens[j])] += 1
    return pairs


def rouge_s(prediction: Tokens, reference: Tokens, gap: int | None) -> Counts:
    """Count skip-bigrams, clipped; Lin (2004), section 5."""
    return _clipped(_skip_bigrams(prediction, gap), _skip_bigrams(reference, gap))


def rouge_su(prediction: Tokens, reference: Tokens, gap: int | None) -> Counts:
    """Count skip-bigrams and the unigrams of all tokens but the last (ROUGE-1.5.5)."""
    return _clipped(
        _skip_bigrams(prediction, gap) + _ngrams(prediction[:-1], 1),
        _skip_bigrams(reference, gap) + _ngrams(reference[:-1], 1),
    )


def rouge_su_paper(prediction: Tokens, reference: Tokens, gap: int | None) -> Counts:
    """Count skip-bigrams and all unigrams; Lin (2004), section 5."""
    return _clipped(
        _skip_bigrams(prediction, gap) + _ngrams(prediction, 1), _skip_bigrams(reference, gap) + _ngrams(reference, 1)
    )


def precision_recall_f(counts: Counts, beta: float = 1.0, weight: float | None = None) -> Score:
    """Return P, R and F = (1 + beta^2) P R / (R + beta^2 P); 0 where a divisor is 0. `weight`: of ROUGE-W alone."""
    hits, prediction_total, reference_total = counts
    precision = hits / prediction_total if prediction_total else 0.0
    recall = hits / reference_total if reference_total else 0.0
    if weight is not None:
        precision **= 1 / weight
        recall **= 1 / weight
    divisor = recall + beta**2 * precision
    f = (1 + beta**2) * precision * recall / divisor if divisor else 0.0
    return precision, recall, f


def _means(scores: Sequence[Score]) -> Score:
    """Return the three means, added up left to right: `sum` rounds floats differently from Python 3.12 on."""
    precision = recall = f = 0.0
    for score in scores:
        precision += score[0]
        recall += score[1]
        f += score[2]
    return precision / len(scores), recall / len(scores), f / len(scores)


def choose(scores: Sequence[Score], rule: str) -> Score:
    """Reduce the scores against each reference, at least one, to one score.

    jackknife: the means of the best without each reference in turn; Lin (2004), section 2.1. One stands for itself.
    """
    if rule == "best":
        return max(scores, key=lambda score: score[2])  # max keeps the first on ties
    if rule == "best_recall":
        return max(scores, key=lambda score: score[1])
    if rule == "mean" or (rule == "jackknife" and len(scores) == 1):
        return _means(scores)
    if rule == "jackknife":
        rests = [[*scores[:i], *scores[i + 1 :]] for i in range(len(scores))]
        return _means([choose(rest, "best") for rest in rests])
    raise ValueError(f"rule {rule!r} is not one of best, best_recall, mean, jackknife")


def pooled(counts_list: Iterable[Counts]) -> Counts:
    """Add up the counts over the references, as ROUGE-1.5.5 does by default."""
    total = Counts(0, 0, 0)
    for counts in counts_list:
        total = Counts(*(a + b for a, b in zip(total, counts, strict=True)))
    return total
