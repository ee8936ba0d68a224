"""Find pairs for which pltrdy's rouge fails with a RecursionError: the twin of ``is_too_deep``."""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walks_too_deep(pred: Text, ref: Text, most_steps: i64, room: LcsRoom) -> i64:
    """Say whether the walk back through the table of two sentences takes more steps; -1 without memory.

    A last step that drops a token, in place of a match, takes one level more.
    """
    if min(pred.n, ref.n) > most_steps:  # a step drops at most one token of each side
        return True
    if pred.n == 0 or ref.n == 0:
        return False
    length: i64 = find_path(ref, pred, room)  # the sides are swapped, as in ``type_union_lcs``
    if length < 0:
        return -1
    n_pred: i64 = pred.n  # tokens that are left before the first match, and without one at first
    n_ref: i64 = ref.n
    steps: i64 = 0
    if length > 0:
        n_ref = room.path[length - 1]
        n_pred = room.path[room.longest + length - 1]
        steps = pred.n - n_pred + ref.n - n_ref - length
    is_match: flag = n_pred == 0 or n_ref == 0  # the last step
    if not is_match:
        steps += n_pred  # without a match the prediction's token is dropped
    return steps > most_steps or (steps == most_steps and not is_match)


def are_too_deep(pairs: Pairs, most_steps: cython.longlong):
    """Return bool[n_pairs]: whether any two sentences of a pair need a deeper recursion than ``most_steps``."""
    sizes = np.diff(np.asarray(pairs.sentence_tokens)[np.asarray(pairs.text_sentences)])
    longest: i64 = sizes.max(initial=1)
    is_deep = np.zeros(pairs.n, np.uint8)
    room = LcsRoom(pairs.n_ids, longest, 0)
    room.cancelled = cython.address(pairs.cancelled[0])
    deep: u8[::1] = is_deep
    answer: i64
    has_memory: flag = True
    with cython.nogil:
        for pair in range(pairs.n):
            pred_sentences: Sentences = sentences_of(pairs, pairs.predictions[pair])
            ref_sentences: Sentences = sentences_of(pairs, pairs.references[pair])
            for ref_index in range(ref_sentences.n):
                ref_text: Text = sentence_of(ref_sentences, ref_index)
                if deep[pair] or ref_text.n + longest <= most_steps:  # no walk takes a step more than both have tokens
                    continue
                for pred_index in range(pred_sentences.n):
                    pred_text: Text = sentence_of(pred_sentences, pred_index)
                    if not deep[pair] and pred_text.n + ref_text.n > most_steps:
                        answer = walks_too_deep(pred_text, ref_text, most_steps, room)
                        deep[pair] = answer == 1
                        has_memory = has_memory and answer >= 0
    if not has_memory:
        raise MemoryError
    return is_deep.astype(bool)
