"""Golden games: recorded matches that are replayed move by move, with a hash of what everybody sees at each step.

A new table, or new words in a label: run `python -m tests.engine.golden`. A game that is meant to play differently from
now on: raise its `rules` as well, and say in its `older` what becomes of the matches under way.
"""
