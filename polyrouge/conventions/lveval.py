"""OpenCompass's LV-Eval in Chinese (dureader_mixup): jieba's words without marks and stop words, then pltrdy's rouge.

The stop list has other owners: it is read from the installed ``opencompass``, which is not imported, or from a folder.
"""

import ast
import os
from pathlib import Path

from polyrouge.conventions.common import Convention, installed_tables, table_text
from polyrouge.conventions.pltrdy import CONVENTIONS as _OF_PLTRDY
from polyrouge.texts.preparation import ZH_ANSWER_MARKS
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer

_FILE, _LIST = "evaluators.py", "ABANDON_WORDS_ZH"
_WITHOUT_MARKS = dict.fromkeys(map(ord, ZH_ANSWER_MARKS))


def load_stop_words(folder: str | os.PathLike[str] | None = None) -> frozenset[str]:
    """Load the stop list from a folder with ``evaluators.py``, or from the installed ``opencompass``."""
    need = f"LV-Eval's stop list is in OpenCompass's file {_FILE}"
    if folder is None:
        folder = installed_tables("opencompass", "opencompass/datasets/lveval", need)
    file = Path(folder) / _FILE
    source = table_text(file, f"{need}, which `pip install --no-deps opencompass`")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and [ast.unparse(target) for target in statement.targets] == [_LIST]:
            return frozenset(ast.literal_eval(statement.value))
    raise ValueError(
        f"{file} has no list {_LIST}; it must be the file of opencompass 0.5.4 (opencompass/datasets/lveval)."
    )


@built_in_tokenizer(
    "lveval_zh",
    "LV-Eval: the words of jieba, lower-cased, without marks; a mark is an empty token",
    libraries=("jieba",),
    is_general=False,
    alike=OWN_PUNCTUATION,
    may_give_blanks=True,
)
def _build_lveval_zh(options: TokenizerOptions) -> Tokenize:
    cut = options.jieba_cutter(options.jieba_dict, hmm=options.jieba_hmm, keep_blanks=True)
    return lambda text: ["".join(word.lower().translate(_WITHOUT_MARKS).split()) for word in cut(text)]


_LONGBENCH = next(convention.settings for convention in _OF_PLTRDY if convention.name == "longbench")

CONVENTIONS = (
    Convention(
        "lveval",
        _LONGBENCH.replace(
            tokenizer="lveval_zh",
            stop_words="lveval_zh",
            tool={"joined_split": "pltrdy"},
            multi_reference="first",
            round_result=None,
        ),
        "OpenCompass 0.5.4 LVEvalOPTRougeEvaluator, language='zh' (jieba, pltrdy 1.0.1)",
        used_by="OpenCompass, LV-Eval's Chinese set dureader_mixup",
        unusual="as longbench_zh, without marks and 85 stop words; the first answer counts",
        fails_on="nothing: errors score 0",
        languages=("Chinese",),
    ),
)
