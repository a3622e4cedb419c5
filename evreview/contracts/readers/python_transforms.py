"""Constructors that only a type checker sees: classes below what `dataclass_transform` marks (PEP 681)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.contracts.readers.python_parsed import Class, Function
from evreview.kinds.python.names import Found, Names

MARKS: Final = frozenset({"typing.dataclass_transform", "typing_extensions.dataclass_transform"})


def is_transformed(names: Names, cls: Found) -> bool:
    """True where a marked decorator, base or metaclass makes a type checker take the fields for a constructor.

    A constructor that the class itself defines is taken as it is written.
    """
    if not isinstance(cls.member, Class) or "__init__" in cls.member.members:
        return False
    line = names.line(cls).own
    makers = (maker for each in line for maker in _makers(names, each))
    return any(map(_is_marked, line[1:])) or any(map(_is_marked, makers))


def _makers(names: Names, cls: Found) -> Iterator[Found]:
    """The decorators of a class, and its metaclass with what that inherits, as far as the library defines them."""
    assert isinstance(cls.member, Class)
    for path, _ in cls.member.decorators:
        found = names.named(names.find(path))
        if isinstance(found, Found):
            yield found
    meta = names.named(names.find(names.scope(cls.module, cls.member.keywords.get("metaclass", ""))))
    if isinstance(meta, Found) and isinstance(meta.member, Class):
        yield from names.line(meta).own


def _is_marked(found: Found) -> bool:
    if isinstance(found.member, Function):
        return not MARKS.isdisjoint(found.member.decorators)
    return isinstance(found.member, Class) and any(path in MARKS for path, _ in found.member.decorators)
