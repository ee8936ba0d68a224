"""``rouge_metric`` 1.0.1 by li-plus: ``PyRouge`` and ``PerlRouge``, the latter without Perl."""

from polyrouge.compat.rouge_metric.perl_rouge import PerlRouge as PerlRouge
from polyrouge.compat.rouge_metric.py_rouge import PyRouge as PyRouge
