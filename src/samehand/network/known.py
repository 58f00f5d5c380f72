"""The known texts of a trial as one: several of them, of which some trials have fewer."""

from torch import Tensor


def mean_of_known(known: Tensor, there: Tensor | None) -> Tensor:
    """Mean (trials, …) of what is known of texts (trials, texts, …).

    `there` (trials, texts) is true where there is a text, everywhere unless it is told. Without
    any text the mean is 0.
    """
    if there is None:
        return known.mean(1)
    rest = [1] * (known.ndim - 2)
    present = known.masked_fill(~there.view(*there.shape, *rest), 0)
    return present.sum(1) / there.sum(1).clamp(min=1).view(-1, *rest)
