"""The command of rouge_score: ``python -m polyrouge.compat.rouge_score.rouge``; see ``io``."""

from polyrouge.compat.rouge_score.io import main

if __name__ == "__main__":
    main()
