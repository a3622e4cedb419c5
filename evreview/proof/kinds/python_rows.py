"""Which client code shows a row, by the rule that spoke."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.classifier import classify
from evreview.core.vocabulary import Answer, Change, Form, Missing
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import union_members
from evreview.kinds.python.call_binding import EMPTY, Call, Signature, bind, signature_of, typical_calls
from evreview.kinds.python.client_uses import Use, Way
from evreview.kinds.python.rules_packaging import floor_of
from evreview.proof.kinds.python_code import result_word
from evreview.proof.kinds.python_library import Library, texts
from evreview.shapes.annotations import Classes, is_within


@dataclass(frozen=True, slots=True)
class _Asked:
    """A row and both libraries."""

    delta: Delta
    released: Library
    candidate: Library
    classes: Classes

    @property
    def name(self) -> str:
        """The public name that the row is about."""
        return self.delta.operation or str(self.delta.address).partition(" ")[2]

    @property
    def call(self) -> Call:
        """The shortest call that both take, or that the released library takes."""
        old, new = (signature_of(side.names.get(self.name)) for side in (self.released, self.candidate))
        found = [*typical_calls(old), EMPTY] if old is not None else [EMPTY]
        return next((call for call in found if new is None or not bind(new, call).error), found[0])


def argument_of(delta: Delta) -> tuple[str, bool]:
    """The name of the argument that a row is about, and whether the row is about calls that leave it out."""
    name = str(delta.address).rpartition("argument ")[2]
    added = delta.facet == "" and delta.change is Change.ADDED
    lost = delta.facet == sig.DEFAULT and isinstance(delta.candidate, Missing)
    return name, added or lost


def uses_of(delta: Delta, released: Library, candidate: Library, classes: Classes) -> Iterator[Use]:
    """Uses that may show a row, the plainest first."""
    asked = _Asked(delta, released, candidate, classes)
    making = _BY_RULE.get(str(classify(delta).rule or "").removeprefix("python-")) or _BY_FACET.get(delta.facet)
    if making is not None:
        yield from making(asked)


def _removed(asked: _Asked) -> Iterable[Use]:
    element = asked.released.names.get(asked.name)
    if element is not None and element.facet(sig.IS) == sig.KEY:
        yield Use(Way.READ_KEY, asked.name)
        return
    member = asked.name.rpartition(".")[0] in asked.released.names
    yield Use(Way.GET if member else Way.IMPORT, asked.name)


def _points(asked: _Asked) -> Iterable[Use]:
    lost = [one for one in texts(asked.delta.released) if one not in texts(asked.delta.candidate)]
    yield from (Use(Way.POINT, "", word=one) for one in lost)


def _bases(asked: _Asked) -> Iterable[Use]:
    """Two bases that changed places, in the released order."""
    old, new = texts(asked.delta.released), texts(asked.delta.candidate)
    for at, first in enumerate(old):
        for second in old[at + 1 :]:
            if first in new and second in new and new.index(second) < new.index(first):
                yield Use(Way.BASES, asked.name, words=(first, second))


def _subclassed(asked: _Asked) -> Iterable[Use]:
    """A subclass that gives what the released class asks for, and then what only that takes."""
    old = texts(asked.delta.released)
    needed = tuple(one for one in old if not one.endswith(("=", "**")))
    more = [one.removesuffix("=") for one in old if one.endswith("=") and one not in texts(asked.delta.candidate)]
    yield Use(Way.SUBCLASS, asked.name, words=needed)
    yield from (Use(Way.SUBCLASS, asked.name, words=(*needed, one)) for one in more)


def _turned(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.CALL, asked.name, asked.call)
    yield Use(Way.READ, asked.name)
    yield Use(Way.SET, asked.name)
    yield Use(Way.SUBCLASS, asked.name)


def _default(asked: _Asked) -> Iterable[Use]:
    name, _ = argument_of(asked.delta)
    old, new = (signature_of(side.names.get(asked.name)) for side in (asked.released, asked.candidate))
    for call in typical_calls(old or Signature()):
        if name not in bind(old or Signature(), call).values and new is not None and not bind(new, call).error:
            yield Use(Way.DEFAULT, asked.name, call, name, (str(asked.delta.released),))


def _result(asked: _Asked) -> Iterable[Use]:
    element = asked.released.names.get(asked.name)
    kind = str(element.facet(sig.RESULT) if element is not None else "")
    word = "async " if kind.startswith("async ") else ""
    yield Use(result_word(asked.released, asked.name), asked.name, asked.call, word)


def _ancestors(asked: _Asked) -> Iterable[Use]:
    lost = [one for one in texts(asked.delta.released) if one not in texts(asked.delta.candidate)]
    yield from (Use(Way.IS_A, asked.name, word=one) for one in lost)


def _demanded(asked: _Asked) -> Iterable[Use]:
    owner = asked.name.rpartition(".")[0]
    element = asked.candidate.names.get(asked.name)
    way = Way.ACCEPT if element is not None and element.facet(sig.DEMANDED) == "protocol" else Way.IMPLEMENT
    yield Use(way, owner, words=tuple(asked.released.demanded(owner)))


def _passed(asked: _Asked) -> Iterable[Use]:
    name, _ = argument_of(asked.delta)
    old, new = str(asked.delta.released), str(asked.delta.candidate)
    for member in union_members(old):
        if is_within(member, new, asked.classes) is Answer.NO:
            yield Use(Way.PASS, asked.name, word=member, words=(name,))


def _taken(asked: _Asked) -> Iterable[Use]:
    is_called = signature_of(asked.released.names.get(asked.name)) is not None
    yield Use(Way.TAKE, asked.name, asked.call, str(asked.delta.released), ("called",) if is_called else ())


def _floor(asked: _Asked) -> Iterable[Use]:
    floor = floor_of(asked.delta.released)
    below = floor_of(asked.delta.candidate)
    lowest = floor[:2] if floor else (below[0], max(below[1] - 1, 0)) if below else ()
    if lowest:
        yield Use(Way.INSTALL, "", word=".".join(map(str, lowest)))


def _keys(asked: _Asked) -> Iterable[Use]:
    owner = asked.name.rpartition(".")[0]
    inside = f"{owner}."
    required = [
        key.removeprefix(inside)
        for key, one in asked.released.names.items()
        if key.startswith(inside) and one.facet(sig.REQUIRED_KEY) is True
    ]
    yield Use(Way.BUILD, owner, words=tuple(required))


def _overload(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.OVERLOAD, asked.name, word=key_of(asked.delta.released))


def key_of(form: Form) -> str:
    """The key of an overload, by the form that its row shows."""
    return str(form.get("overload", "")) if isinstance(form, Mapping) else str(form)


def _plain(way: Way, word: str = "") -> Callable[[_Asked], Iterable[Use]]:
    return lambda asked: [Use(way, asked.name, word=word)]


def _enum_value(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.VALUE, asked.name, word=str(asked.delta.released))


def _enum_text(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.TEXT, asked.name, word=str(asked.delta.released))


def _run(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.RUN, "", word=str(asked.delta.released))


def _script(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.SCRIPT, "", word=str(asked.delta.released))


def _shape(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.UNPACK, asked.name, words=tuple(texts(asked.delta.released)))


def _bound(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.ON_CLASS, asked.name, asked.call)


def _freed(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.GIVEN, asked.name, asked.call)


def _final(asked: _Asked) -> Iterable[Use]:
    element = asked.released.names.get(asked.name)
    variable = element is not None and element.facet(sig.IS) == sig.ATTRIBUTE
    yield Use(Way.SET if variable else Way.SUBCLASS, asked.name)


def _metaclass(asked: _Asked) -> Iterable[Use]:
    yield Use(Way.SUBCLASS, asked.name, word="another.Metaclass")


_BY_RULE: Final[Mapping[str, Callable[[_Asked], Iterable[Use]]]] = {
    "name-removed": _removed,
    "name-unlisted": _plain(Way.STAR),
    "name-turned": _turned,
    "default-changed": _default,
    "became-awaitable": _result,
    "no-longer-awaitable": _result,
    "result-kind-changed": _result,
    "method-bound": _bound,
    "method-freed": _freed,
    "ancestor-removed": _ancestors,
    "metaclass-changed": _metaclass,
    "became-final": _final,
    "demanded-member-added": _demanded,
    "member-became-demanded": _demanded,
    "protocol-member-added": _demanded,
    "became-frozen": lambda asked: [Use(Way.SET, key) for key in _members(asked)],
    "no-longer-ordered": _plain(Way.SORT),
    "no-longer-hashable": _plain(Way.HASH),
    "new-attributes-refused": _plain(Way.NEW_ATTRIBUTE, "anything"),
    "tuple-shape-changed": _shape,
    "attribute-became-read-only": _plain(Way.SET),
    "property-lost-deleter": _plain(Way.DELETE),
    "enum-value-changed": _enum_value,
    "enum-text-changed": _enum_text,
    "package-no-longer-runs": _run,
    "module-no-longer-runs": _script,
    "key-added-required": _keys,
    "key-became-required": _keys,
    "key-became-optional": _plain(Way.READ_KEY),
    "overload-removed": _overload,
    "floor-raised": _floor,
    "entry-point-removed": _points,
    "base-order-changed": _bases,
    "attribute-left-class": _plain(Way.GET_ON_CLASS),
    "subclass-keyword-required": lambda asked: [
        Use(Way.SUBCLASS, asked.name, words=tuple(texts(asked.delta.released)))
    ],
    "enum-closed": _plain(Way.SUBCLASS),
    "type-arguments-refused": _plain(Way.SUBSCRIPT),
    "no-longer-checkable": _plain(Way.ISINSTANCE),
    "typing-marker-removed": lambda asked: [Use(Way.CHECK, "")],
    "submodule-no-longer-loaded": _plain(Way.LOADED),
}
_BY_FACET: Final[Mapping[str, Callable[[_Asked], Iterable[Use]]]] = {
    sig.ANNOTATION: _passed,
    sig.RETURNS: _taken,
    sig.TYPE: _taken,
}


def _members(asked: _Asked) -> list[str]:
    """The attributes of a class that both sides have."""
    inside = f"{asked.name}."
    return [
        key
        for key, one in asked.released.names.items()
        if key.startswith(inside) and one.facet(sig.IS) == sig.ATTRIBUTE and key in asked.candidate.names
    ]
