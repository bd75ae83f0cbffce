"""A net that gives probabilities of heads and relations."""
