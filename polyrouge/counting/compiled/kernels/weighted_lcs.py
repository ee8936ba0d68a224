"""Count ROUGE-W over token ids, equal to the plain ``weighted_lcs.py`` to the last bit.

Python's own power makes the table f, f[k] = k ** weight, one item longer than the longest text. Sums are added in the
same order as in the plain module.
"""

import cython


@cython.cclass
class WeightedRoom(Room):
    """Hold arrays for weighted common subsequences."""

    f: pc_f64
    held: p_i64  # by id: the stamp of the last prediction, or prediction sentence, with the token
    stamp: i64
    remaining: p_i64  # by id: how often it can still be hit; 0 between pairs
    is_marked: p_u8  # by position in the reference sentence
    values: p_f64  # one row of the table
    runs: p_i32
    starts: p_f64  # by column: the value before the run, or of the cell if there is no run
    moves: p_u8  # backward steps, of a table of short sentences
    cancelled: pc_u8

    def __cinit__(self, n_ids: cython.longlong, longest: cython.longlong):
        n_columns: i64 = max(longest, SHORT_SENTENCE) + 1
        self.held = cython.cast(p_i64, self.zeros(n_ids, 8))
        self.stamp = 0
        self.remaining = cython.cast(p_i64, self.zeros(n_ids, 8))
        self.is_marked = cython.cast(p_u8, self.zeros(longest + 1, 1))
        self.values = cython.cast(p_f64, self.zeros(n_columns, 8))
        self.runs = cython.cast(p_i32, self.zeros(n_columns, 4))
        self.starts = cython.cast(p_f64, self.zeros(n_columns, 8))
        self.moves = cython.cast(p_u8, self.zeros(SHORT_SENTENCE * (SHORT_SENTENCE + 1), 1))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_rows(
    pred: Text,
    ref: Text,
    values: p_f64,
    runs: p_i32,
    moves: p_u8,  # gets the backward steps, ref.n rows of pred.n + 1; NULL if they are not needed
    room: WeightedRoom,
) -> cython.void:
    """Fill table rows for some reference tokens; values and runs hold the row before, and then the last row."""
    f: pc_f64 = room.f
    held: p_i64 = room.held
    stamp: i64 = room.stamp  # ``held[token] == stamp``: the prediction has the token
    is_rising: flag = False  # whether no value of the row above is below the one to its left
    keeps_moves: flag = moves != cython.NULL
    move: u8
    for row in range(ref.n):
        if is_set(room.cancelled):
            return
        token = ref.ids[row]
        if is_rising and held[token] != stamp:  # no match: the row above has the same values
            fill_bytes(runs, 0, (pred.n + 1) * cython.sizeof(i32))
            if keeps_moves:
                fill_bytes(moves + row * (pred.n + 1), UP, pred.n + 1)
            continue
        above_left, run_left = values[0], runs[0]
        value = values[0]
        is_rising = True
        for column in range(1, pred.n + 1):
            above, run_above = values[column], runs[column]
            if pred.ids[column - 1] == token:
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
                moves[row * (pred.n + 1) + column] = move
            above_left, run_left = above, run_above


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hold(room: WeightedRoom, text: Text) -> cython.void:
    """Stamp the tokens of a text, and no others."""
    room.stamp += 1
    for position in range(text.n):
        room.held[text.ids[position]] = room.stamp


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk_back(moves: pc_u8, n_pred: i64, column: i64, n_rows: i64, is_marked: p_u8, partners: p_i32) -> i64:
    """Walk up and left from a column of the last row of moves, and mark matches; return the column reached.

    ``partners`` gets the position in the prediction of each match, by position in the reference; NULL if not needed.
    """
    row: i64 = n_rows
    while row > 0 and column > 0:
        move = moves[(row - 1) * (n_pred + 1) + column]
        is_marked[row - 1] |= move == DIAGONAL
        if partners != cython.NULL and move == DIAGONAL:
            partners[row - 1] = column - 1
        row -= move != LEFT
        column -= move != UP
    return column


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_long_path(pred: Text, ref: Text, room: WeightedRoom, partners: p_i32) -> flag:
    """Mark the matches on the backward path from the last cell as ``walk_back``; return False without memory."""
    # Backward steps are stored for a block of rows. If the table has several blocks, the row before each is stored, and
    # the blocks are filled again, from the last one up.
    width_: i64 = pred.n + 1
    block: i64 = BYTES_OF_MOVES // width_
    while block * block < 12 * ref.n and block < ref.n:  # the rows between blocks take memory too
        block += 1
    block = max(1, min(ref.n, block))
    n_blocks: i64 = (ref.n + block - 1) // block
    moves: p_u8 = cython.cast(p_u8, calloc(block, width_))
    values: p_f64 = cython.cast(p_f64, calloc(n_blocks + 1, width_ * cython.sizeof(f64)))
    runs: p_i32 = cython.cast(p_i32, calloc(n_blocks + 1, width_ * cython.sizeof(i32)))
    has_room: flag = moves != cython.NULL and values != cython.NULL and runs != cython.NULL
    column: i64 = pred.n
    rows: Text
    if has_room:
        for index in range(n_blocks - 1):
            if is_set(room.cancelled):  # each row takes memory and time
                break
            copy_bytes(values + (index + 1) * width_, values + index * width_, width_ * cython.sizeof(f64))
            copy_bytes(runs + (index + 1) * width_, runs + index * width_, width_ * cython.sizeof(i32))
            rows = Text(ref.ids + index * block, block)
            fill_rows(pred, rows, values + (index + 1) * width_, runs + (index + 1) * width_, cython.NULL, room)
        for index in range(n_blocks - 1, -1, -1):
            rows = Text(ref.ids + index * block, min(block, ref.n - index * block))
            fill_rows(pred, rows, values + index * width_, runs + index * width_, moves, room)
            if is_set(room.cancelled):  # some moves have not been written
                break
            some_partners: p_i32 = partners
            if partners != cython.NULL:
                some_partners += index * block
            column = walk_back(moves, pred.n, column, rows.n, room.is_marked + index * block, some_partners)
    free(moves)
    free(values)
    free(runs)
    return has_room


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_path(pred: Text, ref: Text, room: WeightedRoom, partners: p_i32) -> flag:
    """Mark the matches of two sentences as ``walk_back``; return False without memory."""
    hold(room, pred)
    if max(pred.n, ref.n) > SHORT_SENTENCE:
        return mark_long_path(pred, ref, room, partners)
    fill_bytes(room.values, 0, (pred.n + 1) * cython.sizeof(f64))
    fill_bytes(room.runs, 0, (pred.n + 1) * cython.sizeof(i32))
    fill_rows(pred, ref, room.values, room.runs, room.moves, room)
    if not is_set(room.cancelled):
        walk_back(room.moves, pred.n, pred.n, ref.n, room.is_marked, partners)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weighted_lcs(pred: Sentences, ref: Sentences, room: WeightedRoom, out: p_f64) -> flag:
    """Count ROUGE-W of one pair as ROUGE-1.5.5 does; return False without memory."""
    tokens: Text = tokens_in(pred)
    hits: f64 = 0.0
    base: f64 = 0.0
    run: i64
    for position in range(tokens.n):
        room.remaining[tokens.ids[position]] += 1
    for ref_index in range(ref.n):
        ref_sentence: Text = sentence_of(ref, ref_index)
        fill_bytes(room.is_marked, 0, ref_sentence.n + 1)  # one more, so that the last position has a next one
        for pred_index in range(pred.n):
            if is_set(room.cancelled):
                break
            if not mark_path(sentence_of(pred, pred_index), ref_sentence, room, cython.NULL):
                return False
        run = 0
        for position in range(ref_sentence.n):
            token = ref_sentence.ids[position]
            if room.is_marked[position] and room.remaining[token] > 0:
                room.remaining[token] -= 1
                run += 1
                if not room.is_marked[position + 1]:
                    hits += room.f[run]
                    run = 0
        base += room.f[ref_sentence.n]
    out[0], out[1], out[2] = hits, room.f[tokens.n], base
    for position in range(tokens.n):
        room.remaining[tokens.ids[position]] = 0
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_of_runs(pred: Text, ref: Text, room: WeightedRoom, moves: p_u8) -> f64:
    """Return the last value of the table of two texts, whose values are sums of f(run) over runs.

    ``moves`` gets the backward steps, ref.n rows of pred.n + 1; NULL if they are not needed.
    """
    keeps_moves: flag = moves != cython.NULL
    move: u8
    f: pc_f64 = room.f
    held: p_i64 = room.held
    values: p_f64 = room.values
    runs: p_i32 = room.runs
    starts: p_f64 = room.starts
    is_rising: flag = True  # as in fill_rows
    hold(room, pred)
    stamp: i64 = room.stamp
    fill_bytes(values, 0, (pred.n + 1) * cython.sizeof(f64))
    fill_bytes(runs, 0, (pred.n + 1) * cython.sizeof(i32))
    fill_bytes(starts, 0, (pred.n + 1) * cython.sizeof(f64))
    for row in range(ref.n):
        if is_set(room.cancelled):
            break
        token = ref.ids[row]
        if is_rising and held[token] != stamp:  # no match: the row above has the same values
            fill_bytes(runs, 0, (pred.n + 1) * cython.sizeof(i32))
            copy_bytes(starts, values, (pred.n + 1) * cython.sizeof(f64))
            if keeps_moves:
                fill_bytes(moves + row * (pred.n + 1), UP, pred.n + 1)
            continue
        value: f64 = 0.0
        run_left: i32 = 0
        start_left: f64 = 0.0
        is_rising = True
        for column in range(1, pred.n + 1):
            above, run_above, start_above = values[column], runs[column], starts[column]
            if pred.ids[column - 1] == token:
                before = value
                value = start_left + f[run_left + 1]
                is_rising = is_rising and value >= before
                runs[column], starts[column] = run_left + 1, start_left
                move = DIAGONAL
            else:
                move = LEFT if value > above else UP
                value = value if value > above else above
                runs[column], starts[column] = 0, value
            if keeps_moves:
                moves[row * (pred.n + 1) + column] = move
            values[column] = value
            run_left, start_left = run_above, start_above
    return values[pred.n]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weighted_lcs_paper(pred: Text, ref: Text, room: WeightedRoom, out: p_f64) -> cython.void:
    """Count ROUGE-W of one pair as in Lin (2004)."""
    out[0], out[1], out[2] = sum_of_runs(pred, ref, room, cython.NULL), room.f[pred.n], room.f[ref.n]
