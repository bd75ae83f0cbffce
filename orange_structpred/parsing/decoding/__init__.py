"""From the scores of edges to trees, and to probabilities of trees."""
