"""What the training examples beside this file share: Chinese rows, a tokenizer and models, all made here.

A character tokenizer and random weights, so that nothing is downloaded and a recipe runs on a CPU in seconds.
In your own training these are ``AutoTokenizer.from_pretrained(...)`` and ``AutoModelFor....from_pretrained(...)``.
"""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

__all__ = ["fit", "read_rows", "tiny_causal_model", "tiny_seq2seq_model", "tiny_tokenizer"]

_SPECIAL = ["<pad>", "</s>", "<unk>"]


def read_rows(limit: int) -> list[dict[str, str]]:
    """Topic and first clause of Chinese news summaries: ``source`` and ``target``."""
    with open(Path(__file__).parent / "zh_news.jsonl", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:limit]
    return [{"source": row["document_topic"], "target": row["references"][0].split("，")[0][:24]} for row in rows]


def tiny_tokenizer(rows: list[dict[str, str]]) -> PreTrainedTokenizerFast:
    """A tokenizer that takes each character of the rows for a token, and ends each text with ``</s>``."""
    characters = sorted(set("".join(row["source"] + row["target"] for row in rows)))
    vocabulary = {token: number for number, token in enumerate([*_SPECIAL, *characters])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))  # noqa: S106 a token, no password
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    tokenizer.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",  # noqa: S106 a token, no password
        eos_token="</s>",  # noqa: S106 a token, no password
        unk_token="<unk>",  # noqa: S106 a token, no password
        model_input_names=["input_ids", "attention_mask"],
    )


def tiny_seq2seq_model(tokenizer: PreTrainedTokenizerFast) -> T5ForConditionalGeneration:
    """A T5 of random weights."""
    return T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(tokenizer),
            d_model=48,
            d_kv=24,
            d_ff=96,
            num_layers=1,
            num_heads=2,
            dropout_rate=0.0,
            decoder_start_token_id=0,
            pad_token_id=0,
            eos_token_id=1,
        )
    )


def tiny_causal_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """A Llama of random weights."""
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=1,
            num_attention_heads=2,
            pad_token_id=0,
            bos_token_id=None,
            eos_token_id=1,
        )
    )


def fit(model: T5ForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, rows: list[dict[str, str]]) -> None:
    """Train for a second without a Trainer, so that the model says something worth scoring."""
    batch = tokenizer([row["source"] for row in rows], padding=True, return_tensors="pt")
    labels = tokenizer([row["target"] for row in rows], padding=True, return_tensors="pt")["input_ids"]
    labels[labels == tokenizer.pad_token_id] = -100
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(15):
        optimizer.zero_grad()
        model(**batch, labels=labels).loss.backward()
        optimizer.step()
