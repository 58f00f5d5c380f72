"""Parts of texts that moved the LR."""
