"""What a Trainer works with, without Transformers: a tokenizer of characters, and what an evaluation hands over."""

from collections.abc import Iterable
from typing import Any, NamedTuple


class EvalPrediction(NamedTuple):
    """As ``transformers.EvalPrediction``."""

    predictions: Any
    label_ids: Any
    inputs: Any = None
    losses: Any = None


class CharacterTokenizer:
    """Gives the ids that ``tiny_parts.tiny_tokenizer`` gives for the same rows."""

    def __init__(self, rows: Iterable[dict[str, str]]):
        characters = sorted(set("".join(row["source"] + row["target"] for row in rows)))
        self._tokens = ["<pad>", "</s>", "<unk>", *characters]
        self.pad_token, self.eos_token = "<pad>", "</s>"

    @property
    def pad_token_id(self) -> int | None:
        return None if self.pad_token is None else 0

    @property
    def eos_token_id(self) -> int | None:
        return None if self.eos_token is None else 1

    def __len__(self) -> int:
        return len(self._tokens)

    def __call__(self, text: str) -> dict[str, list[int]]:
        return {"input_ids": [*map(self._tokens.index, text), 1]}

    def decode(self, ids: Iterable[int], skip_special_tokens: bool) -> str:
        ids = list(ids)
        if min(ids, default=0) < 0:
            raise OverflowError(ids)
        special = {0, 1, 2} if skip_special_tokens else set()
        return "".join(self._tokens[each] for each in ids if each not in special)

    def batch_decode(self, rows: Iterable[Iterable[int]], skip_special_tokens: bool) -> list[str]:
        return [self.decode(row, skip_special_tokens) for row in rows]
