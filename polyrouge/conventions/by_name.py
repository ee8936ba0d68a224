"""Find what settings name of the tools: stems, stop lists, limits; and prepare texts before they are cut."""

import functools
from collections.abc import Callable, Sequence
from types import ModuleType

from polyrouge.conventions.common import limited, porter_stem, snowball_stem
from polyrouge.settings.rules import SNOWBALL_LANGUAGES, TextRules
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.patterns import pattern
from polyrouge.texts.preparation import preparation
from polyrouge.texts.tokenizers import composed

Prepare = Callable[[str], str]
_CHINESE = pattern("[\u4e00-\u9fa5]")


@functools.lru_cache(maxsize=16)
def word_stemmer(name: str, tables: str | None = None) -> Callable[[str], str]:
    """Return the function that ``stemmer`` names, from token to stem; ``tables`` is the folder of its tables."""
    if name in SNOWBALL_LANGUAGES:
        return snowball_stem(name)
    return porter_stem() if name == "porter" else _tool(name).stemmer(tables)


@functools.lru_cache(maxsize=16)
def stop_list(name: str, tables: str | None = None) -> frozenset[str]:
    """Return the words of the list that ``stop_words`` names; ``tables`` is its folder."""
    if name == "rouge155":
        return _tool("rouge155").load_stop_words(tables)
    if name == "lveval_zh":
        return _tool("lveval").load_stop_words(tables)
    return _tool("sumeval").sumeval_stop_words(name.removeprefix("sumeval_"), tables)


def limit_text(sentences: Sequence[str], rules: TextRules) -> Sequence[str]:
    """Cut the sentences of a text to its limit, by ``limit_rule``."""
    limits = {"words": rules.max_words, "bytes": rules.max_bytes, "characters": rules.max_characters}
    for unit, limit in limits.items():
        if limit is not None:  # at most one of the three
            tool = _tool(rules.limit_rule)
            if rules.limit_rule == "sumeval":
                return [tool.cut_sumeval(sentence, limit, unit, rules.tokenizer) for sentence in sentences]
            return limited(sentences, limit, tool.CUTS[unit])
    return sentences


def _tool(name: str) -> ModuleType:
    """Import the module of a tool."""
    if name == "rouge155":
        import polyrouge.conventions.rouge155 as tool
    elif name == "lveval":
        import polyrouge.conventions.lveval as tool
    elif name == "py_rouge":
        import polyrouge.conventions.py_rouge as tool
    elif name == "sacrerouge":
        import polyrouge.conventions.sacrerouge as tool
    elif name == "sumeval":
        import polyrouge.conventions.sumeval as tool
    else:
        import polyrouge.conventions.xlsum as tool
    return tool


def text_preparation(rules: TextRules, make_cutter: MakeCutter = jieba_cutter) -> Prepare | None:
    """Make the function that prepares a text before it is cut, or None if there is nothing to do."""
    # NFC first, so that equivalent texts stay equal; NFKC is for tokens only.
    compose = [] if rules.normalize is None else [composed]
    steps: list[Prepare] = [*compose]
    if rules.prepare:
        steps += [preparation(rules.prepare), *compose]  # a step may join a letter and its accent
    if rules.segment == "char":
        steps.append(" ".join)
    elif rules.segment == "char_without_blanks":
        steps.append(lambda text: " ".join(character for character in text if not character.isspace()))
    elif rules.segment == "jieba_where_chinese":
        cut = make_cutter(rules.jieba_dict, hmm=rules.jieba_hmm, keep_blanks=True)
        steps.append(lambda text: " ".join(cut(text)) if _CHINESE.search(text) else text)
    elif rules.segment is not None:  # jieba keeps line breaks as words
        cut = make_cutter(rules.jieba_dict, hmm=rules.jieba_hmm, keep_blanks=True)
        dropped = "" if rules.segment == "jieba" else " "
        steps.append(lambda text: " ".join(word for word in cut(text) if word != dropped))
    if len(steps) <= 1:
        return steps[0] if steps else None
    return lambda text: functools.reduce(lambda prepared, step: step(prepared), steps, text)
