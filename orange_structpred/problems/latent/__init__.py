"""Outputs with a hidden part: the concave-convex procedure."""
