"""Rows that stand beside the trust map and the matrix of controls: gaps, the tie to what runs, middleware, tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Area
from evreview.evidence.item import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustGap:
    """Something that keeps a path from being traced, or that the trust model leaves out.

    Attributes:
        kind: the id of its rule in `trust.gaps`.
        says: what, and what to supply.
        decides: True for one that keeps step 2 from advancing.
    """

    kind: str
    says: Text
    citations: tuple[Citation, ...]
    decides: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentTie:
    """Whether the evidence ties the reviewed revision to what runs.

    Attributes:
        tied: a deployment record names the reviewed revision, and none names another one.
        needed: the request asks for a conclusion about deployed behaviour.
        other: a deployment record names another revision than the reviewed one.
    """

    tied: bool
    needed: bool
    why: Text
    citations: tuple[Citation, ...]
    other: bool = False

    @property
    def stops(self) -> bool:
        """True when the conclusion depends on what runs and nothing shows that it is the reviewed revision."""
        return self.needed and not self.tied


@dataclass(frozen=True, slots=True, kw_only=True)
class MiddlewareRow:
    """One thing that an application runs around its handlers.

    Attributes:
        application: how the code calls it.
        kind: middleware, before request, dependency, error handler.
        place: 1 runs first; 0 where no order exists or it can't be told.
        name: in the code's own words.
        area: what it does for a control, None where the code does not tell.
    """

    application: str
    kind: str
    place: int
    name: str
    area: Area | None
    citations: tuple[Citation, ...]


BY_SYNTAX: Final = "syntax tree"
"""How a test was found whose source was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRow:
    """One test of a control, resolved.

    Attributes:
        control, test: the control's id and the test's as listed.
        negative: listed as a test that whoever may not, can't.
        shown: how it was found: syntax tree, retained result, retained check, text; "" when it was not.
        asserts: route and status of each assertion, as far as they can be told.
        outcome: of a retained run: passed, failed, error, skipped; "" when none is retained.
    """

    __test__ = False
    control: str
    test: str
    negative: bool
    shown: str
    asserts: tuple[tuple[str, int], ...]
    outcome: str
    citations: tuple[Citation, ...]
