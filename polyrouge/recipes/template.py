"""A recipe to fill in."""

from __future__ import annotations

from pathlib import Path

_TEMPLATE = """\
# A benchmark recipe: which data, which convention, which published scores. Every fact has its source.
# 'polyrouge benchmark THIS_FILE' checks it and shows the rows; with a file of predictions it scores them.
# Lines that begin with # are examples; take the mark away to use them. Scores are times 100.
title: My benchmark

data:
  hub_id: null            # of the data set on the Hub, such as user/name; null: only --data-file
  config: null            # its configuration, such as a language
  # configs: [english, french]   # further ones of the same shape
  split: test
  # samples: 1000         # rows of the split; another number of rows is warned of
  documents: document     # column of the source texts, for lead baselines
  references: summary     # column of the references: texts, or lists of texts
  source: where these facts were read, such as a link to the data set's card
  # sentence_separator: "\\n"    # between the sentences of a reference
  # document_separator: "|||||"  # between the documents of one row
  # licence: of the data

# How the literature scores this data. The first one is taken if --convention names no other.
conventions:
- key: usual              # what published rows and --convention call it
  name: rouge_score       # one of 'polyrouge conventions'
  # settings:             # what differs from that convention
  #   use_stemmer: true
  scores:                 # column of the table: key of the result
    rouge1: rouge1
    rouge2: rouge2
    rougeLsum: rougeLsum  # write rougeL: rougeLsum if the papers call the summary level ROUGE-L
  tool: rouge_score 0.1.2 with its stemmer, as the papers' code calls it
  source: where that was read

# Published results; made_with is the key of a convention, or null if the source does not say.
published:
- system: A system
  rouge1: 44.16
  rouge2: 21.28
  rougeLsum: 40.9
  made_with: usual
  source: the paper and its table
  # config: english
  # baseline: true
  # note: what to know about this row

# Baselines to compute from the documents.
# baselines:
# - name: Lead-3
#   units: sentences      # or turns (lines)
#   n: 3

# notes:
# - What to know about the benchmark.
"""


def write_template(path: str) -> str:
    """Write a recipe to fill in, with comments; it can be read as it is.

    Args:
        path: of a new ``.yaml`` file.

    Returns:
        The path.

    Raises:
        ValueError: the file is there already, or has another suffix.
        FileNotFoundError: there is no such folder.
    """
    target = Path(path)
    if target.suffix not in (".yaml", ".yml"):
        raise ValueError(f"--new is {path!r}; give a name that ends in .yaml.")
    if target.exists():
        raise ValueError(f"{path!r} is there already; give another name.")
    target.write_text(_TEMPLATE, encoding="utf-8", newline="\n")
    return path
