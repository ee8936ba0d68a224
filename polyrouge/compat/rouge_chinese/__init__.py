"""rouge_chinese 1.0.3: ``from polyrouge.compat.rouge_chinese import Rouge``."""

from polyrouge.compat.rouge_chinese.rouge import FilesRouge as FilesRouge
from polyrouge.compat.rouge_chinese.rouge import Rouge as Rouge

__version__ = "1.0.3"
