"""What the property tests draw from: few distinct tokens, so that ties and repeats are frequent; empty
texts; and lengths around the 64 bits of a machine word."""

from hypothesis import strategies as st

_WORD_LENGTHS = st.sampled_from([63, 64, 65, 127, 128, 129])


def tokens(max_size: int = 14, alphabet: str = "abcd") -> st.SearchStrategy[list[str]]:
    """A text as tokens, from empty to max_size."""
    return st.lists(st.sampled_from(alphabet), max_size=max_size)


def sentences(max_sentences: int = 4) -> st.SearchStrategy[list[list[str]]]:
    """A text as sentences, some without tokens."""
    return st.lists(tokens(9, "abcde"), max_size=max_sentences)


def long_tokens(alphabet: str = "abcdefgh") -> st.SearchStrategy[list[str]]:
    """A text whose length is at the edge of one or two machine words."""
    return _WORD_LENGTHS.flatmap(lambda n: st.lists(st.sampled_from(alphabet), min_size=n, max_size=n))


# Any language, blanks and line breaks, and what lower-casing and NFKC change.
texts = st.text(
    st.one_of(
        st.sampled_from("abc XYZ 019 .,-_'\n\n\t"),
        st.sampled_from("今天天气很好。！？；…”，、!?;⋯)\u2028\r"),
        st.sampled_from("aé今か\u1780\u17b6\u0301\u200c\u200c\u200d\u200dա՞՛ʼˇ!\n"),
        st.sampled_from("éÉßİK\u0301ﬁＡ１ｶﾞ"),
        st.sampled_from("ไทยภาษা한국어हिन्दीالعربيةкнигаひらカナー😀\u200d\ufe0f🇨🇳𠮷㐀"),
        st.sampled_from(
            "eE\u0301\u0327\u0323각\u1100\u1161\u11a8Å\u212b\u037e\u2001神\ufa19か\u3099"
        ),  # what NFC changes
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=60,
)
