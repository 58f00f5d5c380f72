"""A verdict, a validation, a model as a document."""
