"""What other tools call an LCS, and the pairs of ours, against the table and the walk back, written out."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import lcs_table

from polyrouge.counting.plain import lcs
from polyrouge.counting.plain.lcs import is_too_deep, lcs_length, lcs_pairs, lcs_positions, pairwise_lcs, type_union_lcs
from polyrouge.counting.plain.weighted_lcs import weighted_base, weighted_lcs_pairs, weighted_lcs_paper

words = st.lists(st.sampled_from("abcde"), max_size=14)
texts = st.lists(words, max_size=4)


def walk(reference, prediction):
    """The tokens on the way back as pltrdy's rouge goes it, and how deep its recursion gets."""
    table, i, j, found, steps, deepest = lcs_table(prediction, reference), len(reference), len(prediction), [], 0, 0
    while i and j:
        steps += 1
        if reference[i - 1] == prediction[j - 1]:
            found.append(reference[i - 1])
            i, j = i - 1, j - 1
            deepest = max(deepest, steps)
            continue
        deepest = max(deepest, steps + 1)
        if table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found, deepest


@given(texts, texts)
def test_distinct_tokens_on_the_walk_back(prediction, reference):
    hits = {token for one in prediction for other in reference for token in walk(other, one)[0]}
    totals = [len({token for sentence in text for token in sentence}) for text in (prediction, reference)]

    assert type_union_lcs(prediction, reference) == (len(hits), *totals)


@given(texts, texts)
def test_every_lcs_of_two_sentences_is_added_up(prediction, reference):
    hits = sum(lcs_table(one, other)[-1][-1] for one in prediction for other in reference)

    assert pairwise_lcs(prediction, reference) == (hits, sum(map(len, prediction)), sum(map(len, reference)))


@given(texts, texts, st.integers(1, 24))
def test_the_walk_is_too_deep_where_its_recursion_is(prediction, reference, steps):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "RECURSION_STEPS", steps)
        found = is_too_deep(prediction, reference)

    assert found == any(walk(other, one)[1] > steps for one in prediction for other in reference)


def assert_is_common(pairs, reference, prediction):
    assert all(reference[row] == prediction[column] for row, column in pairs)
    assert all(one < other for side in zip(*pairs, strict=True) for one, other in itertools.pairwise(side))


@given(words, words, st.sampled_from([1, 3, 4, 4096]))
def test_pairs_are_the_positions_of_the_lcs(reference, prediction, strip):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "_STRIP", strip)
        pairs = lcs_pairs(reference, prediction)

        assert len(pairs) == lcs_length(reference, prediction) == lcs_table(prediction, reference)[-1][-1]
        assert sum(1 << row for row, _ in pairs) == lcs_positions(reference, prediction)
        assert lcs.union_lcs_hits([prediction, []], [reference, []]) == len(pairs)
    assert_is_common(pairs, reference, prediction)


@pytest.mark.parametrize("sums_runs", [True, False])
@given(words, words, st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted_pairs_are_worth_the_weighted_lcs(sums_runs, reference, prediction, weight):
    pairs = weighted_lcs_pairs(reference, prediction, weight, sums_runs=sums_runs)

    assert_is_common(pairs, reference, prediction)
    ends = [
        place for place, (one, other) in enumerate(itertools.pairwise(pairs), 1) if (one[0] + 1, one[1] + 1) != other
    ]
    runs = [behind - first for first, behind in itertools.pairwise([0, *ends, len(pairs)])]
    assert sum(run**weight for run in runs) == pytest.approx(weighted_lcs_paper(prediction, reference, weight)[0])


def test_weighted_pairs_of_the_paper():
    """Lin (2004), section 4: the first prediction has one run of four, the second four runs of one."""
    for sums_runs in (True, False):
        one, four = (weighted_lcs_pairs("ABCDEFG", each, 2.0, sums_runs=sums_runs) for each in ("ABCDHIK", "AHBKCID"))
        assert one == [(0, 0), (1, 1), (2, 2), (3, 3)]
        assert four == [(0, 0), (1, 2), (2, 4), (3, 6)]


def test_a_base_is_the_sum_of_powers_of_lengths():
    assert weighted_base(["abc", "", "de"], 1.5) == 3**1.5 + 2**1.5
