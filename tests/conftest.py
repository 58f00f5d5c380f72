"""Hypothesis without a stopwatch: the first example may import something big, on a busy machine."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
