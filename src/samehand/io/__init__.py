"""Opening, reading and writing files."""
