"""From a string to tokens with offsets, units, and vocabularies."""
