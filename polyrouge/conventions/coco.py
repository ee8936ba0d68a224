"""pycocoevalcap's Rouge, and DuReader's, which is a copy of it."""

from polyrouge.conventions.common import AS_GIVEN, THREE_TYPES, Convention
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer


@built_in_tokenizer(
    "single_space",
    "split at each single space; two in a row hold an empty token",
    cuts_at_sentences=True,
    is_general=False,
    splits_at_blanks=True,
    alike=OWN_PUNCTUATION,
    may_give_blanks=True,
    never_empty=True,
)
def _build_single_space(_options: TokenizerOptions) -> Tokenize:
    return lambda text: text.split(" ")


_COCO = AS_GIVEN.replace(
    rouge_types=("rougeL",), tokenizer="single_space", beta=1.2, multi_reference="best_each", aggregate="numpy_mean"
)

CONVENTIONS = (
    Convention(
        "coco",
        _COCO,
        "pycocoevalcap 1.2 Rouge, on text tokenized before",
        used_by="image captioning",
        unusual="beta 1.2; the highest precision and the highest recall of different references in one F",
    ),
    Convention(
        "dureader",
        _COCO.replace(segment="char_without_blanks", empty="zero", scale=100.0, round_result=2),
        "DuReader 2.0 dureader_eval.py",
        used_by="DuReader (Chinese reading comprehension)",
        unusual="characters, marks too; beta 1.2 and the highest precision and recall apart",
        languages=("Chinese",),
    ),
    Convention(
        "paddlenlp",
        _COCO.replace(
            rouge_types=THREE_TYPES,
            tokenizer="every_char",
            multi_reference="first",
            aggregate="micro",
            tool={"ngram_counts": "set", "quirks": ("corpus_recall",)},
        ),
        "PaddleNLP 2.8.1 llm/run_finetune.py, Rouge1, Rouge2 and RougeL on decoded texts",
        used_by="PaddleNLP's fine-tuning of language models",
        unusual="characters, blanks too; rouge1 and rouge2 are the recall of distinct n-grams of all samples; beta 1.2",
        fails_on="rouge1, rouge2: references without an n-gram",
        languages=("Chinese",),
    ),
)
