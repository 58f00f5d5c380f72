"""Judging, first half: texts to vectors of style, and covariates beside them."""
