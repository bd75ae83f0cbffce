"""Example workflows; their numbers are the order in which a newcomer opens them."""
