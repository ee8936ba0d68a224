"""lawrouge 2.0.0: ``from polyrouge.compat import lawrouge``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from polyrouge.compat.dict_scores import DictFilesRouge, DictRouge, checked_pairs, file_lines
from polyrouge.scoring.single_pairs import ScoredPair

__version__ = "1.0.0"  # what the release 2.0.0 says of itself


@dataclass(eq=False)
class Rouge(DictRouge):
    """ROUGE as lawrouge computes it; see ``DictRouge`` for the arguments.

    Metrics are ``"rouge-1"``, ``"rouge-2"`` and ``"rouge-l"``. Without averages the package takes a whole text for a
    sentence (in English each word); with averages it cuts sentences at ``sentence_split``, which it then leaves out.
    It crashes with a ``ZeroDivisionError`` on a ROUGE-L of an empty text without averages; this class scores it 0,
    unless ``on_error`` is ``"raise"``.

    Args:
        isChinese: each character is a word and 。 ends a sentence; otherwise words stand between single spaces and
            a full stop ends a sentence.
    """

    CONVENTION = "lawrouge"
    AVAILABLE_METRICS = DictRouge.DEFAULT_METRICS
    DEFAULT_STATS: ClassVar = ["f", "p", "r"]
    AVAILABLE_STATS: ClassVar = ["f", "p", "r"]

    exclusive: bool = False
    isChinese: bool = True  # noqa: N815 the package's own name

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sentence_split = "。" if self.isChinese else "."
        self.word_split = "" if self.isChinese else " "

    def get_scores(self, hyps: Any, refs: Any, avg: int = 0, ignore_empty: bool = False) -> Any:
        """Score predictions against references, as ``DictRouge.get_scores``; only averages refuse a text without words.

        ``avg`` is 0 for a list, 1 for means, 2 for one dict of stats: 0.2 ROUGE-1 + 0.4 ROUGE-2 + 0.4 ROUGE-L. Without
        one of these metrics or stats 2 is a ``KeyError``.
        """
        hyps, refs = checked_pairs(hyps, refs, ignore_empty)
        if not avg:
            return list(self._pair_scores(hyps, refs, by_sentence=False))
        means = self._mean_scores(hyps, refs)
        if avg == 1:
            return means
        one, two, lcs = means["rouge-1"], means["rouge-2"], means["rouge-l"]
        return {stat: 0.2 * one[stat] + 0.4 * two[stat] + 0.4 * lcs[stat] for stat in ("f", "p", "r")}

    def _changes(self, by_sentence: bool, /) -> dict[str, Any]:
        changes: dict[str, Any] = {"ngram_counts": "set", "lcs": "type_union"} if self.exclusive else {}
        if self.word_split:
            changes["tokenizer"] = "single_space"
        whole = "token" if self.word_split else "none"
        return {**changes, "sentence_split": self.sentence_split if by_sentence else whole}

    def _n_words(self, text: str, by_sentence: bool, /) -> int:
        return len((text.replace(self.sentence_split, self.word_split) if by_sentence else text).split())

    def _check(self, pair: ScoredPair, by_sentence: bool) -> None:
        if by_sentence:
            super()._check(pair, by_sentence)
        elif self.on_error == "raise" and "rouge-l" in self.metrics and (pair.prediction_empty or pair.reference_empty):
            raise ZeroDivisionError("division by zero")


class FilesRouge(DictFilesRouge):
    """``Rouge`` over the lines of two files; the arguments are those of ``Rouge``."""

    ROUGE: ClassVar = Rouge


class FoldersRouge(FilesRouge):
    """``Rouge`` over files of one text each; the arguments are those of ``Rouge``."""

    def get_scores(
        self, hyp_path: Sequence[Any], ref_path: Sequence[Any], avg: int = 0, ignore_empty: bool = False
    ) -> Any:
        """Score each file of ``hyp_path`` against its partner in ``ref_path``; see ``Rouge.get_scores``.

        As in lawrouge, a line break within a text becomes two.

        Raises:
            AssertionError: a file is missing, or their numbers differ.
        """
        texts = ["\n".join(lines) for lines in file_lines(*hyp_path, *ref_path)]
        hyps, refs = texts[: len(hyp_path)], texts[len(hyp_path) :]
        return self.rouge.get_scores(hyps, refs, avg=avg, ignore_empty=ignore_empty)
