"""py-rouge 1.1 by Diego999: ``from polyrouge.compat import py_rouge as rouge``."""

from polyrouge.compat.py_rouge.rouge import Rouge as Rouge

__version__ = "1.0.0"  # what the release 1.1 says of itself
