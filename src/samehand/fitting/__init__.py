"""A trained network, or several, made into a model to judge with: evidence fitted, bounds found."""
