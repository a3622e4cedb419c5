"""Small valid values for everything that a sender must give besides what a message is about; the plainest first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice

from evreview.contract.model import Element
from evreview.core.json_values import same
from evreview.core.vocabulary import Json
from evreview.messages.contract_examples import ContractExamples
from evreview.messages.validation import Judge
from evreview.messages.value_types import Outline
from evreview.schema.boundary_values import Samples
from evreview.schema.evaluator import Evaluator
from evreview.schema.value_generator import Builder

_PLAIN: dict[str, tuple[Json, ...]] = {
    "string": ("a", "text"),
    "integer": (1,),
    "number": (1,),
    "boolean": (True,),
}
_BUILT = 6
_FEW = 6
_MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Fill:
    """Values of the elements of one contract, found once each."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._examples = ContractExamples(judge.contract.documents)
        self._known: dict[tuple[str, str, str], tuple[Json, ...]] = {}

    def values(self, element: Element) -> tuple[Json, ...]:
        """Up to a handful of values that the element admits: what the contract shows, then the plainest first."""
        value = element.value
        if value is None:
            return ("a",)
        key = (value.place.file, value.place.pointer, str(element.polarity))
        if key not in self._known:
            self._known[key] = tuple(self._found(element))
        return self._known[key]

    def _found(self, element: Element) -> Iterator[Json]:
        value = element.value
        if value is None:
            return

        def holds(guess: Json) -> bool:
            return self._judge.errors(value, element.polarity, guess) == ()

        made = (guess for guess in self._guesses(element) if holds(guess))
        first = next(made, None)
        if first is not None:
            dressed = self._examples.dressed(element, first, holds)
            yield from islice(chain(() if same(dressed, first) else (dressed,), (first,), made), _FEW)

    def _guesses(self, element: Element) -> Iterator[Json]:
        """What the contract shows, plain values, those at the borders, then those that are built to be admitted."""
        yield from self._examples.short(element)
        form = self._judge.outline(element)
        for name, plain in _PLAIN.items():
            if form.may_be(name):
                yield from plain
        source = self._judge.source(element.polarity)
        schema = source.schema(element.value)  # type: ignore[arg-type]
        with suppress(*_MALFORMED):
            yield from Samples(source.definition).values(schema)
        builder = Builder(source.definition, Evaluator(source.definition))
        yield from (made for (made,) in islice(builder.values(schema), _BUILT))


def structured(judge: Judge, element: Element, member: str = "") -> Iterator[Json]:
    """Values of an element that have members or items, which is where a style shows; up to a dozen.

    Args:
        judge: of the contract that sends.
        element: with the value set.
        member: the member that has to be there, "" for none in particular.
    """
    value = element.value
    if value is None:
        return
    source = judge.source(element.polarity)
    several: Json = {"minItems": 2, "minProperties": 2}
    hint: Json = {"properties": {member: several}} if member else several
    asked: Json = (
        {"allOf": [source.schema(value), {"type": "object", "required": [member]}]} if member else source.schema(value)
    )
    try:
        found = Samples(source.definition).values(asked, hint)
    except _MALFORMED:
        return
    form = judge.outline(element)

    def rank(each: Json) -> tuple[bool, int]:
        return invented(form, each), -_size(each.get(member) if member and isinstance(each, dict) else each)

    ranked = sorted(found, key=rank)
    kept = 0
    for each in ranked:
        if judge.errors(value, element.polarity, each) == ():
            yield each
            kept += 1
        if kept == 12:
            return


def invented(form: Outline, value: Json) -> bool:
    """True for a value with members that a schema names nowhere, though it names some and describes no others."""
    if isinstance(value, list):
        return form.items is not None and any(invented(form.items, item) for item in value)
    if not isinstance(value, dict):
        return False
    free = form.patterned or not form.members or form.rest not in (None, Outline())
    return any(
        invented(form.members[name], member) if name in form.members else not free for name, member in value.items()
    )


def refused(judges: tuple[Judge, Judge], elements: tuple[Element, Element]) -> Iterator[Json]:
    """Values that one contract admits for its element and the other one refuses for its own, the smallest first.

    Args:
        judges: of the contract that sends, and of the one that expects.
        elements: with the value set of each.
    """
    values = elements[0].value, elements[1].value
    if values[0] is None or values[1] is None:
        return
    sent, expected = (judge.source(each.polarity) for judge, each in zip(judges, elements, strict=True))
    try:
        found = Samples(sent.definition, expected.definition).values(sent.schema(values[0]), expected.schema(values[1]))
    except _MALFORMED:
        return
    for value in found:
        if judges[0].errors(values[0], elements[0].polarity, value) == ():
            broken = judges[1].errors(values[1], elements[1].polarity, value)
            if broken and not isinstance(broken, str):
                yield value


def _size(value: Json) -> int:
    return len(value) if isinstance(value, (list, dict)) else 0
