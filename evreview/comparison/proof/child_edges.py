"""The schemas one step below a schema node, each with the answer to: does the whole grow when this one grows?

Where it does not (a branch of `oneOf`, a condition, `not`), containment of the part says nothing about the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from evreview.contract.model import Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.schema.discriminators import decides, spelled_out
from evreview.schema.reader import (
    LISTED,
    MAPPED,
    REF_ALONE,
    SINGLE,
    UNEVALUATED,
    is_annotation,
    only_null,
    written_type,
)

_OPPOSED: Final = frozenset({"not", "if", "then", "else"})
_SHARED_SLOTS: Final = ("items", "additionalProperties", "contains", "not", "if", "propertyNames", "anyOf", "oneOf")
_MEMBERS: Final = 60
Node = Mapping[str, Any]


class ChildStep(NamedTuple):
    """One step down; `keyword` is `$ref` for a reference, `name` the member or index."""

    keyword: str
    name: str
    target: Place
    node: Json
    monotone: bool


class ChildEdges:
    """Reads the steps below the nodes of one contract."""

    def __init__(self, resolver: Resolver, dialect: SchemaDialect) -> None:
        self._resolver = resolver
        self._dialect = dialect
        self._conjoined: dict[tuple[Place, int], tuple[Json, list[tuple[Place, Node]]]] = {}

    def below(self, place: Place, node: Json) -> Iterator[ChildStep]:
        """Every step below a node, in a fixed order. Members that two merged schemas both describe come twice."""
        if not isinstance(node, (dict, Mapping)):
            return
        ref = node.get("$ref")
        lone = isinstance(ref, str) and self._dialect in REF_ALONE
        free = not any(keyword in node for keyword in UNEVALUATED)
        if isinstance(ref, str):
            target = self._resolver.target(place, ref)
            if target is not None:
                yield ChildStep("$ref", "", target[0], target[1], free or lone)
        if lone:
            return
        yield from (step if free else step._replace(monotone=False) for step in self._written(place, node))
        yield from self._merged_twice(place, node)

    def _written(self, place: Place, node: Node) -> Iterator[ChildStep]:
        for keyword in (*SINGLE, "additionalItems"):
            child = node.get(keyword)
            if isinstance(child, (Mapping, bool)):
                grows = keyword not in _OPPOSED and not (keyword == "contains" and "maxContains" in node)
                yield ChildStep(keyword, "", place.child(keyword), child, grows)
        for keyword in MAPPED:
            children = node.get(keyword)
            if isinstance(children, (dict, Mapping)):
                for name, child in children.items():
                    yield ChildStep(keyword, name, place.child(keyword, name), child, True)
        for keyword in (*LISTED, "items"):
            branches = node.get(keyword)
            if isinstance(branches, list):
                grows = keyword != "oneOf" or self.disjoint(place, branches)
                for at, branch in enumerate(branches):
                    yield ChildStep(
                        "prefixItems" if keyword == "items" else keyword,
                        str(at),
                        place.child(keyword, at),
                        branch,
                        grows,
                    )

    def _merged_twice(self, place: Place, node: Node) -> Iterator[ChildStep]:
        """Members that more than one schema of a conjunction describes: neither part alone is the member's set."""
        members = self.conjoined(place, node)
        if len(members) < 2:
            return
        seen: dict[tuple[str, str], list[ChildStep]] = {}
        for where, member in members:
            for step in self._written(where, member):
                if step.keyword in ("properties", "patternProperties", "prefixItems") or step.keyword in _SHARED_SLOTS:
                    name = "" if step.keyword in _SHARED_SLOTS else step.name
                    seen.setdefault((step.keyword, name), []).append(step)
        for steps in seen.values():
            if len({step.target.pointer.rpartition("/")[0] for step in steps}) > 1:
                yield from (step._replace(monotone=False) for step in steps)

    def conjoined(self, place: Place, node: Json) -> list[tuple[Place, Node]]:
        """A node and all that has to hold with it: references, members of `allOf`, a branch that stands alone."""
        key = (place, id(node))
        if key not in self._conjoined:
            self._conjoined[key] = (node, self._together(place, node))
        return self._conjoined[key][1]

    def _together(self, place: Place, node: Json) -> list[tuple[Place, Node]]:
        found: dict[tuple[str, str], tuple[Place, Node]] = {}
        waiting: list[tuple[Place, Json]] = [(place, node)]
        while waiting and len(found) < _MEMBERS:
            where, part = waiting.pop(0)
            if not isinstance(part, (dict, Mapping)) or (where.file, where.pointer) in found:
                continue
            found[where.file, where.pointer] = (where, part)
            ref = part.get("$ref")
            target = self._resolver.target(where, ref) if isinstance(ref, str) else None
            if target is not None:
                waiting.append(target)
            for keyword in ("allOf", "anyOf", "oneOf"):
                branches = part.get(keyword)
                if isinstance(branches, list) and (keyword == "allOf" or _lone(branches)):
                    waiting += [(where.child(keyword, at), branch) for at, branch in enumerate(branches)]
        return list(found.values())

    def decides(self, place: Place, node: Json) -> bool:
        """True when the value sets of a union say which branch its discriminator selects."""
        return decides(node, place, self._resolver)

    def spelled_out(self, place: Place, node: Json) -> bool:
        """True when a schema means the same without its discriminator, or has none."""
        return spelled_out(node, place, self._resolver)

    def disjoint(self, place: Place, branches: list[Json]) -> bool:
        """True when no value can match two branches, so that `oneOf` means `anyOf`."""
        if len(branches) > _MEMBERS:
            return False
        said = [self._said(place.child("oneOf", at), branch) for at, branch in enumerate(branches)]
        return all(_disjoint(one, other) for at, one in enumerate(said) for other in said[:at])

    def _said(self, place: Place, node: Json) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
        """The types that a branch admits at most, and the values of members that it demands."""
        types = _ALL
        nullable = False
        required: set[str] = set()
        fixed: dict[str, frozenset[str]] = {}
        for where, part in self.conjoined(place, node):
            types &= _types(part)
            nullable = nullable or part.get("nullable") is True or part.get("x-nullable") is True
            names = part.get("required")
            required |= {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
            members = part.get("properties")
            for name, member in members.items() if isinstance(members, (dict, Mapping)) else ():
                values = self._fixed(where.child("properties", name), member)
                if values is not None:
                    fixed[name] = values & fixed.get(name, values)
        types = types | {"null"} if nullable else types
        return types, {name: values for name, values in fixed.items() if name in required}

    def _fixed(self, place: Place, node: Json) -> frozenset[str] | None:
        """The texts and whole numbers that a member admits at most, None when it may admit others."""
        found: frozenset[str] | None = None
        for _, part in self.conjoined(place, node):
            if part.get("nullable") is True or part.get("x-nullable") is True:
                return None
            values = [part["const"]] if "const" in part else part.get("enum")
            if isinstance(values, list) and all(type(value) in (str, int) for value in values):
                listed = frozenset(repr(value) for value in values)
                found = listed if found is None else found & listed
        return found


_ALL: Final = frozenset({"null", "boolean", "integer", "fraction", "string", "array", "object"})


def _types(node: Node) -> frozenset[str]:
    written = written_type(node)
    names = [written] if isinstance(written, str) else written
    if not isinstance(names, list) or not all(name in (*_ALL, "number") for name in names) or "fraction" in names:
        return _ALL
    found = {name for name in names if name != "number"} | ({"integer", "fraction"} if "number" in names else set())
    return frozenset(found)


def _disjoint(
    one: tuple[frozenset[str], dict[str, frozenset[str]]], other: tuple[frozenset[str], dict[str, frozenset[str]]]
) -> bool:
    common = one[0] & other[0]
    if not common:
        return True
    if common != {"object"}:
        return False
    return any(not one[1][name] & other[1][name] for name in one[1].keys() & other[1].keys())


def _lone(branches: list[Json]) -> bool:
    """True for one branch beside null: readers merge it."""
    return len([branch for branch in branches if not only_null(branch)]) == 1


def refers(node: Json) -> bool:
    """True when a reference holds in place: then readers show differences of the target as the node's own."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, (dict, Mapping)):
            if "$ref" in part:
                return True
            for keyword in ("allOf", "anyOf", "oneOf"):
                branches = part.get(keyword)
                stack.extend(branches if isinstance(branches, list) else ())
    return False


def trivial(node: Json) -> bool:
    """True for a schema that admits everything."""
    return node is True or (isinstance(node, (dict, Mapping)) and all(is_annotation(name) for name in node))


def watches(node: Json) -> bool:
    """True for a node that judges what its other keywords left unevaluated."""
    return isinstance(node, (dict, Mapping)) and any(keyword in node for keyword in UNEVALUATED)
