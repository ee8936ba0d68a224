"""The metric for evaluate: where its script is, and what evaluate shows of it."""

from polyrouge.shipped_files import shipped_file


def metric_path() -> str:
    """Path of the metric's script in this installation, which ``evaluate.load`` takes without a network.

    Examples:
        >>> import evaluate
        >>> evaluate.load(metric_path(), "zh_char").compute(predictions=["今天"], references=["今天"])["rouge1"]
        1.0
    """
    return str(shipped_file("rouge_metric.py"))


DESCRIPTION = """\
ROUGE (Recall-Oriented Understudy for Gisting Evaluation) compares a generated text with reference
texts by the n-grams (rouge1 ... rouge9), longest common subsequences (rougeL, rougeLsum, rougeW) and
skip-bigrams (rougeS, rougeSU) that they share. This one scores every language, Chinese by character
or by jieba word, gives the same number on every run, and says by which settings it was made.
"""

KWARGS_DESCRIPTION = """
Computes ROUGE of predictions against references.

Args:
    predictions: list of texts.
    references: list with, for each prediction, one text, or for each prediction a list of texts.
    rouge_types: which scores, default ['rouge1', 'rouge2', 'rougeL', 'rougeLsum']; also rouge3 to
        rouge9, rougeW, rougeS, rougeSU, and rougeS4, rougeSU4 for a gap of at most 4.
    use_aggregator: True for the mean of each score, False for one list each, in input order.
    use_stemmer: Porter stems of English words.
    tokenizer: 'mixed' (any language), 'ascii' (as rouge_score), 'zh_char', 'char', 'jieba', 'space',
        'unicode', or a callable from a text to a list of strings.
    output: 'fmeasure', or 'all' to add rouge1_precision, rouge1_recall and so on.
    confidence: level of a bootstrap interval, such as 0.95, that adds rouge1_low and rouge1_high.
    and every other setting of `RougeSettings`, here or in `evaluate.load`; the second argument of
        `evaluate.load` names a convention: 'default', 'zh_char', 'zh_word', 'rouge_score', or one of
        another tool, such as 'rouge155', 'pltrdy', 'llama_factory', 'longbench_zh', 'lcsts': see the README.

Returns:
    A flat dict of floats, one for each type: the mean F-measure, in [0, 1] times `scale`.

Examples:

    >>> import evaluate
    >>> rouge = evaluate.load("polyrouge/rouge_metric", sentence_split="none")
    >>> rouge.compute(predictions=["the cat sat"], references=["the cat sat on the mat"])
    {'rouge1': 0.6666666666666666, 'rouge2': 0.5714285714285715, 'rougeL': 0.6666666666666666, \
'rougeLsum': 0.6666666666666666}
    >>> rouge.compute(predictions=["今天天气很好"], references=[["今天天气不错", "今天是个好天气"]],
    ...               rouge_types=["rouge1"], output="all")
    {'rouge1': 0.7692307692307692, 'rouge1_precision': 0.8333333333333334, 'rouge1_recall': 0.7142857142857143}
    >>> words = evaluate.load("polyrouge/rouge_metric", "zh_word", rouge_types=["rouge1"])
    >>> words.compute(predictions=["今天天气很好", "明天下雨"], references=["今天天气不错", "明天下雨"],
    ...               use_aggregator=False)
    {'rouge1': [0.4, 1.0]}
"""

CITATION = """\
@inproceedings{lin-2004-rouge,
    title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author = "Lin, Chin-Yew",
    booktitle = "Text Summarization Branches Out",
    year = "2004",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W04-1013",
    pages = "74--81",
}
"""
