"""What other tools and users call our settings and their values: only for the suggestion in a message.

To each name of ours stand those of others, as ``polyrouge.errors.folded`` writes a name: letters and digits in lower
case.
"""

from __future__ import annotations

from collections.abc import Mapping


def by_other_name(ours: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Our names for each of what others say, for ``unknown_value``."""
    meant: dict[str, tuple[str, ...]] = {}
    for name, others in ours.items():
        for other in others.split():
            meant[other] = (*meant.get(other, ()), name)
    return meant


SETTINGS = by_other_name(
    {
        "rouge_types": "types metrics rouges",
        "tokenizer": "tokenize tokenizefn lang language",
        "use_stemmer": "stem stemming",
        "lowercase": "lower",
        "sentence_split": "splitsummaries sentencesplitter sentsplit newlinesep",
        "stop_words": "removestopwords",
        "max_words": "lengthlimit wordlimit",
        "max_bytes": "bytelimit",
        "weight": "weightfactor",
        "multi_reference": "accumulate",
        "use_aggregator": "aggregator",
        "aggregate": "avg applyavg aggregator",
        "confidence": "ci confidenceinterval",
        "jieba_dict": "userdict",
        "threads": "nthreads nworkers numworkers",
    }
)
VALUES = {
    "tokenizer": by_other_name(
        {
            "mixed": "word words default en english",
            "ascii": "en english rougescore",
            "char": "character characters",
            "zh_char": "zh cn chinese 中文 character characters",
            "jieba": "zh cn chinese 中文 zhword word words",
            "space": "whitespace split none",
            "unicode": "uax29",
            "ja_mecab": "mecab fugashi unidic",
            "ja_mecab_ipadic": "ipadic",
            "ja_sudachi_a": "sudachi jasudachi",
            "ja_sudachi_b": "sudachi jasudachi",
            "ja_sudachi_c": "sudachi jasudachi",
            "ko_mecab": "mecab",
            "ko_kiwi": "kiwi",
            "th_newmm": "newmm pythainlp",
            "vi_words": "pyvi",
            "super_ni": "gpt2",
            "subwords": "bpe bert gpt2",
        }
    ),
    "multi_reference": by_other_name({"best": "max", "mean": "avg average", "pooled": "sum a", "best_recall": "b"}),
    "aggregate": by_other_name({"mean": "avg average macro", "micro": "sum", "bootstrap_median": "bootstrap median"}),
    "punctuation": by_other_name({"drop": "remove strip", "keep": "none"}),
    "definition": by_other_name({"paper": "lin lin2004", "rouge155": "perl"}),
    "output": by_other_name({"fmeasure": "f f1", "all": "precision recall"}),
}
