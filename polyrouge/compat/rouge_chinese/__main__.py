"""The command of rouge_chinese: ``python -m polyrouge.compat.rouge_chinese``."""

from polyrouge.compat.rouge_chinese import FilesRouge, Rouge
from polyrouge.compat.score_command import run_command

run_command("rouge_chinese", Rouge, FilesRouge)
