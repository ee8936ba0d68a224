"""Tokens of texts as ids, equal for equal tokens, from whatever tokenizer."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.documents.document import Document


class TokenIds(NamedTuple):
    """The tokens of texts, as ``kernels.Pairs`` takes them."""

    ids: NDArray[np.uint32]  # [n_tokens]: of the texts, one after the other
    text_tokens: NDArray[np.int64]  # [n_texts + 1]: offsets of the texts in ids
    sentence_ids: NDArray[np.uint32]  # of the sentences, one after the other; often ids itself
    sentence_tokens: NDArray[np.int64]  # [n_sentences + 1]: offsets of the sentences in sentence_ids
    text_sentences: NDArray[np.int64]  # [n_texts + 1]: offsets of the texts in the sentences
    n_ids: int  # all ids are below

    def document(self, text: int) -> Document:
        """Return a text for the plain engine, with ids for tokens."""
        bounds = self.sentence_tokens[self.text_sentences[text] : self.text_sentences[text + 1] + 1].tolist()
        sentences = [self.sentence_ids[start:end].tolist() for start, end in itertools.pairwise(bounds)]
        return Document(self.ids[self.text_tokens[text] : self.text_tokens[text + 1]].tolist(), sentences)


def batch_of_documents(documents: Sequence[Document]) -> TokenIds:
    """Number the tokens of documents, all of one vocabulary."""
    vocabulary: defaultdict[str, int] = defaultdict(itertools.count().__next__)

    def number(token_lists: list[list[str]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Return the ids of all tokens, and the offsets of the lists in them."""
        ids = np.fromiter(map(vocabulary.__getitem__, itertools.chain.from_iterable(token_lists)), np.uint32)
        return ids, offsets_of(map(len, token_lists))

    ids, text_tokens = number([document.tokens for document in documents])
    sentence_ids, sentence_tokens = number([sentence for document in documents for sentence in document.sentences])
    text_sentences = offsets_of(len(document.sentences) for document in documents)
    return TokenIds(ids, text_tokens, sentence_ids, sentence_tokens, text_sentences, max(1, len(vocabulary)))


def offsets_of(sizes: Iterable[int]) -> NDArray[np.int64]:
    """Return int64[n + 1]: the starts of n items of these sizes, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))]).astype(np.int64)
