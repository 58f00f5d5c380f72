"""Training: texts of all lengths drawn from a store, runs that resume, ablation."""
