"""Graphs whose nodes have labels: inference, marginals, estimators, example data."""
