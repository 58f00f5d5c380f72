"""Judging, second half: vectors of texts → distance → evidence → bounds → answered or not.

`system.py` shows the order of the stages on one page; each of the others is one stage.
"""
