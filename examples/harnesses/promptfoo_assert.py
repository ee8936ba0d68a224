"""ROUGE for any language as a Python assertion of promptfoo.

In ``promptfooconfig.yaml``, with ``reference`` among the ``vars`` of a test::

    assert:
      - type: python
        value: file://promptfoo_assert.py
        config: {type: rougeL, threshold: 0.6}
"""

from typing import Any

from polyrouge import Rouge

ROUGE = Rouge()


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Called by promptfoo's worker, once for each output."""
    config = context.get("config") or {}
    rouge_type, threshold = config.get("type", "rougeL"), config.get("threshold", 0.5)
    score = ROUGE.compute([output], [context["vars"]["reference"]], rouge_types=[rouge_type])[rouge_type]
    return {"pass": score >= threshold, "score": score, "reason": f"{rouge_type} is {score:.4f}; {threshold} is asked"}
