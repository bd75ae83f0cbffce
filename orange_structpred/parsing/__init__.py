"""Trees as outputs: features, hash functions, decoders."""
