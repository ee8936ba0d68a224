"""lawrouge 2.0.0: ``from polyrouge.compat import lawrouge``."""

from polyrouge.compat.lawrouge.rouge import FilesRouge as FilesRouge
from polyrouge.compat.lawrouge.rouge import FoldersRouge as FoldersRouge
from polyrouge.compat.lawrouge.rouge import Rouge as Rouge

__version__ = "1.0.0"  # what the release 2.0.0 says of itself
