"""evreview: evidence in, a review that cannot overstate out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evreview.app.api import begin, diff, history, open_bundle, portfolio, redact, review, workbench
    from evreview.core.errors import BadInput, ContractBroken, EvreviewError, Problem

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "ContractBroken",
    "EvreviewError",
    "Problem",
    "__version__",
    "begin",
    "diff",
    "history",
    "open_bundle",
    "portfolio",
    "redact",
    "review",
    "workbench",
]


def __getattr__(name: str) -> object:
    """The public names, loaded when first asked for: the command takes its signals before anything loads."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from evreview.app import api
    from evreview.core import errors

    return getattr(api if hasattr(api, name) else errors, name)


def __dir__() -> list[str]:
    return sorted(__all__)
