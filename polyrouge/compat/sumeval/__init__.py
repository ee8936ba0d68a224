"""``sumeval`` 0.2.2 by chakki-works: ``metrics.rouge.RougeCalculator`` and its languages; BLEU is not here."""
