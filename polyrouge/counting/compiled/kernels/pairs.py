"""Hold the counts of pairs, and make precision, recall and F of them as Python floats."""

import cython


@cython.cclass
class FRule:
    """Say how F is made of precision and recall; ``alpha`` below 0 is none, ``epsilon`` is added below the line.

    All three are rounded to ``digits`` if that is at least 0.
    """

    square: f64
    alpha: f64
    epsilon: f64
    digits: i64
    scale: f64

    def __init__(self, beta: cython.double, alpha: cython.double, epsilon: cython.double, digits: cython.longlong = -1):
        self.square, self.alpha, self.epsilon, self.digits = beta * beta, alpha, epsilon, digits
        self.scale = 10.0**digits

    def columns(self, counts: cython.const[f64][:, :, ::1]):
        """Return for each type three lists: precision, recall and F of each pair; counts as from ``count_read``."""
        if counts.shape[2] != 3:
            raise ValueError("counts are hits and two totals")
        n_pairs, n_types = counts.shape[0], counts.shape[1]
        return columns_of(self, cython.address(counts[0, 0, 0]) if n_pairs * n_types else cython.NULL, n_pairs, n_types)


@cython.cclass
class Counted:
    """Hold counts of pairs, from ``TextCounter.count``, and the flags of their texts."""

    arrays: Room
    n_samples: i64
    n_pairs: i64
    n_types: i64
    counts: p_f64  # of each pair and type the hits and both totals
    tokens: p_i64  # of each pair the tokens of both texts
    flags: i64  # of all texts together
    text_flags: p_u8  # of each text, a sample's prediction before its references
    n_texts: i64
    first_texts: p_i64  # of each sample, and the end
    texts: cython.pointer[pc_char]  # valid only during the count
    sizes: p_i64  # of the texts, in bytes
    fewest_tokens: i64  # of a text
    most_tokens: i64  # of a pair

    def __cinit__(self, n_samples: cython.longlong, n_pairs: cython.longlong, n_types: cython.longlong):
        self.arrays = Room()
        self.n_samples, self.n_pairs, self.n_types, self.n_texts = n_samples, n_pairs, n_types, n_samples + n_pairs
        n_texts: i64 = self.n_texts
        n_words: i64 = 3 * n_pairs * n_types + 2 * n_pairs + n_samples + 1 + 2 * n_texts
        # One block, as a call with one pair takes a microsecond or two.
        self.counts = cython.cast(p_f64, self.arrays.zeros(n_words + (n_texts + 7) // 8, 8))
        self.tokens = cython.cast(p_i64, self.counts + 3 * n_pairs * n_types)
        self.first_texts = self.tokens + 2 * n_pairs
        self.sizes = self.first_texts + n_samples + 1
        self.texts = cython.cast(cython.pointer[pc_char], self.sizes + n_texts)
        self.text_flags = cython.cast(p_u8, self.texts + n_texts)
        self.flags = self.most_tokens = 0
        self.fewest_tokens = MOST_TOKENS

    def seen(self):
        """Return the flags of all texts together, and the tokens of the shortest text and of the longest pair."""
        return self.flags, self.fewest_tokens, self.most_tokens

    def flags_by_text(self):
        """Return uint8[n_texts], a sample's prediction before its references."""
        all_flags = np.empty(self.n_texts, np.uint8)
        flags: u8[::1] = all_flags
        if self.n_texts > 0:
            copy_bytes(cython.address(flags[0]), self.text_flags, self.n_texts)
        return all_flags

    def to_arrays(self):
        """Return float64[n_pairs, n_types, 3], and int64[n_pairs, 2]: the tokens of both texts."""
        all_counts, all_tokens = np.empty((self.n_pairs, self.n_types, 3)), np.empty((self.n_pairs, 2), np.int64)
        counts: f64[:, :, ::1] = all_counts
        tokens: i64[:, ::1] = all_tokens
        if self.n_pairs > 0:
            copy_bytes(cython.address(tokens[0, 0]), self.tokens, 2 * self.n_pairs * cython.sizeof(i64))
            if self.n_types > 0:
                size = 3 * self.n_pairs * self.n_types * cython.sizeof(f64)
                copy_bytes(cython.address(counts[0, 0, 0]), self.counts, size)
        return all_counts, all_tokens

    def columns(self, rule: FRule):
        """Return the lists of ``FRule.columns``."""
        return columns_of(rule, self.counts, self.n_pairs, self.n_types)

    def scores(self, rule: FRule):
        """Return float64[3 * n_types, n_pairs]: for each type rows of precision, recall and F."""
        all_scores = np.empty((3 * self.n_types, self.n_pairs))
        if self.n_pairs == 0 or self.n_types == 0:
            return all_scores
        rows: f64[:, ::1] = all_scores
        row: p_f64 = cython.address(rows[0, 0])
        scores: f64[3]
        n_pairs: i64 = self.n_pairs
        for column in range(self.n_types):
            for pair in range(n_pairs):
                pair_counts = self.counts + 3 * (pair * self.n_types + column)
                scores_of(rule, pair_counts[0], pair_counts[1], pair_counts[2], scores)
                row[pair], row[n_pairs + pair], row[2 * n_pairs + pair] = scores[0], scores[1], scores[2]
            row += 3 * n_pairs
        return all_scores

    def scored(self, rule: FRule):
        """Return of the first pair by type: precision, recall, F; hits, both totals; and which text is empty."""
        score_rows: list = []
        counts: list = []
        scores: f64[3]
        if self.n_pairs == 0:
            raise ValueError("there is no pair")
        for column in range(self.n_types):
            type_counts = self.counts + 3 * column
            scores_of(rule, type_counts[0], type_counts[1], type_counts[2], scores)
            score_rows.append((scores[0], scores[1], scores[2]))
            counts.append(
                (cython.cast(i64, type_counts[0]), cython.cast(i64, type_counts[1]), cython.cast(i64, type_counts[2]))
            )
        return score_rows, counts, self.tokens[0] == 0, self.tokens[1] == 0


@cython.cfunc
def columns_of(rule: FRule, counts: pc_f64, n_pairs: i64, n_types: i64) -> list:
    """Return for each type three lists: precision, recall and F of each pair."""
    columns: list = []
    scores: f64[3]
    for column in range(n_types):
        precisions: list = []
        recalls: list = []
        f_measures: list = []
        for pair in range(n_pairs):
            pair_counts = counts + 3 * (pair * n_types + column)
            scores_of(rule, pair_counts[0], pair_counts[1], pair_counts[2], scores)
            precisions.append(scores[0])
            recalls.append(scores[1])
            f_measures.append(scores[2])
        columns += [precisions, recalls, f_measures]
    return columns


@cython.cfunc
@cython.exceptval(check=False)
def rounded_to(value: f64, rule: FRule) -> f64:
    """Round a score as Python's ``round`` does; see ``rounded`` of ``scoring/scores.py``."""
    scaled: f64 = value * rule.scale
    nearest: f64 = (scaled + NO_FRACTIONS) - NO_FRACTIONS
    if -0.4999 < scaled - nearest < 0.4999 and scaled < 1e9:
        return nearest / rule.scale
    return round(value, rule.digits)


@cython.cfunc
@cython.exceptval(check=False)
def scores_of(rule: FRule, hits: f64, pred_total: f64, ref_total: f64, scores: p_f64) -> cython.void:
    """Make precision, recall and F by the operations of ``scores_from_counts``, in the same order."""
    precision: f64 = 0
    recall: f64 = 0
    if hits != 0 and pred_total != 0:
        precision = hits / pred_total
    if hits != 0 and ref_total != 0:
        recall = hits / ref_total
    if rule.digits >= 0:
        precision, recall = rounded_to(precision, rule), rounded_to(recall, rule)
    if rule.alpha >= 0:
        above = precision * recall
        below = (1 - rule.alpha) * precision + rule.alpha * recall
    else:
        above = (1 + rule.square) * precision * recall
        below = recall + rule.square * precision
    if rule.epsilon != 0:
        below += rule.epsilon
    f: f64 = above / below if below != 0 else 0
    if rule.digits >= 0:
        f = rounded_to(f, rule)
    scores[0], scores[1], scores[2] = precision, recall, f
