"""Did the same hand write these texts?"""

__version__ = "0.1.0"
