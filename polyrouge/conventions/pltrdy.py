"""pltrdy's rouge 1.0.1, and the harnesses and scripts that are built on it."""

from typing import Any

from polyrouge.conventions.common import AS_GIVEN, Convention
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer


@built_in_tokenizer(
    "pltrdy",
    "pltrdy's rouge: split at blanks; a piece of blanks only is one empty token",
    cuts_at_sentences=True,
    is_general=False,
    splits_at_blanks=True,
    alike=OWN_PUNCTUATION,
    may_give_blanks=True,
)
def _build_pltrdy(_options: TokenizerOptions) -> Tokenize:
    """Cut one piece between full stops, as made by ``sentence_split="."``, into words."""
    return lambda text: text.split() or ([""] if text else [])


_PLTRDY = AS_GIVEN.replace(
    tokenizer="pltrdy",
    sentence_split=".",
    tool={"ngram_counts": "set", "lcs": "type_union", "epsilon": 1e-8, "refuses": ("empty", "deep_recursion")},
    multi_reference="first",
    aggregate="running_mean",
)
# rouge-chinese overwrites the files of rouge where both are installed: then its tools count as rouge_chinese does.
OVERWRITTEN: dict[str, Any] = {
    "tokenizer": "rouge_chinese",
    "sentence_split": "none",
    "tool": {"joined_split": None, "lcs": "sentence", "refuses": ["empty"]},
}
_MS_SWIFT = _PLTRDY.replace(
    segment="jieba_without_spaces", empty="skip_blank_reference", scale=100.0, round_result=6, aggregate="numpy_mean"
)
_LONGBENCH = _PLTRDY.replace(
    rouge_types=("rougeL",), multi_reference="best", on_error="zero", scale=100.0, round_result=2
)
_LM_EVAL = _LONGBENCH.replace(prepare=("prediction.strip",), scale=1.0, round_result=None)

CONVENTIONS = (
    Convention(
        "pltrdy",
        _PLTRDY,
        "rouge 1.0.1 (pltrdy), get_scores(avg=True)",
        used_by="MoCoBart-LCSTS, PaddleNLP's scripts, CPT: Chinese characters with blanks between",
        unusual="distinct n-grams; 1e-8 in F; full stops cut sentences, in numbers too; rougeL over distinct words",
        fails_on="an empty text, or nothing but full stops; for rougeL, an LCS walk of more than 990 steps",
    ),
    Convention(
        "longbench",
        _LONGBENCH,
        "LongBench of 2025-01 eval.py rouge_score (pltrdy 1.0.1)",
        used_by="LongBench, English sets; longbench_samsum for SAMSum",
        unusual="an error of the tool scores 0, also its RecursionError on long texts; the best answer counts",
        fails_on="nothing: errors score 0",
    ),
    Convention(
        "longbench_zh",
        _LONGBENCH.replace(segment="jieba"),
        "LongBench of 2025-01 eval.py rouge_zh_score (jieba, pltrdy 1.0.1)",
        used_by="LongBench, Chinese sets (DuReader, VCSUM)",
        unusual="as longbench; a decimal point cuts a sentence",
        fails_on="nothing: errors score 0",
        languages=("Chinese",),
    ),
    Convention(
        "ms_swift",
        _MS_SWIFT.replace(tool={"refuses": ("deep_recursion",)}),
        "ms-swift 4.6.0 swift/metrics/nlg.py (jieba, pltrdy 1.0.1)",
        used_by="ms-swift",
        unusual="as pltrdy; a pair with a blank reference is left out of the mean, a blank prediction scores 0",
        fails_on="a long LCS walk, as pltrdy",
        languages=("Chinese", "Latin"),
    ),
    Convention(
        "longbench_samsum",
        _LONGBENCH.replace(prepare=("prediction.first_line",)),
        "LongBench of 2025-01 eval.py on samsum (pltrdy 1.0.1)",
        used_by="LongBench, SAMSum",
        unusual="as longbench, on the first line of the prediction",
        fails_on="nothing: errors score 0",
    ),
    Convention(
        "lm_eval_longbench",
        _LM_EVAL,
        "lm-eval 0.4.13 tasks/longbench rouge_score (pltrdy 1.0.1)",
        used_by="lm-eval, English sets of LongBench",
        unusual="as longbench, on the prediction without blanks at its ends; from 0 to 1",
        fails_on="nothing: errors score 0",
    ),
    Convention(
        "lm_eval_longbench_zh",
        _LM_EVAL.replace(segment="jieba"),
        "lm-eval 0.4.13 tasks/longbench rouge_zh_score (jieba, pltrdy 1.0.1)",
        used_by="lm-eval, Chinese sets of LongBench",
        unusual="as longbench_zh, on the prediction without blanks at its ends; from 0 to 1",
        fails_on="nothing: errors score 0",
        languages=("Chinese",),
    ),
    Convention(
        "modelscope",
        _PLTRDY.replace(rouge_types=("rouge1", "rougeL"), prepare=("modelscope_words",), tool={"refuses": ()}),
        "modelscope 1.40.2 text-gen-metric (pltrdy 1.0.1)",
        used_by="ModelScope's trainers for text generation",
        unusual="as pltrdy on Chinese characters, full-width marks and words; a text of blanks and full stops scores 0",
        languages=("Chinese", "Latin"),
    ),
    Convention(
        "lexeval",
        _LONGBENCH.replace(
            prepare=("lower", "lexeval_marks"), segment="jieba", multi_reference="first", scale=1.0, round_result=None
        ),
        "LexEval of 2024-10 evaluate.py eval_rougel (jieba, pltrdy 1.0.1)",
        used_by="LexEval (Chinese legal tasks)",
        unusual="as longbench_zh, in lower case, without marks and blanks; from 0 to 1",
        fails_on="nothing: errors score 0",
        languages=("Chinese",),
    ),
    Convention(
        "t5_pegasus",
        _PLTRDY.replace(
            segment="char", lowercase=True, tool={"refuses": ("empty_unless_blank_prediction", "deep_recursion")}
        ),
        "bert4keras of 2024-11 autotitle, t5-pegasus and CLGE scripts (characters, pltrdy 1.0.1)",
        used_by="CLGE (CSL), t5-pegasus, bert4keras title scripts; with 0.3.2 or 1.0.0 at the time",
        unusual="as pltrdy on lower-cased characters; a blank prediction scores 0",
        fails_on="a text of nothing but full stops, a blank reference; a long LCS walk, as pltrdy",
        languages=("Chinese",),
    ),
)
