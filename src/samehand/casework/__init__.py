"""A model on the user's own kind of text: its last stage fitted to it, its answers tried on it.

`gathering` reads and checks the trials, `folds` keeps apart what belongs together, `fitting` fits,
`calibrating` and `validating` are what the two commands do.
"""
