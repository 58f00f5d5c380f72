"""Hypothesis without a stopwatch: the first example of a test may have to import scipy."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
