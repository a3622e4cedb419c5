"""How the rules about GraphQL are shown: small whole schemas, one edit each, and the same edit backwards."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules.direction import Text
from evreview.comparison.rules.rule import Example, Slot

_EDITION: Final = "GraphQL, September 2025, section"


def said(title: str, why: str, section: str) -> Text:
    """The words of a rule; `section` is the number and name in the standard."""
    return Text(title=title, why=why, reference=f"{_EDITION} {section}")


def edit(released: str, candidate: str) -> tuple[Example, Example]:
    """An edit, and the same edit backwards."""
    return Example(Slot.GRAPHQL, released, candidate), Example(Slot.GRAPHQL, candidate, released)


def schema(*definitions: str) -> str:
    """A schema with these definitions."""
    return "\n".join(definitions)


def query(*fields: str) -> str:
    """The query type with these fields."""
    return _typed("type Query", fields)


def typed(name: str, *parts: str) -> str:
    """A type with these fields or values."""
    return _typed(name, parts)


def _typed(head: str, parts: tuple[str, ...]) -> str:
    return "\n".join([f"{head} {{", *(f"  {part}" for part in parts), "}"])
