"""How a message uses a schema, and how the use changes on the way down."""

from __future__ import annotations

from typing import NamedTuple

from evreview.comparison.elements import Root
from evreview.comparison.schema_pairs import Link
from evreview.core.vocabulary import Polarity, Role


class Use(NamedTuple):
    """How a message uses a schema.

    `flipped`: under an odd number of `not`. `outside`: below a member that is not sent in this direction. `newly`: the
    member itself, where only the sender's contract keeps it back.
    """

    role: Role
    polarity: Polarity | None
    in_error: bool
    flipped: bool
    outside: bool
    newly: bool = False


def use_of(root: Root) -> Use:
    """The use at the top of a position."""
    element = root.position.released
    return Use(element.role, element.polarity, element.in_error, False, False)


def following(use: Use, link: Link) -> Use:
    """The use one step further down; what is readOnly or writeOnly stays out of requests and responses alone."""
    hides = use.role is not Role.MESSAGE and use.polarity in link.unsent
    if not (link.flips or hides or use.newly):
        return use
    newly = hides and not use.outside and use.polarity in link.newly_unsent
    return use._replace(flipped=use.flipped != link.flips, outside=use.outside or hides, newly=newly)


def travelling(use: Use) -> Use:
    """The same use, by a way on which the value travels."""
    return use._replace(outside=False, newly=False)
