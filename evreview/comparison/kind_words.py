"""How rows of one kind of contract are listed and named for people; each `KindSpec` gives one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Listing(StrEnum):
    """What rows are listed under.

    OPERATION: the operations that they reach. ELEMENT: the first step of their address. OWNER: the class or module that
    the name at the first step belongs to. MEMBER: the event, and the member of it that they stand in.
    """

    OPERATION = "operation"
    ELEMENT = "element"
    OWNER = "owner"
    MEMBER = "member"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """The words of a kind.

    Attributes:
        listing: what rows are listed under.
        operation: what an operation that comes or goes is called; "" where its name says so.
        by_member: what it is called where its form has a member; "" for what that member says.
        whole: what the document is called.
        answer: what a response is called.
        in_source: the facets whose texts are source code.
    """

    listing: Listing = Listing.ELEMENT
    operation: str = "operation"
    by_member: Mapping[str, str] = field(default_factory=dict)
    whole: str = "the document"
    answer: str = "answer"
    in_source: frozenset[str] = frozenset()

    def operation_of(self, *forms: object) -> str:
        """What an operation is called, by its forms."""
        for form in forms:
            for member, noun in self.by_member.items():
                if isinstance(form, Mapping) and member in form:
                    return noun or str(form[member])
        return self.operation
