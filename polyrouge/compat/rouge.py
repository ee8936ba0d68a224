"""rouge 1.0.1 by pltrdy: ``from polyrouge.compat.rouge import Rouge``; command ``python -m polyrouge.compat.rouge``."""

from typing import Any, ClassVar

from polyrouge.compat.dict_scores import DictFilesRouge, DictRouge, run_command
from polyrouge.compat.dict_scores import rouge_l_summary_level as rouge_l_summary_level
from polyrouge.compat.dict_scores import rouge_n as rouge_n
from polyrouge.scoring.single_pairs import ScoredPair

__version__ = "1.0.1"


class Rouge(DictRouge):
    """ROUGE as the package ``rouge`` computes it; see ``DictRouge`` for the arguments.

    Metrics are ``"rouge-1"`` to ``"rouge-5"`` and ``"rouge-l"``. The package crashes with a ``RecursionError`` on a
    ROUGE-L of long texts; this class scores them, unless ``on_error`` is ``"raise"``.
    """

    CONVENTION = "pltrdy"

    def _changes(self) -> dict[str, Any]:
        return {} if self.exclusive else {"ngram_counts": "multiset", "lcs": "pairwise_sum"}

    def _n_words(self, text: str, /) -> int:
        return len(text.replace(".", " ").split())

    def _check(self, pair: ScoredPair) -> None:
        super()._check(pair)
        if pair.refusal == "deep_recursion":
            raise RecursionError("maximum recursion depth exceeded in comparison")


class FilesRouge(DictFilesRouge):
    """``Rouge`` over the lines of two files; it takes the arguments of ``Rouge``."""

    ROUGE: ClassVar = Rouge


if __name__ == "__main__":
    run_command("rouge", Rouge, FilesRouge)
