"""rouge 1.0.1 by pltrdy: ``from polyrouge.compat.rouge import Rouge``."""

from polyrouge.compat.rouge.rouge import FilesRouge as FilesRouge
from polyrouge.compat.rouge.rouge import Rouge as Rouge

__version__ = "1.0.1"
