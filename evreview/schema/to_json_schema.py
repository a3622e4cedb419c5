"""Value sets as plain JSON Schema 2020-12, with OpenAPI's own meaning written out. References stay references.

Policies, stated once: `nullable` adds null to the `type` of the same schema object and does nothing else (OpenAPI
3.0.3, section 4.7.24.1), `x-nullable` means that null is possible; the formats of numbers are bounds; a `readOnly`
member is never owed in a request, a `writeOnly` one never in a response; a branch beside a discriminator holds only
values that name it (see `selecting`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from evreview.contract.model import Contract, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_text import list_or_empty
from evreview.core.vocabulary import Direction, Json, Role
from evreview.schema.discriminators import named
from evreview.schema.reader import (
    BOUNDS,
    COPIED,
    DEPENDING,
    LISTED,
    MAPPED,
    OLD_OPENAPI,
    REF_ALONE,
    SINGLE,
    TUPLES,
    malformed,
    written_type,
)

_REACH: Final = 8
_NULL: Final = {"type": "null"}
_BRANCHES: Final = ("allOf", "anyOf", "oneOf")
_HIDDEN: Final = {Direction.READ: "readOnly", Direction.WRITTEN: "writeOnly"}

_DYNAMIC: Final = ("$dynamicRef", "$recursiveRef")
_SHAPING: Final = frozenset(
    {*SINGLE, *MAPPED, *LISTED, *_DYNAMIC, "$ref", "required", "exclusiveMinimum", "exclusiveMaximum", "dependencies"}
)
"""Keywords after which more is to be done than to copy what holds no schema."""
_NUMBERS: Final = frozenset({"integer", "number"})
_NESTING: Final = frozenset({dict, list})
_UNREAD: Final = "-unread-"
_SIGN: Final = re.compile(r"[^A-Za-z0-9._-]")

Keep = Callable[[str], bool]
Schema = dict[str, Json]


class Source:
    """The value sets of one contract as 2020-12 schemas, in one direction.

    Attributes:
        prefix: starts the names of this source's definitions, so that two sources can stand in one schema.
    """

    def __init__(self, contract: Contract, direction: Direction | None, prefix: str = "") -> None:
        self.prefix = prefix
        self._resolver = Resolver(contract.documents)
        # A message is what it says: only requests and responses leave out what is readOnly or writeOnly.
        messages = any(child.role is Role.MESSAGE for child in contract.root.children)
        self._hidden = _HIDDEN.get(direction) if direction is not None and not messages else None
        self._selects = contract.discriminates
        self._converted: dict[tuple[str, str, int], tuple[Json, ValueSet]] = {}
        self._children: dict[tuple[str, str], tuple[Json, Json]] = {}
        self._targets: dict[str, ValueSet] = {}
        self._origins: dict[int, tuple[Json, Place]] = {}
        self._used: dict[str, frozenset[str]] = {}

    def schema(self, value: ValueSet) -> Json:
        """The schema of one value set; each `$ref` in it is `#/$defs/<name>`, for `definition` to look up."""
        # What is left unsaid stands at the place of its parent, so that the place alone names no node.
        key = (value.place.file, value.place.pointer, id(value.node))
        if key not in self._converted:
            self._converted[key] = (self.child(value), value)
        return self._converted[key][0]

    def convert(self, value: ValueSet) -> Json:
        """The schema of a node that does not stand in the document as written (one edit applied, say)."""
        return self._convert(value)

    def child(self, value: ValueSet) -> Json:
        """The same for a node below another one; one that was met before, and is the same, is not converted again."""
        key = (value.place.file, value.place.pointer)
        known = self._children.get(key)
        if known is not None and known[0] is value.node:
            return known[1]
        made = self._convert(value)
        self._children[key] = (value.node, made)
        return made

    def definition(self, name: str) -> Json | None:
        """The schema behind a name that `schema` used, None for a foreign one."""
        target = self._targets.get(name)
        return None if target is None else self.schema(target)

    def used(self, name: str) -> frozenset[str]:
        """The names that the definition of a name uses itself; nothing for a foreign one."""
        if name not in self._used:
            self._used[name] = frozenset(references(self.definition(name)))
        return self._used[name]

    def place(self, name: str) -> Place | None:
        """Where the definition of a name is written, None for a foreign one."""
        target = self._targets.get(name)
        return None if target is None else target.place

    def _convert(self, value: ValueSet) -> Json:
        if type(value.node) is not dict and not isinstance(value.node, (dict, Mapping)):
            return value.node if isinstance(value.node, bool) else gap(f"node {text_of(value.node)}")
        made = _Node(self, value).schema()
        # The node is kept beside its place, so that no other one ever gets its identity.
        self._origins[id(made)] = (made, value.place)
        return made

    def origin(self, schema: Json) -> Place | None:
        """Where a part of what `schema` returned is written, None for a part that was only spelled out here."""
        found = self._origins.get(id(schema))
        return None if found is None else found[1]

    def reference(self, place: Place, ref: str, dialect: SchemaDialect) -> Schema:
        """`{"$ref": "#/$defs/…"}`; for one that leads nowhere a `gap`, which `closed` takes for `true`."""
        found = self._resolver.target(place, ref)
        if found is None or not isinstance(found[1], (Mapping, bool)) or self._resolver.follow(*found) is None:
            return gap(f"{place.file} {ref}")
        name = self.prefix + _name(found[0])
        self._targets.setdefault(name, ValueSet(found[0], found[1], dialect))
        return {"$ref": "#/$defs/" + name}

    def named(self, node: Mapping[str, Json], place: Place, branches: list[Json]) -> list[Schema | None]:
        """For each branch of a union what the discriminator beside it demands, None for nothing."""
        return named(node, place, branches, self._resolver) if self._selects else [None] * len(branches)

    def owed(self, member: Json, place: Place) -> bool:
        """False for a member that this direction never has to carry."""
        return self._hidden is None or not self._marked(member, place, self._hidden, _REACH)

    def _marked(self, member: Json, place: Place, mark: str, reach: int) -> bool:
        """True for a member whose schema has a mark: behind a reference, in a part, or in every branch but null."""
        if not isinstance(member, (dict, Mapping)) or not reach:
            return False
        if member.get(mark) is True:
            return True
        found = self._resolver.follow(place, member) if "$ref" in member else None
        if found is not None and self._marked(found[1], found[0], mark, reach - 1):
            return True
        if all(key not in member for key in _BRANCHES):
            return False
        parts, *choices = ([part for part in list_or_empty(member.get(key)) if part != _NULL] for key in _BRANCHES)
        if any(self._marked(part, place, mark, reach - 1) for part in parts):
            return True
        return any(each and all(self._marked(part, place, mark, reach - 1) for part in each) for each in choices)


class _Node:
    """The conversion of one mapping."""

    def __init__(self, source: Source, value: ValueSet) -> None:
        self._source = source
        self._place = value.place
        self._dialect = value.dialect
        self._node: Mapping[str, Json] = value.node  # type: ignore[assignment]
        self._unread: dict[str, Schema] = {}

    def schema(self) -> Json:
        ref = self._node.get("$ref")
        if isinstance(ref, str) and self._dialect in REF_ALONE:
            return self._source.reference(self._place, ref, self._dialect)
        self._unreadable()
        made: Schema = {key: self._node[key] for key in COPIED if key in self._node}
        self._types(made)
        if _SHAPING.isdisjoint(self._node):
            # Most nodes are such: a type, perhaps a format or a list of values.
            if self._unread:
                made["allOf"] = [*list_or_empty(made.get("allOf")), *self._unread.values()]
            return self._nullable(made)
        self._bounds(made)
        self._members(made)
        self._required(made)
        self._tuples(made)
        self._dependencies(made)
        dynamic = [gap(f"{self._place.file} {self._node[key]}") for key in _DYNAMIC if key in self._node]
        if dynamic or self._unread:
            made["allOf"] = [*list_or_empty(made.get("allOf")), *dynamic, *self._unread.values()]
        if isinstance(ref, str):
            made = {**made, **self._source.reference(self._place, ref, self._dialect)}
        return self._nullable(made)

    def _unreadable(self) -> None:
        """Puts a gap in the place of every keyword that can't be read; alike on both sides, it is one gap."""
        for part in malformed(self._node, self._dialect):
            if len(part.steps) == 1:
                self._unread[str(part.steps[0])] = gap(f"{part.steps[0]} {text_of(part.value)}")
        if self._unread:
            self._node = {key: value for key, value in self._node.items() if key not in self._unread}

    def _child(self, node: Json, *steps: str | int) -> Json:
        return self._source.child(ValueSet(self._place.child(*steps), node, self._dialect))

    def _types(self, made: Schema) -> None:
        kind = written_type(self._node)
        if kind == "file":
            made.pop("type", None)
        elif kind is not None:
            made["type"] = kind
        if self._dialect is SchemaDialect.OPENAPI_3_1 and str(self._node.get("contentEncoding")).lower() == "base64":
            # What 2.0 and 3.0 write as a format.
            made.setdefault("format", "byte")
        number_format = BOUNDS.get(str(self._node.get("format")))
        named = kind if isinstance(kind, list) else [kind]
        if number_format is not None and (kind is None or not _NUMBERS.isdisjoint(map(str, named))):
            # Without a type beside it the format stays, as a name: strings may be meant, too.
            if kind is not None:
                made.pop("format", None)
            made["allOf"] = [{"minimum": number_format[0], "maximum": number_format[1]}]

    def _bounds(self, made: Schema) -> None:
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            flag = self._node.get(exclusive)
            if isinstance(flag, bool):
                made.pop(exclusive, None)
                if flag and bound in made:
                    made[exclusive] = made.pop(bound)

    def _members(self, made: Schema) -> None:
        for key in SINGLE:
            if key in self._node and isinstance(self._node[key], (dict, bool, Mapping)):
                made[key] = self._child(self._node[key], key)
        for key in MAPPED:
            children = self._node.get(key)
            if isinstance(children, (dict, Mapping)):
                made[key] = {name: self._child(child, key, name) for name, child in children.items()}
        for key in LISTED:
            branches = self._node.get(key)
            if isinstance(branches, list) and branches:
                converted = [self._child(branch, key, at) for at, branch in enumerate(branches)]
                if "discriminator" in self._node and key != "allOf":
                    converted = self._selected(branches, converted)
                made[key] = [*list_or_empty(made.get(key)), *converted]

    def _selected(self, branches: list[Json], converted: list[Json]) -> list[Json]:
        """The branches with what the discriminator demands of each."""
        demands = self._source.named(self._node, self._place, branches)
        return [
            branch if demand is None else {"allOf": [branch, demand]}
            for branch, demand in zip(converted, demands, strict=True)
        ]

    def _required(self, made: Schema) -> None:
        required = self._node.get("required")
        properties = self._node.get("properties")
        made.pop("required", None)
        if not isinstance(required, list):
            return
        known: Mapping[str, Json] = properties if isinstance(properties, (dict, Mapping)) else {}
        names = [name for name in required if isinstance(name, str) and self._source.owed(known.get(name), self._place)]
        if names:
            made["required"] = sorted(set(names))

    def _tuples(self, made: Schema) -> None:
        items = self._node.get("items")
        if self._dialect not in TUPLES or not isinstance(items, list):
            return
        if items:
            made["prefixItems"] = [self._child(item, "items", at) for at, item in enumerate(items)]
        rest = self._node.get("additionalItems")
        if isinstance(rest, (Mapping, bool)):
            made["items"] = self._child(rest, "additionalItems")

    def _dependencies(self, made: Schema) -> None:
        """`dependencies`, which drafts before 2019-09 have for what later ones say with two keywords."""
        members = self._node.get("dependencies") if self._dialect in DEPENDING else None
        if not isinstance(members, (dict, Mapping)):
            return
        for name, member in members.items():
            if isinstance(member, list):
                made["dependentRequired"] = {**_mapped(made.get("dependentRequired")), name: member}
            else:
                child = self._child(member, "dependencies", name)
                made["dependentSchemas"] = {**_mapped(made.get("dependentSchemas")), name: child}

    def _nullable(self, made: Schema) -> Schema:
        extended = self._node.get("x-nullable") is True
        if self._dialect not in OLD_OPENAPI or not (extended or self._node.get("nullable") is True):
            return made
        if "type" in made:
            made = {**made, "type": [*_types(made["type"]), "null"]}
        elif extended and "enum" not in made and made:
            return {"anyOf": [made, {"type": "null"}]}
        if extended and isinstance(made.get("enum"), list) and None not in list_or_empty(made["enum"]):
            made["enum"] = [*list_or_empty(made["enum"]), None]
        return made


def standalone(value: ValueSet, contract: Contract, direction: Direction | None) -> Json:
    """A self-contained 2020-12 schema of `value`, every definition that it reaches included."""
    source = Source(contract, direction)
    return closed(source.schema(value), source.definition)


def closed(schema: Json, definition: Callable[[str], Json | None], keep: Keep | None = None) -> Json:
    """`schema` with the definitions it reaches.

    Args:
        schema: a schema whose references are `#/$defs/<name>`.
        definition: the schema behind a name.
        keep: names of properties that matter; the others are left out. Sound for instances that have no member of
            another name.
    """
    if not isinstance(schema, dict):
        return schema
    root: Schema = {key: _pruned_member(key, child, keep) for key, child in schema.items()}
    found: dict[str, Json] = {}
    waiting = sorted(set(references(root)))
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        target = definition(name)
        found[name] = True if target is None else _pruned(target, keep) if keep else target
        waiting.extend(sorted(set(references(found[name])) - found.keys()))
    return {**root, "$defs": dict(sorted(found.items()))} if found else root


def references(schema: Json) -> Iterator[str]:
    """The names of definitions that a converted schema uses, in reading order."""
    stack: list[Json] = [schema]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            ref = node.get("$ref")
            if isinstance(ref, str):
                yield ref.removeprefix("#/$defs/")
            stack += [member for member in node.values() if type(member) in _NESTING]
        elif isinstance(node, list):
            stack += [member for member in node if type(member) in _NESTING]


def text_of(value: Json) -> str:
    """One text per value, whatever the order of keys."""
    return json.dumps(value, sort_keys=True, default=str)


def gap(name: str) -> Schema:
    """Stands for a schema that nobody could read; the same unread thing has the same name on both sides."""
    return {"$ref": "#/$defs/" + _UNREAD + _spelled(name)}


def gaps(schema: Json) -> frozenset[str]:
    """The names of the unread parts that a schema refers to."""
    return frozenset(name for name in references(schema) if is_gap(name))


def is_gap(name: str) -> bool:
    """True for the name of an unread part."""
    return name.startswith(_UNREAD)


def _pruned(schema: Json, keep: Keep | None) -> Json:
    if keep is None or not isinstance(schema, (dict, list)):
        return schema
    if isinstance(schema, list):
        return [_pruned(item, keep) for item in schema]
    return {key: _pruned_member(key, child, keep) for key, child in schema.items()}


def _pruned_member(key: str, child: Json, keep: Keep | None) -> Json:
    if keep is not None and key == "properties" and isinstance(child, dict):
        # Of thousands of members a few stay: what leaves the others out is no Python.
        return {name: _pruned(child[name], keep) for name in filter(keep, child)}
    return child if key in ("enum", "const", "required") else _pruned(child, keep)


def _mapped(value: Json) -> dict[str, Json]:
    return dict(value) if isinstance(value, (dict, Mapping)) else {}


def _types(written: Json) -> list[Json]:
    names = list_or_empty(written) or [written]
    return [name for name in names if name != "null"]


def _name(place: Place) -> str:
    """A definition's name: no sign that a JSON pointer or a URI would read as its own."""
    return _spelled(f"{place.file}{place.pointer}")


def _spelled(text: str) -> str:
    return _SIGN.sub(lambda sign: f"-{ord(sign[0]):x}-", text)
