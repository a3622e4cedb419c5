"""The two validators as judges of whole messages; a schema that many messages share is judged once per value."""

from __future__ import annotations

from typing import Final

from evreview.contract.model import Contract, Element, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json, Polarity
from evreview.messages.admission import Acceptor
from evreview.messages.message import Message
from evreview.messages.routing import Found
from evreview.messages.validation import Judge
from evreview.messages.value_types import Outline
from evreview.reference.examples.sent import SentSource
from evreview.schema.to_json_schema import Source
from evreview.schema.validators import FIRST, SECOND, FirstCheck, SchemaCheck, SchemaError

CHECKS: Final = (FIRST, SECOND)
_REFERENCES: Final = frozenset({SchemaDialect.SWAGGER_2, SchemaDialect.OPENAPI_3_0})
"""Where `$ref` says everything, whatever stands beside it."""
_BESIDE: Final = frozenset({"$ref", "description", "summary"})


class SharedJudge(Judge):
    """A judge that asks about the schema at the end of a chain of references, not about each reference to it."""

    def __init__(self, contract: Contract, check: SchemaCheck) -> None:
        super().__init__(contract, check)
        self._resolver = Resolver(contract.documents)
        self._ends: dict[int, tuple[ValueSet, ValueSet]] = {}
        self._forms: dict[tuple[int, Polarity | None], Outline] = {}

    def take_over(self, other: SharedJudge) -> None:
        """Uses the schemas that another judge of the contract has converted."""
        self._sources, self._outlines, self._ends, self._forms = (
            other._sources,
            other._outlines,
            other._ends,
            other._forms,
        )

    def end(self, value: ValueSet) -> ValueSet:
        """The value set that a plain reference stands for, the same one for all references; itself otherwise."""
        known = self._ends.get(id(value))
        if known is None:
            known = self._ends[id(value)] = (value, self._end(value))
        return known[1]

    def _end(self, value: ValueSet) -> ValueSet:
        node = value.node
        if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
            return value
        if value.dialect not in _REFERENCES and not _BESIDE.issuperset(node):
            return value
        found = self._resolver.target(value.place, str(node["$ref"]))
        return value if found is None else ValueSet(found[0], found[1], value.dialect)

    def source(self, polarity: Polarity | None) -> Source:
        """See `Judge.source`."""
        if polarity not in self._sources:
            self._sources[polarity] = SentSource(self.contract, polarity)
        return self._sources[polarity]

    def errors(self, value: ValueSet, polarity: Polarity | None, instance: Json) -> tuple[SchemaError, ...] | str:
        """See `Judge.errors`."""
        return super().errors(self.end(value), polarity, instance)

    def outline(self, element: Element) -> Outline:
        """See `Judge.outline`."""
        if element.value is None:
            return Outline()
        key = (id(self.end(element.value)), element.polarity)
        if key not in self._forms:
            self._forms[key] = super().outline(element)
        return self._forms[key]


class JudgedBy(Acceptor):
    """An acceptor with a shared judge."""

    judge: SharedJudge

    def __init__(self, contract: Contract, check: SchemaCheck, like: JudgedBy | None = None) -> None:
        """`like`: another one of the same contract, from which schemas and routes are taken over."""
        super().__init__(contract, check)
        self.judge = SharedJudge(contract, check)
        self._found: dict[tuple[str, str, str], Found] = {}
        if like is not None:
            self.routes, self._found = like.routes, like._found
            self.judge.take_over(like.judge)

    def _route(self, message: Message) -> Found:
        key = (message.method, message.path, message.route)
        if key not in self._found:
            self._found[key] = super()._route(message)
        return self._found[key]


def acceptors(contract: Contract) -> tuple[JudgedBy, JudgedBy]:
    """Both validators over one contract. The first has found a schema well-formed before the second is asked."""
    # It takes a second to load; what is only read, and never sent, needs no judge.
    from evreview.schema.second_validator import SecondCheck

    first = JudgedBy(contract, FirstCheck())
    return first, JudgedBy(contract, SecondCheck(checked=True), first)
