"""The names that a schema mentions of a value further down, in whatever branch that stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from evreview.core.vocabulary import Json
from evreview.schema.subsumption.constraint_set import described, describes, gather, in_place, looking, names_in, opened
from evreview.schema.subsumption.interned_schema import Items, Literal, Members
from evreview.shapes.inclusion.forms import Form, Pool
from evreview.shapes.inclusion.holds import forms_of

At = tuple[str | int, ...]
_CHOICES: Final = frozenset({"any", "one"})


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


def strays(
    value: Json, sent: Iterable[Form], expected: Iterable[Form], pool: Pool, *, free: bool = False
) -> Iterator[At]:
    """The way to each member that only the expected forms declare, where the sent ones say nothing of other members.

    Args:
        value: what is sent.
        sent, expected: what both sides say of it.
        pool: holds the forms.
        free: True to count where the sent forms say that others may come, or declare none, too.
    """
    mine, theirs = looking(sent, pool), looking(expected, pool)
    steps: Iterable[tuple[str | int, Json]] = ()
    more: set[str] = set()
    if isinstance(value, dict):
        alone = not _binds(mine, pool) if free else _says_all(mine, pool)
        strange = value.keys() - names_in(mine) if alone else set()
        more = (names_in(theirs) & strange) - _forbidden(theirs, pool) if strange else set()
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    told = _telling(mine), _telling(theirs)
    for step, member in steps:
        if step in more:
            yield (step,)
        elif isinstance(member, (dict, list)):
            hole = ("properties", step) if isinstance(step, str) else ("items", "")
            below, others = ([form for literal in said for form in _under(literal, *hole)] for said in told)
            yield from ((step, *way) for way in strays(member, below, others, pool, free=free))


def _telling(forms: Iterable[Form]) -> list[Literal]:
    """The literals that say something of members or items; the demands are many more."""
    listed = (literal for form in forms for literal in form.literals)
    return [
        one for one in listed if one[0] == "contains" or any(isinstance(each, (Members, Items)) for each in one[1:])
    ]


def _binds(forms: set[Form], pool: Pool) -> bool:
    """True when members of any name are described: then one that the other side names is sent as well."""
    said = [literal for form in forms for literal in form.literals]
    told = [literal[1] for literal in said if literal[0] == "members"]
    return any(literal[0] == "enum" for literal in said) or any(
        each.patterns or each.rest not in (None, pool.nothing, pool.anything) for each in told
    )


def _says_all(forms: set[Form], pool: Pool) -> bool:
    """True for an object that declares members, and writes nothing about others; no branch is free-form either."""
    if opened(forms, pool) or any(literal[0] == "enum" for form in forms for literal in form.literals):
        return False
    branches = (form for one in forms for each in one.literals if each[0] in _CHOICES for form in in_place(each, pool))
    return bool(names_in(forms)) and not any(_is_free(form, pool) for form in branches)


def _is_free(form: Form, pool: Pool) -> bool:
    given = gather((form,), pool)
    return not given.impossible and "object" in given.types and not names_in(looking((form,), pool))


def _forbidden(forms: set[Form], pool: Pool) -> set[str]:
    return {name for said in described(forms, pool) for name, form in said.names.items() if form is pool.nothing}


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
