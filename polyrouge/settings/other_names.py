"""What other tools and users call our settings and their values: only for the suggestion in a message.

Keys are written as ``polyrouge.errors.folded`` writes a name: letters and digits in lower case.
"""

from __future__ import annotations

SETTINGS: dict[str, tuple[str, ...]] = {
    "types": ("rouge_types",),
    "metrics": ("rouge_types",),
    "rouges": ("rouge_types",),
    "tokenize": ("tokenizer",),
    "tokenizefn": ("tokenizer",),
    "lang": ("tokenizer",),
    "language": ("tokenizer",),
    "stem": ("use_stemmer",),
    "stemming": ("use_stemmer",),
    "lower": ("lowercase",),
    "splitsummaries": ("sentence_split",),
    "sentencesplitter": ("sentence_split",),
    "sentsplit": ("sentence_split",),
    "newlinesep": ("sentence_split",),
    "removestopwords": ("stop_words",),
    "lengthlimit": ("max_words",),
    "wordlimit": ("max_words",),
    "bytelimit": ("max_bytes",),
    "weightfactor": ("weight",),
    "accumulate": ("multi_reference",),
    "avg": ("aggregate",),
    "applyavg": ("aggregate",),
    "aggregator": ("use_aggregator", "aggregate"),
    "ci": ("confidence",),
    "confidenceinterval": ("confidence",),
    "userdict": ("jieba_dict",),
    "nthreads": ("threads",),
    "nworkers": ("threads",),
    "numworkers": ("threads",),
}

_CHINESE_TOKENIZERS = ("zh_char", "jieba")
VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "tokenizer": {
        "zh": _CHINESE_TOKENIZERS,
        "cn": _CHINESE_TOKENIZERS,
        "chinese": _CHINESE_TOKENIZERS,
        "中文": _CHINESE_TOKENIZERS,
        "zhword": ("jieba",),
        "character": ("char", "zh_char"),
        "characters": ("char", "zh_char"),
        "word": ("mixed", "jieba"),
        "words": ("mixed", "jieba"),
        "whitespace": ("space",),
        "split": ("space",),
        "none": ("space",),
        "default": ("mixed",),
        "en": ("mixed", "ascii"),
        "english": ("mixed", "ascii"),
        "rougescore": ("ascii",),
        "uax29": ("unicode",),
    },
    "multi_reference": {
        "max": ("best",),
        "avg": ("mean",),
        "average": ("mean",),
        "sum": ("pooled",),
        "a": ("pooled",),
        "b": ("best_recall",),
    },
    "aggregate": {
        "avg": ("mean",),
        "average": ("mean",),
        "macro": ("mean",),
        "sum": ("micro",),
        "bootstrap": ("bootstrap_median",),
        "median": ("bootstrap_median",),
    },
    "punctuation": {"remove": ("drop",), "strip": ("drop",), "none": ("keep",)},
    "definition": {"lin": ("paper",), "lin2004": ("paper",), "perl": ("rouge155",)},
    "output": {"f": ("fmeasure",), "f1": ("fmeasure",), "precision": ("all",), "recall": ("all",)},
}
