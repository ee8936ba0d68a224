"""Cut subwords by a Hugging Face tokenizer: of a file, a folder, or a repository on the Hub.

``tokenizer.json`` decides everything about subwords, so the signature has its digest.
"""

import functools
from pathlib import Path
from typing import Any

from polyrouge.errors import Note, Option, RefusedValue
from polyrouge.texts.registration import sha256
from polyrouge.texts.tokenizers import Tokenize, TokenizerOptions, built_in_tokenizer, without_punctuation

FILE = "tokenizer.json"
_DIGITS = 12  # of a digest


@built_in_tokenizer(
    "subwords",
    "subwords of the Hugging Face tokenizer that subword_model names",
    libraries=("tokenizers", "regex"),
    exact_libraries=("tokenizers",),
    is_general=False,
)
def _build_subwords(options: TokenizerOptions) -> Tokenize:
    return without_punctuation(subword_tokens(str(options.subword_model)), options)


def subword_tokens(model: str) -> Tokenize:
    """Cut a text without special tokens, as ``tokenize`` of transformers does: with Ġ or ▁ for blanks."""
    file = find_subword_file(model)
    encode = _load(file, file.stat().st_mtime_ns, file.stat().st_size).encode
    return lambda text: encode(text, add_special_tokens=False).tokens


@functools.lru_cache(maxsize=4)
def _load(file: Path, _changed: int, _size: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises only Exception
        problem = f": {file} is no tokenizer of Hugging Face's tokenizers: {error}."
        raise RefusedValue(Option("subword_model"), problem) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def hub_model(model: str) -> tuple[str, str | None] | None:
    """Return the repository on the Hub and the revision of ``owner/name@revision``; None for a path."""
    if "/" not in model or Path(model).exists() or model.startswith((".", "/", "~")):
        return None
    repository, _, revision = model.partition("@")
    return repository, revision or None


def find_subword_file(model: str) -> Path:
    """Find a model's ``tokenizer.json``, without a download: scores must not depend on the network."""
    if (on_hub := hub_model(model)) is not None:
        from huggingface_hub import try_to_load_from_cache

        cached = try_to_load_from_cache(on_hub[0], FILE, revision=on_hub[1])
        if isinstance(cached, str):
            return Path(cached)
        problem = f" is not on this machine: {how_to_download(model)}; or give the path of a copy."
        raise FileNotFoundError(Note(Option("subword_model", model), problem))
    path = Path(model)
    file = path / FILE if path.is_dir() else path
    if file.is_file():
        return file
    problem = (
        f": there is no {FILE}. Give its path, the folder that it is in, or a repository on the Hub as 'owner/name'; "
        "transformers writes it: AutoTokenizer.from_pretrained(...).save_pretrained(folder)."
    )
    raise FileNotFoundError(Note(Option("subword_model", model), problem))


def how_to_download(model: str) -> str:
    """Return the command that downloads a model from the Hub."""
    repository, _, revision = model.partition("@")
    return f"hf download {repository} {FILE}{f' --revision {revision}' if revision else ''}"


def subword_digest(model: str) -> str:
    """Return the first digits of the SHA-256 of a model's file; ``none`` if it is not on this machine."""
    try:
        return sha256(find_subword_file(model).read_bytes())[:_DIGITS]
    except (FileNotFoundError, ModuleNotFoundError):
        return "none"


def subword_name(model: str) -> str:
    """Return the name of a model in signatures: the repository, or the name of the folder or file."""
    if hub_model(model) is not None:
        return model
    path = Path(model).absolute()
    return path.parent.name if path.name == FILE else path.name
