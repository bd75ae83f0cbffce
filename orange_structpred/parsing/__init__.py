"""Trees as outputs: features, hash functions, decoders."""
from orange_structpred.running import compiler_cache  # noqa: F401 (for its effect)
