"""Trees scored edge by edge, with explicit features."""
