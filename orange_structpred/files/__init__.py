"""Files of arrays and models: written whole or not at all, read without trust."""
