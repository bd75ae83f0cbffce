"""Features of edges: templates, hashing, scores, and what they contribute."""
