"""Load a metric script with evaluate and score the pairs of a JSON file: a new process's whole work.

Arguments: the script, the file ({"predictions": [...], "references": [...]}), how many of its pairs.
"""

import json
import sys
from pathlib import Path

import evaluate

script, file, n_pairs = sys.argv[1:]
columns = {name: texts[: int(n_pairs)] for name, texts in json.loads(Path(file).read_text(encoding="utf-8")).items()}
print(evaluate.load(script).compute(**columns))
