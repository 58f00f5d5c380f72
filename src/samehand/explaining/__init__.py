"""What in the texts moved the answer."""
