"""Texts against each other: near duplicates, nearest texts, consensus and diversity of samples, oracle sentences."""

from polyrouge.beyond.pairs.deduplication import Deduplication, Pool, deduplicate
from polyrouge.beyond.pairs.neighbours import Neighbours, SimilarPairs, nearest, pairs_above, pairwise
from polyrouge.beyond.pairs.oracle import Oracle, extractive_oracle, oracle_batch
from polyrouge.beyond.pairs.samples import Consensus, Diversity, consensus, diversity

__all__ = [
    "Consensus",
    "Deduplication",
    "Diversity",
    "Neighbours",
    "Oracle",
    "Pool",
    "SimilarPairs",
    "consensus",
    "deduplicate",
    "diversity",
    "extractive_oracle",
    "nearest",
    "oracle_batch",
    "pairs_above",
    "pairwise",
]
