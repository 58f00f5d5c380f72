"""`samehand serve`: the page and the JSON API. Thin: they read, ask the `Verifier`, and show."""
