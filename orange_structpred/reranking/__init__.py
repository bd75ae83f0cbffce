"""Reranking: a kernel on whole trees chooses among the best trees of a parser."""
from orange_structpred.reranking.reranker import Reranker

__all__ = ["Reranker"]
