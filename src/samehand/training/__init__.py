"""Training: texts of all lengths drawn from a store, runs that resume, ablation."""

from samehand.errors import InputError


def require_extra() -> None:
    """Say what is missing before anything heavy is imported."""
    from importlib.util import find_spec

    if find_spec("lightning") is None:
        raise InputError("Training needs Lightning: install it with `pip install samehand[train]`.")
