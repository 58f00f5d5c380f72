"""From an index to accounts that may be one person's: a review list for a person, not a verdict."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

from samehand.cautions.caution import plain_lr
from samehand.index.accounts import NEAREST, Accounts, Comparison, Read, candidates
from samehand.index.among import EXPECT_FALSE, FalseRate
from samehand.index.links import SECOND_ACCOUNTS, Group, Link, groups, pair_prior
from samehand.io.progress import Progress, unwatched
from samehand.verifier import Verifier

_LOG_10 = math.log(10)
NEAR = 0.5
"""By how much less an estimate may be than the natural-log LR itself; of 1,500 pairs none was by
0.1."""


@dataclass(frozen=True)
class Linked:
    """Groups of accounts, and by what rules they came to be listed."""

    names: tuple[str, ...]
    """Of all accounts, by number."""
    documents: tuple[int, ...]
    """How many each has."""
    compared: int
    """Pairs of accounts whose texts were compared."""
    second_accounts: float
    """The stated share of accounts whose author has another one in the collection."""
    expect_false: float
    """Pairs of different people that may reach the threshold, of all pairs of accounts."""
    threshold: float | None
    """The log10 LR from which a pair is listed; None where no LR of the model will do."""
    highest: float
    """The highest log10 LR that the model gives."""
    false_at_highest: float
    """Pairs of different people that may reach it."""
    most_pairs: int
    """Among how many pairs the model's evidence can list one, with so few false ones."""
    groups: tuple[Group, ...]
    """The likeliest first."""

    @property
    def pairs(self) -> int:
        """All pairs of accounts."""
        return math.comb(len(self.names), 2)

    @property
    def sentence(self) -> str:
        """The finding, or why nothing is listed."""
        n = len(self.names)
        many = f"{self.expect_false:,.10g} pair{'' if self.expect_false == 1 else 's'}"
        if self.threshold is None:
            most = (1 + math.isqrt(1 + 8 * self.most_pairs)) // 2
            return (
                f"No accounts are listed: of the {self.pairs:,} pairs of {n:,} accounts up to "
                f"{self.false_at_highest:,.0f} by different people may reach the highest LR of "
                f"this model, {plain_lr(self.highest)}; at most {many} may, which its evidence "
                f"allows for {most:,} accounts. To see the list all the same, state how many "
                f"false pairs it may hold (--expect-false {math.ceil(self.false_at_highest)})."
            )
        least = (
            f"an LR of {plain_lr(self.threshold)}, which at most {many} by different people would "
            f"of all {self.pairs:,}"
        )
        if not self.groups:
            return f"No accounts are listed: no pair of accounts reaches {least}."
        found = len(self.groups)
        return (
            f"{found:,} group{'' if found == 1 else 's'} for review, joined by pairs that reach "
            f"{least}. Precision is what is expected if {self.second_accounts:.2%} of the accounts "
            "have a second one here."
        )

    def as_dict(self) -> dict[str, Any]:
        """Output of `samehand link --json`."""
        return {
            "finding": self.sentence,
            "accounts": len(self.names),
            "pairs": self.pairs,
            "pairs_compared": self.compared,
            "second_accounts": self.second_accounts,
            "expect_false": self.expect_false,
            "log10_lr_threshold": self.threshold,
            "log10_lr_highest": self.highest,
            "groups": [self._group(group) for group in self.groups],
        }

    def _group(self, group: Group) -> dict[str, Any]:
        return {
            "expected_precision": group.expected_precision,
            "accounts": [
                {"name": self.names[account], "documents": self.documents[account]}
                for account in group.accounts
            ],
            "links": [self._link(link) for link in group.links],
            "not_joined": [self._link(link) for link in group.refused],
        }

    def _link(self, link: Link) -> dict[str, Any]:
        return {
            "accounts": [self.names[link.one], self.names[link.other]],
            "log10_lr": round(link.log10_lr, 6),
            "probability": link.probability,
        }


def link(
    verifier: Verifier,
    read: Read,
    *,
    second_accounts: float = SECOND_ACCOUNTS,
    expect_false: float = EXPECT_FALSE,
    nearest: int = NEAREST,
    progress: Progress = unwatched,
) -> Linked:
    """Groups of the accounts in a table of this model's vectors, which `read` reads.

    Where the evidence cannot do with so few false pairs, nothing is compared, and nobody named.
    """
    rate = FalseRate.of(verifier.description)
    progress("reading accounts")
    accounts = Accounts.of(read, verifier.embedder.sizes)
    n = len(accounts.names)
    prior, pairs = pair_prior(second_accounts, n), math.comb(n, 2)
    threshold = rate.threshold(pairs, expect_false)
    compared, found = 0, list[Group]()
    if threshold is not None:
        least = threshold * _LOG_10 - 1e-9
        near = candidates(accounts, nearest, partial(progress, "finding pairs", total=n))
        compared = len(near.one)
        comparison = Comparison(verifier.system, accounts)
        about = comparison.estimates(near, partial(progress, "comparing pairs", total=compared))
        near = near.at(about > least - NEAR)
        exact = partial(progress, "comparing those that are alike", total=len(near.one))
        found = groups(near, comparison(near, exact), comparison, prior, least)
    return Linked(
        accounts.names,
        tuple(accounts.documents.tolist()),
        compared,
        second_accounts,
        expect_false,
        threshold,
        rate.highest,
        rate.lowest * pairs,
        rate.most_candidates(expect_false),
        tuple(found),
    )
