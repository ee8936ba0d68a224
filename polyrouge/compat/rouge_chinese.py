"""rouge_chinese 1.0.3: ``from polyrouge.compat.rouge_chinese import Rouge``; it has the command of ``rouge``."""

from typing import Any, ClassVar

from polyrouge.compat.dict_scores import DictFilesRouge, DictRouge, run_command
from polyrouge.conventions.rouge_chinese import break_chinese_lines

__version__ = "1.0.3"


class Rouge(DictRouge):
    """ROUGE as rouge_chinese computes it, of texts with blanks between words; see ``DictRouge`` for the arguments.

    Metrics are ``"rouge-1"`` to ``"rouge-5"`` and ``"rouge-l"``, which counts repeats whatever ``exclusive`` says.
    """

    CONVENTION = "rouge_chinese"

    def cut_sent(self, para: str) -> list[str]:
        """Cut a text into sentences, at Chinese marks and line breaks."""
        return break_chinese_lines(para).rstrip().split("\n")

    def _changes(self) -> dict[str, Any]:
        return {"segment": None, "ngram_counts": "set" if self.exclusive else "multiset"}

    def _n_words(self, text: str, /) -> int:
        return len(break_chinese_lines(text).split())


class FilesRouge(DictFilesRouge):
    """``Rouge`` over the lines of two files; it takes the arguments of ``Rouge``."""

    ROUGE: ClassVar = Rouge


if __name__ == "__main__":
    run_command("rouge_chinese", Rouge, FilesRouge)
