"""All that is checked when settings are made: each field by itself, then fields that can't both be meant."""

from __future__ import annotations

import os
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.settings.allowed_values import (
    CHOICES,
    FLAGS,
    NUMBERS,
    checked_flag,
    checked_names,
    checked_number,
    checked_stop_words,
    checked_text,
    checked_types,
    checked_weights,
)
from polyrouge.settings.other_names import VALUES
from polyrouge.settings.stages import cuts_with_jieba
from polyrouge.texts.jieba_words import JiebaDictionary, JiebaWords, is_jieba_tokenizer
from polyrouge.texts.sentences import check_sentence_split, refuse_surrogates
from polyrouge.texts.tokenizers import NEEDS_MODEL, NEEDS_PKUSEG_MODEL, TOKENIZERS


def checked_fields(settings: Any) -> dict[str, Any]:
    """The fields of ``RougeSettings`` that are kept in another form than they were given in.

    Raises:
        ValueError: a value that is not allowed; the message says which are.
        TypeError: a value of the wrong type.
    """
    fields: dict[str, Any] = {
        "rouge_types": checked_types(settings.rouge_types),
        "stop_words": checked_stop_words(settings.stop_words),
    }
    _check_tokenizer(settings.tokenizer)
    check_sentence_split(settings.sentence_split)
    for name, allowed in CHOICES.items():
        value = getattr(settings, name)
        if not (value is None or isinstance(value, str)) or value not in allowed:
            raise unknown_value(value, [str(each) for each in allowed], name, VALUES.get(name))
    if not isinstance(settings.lowercase, bool) and not (
        isinstance(settings.lowercase, str) and settings.lowercase == "ascii"
    ):
        raise TypeError(f"lowercase is {settings.lowercase!r}; give True or False, or 'ascii' for A to Z only.")
    for name in FLAGS:
        checked_flag(name, getattr(settings, name))
    fields |= {name: checked_number(name, getattr(settings, name)) for name in NUMBERS}
    fields["weights"] = checked_weights(settings.weights, fields["rouge_types"])
    fields |= {name: checked_names(name, getattr(settings, name)) for name in ("refuses", "quirks")}
    if settings.placeholder is not None and not isinstance(settings.placeholder, str):
        raise TypeError(
            f"placeholder is {settings.placeholder!r}; give the text that stands for a blank prediction, or None."
        )
    if settings.placeholder is not None:
        refuse_surrogates(settings.placeholder, "placeholder")
    fields |= {
        name: checked_text(getattr(settings, name))
        for name in (*CHOICES, "lowercase", "tokenizer", "sentence_split", "placeholder")
        if isinstance(getattr(settings, name), str)
    }
    fields["word_tables"] = _checked_folder(settings.word_tables)
    _check_limits(settings)
    _check_result(settings)
    fields["jieba_dict"] = _checked_dictionary(settings)
    fields["subword_model"] = _checked_model(settings)
    fields["pkuseg_model"] = _checked_pkuseg_model(settings)
    return fields


def _check_tokenizer(tokenizer: Any) -> None:
    if callable(tokenizer):
        return
    if not isinstance(tokenizer, str):
        raise TypeError(f"tokenizer is {tokenizer!r}; give a name or a callable str -> list[str].")
    if tokenizer not in TOKENIZERS:
        known = [name for name in TOKENIZERS if not name.startswith(("xlsum_", "sacrebleu_"))]
        known += ["sacrebleu_<name>", "xlsum_<language>"]
        raise unknown_value(tokenizer, known, "tokenizer", VALUES["tokenizer"])


def _checked_folder(word_tables: Any) -> str | None:
    if word_tables is None:
        return None
    if not isinstance(word_tables, (str, os.PathLike)):
        raise TypeError(f"word_tables is {word_tables!r}; give the path of a folder.")
    folder = os.fsdecode(word_tables)
    if not os.path.isdir(folder):
        raise ValueError(f"word_tables: there is no folder {folder!r}.")
    return folder


def _check_limits(settings: Any) -> None:
    limits = (settings.max_words, settings.max_bytes, settings.max_characters)
    if sum(limit is not None for limit in limits) > 1:
        raise ValueError(
            "Give one of max_words, max_bytes and max_characters, not both (nor does ROUGE-1.5.5 take two)."
        )
    if settings.max_bytes is not None and settings.limit_rule != "rouge155":
        raise ValueError(
            f"limit_rule={settings.limit_rule!r} cuts words or characters: give max_words or max_characters."
        )


def _check_result(settings: Any) -> None:
    if settings.aggregate == "micro" and settings.multi_reference not in ("pooled", "first"):
        rule = settings.multi_reference
        raise ValueError(
            f"aggregate='micro' adds up counts: with multi_reference='pooled' or multi_reference='first', not {rule!r}."
        )
    if settings.confidence is not None and settings.aggregate == "micro":
        raise ValueError("confidence gives an interval of a mean over samples, which aggregate='micro' is not.")
    if settings.interval != "percentile" and settings.aggregate == "bootstrap_median":
        raise ValueError(
            f"aggregate='bootstrap_median' has rouge_score's own interval; interval={settings.interval!r} is not it."
        )
    if settings.confidence is not None and not settings.use_aggregator:
        raise ValueError(
            "confidence asks for an interval of the mean, but use_aggregator=False asks for lists; drop one."
        )


def _checked_dictionary(settings: Any) -> JiebaWords:
    if settings.jieba_dict is None:
        return None
    if not cuts_with_jieba(settings):
        raise ValueError(f"jieba_dict is for tokenizer='jieba', but the tokenizer is {settings.tokenizer!r}.")
    if isinstance(settings.jieba_dict, JiebaDictionary) or is_jieba_tokenizer(settings.jieba_dict):
        return settings.jieba_dict
    if not isinstance(settings.jieba_dict, (str, os.PathLike)):
        raise TypeError(
            f"jieba_dict is {settings.jieba_dict!r}; give the path of a user dictionary or a jieba.Tokenizer (what "
            "inherits from it may cut otherwise: give tokenizer=its lcut)."
        )
    path = os.fsdecode(settings.jieba_dict)
    if not os.path.isfile(path):
        raise ValueError(f"jieba_dict: there is no file {path!r}.")
    return path


def _checked_model(settings: Any) -> str | None:
    model = settings.subword_model
    needs_model = isinstance(settings.tokenizer, str) and settings.tokenizer in NEEDS_MODEL
    if model is None and needs_model:
        raise ValueError(
            f"tokenizer={settings.tokenizer!r} needs subword_model: the path of a tokenizer.json or its folder, or a "
            "repository on the Hub, such as 'google-bert/bert-base-multilingual-uncased'."
        )
    if model is None:
        return None
    if not isinstance(model, (str, os.PathLike)):
        raise TypeError(f"subword_model is {model!r}; give a path, or a repository on the Hub as 'owner/name'.")
    if not needs_model:
        raise ValueError(f"subword_model is for tokenizer='subwords', but the tokenizer is {settings.tokenizer!r}.")
    from polyrouge.texts.subwords import hub_model

    name = os.fsdecode(model)
    if hub_model(name) is None and not os.path.exists(name):
        raise ValueError(
            f"subword_model: there is no file or folder {name!r}; a repository on the Hub is written 'owner/name'."
        )
    return name


def _checked_pkuseg_model(settings: Any) -> str | None:
    model = settings.pkuseg_model
    needs_model = isinstance(settings.tokenizer, str) and settings.tokenizer in NEEDS_PKUSEG_MODEL
    if model is None and not needs_model:
        return None
    from polyrouge.texts.pkuseg_words import HOW_TO_GET_ONE, check_pkuseg_model

    if model is None:
        raise ValueError(
            f"tokenizer={settings.tokenizer!r} needs pkuseg_model, the folder of a model: {HOW_TO_GET_ONE}."
        )
    if not isinstance(model, (str, os.PathLike)):
        raise TypeError(f"pkuseg_model is {model!r}; give the path of a folder.")
    if not needs_model:
        raise ValueError(f"pkuseg_model is for tokenizer='zh_pkuseg', but the tokenizer is {settings.tokenizer!r}.")
    folder = os.path.expanduser(os.fsdecode(model))
    check_pkuseg_model(folder)
    return folder
