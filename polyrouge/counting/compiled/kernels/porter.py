"""Compiled: the Porter stemmer as NLTK has it, in place.

The twin of ``nltk.stem.porter.PorterStemmer`` in its default mode (Porter 1980 with NLTK's
extensions), which rouge_score uses; a test holds the two together. ROUGE-1.5.5's stemmer is another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import helper


class _Rules(NamedTuple):
    """Suffix rules of one step, in order; the first whose suffix fits decides, whatever its condition.

    Attributes:
        letters: uint8, suffix and replacement of each rule, one after the other.
        places: int64[n_rules, 3]: where the suffix begins and ends in letters, and the replacement ends.
        conditions: int64[n_rules, 2]: the measure must be above the first; it is that of the word
            without the suffix but with so many of its letters.
    """

    letters: np.ndarray
    places: np.ndarray
    conditions: np.ndarray


def _rules(above: int, *rules: str) -> _Rules:
    """Make a table of rules written ``suffix>replacement``; ``logi`` has a condition of its own."""
    letters, places, conditions = b"", [], []
    for rule in rules:
        suffix, _, replacement = rule.encode().partition(b">")
        start = len(letters)
        letters += suffix + replacement
        places.append((start, start + len(suffix), len(letters)))
        conditions.append((above, 1 if suffix == b"logi" else 0))
    return _Rules(np.frombuffer(letters, np.uint8), np.array(places), np.array(conditions))


_ANY = -1
_STEP_1A = _rules(_ANY, "sses>ss", "ies>i", "ss>ss", "s>")
_STEP_1B = _rules(_ANY, "at>ate", "bl>ble", "iz>ize")
_STEP_2 = _rules(
    0,
    *("ational>ate", "tional>tion", "enci>ence", "anci>ance", "izer>ize", "bli>ble", "alli>al", "entli>ent"),
    *("eli>e", "ousli>ous", "ization>ize", "ation>ate", "ator>ate", "alism>al", "iveness>ive", "fulness>ful"),
    *("ousness>ous", "aliti>al", "iviti>ive", "biliti>ble", "fulli>ful", "logi>log"),
)
_STEP_3 = _rules(0, "icate>ic", "ative>", "alize>al", "iciti>ic", "ical>ic", "ful>", "ness>")
_STEP_4 = _rules(
    1,
    *("al>", "ance>", "ence>", "er>", "ic>", "able>", "ible>", "ant>", "ement>", "ment>", "ent>", "ion>", "ou>"),
    *("ism>", "ate>", "iti>", "ous>", "ive>", "ize>"),
)
# Whole words that NLTK maps before any rule.
_WHOLE = _rules(
    _ANY,
    *("sky>sky", "skies>sky", "dying>die", "lying>lie", "tying>tie", "news>news", "innings>inning"),
    *("inning>inning", "outings>outing", "outing>outing", "cannings>canning", "canning>canning", "howe>howe"),
    *("proceed>proceed", "exceed>exceed", "succeed>succeed"),
)
_ALLI = _rules(0, "alli>al")

_A, _D, _E, _G, _I, _L, _N, _O, _S, _T, _U, _W, _X, _Y, _Z = b"adegilnostuwxyz"


@helper
def _is_consonant(word, place):
    """Any letter but a, e, i, o, u, and y behind a consonant; digits are consonants."""
    negate = False
    while word[place] == _Y and place > 0:
        negate = not negate
        place -= 1
    letter = word[place]
    is_vowel = letter == _A or letter == _E or letter == _I or letter == _O or letter == _U
    return (not is_vowel) != negate


@helper
def _measure(word, n):
    """How often a vowel is followed by a consonant in the first n letters: m of Porter (1980)."""
    measure = 0
    before = True
    for place in range(n):
        letter = word[place]
        if letter == _Y:
            consonant = place == 0 or not before
        else:
            consonant = not (letter == _A or letter == _E or letter == _I or letter == _O or letter == _U)
        if consonant and not before:
            measure += 1
        before = consonant
    return measure


@helper
def _has_vowel(word, n):
    for place in range(n):
        if not _is_consonant(word, place):
            return True
    return False


@helper
def _ends_cvc(word, n):
    """Porter's *o: ends consonant, vowel, consonant other than w, x, y. NLTK adds two-letter vc."""
    if n == 2:
        return not _is_consonant(word, 0) and _is_consonant(word, 1)
    if n < 3:
        return False
    last = word[n - 1]
    return (
        _is_consonant(word, n - 3)
        and not _is_consonant(word, n - 2)
        and _is_consonant(word, n - 1)
        and last != _W
        and last != _X
        and last != _Y
    )


@helper
def _ends_with(word, n, letters, start, end):
    if n < end - start:
        return False
    for offset in range(1, end - start + 1):
        if word[n - offset] != letters[end - offset]:
            return False
    return True


@helper
def _apply(word, n, letters, places, conditions):
    """Apply the first rule whose suffix fits. Return the new length, and whether any suffix fitted."""
    for rule in range(len(places)):
        start, end, behind = places[rule]
        if n >= end - start and word[n - 1] == letters[end - 1] and _ends_with(word, n, letters, start, end):
            stem = n - (end - start)
            above, more = conditions[rule]
            if above >= 0 and _measure(word, stem + more) <= above:
                return n, True
            for place in range(end, behind):
                word[stem + place - end] = letters[place]
            return stem + behind - end, True
    return n, False


@helper
def stem_in_place(word, n):
    """Stem ``word[:n]``, lower-case ASCII, in place and return the new length; word has room for n + 1."""
    for rule in range(len(_WHOLE.places)):
        start, end, behind = _WHOLE.places[rule]
        if n == end - start and _ends_with(word, n, _WHOLE.letters, start, end):
            for place in range(end, behind):
                word[place - end] = _WHOLE.letters[place]
            return behind - end

    # Step 1a
    if n == 4 and word[1] == _I and word[2] == _E and word[3] == _S:
        n = 3
    else:
        n, _ = _apply(word, n, _STEP_1A.letters, _STEP_1A.places, _STEP_1A.conditions)

    # Step 1b
    if n >= 3 and word[n - 3] == _I and word[n - 2] == _E and word[n - 1] == _D:
        n = 3 if n == 4 else n - 2
    elif n >= 3 and word[n - 3] == _E and word[n - 2] == _E and word[n - 1] == _D:
        if _measure(word, n - 3) > 0:
            n -= 1
    else:
        stem = -1
        if n >= 2 and word[n - 2] == _E and word[n - 1] == _D and _has_vowel(word, n - 2):
            stem = n - 2
        elif n >= 3 and word[n - 3] == _I and word[n - 2] == _N and word[n - 1] == _G and _has_vowel(word, n - 3):
            stem = n - 3
        if stem >= 0:
            n, fitted = _apply(word, stem, _STEP_1B.letters, _STEP_1B.places, _STEP_1B.conditions)
            if not fitted:
                last = word[n - 1]
                if n >= 2 and last == word[n - 2] and _is_consonant(word, n - 1):
                    if last != _L and last != _S and last != _Z:
                        n -= 1
                elif _measure(word, n) == 1 and _ends_cvc(word, n):
                    word[n] = _E
                    n += 1

    # Step 1c
    if n > 2 and word[n - 1] == _Y and _is_consonant(word, n - 2):
        word[n - 1] = _I

    # Step 2; NLTK takes -alli away first, as often as it is there
    while _ends_with(word, n, _ALLI.letters, 0, 4) and _measure(word, n - 4) > 0:
        n -= 2
    n, _ = _apply(word, n, _STEP_2.letters, _STEP_2.places, _STEP_2.conditions)
    n, _ = _apply(word, n, _STEP_3.letters, _STEP_3.places, _STEP_3.conditions)

    # Step 4; -ion must stand behind s or t
    ends_ion = n >= 3 and word[n - 3] == _I and word[n - 2] == _O and word[n - 1] == _N
    if not ends_ion or (n >= 4 and (word[n - 4] == _S or word[n - 4] == _T)):
        n, _ = _apply(word, n, _STEP_4.letters, _STEP_4.places, _STEP_4.conditions)

    # Step 5
    if n >= 1 and word[n - 1] == _E:
        measure = _measure(word, n - 1)
        if measure > 1 or (measure == 1 and not _ends_cvc(word, n - 1)):
            n -= 1
    if n >= 2 and word[n - 1] == _L and word[n - 2] == _L and _measure(word, n - 1) > 1:
        n -= 1
    return n
