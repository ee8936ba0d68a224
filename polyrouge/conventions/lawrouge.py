"""lawrouge 2.0.0."""

from polyrouge.conventions.common import AS_GIVEN, Convention
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer


@built_in_tokenizer(
    "every_char",
    "lawrouge: every character, blanks too",
    cuts_at_sentences=True,
    is_general=False,
    alike=OWN_PUNCTUATION,
    gives_characters=True,
    may_give_blanks=True,
)
def _build_every_char(_options: TokenizerOptions) -> Tokenize:
    return list


CONVENTIONS = (
    Convention(
        "lawrouge",
        AS_GIVEN.replace(
            tokenizer="every_char",
            sentence_split="。",
            tool={"lcs": "pairwise_sum", "epsilon": 1e-8, "refuses": ("empty",)},
            multi_reference="first",
            aggregate="running_mean",
            weights=(0.2, 0.4, 0.4),
        ),
        "lawrouge 2.0.0, get_scores(avg=1), and avg=2 as 'weighted'",
        used_by="CAIL (Chinese legal summarization)",
        unusual="every LCS of two sentences is added up, so rougeL may exceed 1; 1e-8 in F; blanks are tokens",
        fails_on="an empty text, or nothing but 。",
        languages=("Chinese",),
    ),
)
