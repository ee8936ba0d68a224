"""Results of samples that come in chunks."""

from polyrouge import Rouge
from polyrouge.scoring.sample_scores import StreamedScores


def streamed(rouge: Rouge, predictions: list, references: list, size: int) -> dict:
    """The result of chunks of so many samples."""
    stream = StreamedScores(rouge.settings, rouge.run)
    for start in range(0, len(predictions), size):
        stream.add(predictions[start : start + size], references[start : start + size])
    return stream.result()
