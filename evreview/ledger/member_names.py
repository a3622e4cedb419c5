"""Names that members of an exploded object have in a query: a parameter of one side alone may have one of them.

OpenAPI 3.1, section 4.8.12.4: an object in the style `form`, exploded, is `R=100&G=200`; its own name is not sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.node_pair import Side
from evreview.comparison.wire_forms import value_sub
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Json, Polarity
from evreview.messages.encoding_defaults import EXPLODE, STYLE
from evreview.schema.view import Sub

_EXPLODED: Final = ("form", True)


def sent_in(parameter: Element, theirs: Iterable[Element], sides: tuple[Side, Side], *, gone: bool) -> dict[str, Json]:
    """The object whose members could bear the name of a parameter that only one side has, nothing where there is none.

    What is read has no name of its own in a request of the other contract. What is written is read by the released
    contract: what came may be taken for a member of its object, and what is gone may come as one of the candidate's.

    Args:
        parameter: that one contract lacks.
        theirs: the parts of the operation that lacks it.
        sides: the schemas of both contracts, the released one first.
        gone: True where the released contract has it.
    """
    place, _, name = parameter.key.partition(":")
    if place not in ("query", "cookie") or (gone and parameter.polarity is Polarity.READ):
        return {}
    others = (each for each in theirs if each.kind is ElementKind.PARAMETER and each.key.startswith(f"{place}:"))
    holder = next((each.key for each in others if _may_have(each, name, sides[1 if gone else 0])), "")
    return {fact.SENT_IN: holder} if holder else {}


def _may_have(element: Element, name: str, side: Side) -> bool:
    """True for an exploded object that describes a member of the name, by itself or among others."""
    if element.value is None or (element.facet(STYLE), element.facet(EXPLODE)) != _EXPLODED:
        return False
    view = side.view(value_sub(element))
    if view.types is None or "object" not in view.types:
        return False
    return name in view.properties or isinstance(view.additional, Sub)
