"""Which calls a signature takes, by the rules that Python itself follows; nothing is imported to find out.

Source: The Python Language Reference, 6.3.4 Calls. A call is its number of positional values and its keywords.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evreview.contracts import signatures as sig
from evreview.contracts.model import Element, ElementKind
from evreview.vocab import Missing


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
        error: why it is refused, as Python says it; "" when it binds.
    """

    values: tuple[str, ...] = ()
    error: str = field(default="")


Signature = Sequence[Parameter]


def signature_of(element: Element | None) -> Signature | None:
    """The signature of a function, method or class, None where another library decides it."""
    if element is None or element.facet(sig.IS) not in (sig.FUNCTION, sig.METHOD, sig.CLASS):
        return None
    if element.facet(sig.IS) == sig.CLASS and element.facet(sig.CONSTRUCTOR) != sig.KNOWN:
        return None
    return tuple(
        Parameter(child.name, str(child.facet(sig.KIND)), _is_required(child))
        for child in element.children
        if child.kind is ElementKind.ARGUMENT
    )


def _is_required(element: Element) -> bool:
    rest = element.facet(sig.KIND) in (sig.REST, sig.KEYWORDS)
    return not rest and isinstance(element.facet(sig.DEFAULT), Missing)


def bind(signature: Signature, call: Call) -> Bound:
    """What a signature makes of a call."""
    places = [each for each in signature if each.positional]
    rest = next((each for each in signature if each.kind == sig.REST), None)
    swallow = next((each for each in signature if each.kind == sig.KEYWORDS), None)
    if call.positional > len(places) and rest is None:
        return Bound(error=f"takes {_counted(len(places))} but {call.positional} were given")
    values = [each.name for each in places[: call.positional]]
    values += [rest.name] * (call.positional - len(values)) if rest is not None else []
    taken = {each.name for each in places[: call.positional]}
    named = {each.name: each for each in signature if each.keyword}
    for keyword in call.keywords:
        if keyword in named and keyword in taken:
            return Bound(error=f"got multiple values for argument '{keyword}'")
        if keyword in named:
            taken.add(keyword)
            values.append(keyword)
        elif swallow is not None:
            values.append(swallow.name)
        else:
            return Bound(error=f"got an unexpected keyword argument '{keyword}'")
    lacking = [each for each in signature if each.required and each.name not in taken]
    if lacking:
        names = " and ".join(repr(each.name) for each in lacking)
        return Bound(error=f"missing {len(lacking)} required argument{'s' * (len(lacking) > 1)}: {names}")
    return Bound(tuple(values))


def _counted(number: int) -> str:
    return f"{number} positional argument{'' if number == 1 else 's'}"


def typical_calls(signature: Signature, fresh: str = "other") -> Iterator[Call]:
    """Calls that a signature takes, enough to tell it from any other one, the shortest first.

    A call is refused for too many values, for one missing, one given twice or one unknown. Each of these shows with
    some number of values by position, the required rest by name, and at most one name more.

    Args:
        signature: the signature.
        fresh: a name that no parameter of either side has.
    """
    places = [each for each in signature if each.positional]
    rest = any(each.kind == sig.REST for each in signature)
    swallow = any(each.kind == sig.KEYWORDS for each in signature)
    found: dict[Call, None] = {}
    for count in range(len(places) + 1 + rest):
        beyond = places[count:]
        if any(each.required and not each.keyword for each in beyond):
            continue
        open_names = [*beyond, *(one for one in signature if one.kind == sig.KEYWORD_ONLY)]
        needed = tuple(each.name for each in open_names if each.required)
        more = [each.name for each in open_names if each.keyword and not each.required]
        found[Call(count, needed)] = None
        for name in (*more, *([fresh] if swallow else ())):
            found[Call(count, (*needed, name))] = None
    yield from sorted(found, key=lambda call: (call.positional + len(call.keywords), len(call.keywords), call))


def fresh_name(*signatures: Signature) -> str:
    """A name that no parameter has."""
    taken = {each.name for signature in signatures for each in signature}
    return next(name for at in range(len(taken) + 1) if (name := f"other{at or ''}") not in taken)


class Refused(NamedTuple):
    """A call that one signature takes, and what another makes of it."""

    call: Call
    before: Bound
    after: Bound


def refused_calls(released: Signature, candidate: Signature) -> Iterator[Refused]:
    """Typical calls of the released signature that the candidate refuses; none when it takes every call."""
    for call in typical_calls(released, fresh_name(released, candidate)):
        after = bind(candidate, call)
        if after.error:
            yield Refused(call, bind(released, call), after)


def rebound_calls(released: Signature, candidate: Signature) -> Iterator[Refused]:
    """Typical calls that both take, and that give a value by position to parameters of different names."""
    for call in typical_calls(released, fresh_name(released, candidate)):
        before, after = bind(released, call), bind(candidate, call)
        if not after.error and before.values[: call.positional] != after.values[: call.positional]:
            yield Refused(call, before, after)
