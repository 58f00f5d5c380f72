"""The command line: it parses, calls, prints. Work happens elsewhere."""
