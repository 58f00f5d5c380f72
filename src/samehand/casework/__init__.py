"""A model and the user's own kind of text: adapted to it, tried on it, and used on much of it.

`case` makes a model that is adapted to texts and pairs, which `selecting` chooses; `labelled` reads
and checks trials whose truth is known. `adapting`, `validating`, `answering` and `embedding` are
what the commands of these names do.
"""
