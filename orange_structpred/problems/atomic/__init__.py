"""Outputs that are sets of symbols, compared by hash functions and kernels."""
