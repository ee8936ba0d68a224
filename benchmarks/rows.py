"""All rows of the benchmark by name, in the order of the report."""

from __future__ import annotations

from benchmarks.arrow_rows import arrow_tables
from benchmarks.chinese_rows import characters, chinese_words, cutting, first_words
from benchmarks.compat_metric_rows import compat_metrics
from benchmarks.compat_rows import compat
from benchmarks.convention_rows import conventions
from benchmarks.engine_rows import engines
from benchmarks.english_rows import four_types, ngrams_and_lcs, stemmer, words_220, words_2000
from benchmarks.evaluate_rows import cold_start, end_to_end
from benchmarks.installation_rows import installation
from benchmarks.other_type_rows import bootstrap, weighted_and_skip
from benchmarks.rouge155_rows import rouge155
from benchmarks.scaling_rows import by_length, by_pairs, million
from benchmarks.setup import Row
from benchmarks.small_call_rows import busy_machine, new_process, small_calls
from benchmarks.text_pairs_rows import all_pairs, candidates, million_texts, near_duplicates, nearest_texts, oracles

__all__ = ["ROWS"]

ROWS = {
    "ngrams_and_lcs": Row(ngrams_and_lcs, (1, 2)),
    "four_types": Row(four_types, (1, 2)),
    "stemmer": Row(stemmer, (1, 2)),
    "words_220": Row(words_220, (1, 2)),
    "words_2000": Row(words_2000, (1, 2)),
    "characters": Row(characters, (1, 2)),
    "cutting": Row(cutting),
    "chinese_words": Row(chinese_words, (1, 2)),
    "first_words": Row(first_words),
    "weighted_and_skip": Row(weighted_and_skip),
    "bootstrap": Row(bootstrap),
    "rouge155": Row(rouge155),
    "conventions": Row(conventions),
    "compat_metrics": Row(compat_metrics),
    "compat": Row(compat),
    "end_to_end": Row(end_to_end, (1, 2)),
    "arrow_tables": Row(arrow_tables, (1, 2)),
    "engines": Row(engines),
    "million": Row(million),
    "near_duplicates": Row(near_duplicates),
    "million_texts": Row(million_texts),
    "nearest_texts": Row(nearest_texts),
    "all_pairs": Row(all_pairs),
    "candidates": Row(candidates),
    "oracles": Row(oracles),
    "by_length": Row(by_length),
    "by_pairs": Row(by_pairs),
    "cold_start": Row(cold_start),
    "new_process": Row(new_process),
    "busy_machine": Row(busy_machine),
    "small_calls": Row(small_calls),
    "installation": Row(installation),
}
