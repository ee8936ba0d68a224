"""ROUGE-W over token ids, equal to the plain ``weighted_lcs.py`` to the last bit.

Chunks are given as in ``ngrams.py`` and ``lcs.py``; f is a table made by Python's own power, and sums are added
in the same order as there.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import *

WeightedRoom = cython.struct(
    held=p_i64,  # by id: the stamp of the prediction, or its sentence, that it was last in
    left=p_i64,  # by id: how often it can be hit; 0 between pairs
    is_marked=p_u8,  # by place in the reference sentence
    values=p_f64,  # one row of the table
    runs=p_i32,
    moves=p_u8,  # steps back, of a table of short sentences
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_rows(
    pred: pc_u32,
    n_pred: i64,
    ref: pc_u32,
    n_ref: i64,
    f: pc_f64,
    values: p_f64,
    runs: p_i32,
    moves: p_u8,  # takes the steps back, n_ref rows of n_pred + 1; NULL where nobody asks for them
    held: p_i64,  # ``held[token] == stamp`` says that a token is among the prediction's
    stamp: i64,
    cancelled: pc_u8,
) -> cython.void:
    """Rows of the table for some reference tokens, over the row before in values, runs, which become the last one."""
    is_rising: flag = False  # whether no value of the row above is below the one to its left
    keeps_moves: flag = moves != cython.NULL
    move: u8
    for row in range(n_ref):
        if is_set(cancelled):
            return
        token = ref[row]
        if is_rising and held[token] != stamp:  # no match: the values are those of the row above
            fill_bytes(runs, 0, (n_pred + 1) * cython.sizeof(i32))
            if keeps_moves:
                fill_bytes(from_u8(moves, row * (n_pred + 1)), UP, n_pred + 1)
            continue
        above_left, run_left = values[0], runs[0]
        value = values[0]
        is_rising = True
        for column in range(1, n_pred + 1):
            above, run_above = values[column], runs[column]
            if pred[column - 1] == token:
                before = value
                value = above_left + f[run_left + 1] - f[run_left]
                is_rising = is_rising and value >= before
                runs[column] = run_left + 1
                move = DIAGONAL
            else:
                move = LEFT if value > above else UP
                value = value if value > above else above
                runs[column] = 0
            values[column] = value
            if keeps_moves:
                moves[row * (n_pred + 1) + column] = move
            above_left, run_left = above, run_above


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def hold(held: p_i64, stamp: i64, tokens: pc_u32, n: i64) -> cython.void:
    """Write down that these tokens are held."""
    for place in range(n):
        held[tokens[place]] = stamp


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk_back(moves: pc_u8, n_pred: i64, column: i64, n_rows: i64, is_marked: p_u8) -> i64:
    """Walk from a column of the last of some rows of moves up and left, and mark matches; return the last column."""
    row: i64 = n_rows
    while row > 0 and column > 0:
        move = moves[(row - 1) * (n_pred + 1) + column]
        is_marked[row - 1] |= move == DIAGONAL
        row -= move != LEFT
        column -= move != UP
    return column


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rows_in_a_block(n_pred: i64, n_ref: i64) -> i64:
    """Of how many rows the steps back are kept at once: as BYTES_OF_MOVES hold, or the rows between blocks need."""
    rows: i64 = BYTES_OF_MOVES // (n_pred + 1)
    while rows * rows < 12 * n_ref and rows < n_ref:
        rows += 1
    return max(1, min(n_ref, rows))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_path(
    pred: pc_u32,
    n_pred: i64,
    ref: pc_u32,
    n_ref: i64,
    f: pc_f64,
    is_marked: p_u8,
    held: p_i64,
    stamp: i64,
    block: i64,
    cancelled: pc_u8,
) -> flag:
    """Mark the reference places at which the path back from the last cell takes a match; False without memory for it.

    Steps back are kept for a block of rows. Where one block does not hold the table, the row before
    each is kept, and the blocks are filled again, from the last one up.
    """
    n_blocks: i64 = (n_ref + block - 1) // block
    width_: i64 = n_pred + 1
    moves: p_u8 = cython.cast(p_u8, calloc(block, width_))
    values: p_f64 = cython.cast(p_f64, calloc(n_blocks + 1, width_ * cython.sizeof(f64)))
    runs: p_i32 = cython.cast(p_i32, calloc(n_blocks + 1, width_ * cython.sizeof(i32)))
    has_room: flag = moves != cython.NULL and values != cython.NULL and runs != cython.NULL
    column: i64 = n_pred
    if has_room:
        for index in range(n_blocks - 1):
            copy_bytes(values + (index + 1) * width_, values + index * width_, width_ * cython.sizeof(f64))
            copy_bytes(runs + (index + 1) * width_, runs + index * width_, width_ * cython.sizeof(i32))
            fill_rows(
                pred,
                n_pred,
                ref + index * block,
                block,
                f,
                values + (index + 1) * width_,
                runs + (index + 1) * width_,
                cython.NULL,
                held,
                stamp,
                cancelled,
            )
        for index in range(n_blocks - 1, -1, -1):
            start = index * block
            n_rows = min(block, n_ref - start)
            fill_rows(
                pred,
                n_pred,
                ref + start,
                n_rows,
                f,
                values + index * width_,
                runs + index * width_,
                moves,
                held,
                stamp,
                cancelled,
            )
            if is_set(cancelled):  # some moves have not been written
                break
            column = walk_back(moves, n_pred, column, n_rows, is_marked + start)
    free(moves)
    free(values)
    free(runs)
    return has_room


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weighted_lcs(
    ids: pc_u32,
    sentence_tokens: pc_i64,
    pred_from: i64,
    pred_to: i64,
    ref_from: i64,
    ref_to: i64,
    f: pc_f64,
    room: WeightedRoom,
    stamp: p_i64,
    cancelled: pc_u8,
    out: p_f64,
) -> flag:
    """ROUGE-W of one pair as ROUGE-1.5.5 counts it; False without memory for it."""
    pred: i64 = sentence_tokens[pred_from]
    pred_end: i64 = sentence_tokens[pred_to]
    hits: f64 = 0.0
    base: f64 = 0.0
    run: i64
    for place in range(pred, pred_end):
        room.left[ids[place]] += 1
    for sentence in range(ref_from, ref_to):
        theirs = ids + sentence_tokens[sentence]
        n_theirs = sentence_tokens[sentence + 1] - sentence_tokens[sentence]
        fill_bytes(room.is_marked, 0, n_theirs + 1)  # one more, so that the last place has a next one
        for other in range(pred_from, pred_to):
            if is_set(cancelled):
                break
            ours = ids + sentence_tokens[other]
            n_ours = sentence_tokens[other + 1] - sentence_tokens[other]
            stamp[0] += 1
            hold(room.held, stamp[0], ours, n_ours)
            if max(n_ours, n_theirs) > SHORT_SENTENCE:
                if not mark_path(
                    ours,
                    n_ours,
                    theirs,
                    n_theirs,
                    f,
                    room.is_marked,
                    room.held,
                    stamp[0],
                    rows_in_a_block(n_ours, n_theirs),
                    cancelled,
                ):
                    return False
                continue
            fill_bytes(room.values, 0, (n_ours + 1) * cython.sizeof(f64))
            fill_bytes(room.runs, 0, (n_ours + 1) * cython.sizeof(i32))
            fill_rows(
                ours, n_ours, theirs, n_theirs, f, room.values, room.runs, room.moves, room.held, stamp[0], cancelled
            )
            if not is_set(cancelled):
                walk_back(room.moves, n_ours, n_ours, n_theirs, room.is_marked)
        run = 0
        for place in range(n_theirs):
            token = theirs[place]
            if room.is_marked[place] and room.left[token] > 0:
                room.left[token] -= 1
                run += 1
                if not room.is_marked[place + 1]:
                    hits += f[run]
                    run = 0
        base += f[n_theirs]
    out[0], out[1], out[2] = hits, f[pred_end - pred], base
    for place in range(pred, pred_end):
        room.left[ids[place]] = 0
    return True


def count_weighted_lcs(
    ids: cython.const[u32][::1],
    sentence_tokens: cython.const[i64][::1],
    text_sentences: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    f: cython.const[f64][::1],  # f[k] = k ** weight, an item more than a text has tokens
    cancelled: cython.const[u8][::1],
):
    """ROUGE-W of a chunk as ROUGE-1.5.5 counts it: see ``weighted_lcs``, and for the arguments ``lcs.py``.

    The third column is the reference's sum of f(length), which the caller weights once more.
    """
    longest: i64 = longest_stretch(sentence_tokens, ids.shape[0])
    short: i64 = min(longest, SHORT_SENTENCE)
    text: i64
    pair: i64
    stamp: i64 = 0
    has_room: flag = True
    longest_stretch(text_sentences, sentence_tokens.shape[0] - 1)
    check_pairs(predictions, references, text_sentences)
    check_ids(ids, n_ids)
    check_cancelled(cancelled)
    for text in range(text_sentences.shape[0] - 1):
        if sentence_tokens[text_sentences[text + 1]] - sentence_tokens[text_sentences[text]] >= f.shape[0]:
            raise ValueError("f must have an item more than a text has tokens")
    counted = np.zeros((predictions.shape[0], 3), np.float64)
    out: f64[:, ::1] = counted
    room = Room()
    arrays: WeightedRoom
    arrays.held = cython.cast(p_i64, room.zeros(n_ids, 8))
    arrays.left = cython.cast(p_i64, room.zeros(n_ids, 8))
    arrays.is_marked = cython.cast(p_u8, room.zeros(longest + 1, 1))
    arrays.values = cython.cast(p_f64, room.zeros(short + 1, 8))
    arrays.runs = cython.cast(p_i32, room.zeros(short + 1, 4))
    arrays.moves = cython.cast(p_u8, room.zeros(short * (short + 1), 1))
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            has_room = weighted_lcs(
                cython.address(ids[0]),
                cython.address(sentence_tokens[0]),
                text_sentences[predictions[pair]],
                text_sentences[predictions[pair] + 1],
                text_sentences[references[pair]],
                text_sentences[references[pair] + 1],
                cython.address(f[0]),
                arrays,
                cython.address(stamp),
                cython.address(cancelled[0]),
                cython.address(out[pair, 0]),
            )
            if not has_room:
                break
    if not has_room:
        raise MemoryError
    return counted


def count_weighted_lcs_paper(
    ids: cython.const[u32][::1],
    text_tokens: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    f: cython.const[f64][::1],
    cancelled: cython.const[u8][::1],
):
    """ROUGE-W of the paper over whole texts: see ``weighted_lcs_paper``; arguments as ``count_weighted_lcs``."""
    longest: i64 = longest_stretch(text_tokens, ids.shape[0])
    check_pairs(predictions, references, text_tokens)
    check_ids(ids, n_ids)
    check_cancelled(cancelled)
    if longest >= f.shape[0]:
        raise ValueError("f must have an item more than a text has tokens")
    counted = np.zeros((predictions.shape[0], 3), np.float64)
    out: f64[:, ::1] = counted
    room = Room()
    values: p_f64 = cython.cast(p_f64, room.zeros(longest + 1, 8))
    runs: p_i32 = cython.cast(p_i32, room.zeros(longest + 1, 4))
    held: p_i64 = cython.cast(p_i64, room.zeros(n_ids, 8))
    going: pc_u8 = cython.address(cancelled[0])
    pred: pc_u32
    ref: pc_u32
    pair: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            pred = cython.address(ids[0]) + text_tokens[predictions[pair]]
            ref = cython.address(ids[0]) + text_tokens[references[pair]]
            n_pred = text_tokens[predictions[pair] + 1] - text_tokens[predictions[pair]]
            n_ref = text_tokens[references[pair] + 1] - text_tokens[references[pair]]
            fill_bytes(values, 0, (n_pred + 1) * cython.sizeof(f64))
            fill_bytes(runs, 0, (n_pred + 1) * cython.sizeof(i32))
            hold(held, pair + 1, pred, n_pred)
            fill_rows(pred, n_pred, ref, n_ref, cython.address(f[0]), values, runs, cython.NULL, held, pair + 1, going)
            out[pair, 0], out[pair, 1], out[pair, 2] = values[n_pred], f[n_pred], f[n_ref]
    return counted
