"""rouge_chinese 1.0.3, and the frameworks that score with it: LLaMA-Factory, ChatGLM, OpenCompass."""

from polyrouge.conventions.common import AS_GIVEN, Convention
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer

_CHINESE_MARK = pattern(r"[。！？?]|\.{6}|…{2}")
# rouge_chinese puts a line break after these, unless a closing quote follows.
_CHINESE_BREAKS = (
    pattern(r"([。！？?])([^”’])"),
    pattern(r"(\.{6})([^”’])"),
    pattern(r"(…{2})([^”’])"),
    pattern(r"([。！？?][”’])([^，。！？?])"),
)


@built_in_tokenizer(
    "rouge_chinese",
    "rouge_chinese: split at blanks; a line of blanks only is one empty token",
    is_general=False,
    splits_at_blanks=True,
    alike=OWN_PUNCTUATION,
    may_give_blanks=True,
)
def _build_rouge_chinese(_options: TokenizerOptions) -> Tokenize:
    """Cut a text at Chinese marks and line breaks, then into words."""

    def tokenize(text: str) -> list[str]:
        lines = break_chinese_lines(text).rstrip().split("\n")
        return [word for line in lines if line for word in line.split() or [""]]

    return tokenize


def break_chinese_lines(text: str) -> str:
    """Insert line breaks where rouge_chinese cuts sentences."""
    if _CHINESE_MARK.search(text) is None:
        return text
    for marks in _CHINESE_BREAKS:
        text = marks.sub("\\1\n\\2", text)
    return text


_ROUGE_CHINESE = AS_GIVEN.replace(
    tokenizer="rouge_chinese",
    segment="jieba",
    tool={"ngram_counts": "set", "epsilon": 1e-8, "refuses": ("empty",)},
    multi_reference="first",
    aggregate="running_mean",
)
_LLAMA_FACTORY = _ROUGE_CHINESE.replace(scale=100.0, round_each=4, tool={"refuses": ()}, aggregate="numpy_mean")
_DISTINCT = "distinct n-grams; 1e-8 in F"

CONVENTIONS = (
    Convention(
        "rouge_chinese",
        _ROUGE_CHINESE,
        "rouge_chinese 1.0.3 on jieba's words, get_scores(avg=True)",
        used_by="LLaMA-Factory, ChatGLM, OpenCompass, each with rules of its own: see there",
        unusual=f"{_DISTINCT}; rougeL with repeats all the same; marks are words",
        fails_on="a blank text",
        languages=("Chinese", "Latin"),
    ),
    Convention(
        "llama_factory",
        _LLAMA_FACTORY,
        "LLaMA-Factory 0.9.5 ComputeSimilarity (jieba, rouge_chinese 1.0.3)",
        used_by="LLaMA-Factory",
        unusual=f"{_DISTINCT}; a blank side scores 0; each score is rounded to 4 digits on the scale of 100",
        languages=("Chinese", "Latin"),
    ),
    Convention(
        "chatglm",
        _LLAMA_FACTORY.replace(tool={"refuses": ("empty",)}),
        "ChatGLM-6B and ChatGLM2-6B of 2024-06 ptuning/main.py (jieba, rouge_chinese 1.0.3)",
        used_by="ChatGLM and models tuned by its script",
        unusual="as llama_factory, without its rule for blank texts",
        fails_on="a blank text",
        languages=("Chinese", "Latin"),
    ),
    Convention(
        "opencompass_zh",
        _ROUGE_CHINESE.replace(prepare=("opencompass",), tool={"refuses": ()}, scale=100.0),
        "OpenCompass 0.5.4 JiebaRougeEvaluator (jieba, rouge_chinese 1.0.3)",
        used_by="OpenCompass",
        unusual=f"{_DISTINCT}; only what stands before the first line break, ASCII full stop or comma is scored",
        languages=("Chinese",),
    ),
    Convention(
        "evalscope",
        _ROUGE_CHINESE.replace(segment="jieba_where_chinese", tool={"refuses": ()}),
        "evalscope 1.14.1 general_qa and general_vqa (jieba, rouge_chinese 1.0.3)",
        used_by="evalscope; its headline is the recall of rougeL: output='all'",
        unusual=f"{_DISTINCT}; jieba cuts a text only if it has a character of U+4E00 to U+9FA5; a blank side scores 0",
        languages=("Chinese", "Latin"),
    ),
    Convention(
        "promptcblue",
        _ROUGE_CHINESE.replace(segment=None, prepare=("bert_words", "promptcblue_blank"), tool={"refuses": ()}),
        "PromptCBLUE of 2024-01 evaluators.py calc_nlg_task_scores (BERT's basic tokens, rouge_chinese 1.0.3)",
        used_by="PromptCBLUE; MedBench in OpenCompass, which leaves out empty texts first",
        unusual=f"{_DISTINCT}; Chinese by character, lower case, no accents; a blank text stands for 无 。",
        languages=("Chinese",),
    ),
)
