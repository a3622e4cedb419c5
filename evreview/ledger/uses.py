"""How a message uses a schema, and how the use changes on the way down."""

from __future__ import annotations

from typing import NamedTuple

from evreview.ledger.element_diff import Root
from evreview.ledger.schema_graph import Link
from evreview.vocab import Polarity, Role


class Use(NamedTuple):
    """How a message uses a schema.

    `flipped`: under an odd number of `not`. `outside`: below a member that never travels in this direction.
    """

    role: Role
    polarity: Polarity | None
    in_error: bool
    flipped: bool
    outside: bool


def use_of(root: Root) -> Use:
    """The use at the top of a position."""
    element = root.position.released
    return Use(element.role, element.polarity, element.in_error, False, False)


def following(use: Use, link: Link) -> Use:
    """The use one step further down; what is readOnly or writeOnly stays out of requests and responses alone."""
    hides = use.role is not Role.MESSAGE and (
        (use.polarity is Polarity.READ and link.outside_read)
        or (use.polarity is Polarity.WRITTEN and link.outside_written)
    )
    if not link.flips and not hides:
        return use
    return use._replace(flipped=use.flipped != link.flips, outside=use.outside or hides)


def travelling(use: Use) -> Use:
    """The same use, by a way on which the value travels."""
    return use._replace(outside=False)
