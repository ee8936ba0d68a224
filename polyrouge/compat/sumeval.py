"""sumeval 0.2.2 by chakki-works: ``from polyrouge.compat.sumeval import RougeCalculator``; no BLEU, no ROUGE-BE."""

import functools
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from polyrouge.compat.adapters import (
    convention_scorer,
    ngram_counts,
    rouge_with,
    sample_scores,
    token_writer,
    written_token_scorer,
)
from polyrouge.counting.plain.lcs import lcs_length
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.scoring.single_pairs import PairScorer
from polyrouge.texts.jieba_words import jieba_cutter
from polyrouge.tools.sumeval import (
    CHINESE_MARKS,
    NOT_JAPANESE,
    SUMEVAL_LANGUAGES,
    janome_cutter,
    sumeval_base_forms,
    sumeval_stop_words,
)

Text = str | Sequence[str]


class BaseLang:
    """A language; subclasses define ``tokenize``.

    Stop words and base forms are read from the installed package ``sumeval``; they are not ours to ship.

    Args:
        lang: its code, which names its tables.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._stopwords: Collection[str] = ()
        self._stemming: dict[str, str] = {}

    def tokenize(self, text: str) -> list[str]:  # noqa: ARG002 for subclasses
        """The words of a text as it is."""
        raise Exception("Have to implement tokenize in subclass")

    def tokenize_with_preprocess(self, text: str) -> list[str]:
        """The words of a text once it is cleaned."""
        return self.tokenize(text)

    def join(self, words: Iterable[str]) -> str:
        """A text of these words."""
        return " ".join(words)

    def is_stop_word(self, word: str) -> bool:
        """Whether the word is left out under ``stopwords=True``."""
        if not self._stopwords:
            self.load_stopwords()
        return word in self._stopwords

    def stemming(self, word: str, min_length: int = -1) -> str:
        """The base form of a word that has at least ``min_length`` characters, if the table holds it."""
        if not self._stemming:
            self.load_stemming_dict()
        return word if len(word) < min_length else self._stemming.get(word, word)

    def load_stopwords(self) -> None:
        """Read the stop words; a user's own language has none unless it overrides this."""
        if self.lang in SUMEVAL_LANGUAGES:
            self._stopwords = sumeval_stop_words(self.lang)

    def load_stemming_dict(self) -> None:
        """Read the base forms, which English alone has."""
        if self.lang == "en":
            self._stemming = sumeval_base_forms()


class LangEN(BaseLang):
    """English: words are runs of ASCII letters and digits."""

    def __init__(self) -> None:
        super().__init__("en")

    def tokenize(self, text: str) -> list[str]:
        """What stands between single blanks."""
        return text.split(" ")

    def tokenize_with_preprocess(self, text: str) -> list[str]:
        """Runs of letters and digits."""
        return re.findall("[A-Za-z0-9]+", text)


class LangZH(BaseLang):
    """Chinese: the words of jieba, with blanks in place of some marks."""

    def __init__(self) -> None:
        super().__init__("zh")

    def tokenize(self, text: str) -> list[str]:
        """The words, blanks among them."""
        return jieba_cutter(keep_blanks=True)(CHINESE_MARKS.sub(" ", text))


class LangJA(BaseLang):
    """Japanese: the words of MeCab where it is installed with a dictionary, else of janome, as there."""

    def __init__(self) -> None:
        super().__init__("ja")
        self._cut = _mecab_cutter() or janome_cutter()

    def tokenize(self, text: str) -> list[str]:
        """The words of a text as it is."""
        return self._cut(text)

    def tokenize_with_preprocess(self, text: str) -> list[str]:
        """The words of its kana, kanji, letters and digits."""
        return list(filter(None, map(str.strip, self.tokenize(NOT_JAPANESE.sub(" ", text)))))

    def join(self, words: Iterable[str]) -> str:
        """A text of these words, without blanks."""
        return "".join(words)

    def __reduce__(self) -> Any:
        return LangJA, ()  # a tagger can't be pickled


def _mecab_cutter() -> Callable[[str], list[str]] | None:
    try:
        import MeCab

        tagger = MeCab.Tagger("-Ochasen")
    except Exception:  # as there: no package, or no dictionary for it
        return None

    def cut(text: str) -> list[str]:
        tagger.parse("")  # without this the first text comes out wrong
        node, words = tagger.parseToNode(text), []
        while node:
            if node.surface:
                words.append(node.surface)
            node = node.next
        return words

    return cut


def get_lang(lang: str = "") -> BaseLang:
    """The language of that code; English for every other one, as there."""
    return {"ja": LangJA, "zh": LangZH}.get(lang, LangEN)()


@dataclass(eq=False)
class RougeCalculator:
    """F-measures of summaries, as ``sumeval.metrics.rouge.RougeCalculator``.

    Args:
        stopwords: leave out stop words; they are read from the package ``sumeval``, which must be installed for it.
        stemming: base forms for the words of references, from its table too.
        word_limit: words of each text to look at; 0 or less for all.
        length_limit: characters of each text to look at; 0 or less for all.
        lang: ``"en"``, ``"ja"``, ``"zh"``, or an object of a subclass of ``BaseLang``.

    Raises:
        TypeError: ``lang`` is neither a code nor a language.
        ModuleNotFoundError: Japanese, and neither MeCab nor janome is installed.
    """

    stopwords: bool = True
    stemming: bool = False
    word_limit: int = -1
    length_limit: int = -1
    lang: str | BaseLang = "en"

    def __post_init__(self) -> None:
        if not isinstance(self.lang, (str, BaseLang)):
            raise TypeError(f"lang is {self.lang!r}; give 'en', 'ja', 'zh', or an object of a subclass of BaseLang.")
        self._lang = get_lang(self.lang) if isinstance(self.lang, str) else self.lang
        self.lang = self.lang if isinstance(self.lang, str) else self.lang.lang

    def tokenize(self, text_or_words: Text, is_reference: bool = False) -> list[str]:
        """The words that are compared: cut to the limit, lower-cased, without stop words; of a reference base forms.

        Words in place of a text are not cleaned.
        """
        cut = _words if isinstance(text_or_words, str) else _words.__wrapped__  # a list has no hash
        options = self.stopwords, self.stemming and is_reference, self.word_limit, self.length_limit
        return list(cut(text_or_words, self._lang, *options))

    def rouge_1(self, summary: Text, references: str | Sequence[Text], alpha: float = 0.5) -> float:
        """ROUGE-1; see ``rouge_n``."""
        return self.rouge_n(summary, references, 1, alpha)

    def rouge_2(self, summary: Text, references: str | Sequence[Text], alpha: float = 0.5) -> float:
        """ROUGE-2; see ``rouge_n``."""
        return self.rouge_n(summary, references, 2, alpha)

    def rouge_n(self, summary: Text, references: str | Sequence[Text], n: int, alpha: float = 0.5) -> float:
        """F of ROUGE-N of one summary.

        Args:
            summary: a text, or its words.
            references: a text, or a list of texts or lists of words; their counts are added up.
            n: order of the n-grams.
            alpha: weight of precision in F.
        """
        units = ngram_counts(self.tokenize(summary), n)
        rows = [ngram_counts(self.tokenize(row, True), n) for row in _rows(references)]
        hits = sum(clipped_hits(units, row) for row in rows)
        return _f1(hits, sum(row.total() for row in rows), len(rows) * units.total(), alpha)

    def rouge_l(self, summary: Text, references: str | Sequence[Text], alpha: float = 0.5) -> float:
        """ROUGE-L of one summary, one LCS over all words; see ``rouge_n``."""
        words = self.tokenize(summary)
        rows = [self.tokenize(row, True) for row in _rows(references)]
        hits = sum(lcs_length(row, words) for row in rows)
        return _f1(hits, sum(map(len, rows)), len(rows) * len(words), alpha)

    def scores(
        self,
        summaries: Sequence[Text],
        references: Sequence[str | Sequence[Text]],
        kinds: Sequence[str] = ("rouge_1", "rouge_2", "rouge_l"),
        alpha: float = 0.5,
    ) -> dict[str, list[float]]:
        """Score many summaries at once, on all cores; an addition to that package.

        Args:
            summaries: texts, or lists of words.
            references: for each of them what ``rouge_n`` takes, one at least.
            kinds: ``"rouge_1"`` to ``"rouge_9"`` and ``"rouge_l"``.
            alpha: weight of precision in F, 0 to 1.

        Returns:
            For each kind the F of each summary, as the methods of these names return it.

        Raises:
            ValueError: unequal numbers of rows, no rows, or a row without reference; or an unknown kind.
        """
        names = tuple(f"rouge{kind.removeprefix('rouge_').upper()}" for kind in kinds)
        rows = [_rows(row) for row in references]
        scorer = self._convention(rouge_types=names, alpha=alpha)
        if scorer is not None and all(isinstance(text, str) for row in (summaries, *rows) for text in row):
            inputs = check_inputs(summaries, rows, reference_kind="list")
        else:
            scorer = written_token_scorer(rouge_types=names, alpha=alpha, multi_reference="pooled")
            write = token_writer()
            inputs = check_inputs(
                [write([self.tokenize(text)]) for text in summaries],
                [[write([self.tokenize(text, True)]) for text in row] for row in rows],
                reference_kind="list",
            )
        scores = sample_scores(list(inputs.predictions), inputs.references, scorer)[..., 2]
        return {kind: scores[:, column].tolist() for column, kind in enumerate(kinds)}

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``; a ``ValueError`` for Japanese and for a user's own language."""
        scorer = self._convention()
        if scorer is None:
            raise ValueError(
                f"The language {self.lang!r} is no setting of Rouge; give Rouge('sumeval') a callable tokenizer."
            )
        return rouge_with(scorer.settings)

    def _convention(self, **changes: Any) -> PairScorer | None:
        """A scorer with these options; None for a language that the engines do not know."""
        if type(self._lang) not in (LangEN, LangZH):
            return None
        language = self._lang.lang
        max_words = max(self.word_limit, 0) or None
        changes |= {
            "tokenizer": f"sumeval_{language}",
            "stop_words": f"sumeval_{language}" if self.stopwords else None,
            "use_stemmer": bool(self.stemming) and language == "en",
            "max_words": max_words,
            "max_characters": None if max_words else max(self.length_limit, 0) or None,
        }
        if language == "en" and not (changes["use_stemmer"] or max_words or changes["max_characters"]):
            changes |= {"tokenizer": "rouge155", "lowercase": "ascii"}  # the same words, for which there is a kernel
        return convention_scorer("sumeval", **changes)


@functools.lru_cache(maxsize=64)  # rouge_1, rouge_2 and rouge_l of one pair mostly follow one another
def _words(
    text: Text, lang: BaseLang, stopwords: bool, stemming: bool, word_limit: int, length_limit: int
) -> list[str]:
    """The words of a text, or of its words, under these options."""
    if word_limit > 0:
        words = lang.tokenize(text) if isinstance(text, str) else text
        text = lang.join(words[:word_limit])
    elif length_limit > 0:
        text = (text if isinstance(text, str) else lang.join(text))[:length_limit]
    words = lang.tokenize_with_preprocess(text) if isinstance(text, str) else text
    words = [word.lower().strip() for word in words if word.strip()]
    if stopwords:
        words = [word for word in words if not lang.is_stop_word(word)]
    return [lang.stemming(word, min_length=3) for word in words] if stemming else words


def _f1(hits: int, recall_total: int, precision_total: int, alpha: float) -> float:
    """F of the counts; where it has no value it is the integer 0, as there."""
    recall = hits / recall_total if recall_total else 0
    precision = hits / precision_total if precision_total else 0
    below = (1.0 - alpha) * precision + alpha * recall
    return precision * recall / below if below else 0


def _rows(references: str | Sequence[Text]) -> Sequence[Text]:
    return [references] if isinstance(references, str) else references
