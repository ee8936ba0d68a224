"""rouge_score 0.1.2, and packages that score with it or like it. Its tokens are ``ascii``, its stems ``porter``."""

from polyrouge.conventions.common import ROUGE_SCORE, Convention
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer


@built_in_tokenizer(
    "jieba_with_blanks",
    "rouge_score on list(jieba.cut(text)): the words of jieba, blanks too",
    libraries=("jieba",),
    is_general=False,
    alike=OWN_PUNCTUATION,
    may_give_blanks=True,
)
def _build_jieba_with_blanks(options: TokenizerOptions) -> Tokenize:
    return options.jieba_cutter(options.jieba_dict, hmm=options.jieba_hmm, keep_blanks=True)


CONVENTIONS = (
    Convention(
        "rouge_score",
        ROUGE_SCORE,
        "rouge_score 0.1.2, score() and score_multi(); mean over the samples",
        used_by="PEGASUS, LongT5, PRIMERA; Hugging Face model cards",
        own_tokenizer_replaces_text_rules=True,
    ),
    Convention(
        "evaluate_rouge",
        ROUGE_SCORE,
        "evaluate's rouge, 0.4.6 (rouge_score 0.1.2); the mean, or with aggregate='bootstrap_median' its own number",
        used_by="Hugging Face model cards",
        unusual="what it prints is a random bootstrap median",
        own_tokenizer_replaces_text_rules=True,
    ),
    Convention(
        "torchmetrics",
        ROUGE_SCORE.replace(tool={"quirks": ("float32",)}),
        "torchmetrics 1.9.0 ROUGEScore; sentences by line breaks instead of punkt",
        unusual="single precision",
    ),
    Convention(
        "lighteval",
        ROUGE_SCORE.replace(multi_reference="mean"),
        "lighteval 0.13.0 ROUGE (rouge_score 0.1.2 without stemmer)",
        used_by="lighteval",
        unusual="the mean over the references, not the best",
    ),
    Convention(
        "crud_rag",
        ROUGE_SCORE.replace(
            rouge_types=("rouge1", "rouge2", "rougeL"),
            tokenizer="jieba_with_blanks",
            lowercase=False,
            punctuation="keep",
            multi_reference="first",
            aggregate="running_mean",
        ),
        "CRUD-RAG of 2025-05 rougeL_score (rouge_score 0.1.2); "
        "evaluate's rouge with tokenizer=lambda text: list(jieba.cut(text))",
        used_by="CRUD-RAG; scripts that give evaluate's rouge jieba's words",
        unusual="marks and blanks are words, case is kept",
        languages=("Chinese",),
    ),
)
