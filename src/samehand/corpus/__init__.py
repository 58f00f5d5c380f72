"""From files to trials: documents, splits, pairs, and the encoded store that training reads."""
