"""Limits of parsers that the table of parameters names: no compiled code is needed."""

#: Exponents of the number of weights that features are hashed to
FEWEST_BITS, MOST_BITS = 8, 30
#: Decoders that score siblings and grandparents
SECOND_ORDER_DECODERS = ("projective", "rearranged")
#: Configurations that a transition-based parser keeps side by side
MOST_BEAM = 64
