"""Cautions on texts and answers."""
