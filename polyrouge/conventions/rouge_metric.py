"""rouge-metric 1.0.1 (li-plus), its ``PyRouge``."""

from polyrouge.conventions.common import AS_GIVEN, Convention

CONVENTIONS = (
    Convention(
        "rouge_metric",
        AS_GIVEN.replace(
            tokenizer="space",
            sentence_split="newline",
            tool={"lcs": "union", "definition": "rouge155", "alpha": 0.5},
            multi_reference="pooled",
            aggregate="f_of_means",
        ),
        "rouge-metric 1.0.1 (li-plus), PyRouge",
        unusual="case is kept, marks stick to words; rougeL is summary level; F of mean P and R",
    ),
)
