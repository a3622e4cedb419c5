"""Contracts of whichever kind compared: the registry says which kind, `comparison` does the rest."""

from __future__ import annotations

from collections.abc import Sequence

from evreview.comparison import build, history
from evreview.comparison import compare as comparing
from evreview.comparison.comparison import Comparison
from evreview.comparison.history import History
from evreview.comparison.ledger import Ledger
from evreview.contract.model import Contract
from evreview.core.vocabulary import CompatibilityLevel
from evreview.kinds.registry import spec_of


def compare(released: Contract, candidate: Contract, *, witnesses: bool = True) -> Comparison:
    """Every difference of two contracts of one kind, judged; see `comparison.compare`."""
    return comparing.compare(released, candidate, spec_of, witnesses=witnesses)


def diff_contracts(released: Contract, candidate: Contract) -> Ledger:
    """The ledger of every difference between two contracts of one kind; see `comparison.build`."""
    return build.diff_contracts(released, candidate, spec_of(released.kind))


def compare_history(
    releases: Sequence[Contract], *, witnesses: bool = True, level: CompatibilityLevel = CompatibilityLevel.FULL
) -> History:
    """Each release compared with every later one; see `comparison.history`."""
    return history.compare_history(releases, spec_of, witnesses=witnesses, level=level)
