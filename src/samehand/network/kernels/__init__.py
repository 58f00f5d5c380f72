"""The recurrence and its companions on GPUs."""
