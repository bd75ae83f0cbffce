"""The same tests with the same code in each run."""
from hypothesis import settings

# `make test` tries the same examples each time, `make test-slow` looks for new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, print_blob=True, deadline=None,
                          max_examples=300)
settings.load_profile("steady")
