"""Raise the ROUGE of what a model generates, by the reward function that TRL's GRPOTrainer takes.

With TRL it is ``GRPOTrainer(..., reward_funcs=[Rouge("zh_char").as_reward(references="answer")])``. The loop below
calls the reward as GRPOTrainer does, with the columns of its data set repeated for every completion, and takes the
same advantages (the reward less the mean of its group, over the deviation); the rest of GRPO is left out.
"""

# pyright: reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalSubscript=false, reportOptionalMemberAccess=false, reportPrivateImportUsage=false
# (transformers and datasets say less in their annotations than they take)

from __future__ import annotations

import torch
from tiny_parts import read_rows, tiny_causal_model, tiny_tokenizer
from transformers import set_seed

from polyrouge import Rouge

_GENERATIONS = 16
_NEW_TOKENS = 8


def main(steps: int = 30) -> list[float]:
    """Train for some steps on one prompt, and return the mean reward of each."""
    set_seed(0)
    rows = read_rows(4)
    tokenizer = tiny_tokenizer(rows)
    model = tiny_causal_model(tokenizer)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    reward = Rouge("zh_char").as_reward(references="answer", weights={"rouge1": 0.5, "rougeL": 0.5})
    row = rows[0]
    prompt = tokenizer([row["source"]] * _GENERATIONS, return_tensors="pt")
    start = prompt["input_ids"].shape[1]
    means = []
    for _ in range(steps):
        ids = model.generate(**prompt, do_sample=True, max_new_tokens=_NEW_TOKENS, min_new_tokens=_NEW_TOKENS, top_k=0)
        completions = tokenizer.batch_decode(ids[:, start:], skip_special_tokens=True)
        rewards = torch.tensor(
            reward(
                prompts=[row["source"]] * _GENERATIONS,
                completions=completions,
                answer=[row["target"]] * _GENERATIONS,
            )
        )
        advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
        logits = model(ids).logits[:, start - 1 : -1]
        chosen = logits.log_softmax(-1).gather(-1, ids[:, start:, None])[..., 0]
        optimizer.zero_grad()
        (-advantages[:, None] * chosen).mean().backward()
        optimizer.step()
        means.append(rewards.mean().item())
    return means


if __name__ == "__main__":
    means = main()
    for step in range(0, len(means), 5):
        print(f"step {step}: mean reward {means[step]:.3f}")
