"""W1 guardrail: public API responses do not expose internal errors. Looks at the candidate's error bodies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evreview.contracts.model import Contract, Element, Place, ValueSet
from evreview.contracts.refs import Resolver
from evreview.evidence.item import Bundle, Citation
from evreview.findings.confidence import Completeness, Validation, confidence
from evreview.findings.finding import NOT_RATED, Finding
from evreview.findings.statement import inferred, observed, proposed, recommended
from evreview.prose import Subject, text
from evreview.vocab import FindingId, Json

INTERNAL_NAMES: Final = frozenset(
    {
        "stack", "stacktrace", "backtrace", "traceback", "exception", "exceptionclass", "exceptiontype",
        "innerexception", "sql", "sqlstate", "debug", "debuginfo", "internalmessage", "internalerror",
        "exceptionmessage",
    }
)  # fmt: skip
"""Property names, lower case without separators, that carry internals when they stand in a public error body."""

_NESTED: Final = ("items", "additionalProperties", "not")
_BRANCHES: Final = ("allOf", "anyOf", "oneOf", "prefixItems")


def internal_error_fields(contract: Contract) -> tuple[tuple[str, Place], ...]:
    """The error-body properties with an internal name, each once, with the place where it is written."""
    resolver, seen = Resolver(contract.documents), set[Place]()
    found = {
        place: name
        for value in _error_values(contract.root)
        for name, place in _properties(resolver, value.place, value.node, seen)
        if name.lower().replace("_", "").replace("-", "") in INTERNAL_NAMES
    }
    return tuple((name, place) for place, name in sorted(found.items(), key=lambda pair: str(pair[0])))


def exposure_findings(bundle: Bundle, candidate: Contract) -> tuple[Finding, ...]:
    """One finding per internal field that the candidate's error responses declare."""
    named = bundle.request.contracts
    if named is None:
        return ()
    item = bundle.items[named.candidate]
    return tuple(
        _exposure(name, place, Citation(item.id, f"#{place.pointer}"))
        for name, place in internal_error_fields(candidate)
    )


def _exposure(name: str, place: Place, citation: Citation) -> Finding:
    level, why = confidence(Completeness.PARTIAL, Validation.NONE)
    digest = hashlib.sha256(f"internal-error {place.pointer}".encode()).hexdigest()[:12]
    on = (citation,)
    return Finding(
        id=FindingId(f"F-{digest}"),
        delta_id=None,
        severity=NOT_RATED,
        severity_why="no rule of the supplied policy rates it",
        confidence=level,
        confidence_why=why,
        title=text("Public error response declares the internal field ", Subject(name)),
        citations=on,
        impact=(
            observed("An error body of the candidate contract declares ", Subject(name), ".", on=on),
            inferred("A caller that provokes the error could learn internals of the service.", on=on),
        ),
        preconditions="The implementation fills the field in an error response",
        recommendation=recommended("Remove the field from the public error body.", on=on),
        verification=proposed("Provoke the error in an isolated fixture and assert that the field is absent.", on=on),
        disposition="blocks release",
        blocks=("release",),
        producer="not a difference",
        consumer="not a difference",
    )


def _error_values(element: Element) -> Iterator[ValueSet]:
    if element.in_error and element.value is not None:
        yield element.value
    for child in element.children:
        yield from _error_values(child)


def _properties(resolver: Resolver, place: Place, node: Json, seen: set[Place]) -> Iterable[tuple[str, Place]]:
    """Every property below a schema node; each place is visited once, so cycles end."""
    pending: list[tuple[Place, Json]] = [(place, node)]
    while pending:
        place, node = pending.pop()
        if place in seen or not isinstance(node, Mapping):
            continue
        seen.add(place)
        if isinstance(ref := node.get("$ref"), str) and (target := resolver.target(place, ref)):
            pending.append(target)
        properties = node.get("properties")
        for name, child in properties.items() if isinstance(properties, Mapping) else ():
            yield str(name), place.child("properties", name)
            pending.append((place.child("properties", name), child))
        pending += [(place.child(key), node[key]) for key in _NESTED if key in node]
        for key in _BRANCHES:
            branches = node.get(key)
            if isinstance(branches, Sequence) and not isinstance(branches, str):
                pending += [(place.child(key, index), branch) for index, branch in enumerate(branches)]
