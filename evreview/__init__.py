"""evreview: evidence in, a review that cannot overstate out."""

from evreview.api import begin, diff, open_bundle, review, workbench
from evreview.errors import BadInput, ContractBroken, EvreviewError, Problem

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "ContractBroken",
    "EvreviewError",
    "Problem",
    "__version__",
    "begin",
    "diff",
    "open_bundle",
    "review",
    "workbench",
]
