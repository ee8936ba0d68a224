"""``sumeval.metrics.rouge``: ``RougeCalculator``, one pair at a time as there, and many at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from polyrouge.compat.sumeval.metrics.lang import get_lang
from polyrouge.compat.sumeval.metrics.lang.base_lang import BaseLang, BasicElement
from polyrouge.compat.sumeval.metrics.lang.lang_en import LangEN
from polyrouge.compat.sumeval.metrics.lang.lang_zh import LangZH
from polyrouge.compat.token_texts import TokenTexts, written_token_settings
from polyrouge.conventions.registry import find_convention
from polyrouge.counting.plain.lcs import lcs_length
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams
from polyrouge.inputs import Inputs, check_inputs
from polyrouge.metric import Rouge
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.pipeline import score_samples
from polyrouge.settings.rouge_settings import RougeSettings

Text = str | Sequence[str]
_MOST_KEPT = 64


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

    def __init__(
        self,
        stopwords: bool = True,
        stemming: bool = False,
        word_limit: int = -1,
        length_limit: int = -1,
        lang: str | BaseLang = "en",
    ) -> None:
        self.stemming = stemming
        self.stopwords = stopwords
        self.word_limit = word_limit
        self.length_limit = length_limit
        if not isinstance(lang, (str, BaseLang)):
            raise TypeError(f"lang is {lang!r}; give 'en', 'ja', 'zh', or an object of a subclass of BaseLang.")
        self._lang = get_lang(lang) if isinstance(lang, str) else lang
        self.lang = lang if isinstance(lang, str) else lang.lang
        self._kept: dict[tuple, list[str]] = {}

    def tokenize(self, text_or_words: Text, is_reference: bool = False) -> list[str]:
        """The words that are compared: cut to the limit, lower-cased, without stop words; of references base forms.

        Args:
            text_or_words: a text; or its words, which are not cleaned then.
            is_reference: whether it is a reference.
        """
        if not isinstance(text_or_words, str):
            return self._tokens(text_or_words, is_reference)
        # rouge_1, rouge_2 and rouge_l of one pair mostly follow one another
        key = (text_or_words, is_reference, self.stopwords, self.stemming, self.word_limit, self.length_limit)
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = self._tokens(text_or_words, is_reference)
        return list(self._kept[key])

    def _tokens(self, text: Text, is_reference: bool) -> list[str]:
        lang = self._lang
        if self.word_limit > 0:
            words = lang.tokenize(text) if isinstance(text, str) else text
            text = lang.join(words[: self.word_limit])
        elif self.length_limit > 0:
            text = (text if isinstance(text, str) else lang.join(text))[: self.length_limit]
        found = lang.tokenize_with_preprocess(text) if isinstance(text, str) else text
        words = [word.lower().strip() for word in found if word.strip()]
        if self.stopwords:
            words = [word for word in words if not lang.is_stop_word(word)]
        if self.stemming and is_reference:
            words = [lang.stemming(word, min_length=3) for word in words]
        return words

    def parse_to_be(self, text: str, is_reference: bool = False) -> list[BasicElement]:
        """The basic elements of a text, lower-cased; of references in base forms under ``stemming``."""
        elements = self._lang.parse_to_be(text)
        for element in elements:
            element.head, element.modifier = element.head.lower().strip(), element.modifier.lower().strip()
            if self.stemming and is_reference:
                element.head = self._lang.stemming(element.head, min_length=3)
                element.modifier = self._lang.stemming(element.modifier, min_length=3)
        return elements

    def len_ngram(self, words: Sequence[str], n: int) -> int:
        """How many n-grams a text of these words has."""
        return max(len(words) - n + 1, 0)

    def ngram_iter(self, words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
        """The n-grams, in order."""
        return (tuple(words[start : start + n]) for start in range(self.len_ngram(words, n)))

    def count_ngrams(self, words: Sequence[str], n: int) -> Counter:
        """How often each n-gram occurs."""
        return Counter(self.ngram_iter(words, n))

    def count_overlap(self, summary_ngrams: Mapping, reference_ngrams: Counter) -> int:
        """Clipped hits."""
        return sum(min(count, reference_ngrams[unit]) for unit, count in summary_ngrams.items())

    def rouge_1(self, summary: Text, references: str | Sequence[Text], alpha: float = 0.5) -> float:
        """ROUGE-1; see ``rouge_n``."""
        return self.rouge_n(summary, references, 1, alpha)

    def rouge_2(self, summary: Text, references: str | Sequence[Text], alpha: float = 0.5) -> float:
        """ROUGE-2; see ``rouge_n``."""
        return self.rouge_n(summary, references, 2, alpha)

    def rouge_n(self, summary: Text, references: str | Sequence[Text], n: int, alpha: float = 0.5) -> float:
        """ROUGE-N of one summary.

        Args:
            summary: a text, or its words.
            references: a text, or a list of texts or lists of words; their counts are added up.
            n: order of the n-grams.
            alpha: weight of precision in F.

        Returns:
            F, 0 to 1.
        """
        count = count_ngrams if n > 0 else self.count_ngrams
        words = self.tokenize(summary)
        units = count(words, n)
        hits, recall_total, rows = 0, 0, _rows(references)
        for row in rows:
            others = self.tokenize(row, True)
            hits += clipped_hits(units, count(others, n))
            recall_total += self.len_ngram(others, n)
        return self._calc_f1(hits, recall_total, len(rows) * self.len_ngram(words, n), alpha)

    def lcs(self, a: Sequence[str], b: Sequence[str]) -> int:
        """Length of the longest common subsequence."""
        return lcs_length(a, b)

    def rouge_l(self, summary: Text, references: str | Sequence[Text], alpha: float = 0.5) -> float:
        """ROUGE-L of one summary, one LCS over all words; see ``rouge_n``."""
        words = self.tokenize(summary)
        rows = [self.tokenize(row, True) for row in _rows(references)]
        hits = sum(lcs_length(row, words) for row in rows)
        return self._calc_f1(hits, sum(map(len, rows)), len(rows) * len(words), alpha)

    def count_be(self, text: str, compare_type: str, is_reference: bool = False) -> Counter:
        """How often each basic element occurs, by the parts that ``compare_type`` names."""
        return Counter(element.as_key(compare_type) for element in self.parse_to_be(text, is_reference))

    def rouge_be(
        self, summary: str, references: str | Sequence[str], compare_type: str = "HMR", alpha: float = 0.5
    ) -> float:
        """ROUGE-BE of one summary: the basic elements that a parser finds.

        Args:
            summary: a text.
            references: a text or a list of them.
            compare_type: which parts are compared: H (head), M (modifier), R (relation).
            alpha: weight of precision in F.

        Returns:
            F, 0 to 1.

        Raises:
            ModuleNotFoundError: no parser is installed: spaCy with a model; for Chinese pyhanlp.
        """
        units = self.count_be(summary, compare_type)
        texts = [references] if isinstance(references, str) else references
        rows = [self.count_be(text, compare_type, True) for text in texts]
        hits = sum(clipped_hits(units, row) for row in rows)
        return self._calc_f1(hits, sum(row.total() for row in rows), len(rows) * units.total(), alpha)

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
            For each kind the F of each summary: what the methods of these names return.

        Raises:
            ValueError: unequal numbers of rows, no rows, or a row without reference; or an unknown kind.
        """
        names = tuple(f"rouge{kind.removeprefix('rouge_').upper()}" for kind in kinds)
        rows = [_rows(row) for row in references]
        texts = [text for row in (summaries, *rows) for text in row]
        own = self._convention() if all(isinstance(text, str) for text in texts) else None
        if own is not None:
            settings = own.replace(rouge_types=names, tool={"alpha": alpha})
            inputs = check_inputs(summaries, rows, reference_kind="list")
        else:
            settings = written_token_settings(rouge_types=names, multi_reference="pooled").replace(
                tool={"alpha": alpha}
            )
            inputs = self._written(summaries, rows)
        found = score_samples(inputs, settings, TextNotes(settings.text_rules)).scores[..., 2]
        return {kind: found[:, column].tolist() for column, kind in enumerate(kinds)}

    def as_polyrouge(self) -> Rouge:
        """The same metric as a ``Rouge``, which has a signature, intervals and explanations.

        Raises:
            ValueError: a language of the user's, or Japanese: give ``Rouge`` a tokenizer.
        """
        settings = self._convention()
        if settings is None:
            raise ValueError(
                f"The language {self.lang!r} is no setting of Rouge; give Rouge('sumeval') a callable tokenizer."
            )
        return Rouge(**{name: getattr(settings, name) for name in RougeSettings.names()})

    def _convention(self) -> RougeSettings | None:
        """The settings of this object's language, where it is one that the engines know."""
        if type(self._lang) not in (LangEN, LangZH):
            return None
        language = self._lang.lang
        limited_words = self.word_limit > 0
        settings = find_convention("sumeval").settings.replace(
            tokenizer=f"sumeval_{language}",
            stop_words=f"sumeval_{language}" if self.stopwords else None,
            use_stemmer=bool(self.stemming) and language == "en",
            max_words=self.word_limit if limited_words else None,
            max_characters=self.length_limit if self.length_limit > 0 and not limited_words else None,
        )
        if language == "zh" or settings.use_stemmer or settings.max_words or settings.max_characters:
            return settings
        return settings.replace(tokenizer="rouge155", lowercase="ascii")  # the same words, for which there is a kernel

    def _written(self, summaries: Sequence[Text], rows: list[Sequence[Text]]) -> Inputs:
        texts = TokenTexts()
        return check_inputs(
            [texts.written([self.tokenize(text)]) for text in summaries],
            [[texts.written([self.tokenize(text, True)]) for text in row] for row in rows],
            reference_kind="list",
        )

    def _calc_f1(self, hits: int, recall_total: int, precision_total: int, alpha: float) -> float:
        """F of the counts; where it has no value it is the integer 0, as there."""
        recall = hits / recall_total if recall_total else 0
        precision = hits / precision_total if precision_total else 0
        below = (1.0 - alpha) * precision + alpha * recall
        return precision * recall / below if below else 0


def _rows(references: str | Sequence[Text]) -> Sequence[Text]:
    return [references] if isinstance(references, str) else references
