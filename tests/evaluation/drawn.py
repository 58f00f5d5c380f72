"""Trials as hypothesis draws them: ties, extremes and non-responses included."""

import numpy as np
from hypothesis import strategies as st

ROUND = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
probabilities = st.one_of(
    st.sampled_from(ROUND),
    st.sampled_from((1e-9, 1e-6, 0.499999, 0.500001, 1 - 1e-6, 1 - 1e-9)),
    st.floats(0, 1).map(lambda p: round(p, 9)),
)


def trials(both_kinds=True, smallest=2, largest=60):
    """(same, probability) arrays."""
    drawn = st.lists(
        st.tuples(st.booleans(), probabilities), min_size=smallest, max_size=largest
    ).map(lambda pairs: (np.array([s for s, _ in pairs], bool), np.array([p for _, p in pairs])))
    return drawn.filter(lambda t: t[0].any() and not t[0].all()) if both_kinds else drawn
