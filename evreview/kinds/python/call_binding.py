"""Which calls a signature takes, by the rules that Python itself follows; nothing is imported to find out.

Source: The Python Language Reference, 6.3.4 Calls. A call is its number of positional values and its keywords.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Missing
from evreview.kinds.python import signatures as sig


class Parameter(NamedTuple):
    """One parameter: its name, its kind by the words of `signatures`, and whether a call has to give it."""

    name: str
    kind: str
    required: bool

    @property
    def positional(self) -> bool:
        """True when a value may be given to it by position."""
        return self.kind in (sig.POSITIONAL_ONLY, sig.EITHER)

    @property
    def keyword(self) -> bool:
        """True when a value may be given to it by name."""
        return self.kind in (sig.EITHER, sig.KEYWORD_ONLY)


class Call(NamedTuple):
    """A call: how many values by position, and which names."""

    positional: int
    keywords: tuple[str, ...] = ()


EMPTY = Call(0)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a signature makes of a call.

    Attributes:
        values: the parameter of each positional value, then of each keyword, in the order of the call.
        roles: the same, `*` and `**` in place of what a signature calls those two.
        error: why it is refused, as Python says it; "" when it binds.
    """

    values: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    error: str = field(default="")

    @property
    def shown(self) -> tuple[str, ...]:
        """The parameters as a signature writes them, with their stars."""
        stars = (role if role in (sig.REST, sig.KEYWORDS) else "" for role in self.roles)
        return tuple(star + name for star, name in zip(stars, self.values, strict=True))


@dataclass(frozen=True)
class Signature:
    """The parameters of a callable, in order, and what binding asks of them."""

    parameters: tuple[Parameter, ...] = ()

    @cached_property
    def places(self) -> tuple[Parameter, ...]:
        """Those that take a value by position, in order."""
        return tuple(each for each in self.parameters if each.positional)

    @cached_property
    def named(self) -> Mapping[str, Parameter]:
        """Those that take a value by name."""
        return {each.name: each for each in self.parameters if each.keyword}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Those that a call has to give."""
        return tuple(each.name for each in self.parameters if each.required)

    @cached_property
    def rest(self) -> str:
        """The name of `*args`, "" without it."""
        return next((each.name for each in self.parameters if each.kind == sig.REST), "")

    @cached_property
    def swallow(self) -> str:
        """The name of `**kwargs`, "" without it."""
        return next((each.name for each in self.parameters if each.kind == sig.KEYWORDS), "")


def signature_of(element: Element | None) -> Signature | None:
    """The signature of a function, method or class, None where another library decides it."""
    if element is None or element.facet(sig.IS) not in (sig.FUNCTION, sig.METHOD, sig.CLASS):
        return None
    if element.facet(sig.IS) == sig.CLASS and element.facet(sig.CONSTRUCTOR) != sig.KNOWN:
        return None
    return declared_signature(element)


def declared_signature(element: Element) -> Signature:
    """The signature that the arguments below an element make."""
    return Signature(
        tuple(
            Parameter(child.name, str(child.facet(sig.KIND)), _is_required(child))
            for child in element.children
            if child.kind is ElementKind.ARGUMENT
        )
    )


def _is_required(element: Element) -> bool:
    rest = element.facet(sig.KIND) in (sig.REST, sig.KEYWORDS)
    return not rest and isinstance(element.facet(sig.DEFAULT), Missing)


def bind(signature: Signature, call: Call) -> Bound:
    """What a signature makes of a call."""
    places = signature.places
    if call.positional > len(places) and not signature.rest:
        return Bound(error=f"takes {_counted(len(places))} but {call.positional} were given")
    values = [each.name for each in places[: call.positional]]
    taken = set(values)
    roles = [*values, *[sig.REST] * (call.positional - len(values))]
    values += [signature.rest] * (call.positional - len(values))
    for keyword in call.keywords:
        if keyword in signature.named and keyword in taken:
            return Bound(error=f"got multiple values for argument '{keyword}'")
        if keyword in signature.named:
            taken.add(keyword)
            values.append(keyword)
            roles.append(keyword)
        elif signature.swallow:
            values.append(signature.swallow)
            roles.append(sig.KEYWORDS)
        else:
            return Bound(error=f"got an unexpected keyword argument '{keyword}'")
    lacking = [name for name in signature.required if name not in taken]
    if lacking:
        names = " and ".join(map(repr, lacking))
        return Bound(error=f"missing {len(lacking)} required argument{'s' * (len(lacking) > 1)}: {names}")
    return Bound(tuple(values), tuple(roles))


def _counted(number: int) -> str:
    return f"{number} positional argument{'' if number == 1 else 's'}"


def typical_calls(signature: Signature, other: Signature | None = None) -> Iterator[Call]:
    """Calls that a signature takes, enough to tell it from another one, the shortest first.

    A call is refused for too many values, for one missing, one given twice or one unknown. Each of these shows with
    some number of values by position, the required rest by name, and at most one name more.

    Args:
        signature: the signature.
        other: the one to tell it from; names and places that only it has matter where `*args` and `**kwargs` are.
    """
    against = other or Signature()
    only = [each for each in signature.parameters if each.kind == sig.KEYWORD_ONLY]
    most = max(len(signature.places), len(against.places)) + 1 if signature.rest else len(signature.places)
    extra = _swallowed(signature, against) if signature.swallow else ()
    found: dict[Call, None] = {}
    for count in range(most + 1):
        beyond = signature.places[count:]
        if any(each.required and not each.keyword for each in beyond):
            continue
        open_names = [*beyond, *only]
        needed = tuple(each.name for each in open_names if each.required)
        more = [each.name for each in open_names if each.keyword and not each.required]
        found[Call(count, needed)] = None
        for name in (*more, *extra):
            found[Call(count, (*needed, name))] = None
    yield from sorted(found, key=lambda call: (call.positional + len(call.keywords), len(call.keywords), call))


def _swallowed(signature: Signature, other: Signature) -> tuple[str, ...]:
    """Names that `**kwargs` takes in: one that no parameter has, and those that only the other one knows."""
    names = {each.name: each for one in (signature, other) for each in one.parameters}
    fresh = next(name for at in range(len(names) + 1) if (name := f"other{at or ''}") not in names)
    theirs = (each.name for one in (signature, other) for each in one.places + tuple(one.named.values()))
    return (fresh, *dict.fromkeys(name for name in theirs if name not in signature.named))


class Refused(NamedTuple):
    """A call that one signature takes, and what another makes of it."""

    call: Call
    before: Bound
    after: Bound


@lru_cache(maxsize=1024)
def refused_calls(released: Signature, candidate: Signature) -> tuple[Refused, ...]:
    """Typical calls of the released signature that the candidate refuses; none when it takes every call."""
    return tuple(each for each in _compared(released, candidate) if each.after.error)


@lru_cache(maxsize=1024)
def rebound_calls(released: Signature, candidate: Signature) -> tuple[Refused, ...]:
    """Typical calls that both take, and that give a value to another parameter: of another name, or `*` or `**`."""
    return tuple(
        each
        for each in _compared(released, candidate)
        if not each.after.error and each.before.roles != each.after.roles
    )


def _compared(released: Signature, candidate: Signature) -> Iterator[Refused]:
    if released == candidate:
        return
    for call in typical_calls(released, candidate):
        yield Refused(call, bind(released, call), bind(candidate, call))
