"""The conventions that reproduce other tools: for each its settings, and in words what is unusual about it."""

from __future__ import annotations

from polyrouge.conventions.convention import Convention
from polyrouge.settings.rouge_settings import RougeSettings

_DEFAULT = RougeSettings(normalize=None)
_ROUGE_SCORE = _DEFAULT.replace(tokenizer="ascii")
_THREE_TYPES = ("rouge1", "rouge2", "rougeL")

_ROUGE_155 = _DEFAULT.replace(
    rouge_types=_THREE_TYPES,
    tokenizer="rouge155",
    lowercase="ascii",
    stemmer="rouge155",
    lcs="union",
    alpha=0.5,
    multi_reference="pooled",
    refuses=("rougeW_of_empty_reference",),
    quirks=("rounded_ratios", "rouge155_choice", "uncounted_bytes"),
)
# For tools that change nothing in a text; some users put blanks into it before.
_AS_GIVEN = _DEFAULT.replace(rouge_types=_THREE_TYPES, lowercase=False, punctuation="keep", sentence_split="none")
_PLTRDY = _AS_GIVEN.replace(
    tokenizer="pltrdy",
    sentence_split=".",
    ngram_counts="set",
    lcs="type_union",
    epsilon=1e-8,
    multi_reference="first",
    refuses=("empty", "deep_recursion"),
    aggregate="running_mean",
)
_ROUGE_CHINESE = _AS_GIVEN.replace(
    tokenizer="rouge_chinese",
    segment="jieba",
    ngram_counts="set",
    epsilon=1e-8,
    multi_reference="first",
    refuses=("empty",),
    aggregate="running_mean",
)
_LLAMA_FACTORY = _ROUGE_CHINESE.replace(scale=100.0, round_each=4, aggregate="numpy_mean", refuses=())
_LONGBENCH = _PLTRDY.replace(
    rouge_types=("rougeL",), multi_reference="best", on_error="zero", scale=100.0, round_result=2
)
_COCO = _AS_GIVEN.replace(
    rouge_types=("rougeL",), tokenizer="single_space", beta=1.2, multi_reference="best_each", aggregate="numpy_mean"
)

_DISTINCT = "distinct n-grams; 1e-8 in F"

TOOL_CONVENTIONS = (
    Convention(
        "rouge155",
        _ROUGE_155,
        "ROUGE-1.5.5.pl, means of what it prints for each document",
        used_by="DUC; papers on CNN/DailyMail, XSum and Gigaword (pyrouge, files2rouge)",
        unusual="rougeL is summary level; references are pooled; F is made of rounded precision and recall",
        fails_on="rougeW: a reference without tokens",
    ),
    Convention(
        "pltrdy",
        _PLTRDY,
        "rouge 1.0.1 (pltrdy), get_scores(avg=True)",
        used_by="MoCoBart-LCSTS, PaddleNLP's scripts, CPT: Chinese characters with blanks between",
        unusual=f"{_DISTINCT}; full stops cut sentences, in numbers too; rougeL over distinct words",
        fails_on="an empty text, or nothing but full stops; for rougeL, an LCS walk of more than 990 steps",
    ),
    Convention(
        "rouge_chinese",
        _ROUGE_CHINESE,
        "rouge_chinese 1.0.3 on jieba's words, get_scores(avg=True)",
        used_by="LLaMA-Factory, ChatGLM, OpenCompass, each with rules of its own: see there",
        unusual=f"{_DISTINCT}; rougeL with repeats all the same; marks are words",
        fails_on="a blank text",
    ),
    Convention(
        "py_rouge",
        _DEFAULT.replace(
            rouge_types=_THREE_TYPES,
            tokenizer="py_rouge",
            use_stemmer=True,
            stemmer="py_rouge",
            max_characters=665,
            limit_rule="py_rouge",
            lcs="union",
            weight=1.0,
            alpha=0.5,
            multi_reference="pooled",
            aggregate="running_mean",
            quirks=("powered_lcs", "py_rouge_choice", "unclipped_totals"),
        ),
        "py-rouge 1.1 (Diego999), get_scores() with its defaults",
        used_by="TextBox and papers on SAMSum (weight=1.2), DialogSum",
        unusual="stems, and cuts every text after 665 characters, unless told not to; rougeL is summary level",
    ),
    Convention(
        "sacrerouge",
        _DEFAULT.replace(
            rouge_types=_THREE_TYPES,
            tokenizer="rouge155",
            use_stemmer=True,
            stemmer="sacrerouge",
            limit_rule="sacrerouge",
            lcs="union",
            multi_reference="pooled",
            quirks=("percent_ratios",),  # they also make its scale 100
        ),
        "sacrerouge 0.2.5 python-rouge; a text's lines are its sentences",
        unusual="WordNet's exceptions, then NLTK's Porter stemmer; rougeL is summary level; scale 100",
    ),
    Convention(
        "sumeval",
        _AS_GIVEN.replace(
            tokenizer="sumeval_en",
            stop_words="sumeval_en",
            stemmer="sumeval",
            limit_rule="sumeval",
            alpha=0.5,
            multi_reference="pooled",
            aggregate="running_mean",
        ),
        "sumeval 0.2.2 (chakki-works), English; tokenizer='sumeval_zh' and stop_words='sumeval_zh' for Chinese",
        unusual="leaves stop words out by default; its stemmer is a table, and stems references only",
    ),
    Convention(
        "xlsum",
        _DEFAULT.replace(
            tokenizer="xlsum_chinese",
            lowercase=False,
            punctuation="keep",
            stemmer="xlsum",
            multi_reference="first",
        ),
        "csebuetnlp/xl-sum multilingual_rouge_scoring, Chinese; tokenizer='xlsum_<language>' for others",
        used_by="XL-Sum",
        unusual="a blank between two words is a word that matches; rougeLsum compares whole clauses",
    ),
    Convention(
        "rouge_metric",
        _AS_GIVEN.replace(
            tokenizer="space",
            sentence_split="newline",
            lcs="union",
            alpha=0.5,
            multi_reference="pooled",
            aggregate="f_of_means",
        ),
        "rouge-metric 1.0.1 (li-plus), PyRouge",
        unusual="case is kept, marks stick to words; rougeL is summary level; F of mean P and R",
    ),
    Convention(
        "torchmetrics",
        _ROUGE_SCORE.replace(quirks=("float32",)),
        "torchmetrics 1.9 ROUGEScore; sentences by line breaks instead of punkt",
        unusual="single precision",
    ),
    Convention(
        "lawrouge",
        _AS_GIVEN.replace(
            tokenizer="every_char",
            sentence_split="。",
            lcs="pairwise_sum",
            epsilon=1e-8,
            multi_reference="first",
            aggregate="running_mean",
            weights=(0.2, 0.4, 0.4),
            refuses=("empty",),
        ),
        "lawrouge 2.0.0, get_scores(avg=1), and avg=2 as 'weighted'",
        used_by="CAIL (Chinese legal summarization)",
        unusual="every LCS of two sentences is added up, so rougeL may exceed 1; 1e-8 in F; blanks are tokens",
        fails_on="an empty text, or nothing but 。",
    ),
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
    ),
    Convention(
        "longbench",
        _LONGBENCH,
        "LongBench eval.py rouge_score (pltrdy 1.0.1)",
        used_by="LongBench, English sets",
        unusual="an error of the tool scores 0, also its RecursionError on long texts; the best answer counts",
        fails_on="nothing: errors score 0",
    ),
    Convention(
        "longbench_zh",
        _LONGBENCH.replace(segment="jieba"),
        "LongBench eval.py rouge_zh_score (jieba, pltrdy 1.0.1)",
        used_by="LongBench, Chinese sets (DuReader, VCSUM)",
        unusual="as longbench; a decimal point cuts a sentence",
        fails_on="nothing: errors score 0",
    ),
    Convention(
        "llama_factory",
        _LLAMA_FACTORY,
        "LLaMA-Factory ComputeSimilarity (jieba, rouge_chinese 1.0.3)",
        used_by="LLaMA-Factory",
        unusual=f"{_DISTINCT}; a blank side scores 0; each score is rounded to 4 digits on the scale of 100",
    ),
    Convention(
        "chatglm",
        _LLAMA_FACTORY.replace(refuses=("empty",)),
        "ChatGLM-6B and ChatGLM2-6B ptuning/main.py (jieba, rouge_chinese)",
        used_by="ChatGLM and models tuned by its script",
        unusual="as llama_factory, without its rule for blank texts",
        fails_on="a blank text",
    ),
    Convention(
        "opencompass_zh",
        _ROUGE_CHINESE.replace(clean="opencompass", refuses=(), scale=100.0),
        "OpenCompass JiebaRougeEvaluator (rouge_chinese)",
        used_by="OpenCompass",
        unusual=f"{_DISTINCT}; only what stands before the first line break, ASCII full stop or comma is scored",
    ),
    Convention(
        "ms_swift",
        _PLTRDY.replace(
            segment="jieba_without_spaces",
            empty="skip",
            scale=100.0,
            round_result=6,
            aggregate="numpy_mean",
            refuses=("empty_unless_blank", "deep_recursion"),
        ),
        "ms-swift swift/metrics/nlg.py (jieba, pltrdy 1.0.1)",
        used_by="ms-swift",
        unusual="as pltrdy; a pair with a blank side is left out of the mean",
        fails_on="a text of nothing but full stops; a long LCS walk, as pltrdy",
    ),
    Convention(
        "t5_pegasus",
        _PLTRDY.replace(segment="char", lowercase=True, refuses=("empty_unless_blank_prediction", "deep_recursion")),
        "bert4keras autotitle, t5-pegasus and CLGE scripts (characters, pltrdy 1.0.1)",
        used_by="CLGE (CSL), t5-pegasus, bert4keras title scripts; with 0.3.2 or 1.0.0 at the time",
        unusual="as pltrdy on lower-cased characters; a blank prediction scores 0",
        fails_on="a text of nothing but full stops, a blank reference; a long LCS walk, as pltrdy",
    ),
    Convention(
        "lcsts",
        _ROUGE_155.replace(tokenizer="hanzi", lowercase=True, punctuation="keep", scale=100.0),
        "LCSTS and MLROUGE: characters as numbers, ROUGE-1.5.5 -m -n 2",
        used_by="MLROUGE (CNewSum); by its README, LCSTS (Hu et al. 2015)",
        unusual="Chinese characters one by one, the rest between blanks with its marks; else as rouge155",
    ),
    Convention(
        "lighteval",
        _ROUGE_SCORE.replace(multi_reference="mean"),
        "lighteval ROUGE (rouge_score without stemmer)",
        used_by="lighteval",
        unusual="the mean over the references, not the best",
    ),
)
