"""Load the metric script given as the first argument with evaluate and score two short pairs."""

import sys

import evaluate

metric = evaluate.load(sys.argv[1])
print(
    metric.compute(
        predictions=["the cat sat on the mat", "hello there"],
        references=["a cat sat on a mat", "hello here"],
    )
)
