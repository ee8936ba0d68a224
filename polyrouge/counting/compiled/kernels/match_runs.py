"""Find the runs that score in ROUGE-W, with their positions: the twin of ``explaining/matching.py``."""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_run_hits(
    pred: Sentences, ref: Sentences, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32, runs: p_i32
) -> i64:
    """Find the tokens of the runs of ``weighted_lcs``, and the number of the run of each; return how many they are."""
    ref_tokens: Text = tokens_in(ref)
    remaining: p_i32 = room.lcs.remaining
    n_hits: i64 = 0
    n_runs: i64 = 0
    free_positions(tokens_in(pred), room)
    for sentence in range(ref.n):
        ref_sentence: Text = sentence_of(ref, sentence)
        start: i64 = ref.bounds[sentence] - ref.bounds[0]
        first_hit: i64 = n_hits
        hit: i64 = n_hits  # those behind n_hits are of a run that has not ended
        fill_bytes(room.weighted.is_marked, 0, ref_sentence.n + 1)
        for pred_index in range(pred.n):
            room.has_memory &= mark_path(sentence_of(pred, pred_index), ref_sentence, room.weighted, cython.NULL)
        for position in range(ref_sentence.n):
            if room.weighted.is_marked[position] and remaining[ref_sentence.ids[position]] > 0:
                remaining[ref_sentence.ids[position]] -= 1
                pred_positions[hit], ref_positions[hit], runs[hit] = -1, start + position, n_runs
                hit += 1
                if not room.weighted.is_marked[position + 1]:
                    n_hits = hit
                    n_runs += 1
        find_partners(pred, ref, sentence, first_hit, n_hits, room, pred_positions, ref_positions)
    take_rest(tokens_in(pred), ref_tokens, n_hits, room, pred_positions, ref_positions)
    return n_hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_runs(pred: Text, ref: Text, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32, runs: p_i32) -> i64:
    """Find the tokens on the weighted subsequence of two texts, and the number of the run of each."""
    moves: p_u8 = cython.cast(p_u8, calloc(max(ref.n, 1), pred.n + 1))
    n_hits: i64 = 0
    n_runs: i64 = 0
    if moves == cython.NULL:
        room.has_memory = False
        return 0
    for position in range(ref.n):
        room.partners[position] = -1
    sum_of_runs(pred, ref, room.weighted, moves)
    walk_back(moves, pred.n, pred.n, ref.n, room.weighted.is_marked, room.partners)
    free(moves)
    for position in range(ref.n):
        if room.partners[position] >= 0:
            if n_hits > 0 and (
                ref_positions[n_hits - 1] != position - 1 or pred_positions[n_hits - 1] != room.partners[position] - 1
            ):
                n_runs += 1
            pred_positions[n_hits], ref_positions[n_hits] = room.partners[position], position
            runs[n_hits] = n_runs
            n_hits += 1
    return n_hits


def match_runs(pairs: Pairs, weights: cython.const[f64][::1], by_sentence: cython.bint):
    """Return int32[3, n_hits], by pair: positions in prediction and reference, and the number of the run in its pair.

    And int64[n_pairs], the numbers of hits. ``by_sentence`` follows ROUGE-1.5.5, else Lin (2004); ``weights`` is f, for
    one length more than the longest text has.
    """
    pred, ref = np.asarray(pairs.predictions), np.asarray(pairs.references)
    sizes = np.maximum(
        np.diff(pairs.text_tokens), np.diff(np.asarray(pairs.sentence_tokens)[np.asarray(pairs.text_sentences)])
    )
    longest: i64 = sizes.max(initial=1)
    if longest >= MOST_TOKENS or weights.shape[0] < longest + 2:
        raise ValueError("a text has more tokens than there are weights, or than 2,147,483,631")
    room = MatchRoom(pairs.n_ids, longest, 0)
    room.is_weighted = True
    room.weighted = WeightedRoom(pairs.n_ids, longest)
    room.weighted.f = cython.address(weights[0])
    room.weighted.cancelled = cython.address(pairs.cancelled[0])
    room.partners = cython.cast(p_i32, room.zeros(longest, 4))
    all_positions = np.empty((3, np.minimum(sizes[pred], sizes[ref]).sum() + 1), np.int32)
    hit_counts = np.zeros(pairs.n, np.int64)
    positions: i32[:, ::1] = all_positions
    counts: i64[::1] = hit_counts
    pred_positions: p_i32 = cython.address(positions[0, 0])
    ref_positions: p_i32 = cython.address(positions[1, 0])
    runs: p_i32 = cython.address(positions[2, 0])
    n: i64
    n_hits: i64 = 0
    with cython.nogil:
        for pair in range(pairs.n):
            if by_sentence:
                n = find_run_hits(
                    sentences_of(pairs, pairs.predictions[pair]),
                    sentences_of(pairs, pairs.references[pair]),
                    room,
                    pred_positions + n_hits,
                    ref_positions + n_hits,
                    runs + n_hits,
                )
            else:
                n = find_runs(
                    text_of(pairs, pairs.predictions[pair]),
                    text_of(pairs, pairs.references[pair]),
                    room,
                    pred_positions + n_hits,
                    ref_positions + n_hits,
                    runs + n_hits,
                )
            counts[pair] = n
            n_hits += n
    if not room.has_memory:
        raise MemoryError
    return all_positions[:, :n_hits], hit_counts
