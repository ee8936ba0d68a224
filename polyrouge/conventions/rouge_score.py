"""rouge_score 0.1.2, and packages that score with it or like it. Its tokens are ``ascii``, its stems ``porter``."""

from polyrouge.conventions.common import ROUGE_SCORE, Convention

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
        "evaluate's rouge (rouge_score 0.1.2); the mean, or with aggregate='bootstrap_median' its own number",
        used_by="Hugging Face model cards",
        unusual="what it prints is a random bootstrap median",
        own_tokenizer_replaces_text_rules=True,
    ),
    Convention(
        "torchmetrics",
        ROUGE_SCORE.replace(tool={"quirks": ("float32",)}),
        "torchmetrics 1.9 ROUGEScore; sentences by line breaks instead of punkt",
        unusual="single precision",
    ),
    Convention(
        "lighteval",
        ROUGE_SCORE.replace(multi_reference="mean"),
        "lighteval ROUGE (rouge_score without stemmer)",
        used_by="lighteval",
        unusual="the mean over the references, not the best",
    ),
)
