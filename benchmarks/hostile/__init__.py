"""Texts that no hand wrote as they stand: what a verifier should decline to judge, or warn of."""
