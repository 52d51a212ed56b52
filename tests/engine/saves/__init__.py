"""Saved matches of every version of every title's rules: what players have under way must go on after an update.

A new table, or a raised `rules` number: run `python -m tests.engine.saves`. It records what is missing and overwrites
nothing, so the saves of older rules stay, and are loaded through the mends in the title's `older`. A view that is meant
to look different from now on: delete the .json beside the save, and run it as well.
"""
