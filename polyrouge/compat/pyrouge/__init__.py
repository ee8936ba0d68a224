"""``pyrouge`` 0.1.3: ``Rouge155`` without Perl."""

from polyrouge.compat.pyrouge.rouge155 import Rouge155 as Rouge155
