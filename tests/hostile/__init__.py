"""A campaign against the program: files, settings and arguments from hell.

    make test-hostile
    python -m tests.hostile --seed 7 --cases 20000
    python -m tests.hostile --seed 7 --only models --first 4711 --cases 1

A campaign is a module with `prepare(folder) -> state` and `case(state, rng)`, which
raises an AssertionError, or whatever the program let through, when the program fails.
The numbers that a case draws depend on the seed, the campaign and the case's number
only, so each failure can be seen again alone. Cases run in processes of their own: a
crash or a hang is a failure of the case and ends no more than its process.
"""
