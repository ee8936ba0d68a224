"""The command of rouge: ``python -m polyrouge.compat.rouge``."""

from polyrouge.compat.rouge import FilesRouge, Rouge
from polyrouge.compat.score_command import run_command

run_command("rouge", Rouge, FilesRouge)
