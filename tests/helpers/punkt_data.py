"""Data for NLTK's punkt, trained on a text of our own: NLTK's are a download."""

import nltk
from nltk.tokenize.punkt import PunktTrainer, save_punkt_params

_TEXT = """Dr. Smith went to Washington. He met Mr. Jones and Mrs. Brown. The talks took three hours. Dr. Smith left
early. Mr. Jones stayed. The report says so. It was cold. The U.S. team won. A cat sat. A dog ran. Mrs. Brown wrote it
down. Dr. Smith read it. Mr. Jones did not. They agreed on Jan. 5 and met again. It rained. Nobody came. """


def with_punkt(folder, monkeypatch):
    """Let NLTK find ``punkt_tab`` in a folder, for the length of a test; returns the folder."""
    monkeypatch.setattr(nltk.data, "path", [str(folder / "nltk_data"), *nltk.data.path])  # NLTK writes nowhere else
    target = folder / "nltk_data" / "tokenizers" / "punkt_tab" / "english"
    if not target.is_dir():
        target.mkdir(parents=True)
        trainer = PunktTrainer()
        trainer.train(_TEXT, finalize=False)
        trainer.finalize_training()
        save_punkt_params(trainer.get_params(), dir=str(target))
    return folder / "nltk_data"
