"""The Space's page: score a prediction against references under any convention.

On a Space this file runs as a script and the package is not installed, so it speaks to the metric
that evaluate loads from the script beside it.
"""

from __future__ import annotations

import functools
import warnings
from pathlib import Path
from typing import Any

import evaluate
import gradio as gr

CONVENTIONS = {
    "Any language": "default",
    "中文，按字 / Chinese, characters": "zh_char",
    "中文，按词（jieba） / Chinese, words": "zh_word",
    "English, as rouge_score": "rouge_score",
}
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@functools.cache
def load_metric(convention: str) -> Any:
    """The metric under one convention, from the script beside this page."""
    script = str(Path(__file__).with_name("rouge_metric.py"))
    return evaluate.load(script, convention, keep_in_memory=True, output="all")


def score(prediction: str, references: str, convention: str) -> tuple[list[list[Any]], str]:
    """P, R and F of each type for one prediction, and the signature.

    References are separated by a line of three dashes; their own line breaks end sentences.
    """
    metric = load_metric(CONVENTIONS[convention])
    texts = [text.strip("\n") for text in references.split("\n---\n")]
    columns = metric.score([prediction], [texts])
    rows = [
        [name, *(round(float(columns[key][0]), 4) for key in (f"{name}_precision", f"{name}_recall", name))]
        for name in TYPES
    ]
    return rows, metric.signature()


def build_page() -> gr.Blocks:
    """The page; the example is scored when it loads."""
    with gr.Blocks(title="ROUGE") as page:
        gr.Markdown("# ROUGE\nWhat a text shares with its references. 与参考文本的重合度。")
        with gr.Row():
            prediction = gr.Textbox("北澜科技推出车载AI芯片，功耗降低40%。", label="Prediction / 预测", lines=5)
            references = gr.Textbox(
                "北澜科技发布新一代车载AI芯片，功耗降低四成。\n---\n功耗降四成，北澜新款车载AI芯片亮相。",
                label="References, separated by a line --- / 参考文本，以 --- 一行分隔",
                lines=5,
            )
        choices = list(CONVENTIONS)
        convention = gr.Dropdown(choices, value=choices[1], label="Convention / 口径")
        table = gr.Dataframe(headers=["type", "precision", "recall", "F"], label="Scores / 得分", interactive=False)
        signature = gr.Textbox(label="Signature / 签名", interactive=False, buttons=["copy"])
        inputs, outputs = [prediction, references, convention], [table, signature]
        gr.on(
            [page.load, prediction.change, references.change, convention.change],
            score,
            inputs,
            outputs,
            api_name="score",
            show_progress="hidden",
        )
    return page


if __name__ == "__main__":
    warnings.simplefilter("ignore", UserWarning)  # they quote the text; a public page logs nothing of it
    build_page().launch()
