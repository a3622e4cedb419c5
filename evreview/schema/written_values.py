"""What a peer writes who knows a contract: of each choice one way, with the members of that way and none of another's.

By the letter an open object carries members of any name, so that the branches of a choice meet in values that no peer
writes: a card with the token of another branch. Where only such values stand against a change, it breaks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.views import Definition, Node, types_of, ways_to

MAX_ALTERNATIVES: Final = 64
"""The most ways to meet one schema that are looked at; with more, nothing is said of it."""
_REACH: Final = 400
_PREFIX: Final = "-written-"
_CHOICES: Final = ("anyOf", "oneOf")
_CONDITIONAL: Final = frozenset(
    {"if", "not", "dependentSchemas", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords whose schemas name members aside: what they mention is written, too."""
_MADE_OF_OTHERS: Final = frozenset({"object", "array"})
_HOLDING: Final = ("items", "additionalProperties", "contains", "prefixItems", "patternProperties")


class Written:
    """The schemas of what is written, of one source's schemas.

    Args:
        definition: the schema behind a name of the source.
        closed: whether objects that name members are read as having no others at all, but those of a map.
    """

    def __init__(self, definition: Definition, *, closed: bool = False) -> None:
        self._source = definition
        self._closed = closed
        self._alternatives: dict[int, tuple[Json, list[Node] | None]] = {}
        self._made: dict[tuple[int, int], tuple[Json, Json, list[Json]]] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self._listed: list[tuple[Json, Other]] = []
        self._wholes: dict[int, tuple[Json, Json]] = {}
        self._choosing: dict[int, tuple[Json, bool]] = {}

    def definition(self, name: str) -> Json | None:
        """The schema behind a name, those that `each` made included."""
        if name.startswith(_PREFIX):
            schema, other = self._listed[int(name.removeprefix(_PREFIX))]
            return {
                "allOf": [{"anyOf": self.each(schema, other)}, schema]
            }  # what the letter refuses is no part of a way
        return self._source(name)

    def alternatives(self, schema: Json) -> list[Node] | None:
        """The plain nodes that meet a schema, one for each choice; None where there are too many."""
        if id(schema) not in self._alternatives:
            self._alternatives[id(schema)] = (schema, ways_to(schema, self._source, MAX_ALTERNATIVES))
        return self._alternatives[id(schema)][1]

    def each(self, schema: Json, other: Other = None) -> list[Json]:
        """What is written where `schema` is asked for, way by way; the schema alone where its ways can't be told.

        Args:
            schema: of this source.
            other: what the side that reads it says at the same place: no member that only it names is written.
        """
        key = (id(schema), id(other.schema) if other is not None else 0)
        if key not in self._made:
            self._made[key] = (schema, other.schema if other is not None else None, self._parted(schema, other))
        return self._made[key][2]

    def one_of(self, schema: Json) -> Json:
        """The schema of all that is written where `schema` is asked for; made once, so that identity holds."""
        if id(schema) not in self._wholes:
            self._wholes[id(schema)] = (schema, {"anyOf": self.each(schema)})
        return self._wholes[id(schema)][1]

    def chooses(self, schema: Json) -> bool:
        """True when a choice stands in a schema, or in one that it leads to."""
        if id(schema) not in self._choosing:
            self._choosing[id(schema)] = (schema, self._finds_choice(schema))
        return self._choosing[id(schema)][1]

    def _finds_choice(self, schema: Json) -> bool:
        waiting: list[Any] = [schema]
        seen: set[int] = set()
        while waiting and len(seen) < _REACH:
            node = waiting.pop()
            if isinstance(node, list):
                waiting += node
            elif isinstance(node, Mapping) and id(node) not in seen:
                seen.add(id(node))
                if any(len(node.get(keyword) or ()) > 1 for keyword in _CHOICES):
                    return True
                ref = node.get("$ref")
                waiting += [self._source(ref.removeprefix("#/$defs/"))] if isinstance(ref, str) else []
                waiting += [node.get(keyword) for keyword in (*_HOLDING, "allOf", *_CHOICES)]
                waiting += list((node.get("properties") or {}).values())
        return False

    def _parted(self, schema: Json, other: Other) -> list[Json]:
        alternatives = self.alternatives(schema)
        if alternatives is None or isinstance(schema, bool):
            return [schema]
        theirs = other.alternatives() if other is not None else []
        strange: dict[str, Json] = {name: False for way in (*alternatives, *theirs) for name in names_of(way)}
        if any(chosen(schema, self._source, "anyOf")):
            # Any of some branches may hold at once: then members of several are written, each as its branch says.
            for name in {name for way in alternatives for name in names_of(way)}:
                said = [way["properties"][name] for way in alternatives if name in (way.get("properties") or ())]
                strange[name] = {"anyOf": said} if said else True
        return [self._way(way, strange, theirs, other) for way in alternatives]

    def _way(self, way: Node, strange: Mapping[str, Json], theirs: Sequence[Node], other: Other) -> Json:
        """One way as a schema: members that only the other ways name are not written."""
        if not _CONDITIONAL.isdisjoint(way) or (is_map(way) and "properties" in way):
            return way  # what it names is said in more than one place
        mine = names_of(way)
        known: dict[str, Json] = {}
        for name, member in (way.get("properties") or {}).items():
            said = [each["properties"].get(name) for each in theirs if "properties" in each]
            known[name] = self._below(member, said, other)
        made = {**way, "properties": known} if known else dict(way)
        for keyword in ("items", "additionalProperties"):
            if isinstance(made.get(keyword), Mapping):
                made[keyword] = self._below(made[keyword], [each.get(keyword) for each in theirs], other)
        if is_map(way):
            return made
        others = {name: said for name, said in strange.items() if name not in mine} if mine else {}
        if self._closed and (mine or "properties" in way):
            several = {name: each for name, each in others.items() if each is not False}
            every = {**several, **dict.fromkeys(mine, True), **known}
            return {**made, "additionalProperties": False, "properties": every}
        return {**made, "properties": {**known, **others}} if others else made

    def _below(self, schema: Json, theirs: Sequence[Json], other: Other) -> Json:
        """A reference to what is written of a member or an item."""
        if not isinstance(schema, dict) or _MADE_OF_OTHERS.isdisjoint(types_of(schema)):
            return schema
        if not (self._closed or self.chooses(schema)):
            return schema
        below = other.below(theirs) if other is not None else None
        key = (id(schema), id(below.schema) if below is not None else 0)
        if key not in self._numbers:
            self._numbers[key] = len(self._listed)
            self._listed.append((schema, below))
        return {"$ref": f"#/$defs/{_PREFIX}{self._numbers[key]}"}


class ReadingSide:
    """What the side that reads a value says of it."""

    def __init__(self, written: Written, schema: Json, known: dict[tuple[int, ...], ReadingSide] | None = None) -> None:
        self.schema = schema
        self._written = written
        self._known: dict[tuple[int, ...], ReadingSide] = {} if known is None else known
        self._parts: Sequence[Json] = ()

    def alternatives(self) -> list[Node]:
        """The plain nodes of its schema, none where there are too many."""
        return self._written.alternatives(self.schema) or []

    def below(self, parts: Sequence[Json]) -> ReadingSide | None:
        """What it says of a member or item, by what some of its ways say; made once, so that identity holds."""
        said = list({id(part): part for part in parts if isinstance(part, Mapping)}.values())
        if not said:
            return None
        key = tuple(map(id, said))
        if key not in self._known:
            made = self._known[key] = ReadingSide(
                self._written, said[0] if len(said) == 1 else {"anyOf": said}, self._known
            )
            made._parts = said
        return self._known[key]


Other = ReadingSide | None


def names_of(way: Node) -> frozenset[str]:
    """The members that a plain node names."""
    owed = way.get("dependentRequired") or {}
    brought = (name for names in owed.values() for name in names)
    return frozenset((*(way.get("properties") or ()), *(way.get("required") or ()), *owed, *brought))


def chosen(schema: Json, definition: Definition, keyword: str, *, within: bool = False) -> Iterator[list[Json]]:
    """The branches of each choice of a keyword that surely holds in place.

    Args:
        schema: the node.
        definition: the schema behind a name.
        keyword: `anyOf` or `oneOf`.
        within: True for those inside branches of other choices, too.
    """
    waiting: list[Any] = [schema]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Mapping) or id(node) in seen:
            continue
        seen.add(id(node))
        branches, ref = node.get(keyword), node.get("$ref")
        if isinstance(branches, list) and len(branches) > 1:
            yield branches
        waiting += [definition(ref.removeprefix("#/$defs/"))] if isinstance(ref, str) else []
        waiting += node.get("allOf") or []
        waiting += [each for key in _CHOICES for each in node.get(key) or ()] if within else []


def is_map(way: Node) -> bool:
    """True for a node that describes members without a name."""
    rest = way.get("additionalProperties")
    return bool(way.get("patternProperties")) or (isinstance(rest, Mapping) and bool(rest))


def one_case(mine: Node, theirs: Node) -> bool:
    """True when one of two nodes names all that the other one does: the same kind of message, with more or less."""
    one, other = names_of(mine), names_of(theirs)
    return one <= other or other <= one


def without_objects(way: Node) -> Node | None:
    """What a plain node says of other values than objects, None where it takes objects alone."""
    others = [name for name in types_of(way) if name != "object"]
    return {**way, "type": others} if others else None


def objects_of(alternatives: Sequence[Node]) -> list[Node]:
    """The plain nodes, as far as they take objects."""
    return [{**way, "type": ["object"]} for way in alternatives if "object" in types_of(way)]
