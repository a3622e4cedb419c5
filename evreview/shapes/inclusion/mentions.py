"""The names that a schema mentions of a value further down, in whatever branch that stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evreview.shapes.inclusion.forms import Form, Pool
from evreview.shapes.inclusion.given import describes, looking, names_in, opened
from evreview.shapes.inclusion.holds import forms_of
from evreview.shapes.inclusion.literals import Items, Literal, Members


def mentioned_below(form: Form, holes: Iterable[tuple[str, str]], pool: Pool) -> set[str] | None:
    """Every name mentioned by any schema that looks at the value to which some members lead, each (keyword, name).

    None where one of the schemas describes members without a name: then any name counts.
    """
    forms = _looking_below(form, holes, pool)
    return None if opened(forms, pool) else names_in(forms)


def described_beside(form: Form, holes: Iterable[tuple[str, str]], own: Form, pool: Pool) -> bool:
    """True when the value to which some members lead is described by more than its own form."""
    return any(map(describes, _looking_below(form, holes, pool) - looking([own], pool)))


def carried(own: Iterable[Form], hole: tuple[str, str] | None, target: Form, pool: Pool) -> frozenset[Form]:
    """What some forms say of a value below them, or of the same one, beside the form that stands there."""
    forms = looking(own, pool)
    if hole is not None:
        forms = looking([under for one in forms for literal in one.literals for under in _under(literal, *hole)], pool)
    return frozenset(filter(describes, forms - looking([target], pool)))


def tell(forms: Iterable[Form], name: str, pool: Pool) -> bool:
    """True when some forms mention a name, or describe members without one."""
    around = looking(forms, pool)
    return opened(around, pool) or name in names_in(around)


def _looking_below(form: Form, holes: Iterable[tuple[str, str]], pool: Pool) -> set[Form]:
    """Every form that looks at the value to which some members lead."""
    forms = looking([form], pool)
    for keyword, name in holes:
        below = [under for one in forms for literal in one.literals for under in _under(literal, keyword, name)]
        forms = looking(below, pool)
    return forms


def _under(literal: Literal, keyword: str, name: str) -> Iterator[Form]:
    """The forms of a literal that look at a member; of a member without a fixed name, all of them."""
    for said in literal[1:]:
        if isinstance(said, Members):
            yield from forms_of(said, name) if keyword == "properties" else _all(said)
        elif isinstance(said, Items):
            yield from said.prefix
            yield from () if said.rest is None else (said.rest,)
        elif isinstance(said, Form) and literal[0] == "contains":
            yield said


def _all(members: Members) -> Iterator[Form]:
    yield from members.names.values()
    yield from members.patterns.values()
    yield from () if members.rest is None else (members.rest,)
