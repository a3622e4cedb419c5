"""A recorded exchange as an example: its shape is what was seen, every value in it is invented. With approval only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import Exchange, RetainedRun
from evreview.messages.admission import response_for
from evreview.messages.media_types import declared_for, is_json
from evreview.messages.routing import children_of
from evreview.schema.views import Definition, alternatives, types_of
from evreview.workflows.w2.examples.examples import Examples, subject_of
from evreview.workflows.w2.examples.readable_values import Readable
from evreview.workflows.w2.facts import Example, Label, Omitted, Operation, Part, Subject, W2Facts, Why
from evreview.workflows.w2.scope import whole_paths

NOT_APPROVED: Final = "taken from recorded traffic, and the security or privacy owner has not approved it"
NOT_DECLARED: Final = "the contract declares no such response"
NO_BODY: Final = "the run kept no body that is one JSON value"
OTHER_SHAPE: Final = "no invented values of the recorded shape are valid"
_ITEMS: Final = 3
_WAYS: Final = 24
_DEEPEST: Final = 24


def observed_example(
    examples: Examples, operation: Element, exchange: Exchange, *, approved: bool
) -> Example | Omitted:
    """The response of an exchange as an example of the operation that it belongs to.

    Args:
        examples: of the contract.
        operation: that the exchange was mapped to.
        exchange: of a retained run.
        approved: whether the owner's approval of examples from traffic is recorded.
    """
    if not approved:
        about = Subject(operation.key, Part.RESPONSE, str(exchange.status or ""), exchange.media_type)
        return Omitted(about=about, why=Why.UNAPPROVED, reason=NOT_APPROVED)
    response = response_for(operation, exchange.status) if exchange.status is not None else None
    declared = children_of(response, ElementKind.MEDIA_TYPE) if response is not None else ()
    media = declared_for(exchange.media_type, declared)[0] if exchange.media_type else next(iter(declared), None)
    if response is None or (media is None and (declared or exchange.body_recorded)):
        about = Subject(operation.key, Part.RESPONSE, str(exchange.status or ""), exchange.media_type)
        return Omitted(about=about, why=Why.OTHERWISE, reason=NOT_DECLARED)
    return _shown(examples, (operation, response, *([media] if media is not None else [])), exchange)


def _shown(examples: Examples, chain: tuple[Element, ...], exchange: Exchange) -> Example | Omitted:
    about = subject_of(chain, Part.RESPONSE)
    media = chain[-1] if chain[-1].kind is ElementKind.MEDIA_TYPE else None
    if media is None:
        return examples.composed(chain, about, Label.OBSERVED, {})
    if media.value is None or not exchange.body_recorded or not is_json(media.key):
        return Omitted(about=about, why=Why.OTHERWISE, reason=NO_BODY, part="body")
    cases = examples.cases
    source = cases.first.judge.source(media.direction)
    shape = _Shape(cases.readable(media.value, media.direction), source.definition)
    found = shape.like(cases.schema(media.value, media.direction), exchange.body, "", 0)
    if found is None or not cases.accepted(media.value, media.direction, found[0]):
        return Omitted(about=about, why=Why.OTHERWISE, reason=OTHER_SHAPE, part="body")
    return examples.composed(chain, about, Label.OBSERVED, {id(media): found[0]})


class _Shape:
    """Invented values of a schema that have the members and items of a recorded one, as far as the schema names them.

    Members that the schema does not name are left out: their names may be somebody's.
    """

    def __init__(self, readable: Readable, definition: Definition) -> None:
        self._readable = readable
        self._definition = definition

    def like(self, schema: Json, seen: Json, name: str, depth: int) -> tuple[Json] | None:
        """A value as a 1-tuple, None when the schema admits none of this shape."""
        if depth > _DEEPEST:
            return None
        for node in islice(alternatives(schema, self._definition), _WAYS):
            found = self._of(node, schema, seen, name, depth)
            if found is not None and self._readable.evaluator.admits(schema, found[0]) is not False:
                return found
        return None

    def _of(self, node: Mapping[str, Json], schema: Json, seen: Json, name: str, depth: int) -> tuple[Json] | None:
        types = types_of(dict(node))
        if isinstance(seen, Mapping) and "object" in types:
            return self._object(node, seen, depth)
        if isinstance(seen, list) and "array" in types:
            items = [self.like(node.get("items", True), item, name, depth + 1) for item in seen[:_ITEMS]]
            return ([item[0] for item in items if item is not None],) if None not in items else None
        if seen is None:
            return (None,)
        if isinstance(seen, (Mapping, list)):
            return None
        found = self._readable.made(schema, name, 0)
        return found if found is not None and _alike(found[0], seen) else None

    def _object(self, node: Mapping[str, Json], seen: Mapping[str, Json], depth: int) -> tuple[Json] | None:
        properties = node.get("properties")
        made: dict[str, Json] = {}
        for name, schema in properties.items() if isinstance(properties, Mapping) else ():
            if name in seen:
                member = self.like(schema, seen[name], name, depth + 1)
                if member is None:
                    return None
                made[name] = member[0]
        return (made,)


def _alike(one: Json, other: Json) -> bool:
    """True for values of one JSON type, whole numbers counted as numbers."""
    kinds = (bool, (int, float), str)
    return any(isinstance(one, kind) and isinstance(other, kind) for kind in kinds)


# The recorded exchanges of a run with the operations in scope that they are of.


def exchanges_of(facts: W2Facts, run: RetainedRun) -> Iterator[tuple[Operation, Exchange]]:
    """Every exchange that an operation in scope answers; of several fitting paths the one with fewest parameters."""
    for case in run.results.cases:
        for exchange in case.exchanges:
            found = _answering(facts, exchange)
            if found is not None:
                yield found, exchange


def _answering(facts: W2Facts, exchange: Exchange) -> Operation | None:
    fitting = [
        (path.count("{"), at, operation)
        for at, operation in enumerate(facts.operations)
        if facts.contract is not None and operation.method == exchange.method.upper()
        for path in whole_paths(facts.contract, operation)
        if _pattern(path).fullmatch(exchange.path)
    ]
    return min(fitting, key=lambda found: found[:2])[2] if fitting else None


def _pattern(path: str) -> re.Pattern[str]:
    """The paths that a template stands for: a parameter is one segment or a part of it."""
    parts = re.split(r"(\{[^{}]*\})", path)
    return re.compile("".join("[^/]+" if part[:1] == "{" else re.escape(part) for part in parts))
