"""Trees with a joint kernel: hash functions of edges times an input kernel."""
