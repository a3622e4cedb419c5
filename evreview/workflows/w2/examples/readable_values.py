"""Readable values of one contract's schemas: full where that stays short, invented throughout, always finite.

`schema` says what a schema admits and finds values where readability has none to offer; here is only the preference.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Json
from evreview.redaction.redactor import Redactor
from evreview.schema.evaluator import Evaluator, Violation
from evreview.schema.to_json_schema import Source
from evreview.schema.value_generator import ValueGenerator
from evreview.schema.views import Node, alternatives, types_of
from evreview.workflows.w2.examples.message_schemas import Annotations
from evreview.workflows.w2.examples.scalar_values import reported, scalar_values

FLAT: Final = -1
"""The richness at which optional members are texts, numbers and truth values only."""
MANY: Final = 200
"""Items or members that an example shows at most."""
MOST: Final = 4000
"""Values within a value that an example shows at most."""
_STEPS: Final = 20_000
_WAYS: Final = 12
_DEEP: Final = 40
_MEMBERS: Final = 60
_SCALARS: Final = frozenset({"null", "boolean", "integer", "number", "string"})
_RISKY: Final = frozenset(
    {"oneOf", "anyOf", "not", "if", "dependentSchemas", "dependentRequired", "propertyNames", "patternProperties"}
    | {"contains", "uniqueItems", "unevaluatedProperties", "unevaluatedItems", "maxProperties", "minProperties", "enum"}
)
_EMPTY: Final[tuple[Json, ...]] = ({}, [], [{}], [[]], None)
_Key = str | int | tuple[Any, ...]


class Readable:
    """Makes values of schemas that `source` has converted."""

    def __init__(self, source: Source, notes: Annotations, redactor: Redactor, dialect: SchemaDialect) -> None:
        self._source = source
        self._notes = notes
        self._redactor = redactor
        self._dialect = dialect
        self.evaluator = Evaluator(source.definition)
        self.builder = ValueGenerator(source.definition, self.evaluator)
        self._repair = Repair(self.evaluator, lambda schema, name: self.made(schema, name, 0))
        self._known: dict[tuple[_Key, int], tuple[Json] | None] = {}
        self._large: set[_Key] = set()
        self._risks: dict[str, bool] = {}
        self._open: list[_Key] = []
        self._weights: dict[int, tuple[Json, int]] = {}
        self._cut = False
        self._left = _STEPS
        self.too_large = False

    def made(self, schema: Json, name: str, rich: int) -> tuple[Json] | None:
        """A value as a 1-tuple, None when none was found.

        Args:
            schema: of the source.
            name: of the field that holds the value, "" for none.
            rich: how many levels of optional members are shown, `FLAT` for plain ones only.
        """
        key = _key(schema)
        if key is None:
            return self._made(schema, name, rich)
        if (key, rich) in self._known:
            self.too_large = self.too_large or key in self._large
            return self._known[key, rich]
        self._left -= 1
        if key in self._open or len(self._open) > _DEEP or self._left < 0:
            self._cut = True
            self.too_large = self.too_large or self._left < 0
            return None
        (before, self._cut), (large, self.too_large) = (self._cut, False), (self.too_large, False)
        self._open.append(key)
        found = self._named(schema, name, rich)
        self._open.pop()
        if found is not None and self.weight(found[0]) > MOST:
            found, self.too_large = None, True
        if self.too_large:
            self._large.add(key)
        # What was found while an outer schema was under way may look otherwise elsewhere; texts, and lists of them,
        # are chosen by their field's name.
        if not self._cut and (found is None or isinstance(found[0], dict)):
            self._known[key, rich] = found
        self._cut, self.too_large = self._cut or before, self.too_large or large
        return found

    def begin(self) -> None:
        """Starts the account of one whole value: how many schemas are looked at, and whether it gets too large."""
        self._left, self.too_large = _STEPS, False

    def weight(self, value: Json) -> int:
        """How many values there are in a value; parts that it shares are looked at once."""
        if not isinstance(value, (dict, list)):
            return 1
        known = self._weights.get(id(value))
        if known is None:
            members = value.values() if isinstance(value, dict) else value
            # The value is kept, so that no other one ever gets its identity.
            known = self._weights[id(value)] = (value, 1 + sum(map(self.weight, members)))
        return known[1]

    def _named(self, schema: Json, name: str, rich: int) -> tuple[Json] | None:
        if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
            return self._made(schema, name, rich)
        for heir in self._notes.heirs(schema, self._dialect):
            found = self.made(heir, name, rich)
            if found is not None and self.evaluator.admits(schema, found[0]) is not False:
                return found
        found = self._made(schema, name, rich)
        tag = self._notes.own_tag(schema)
        return found if found is None or tag is None else (self._tagged(schema, found[0], tag),)

    def _tagged(self, schema: Json, value: Json, tag: tuple[str, str]) -> Json:
        if not isinstance(value, dict) or value.get(tag[0]) == tag[1]:
            return value
        tagged = {**value, tag[0]: tag[1]}
        return tagged if self.evaluator.admits(schema, tagged) is True else value

    def _made(self, schema: Json, name: str, rich: int) -> tuple[Json] | None:
        risky = self._risky(schema)
        for value in self._tried(schema, name, rich):
            if not risky or self.evaluator.admits(schema, value) is True:
                return (value,)
            repaired = self._repair.repaired(schema, value)
            if repaired is not None:
                return repaired
        return self.builder.smallest(schema) if risky else None

    def _tried(self, schema: Json, name: str, rich: int) -> Iterator[Json]:
        """Values of each way to meet a schema, null last."""
        branches = self._branches(schema)
        for branch in branches:
            asked = schema if branch is None else {"allOf": [branch, schema]}
            tag = None if branch is None else self._notes.tag(schema, branch)
            for value in self._ways(asked, name, rich):
                yield value if tag is None or not isinstance(value, dict) else {**value, tag[0]: tag[1]}

    def _branches(self, schema: Json) -> list[Json | None]:
        """The branches of a union that has a discriminator, through references; [None] for anything else."""
        node: Any = schema
        for _ in range(_WAYS):
            if isinstance(node, dict) and isinstance(node.get("$ref"), str):
                node = self._source.definition(node["$ref"].removeprefix("#/$defs/"))
        for keyword in ("oneOf", "anyOf"):
            branches = node.get(keyword) if isinstance(node, dict) else None
            if isinstance(branches, list) and any(self._notes.tag(schema, branch) for branch in branches[:1]):
                return [*branches[:_WAYS], None]
        return [None]

    def _ways(self, schema: Json, name: str, rich: int) -> Iterator[Json]:
        empty: list[Node] = []
        for node in islice(alternatives(schema, self._source.definition), _WAYS):
            if node.get("type") == ["null"] or node.get("enum") == [None]:
                empty.append(node)
            else:
                yield from self._of(node, name, rich)
        if empty:
            yield None

    def _of(self, node: Node, name: str, rich: int) -> Iterator[Json]:
        if "enum" in node:
            later: list[Json] = []
            for one in node["enum"]:
                if one is None or reported(name, one, self._redactor):
                    later.append(one)
                else:
                    yield one
            yield from later
            return
        for kind in _types(node):
            match kind:
                case "null":
                    yield None
                case "boolean":
                    yield from (True, False)
                case "object":
                    yield from self._objects(node, rich)
                case "array":
                    yield from self._arrays(node, name, rich)
                case _:
                    yield from islice(self._plain(node, kind, name), 3)

    def _plain(self, node: Node, kind: str, name: str) -> Iterator[Json]:
        low = node.get("minLength", 0)
        if kind == "string" and isinstance(low, (int, float)) and low > 4096:
            self.too_large = True
            return
        found = scalar_values({**node, "type": [kind]}, name, self.evaluator.admits)
        yield from (value for value in found if not reported(name, value, self._redactor))

    def _objects(self, node: Node, rich: int) -> Iterator[Json]:
        full = self._object(node, rich)
        if full is None:
            return
        yield full
        required = set(node.get("required", ()))
        if rich and len(full) > len(required):
            least = self._object(node, 0)
            if least is not None:
                yield least

    def _object(self, node: Node, rich: int) -> dict[str, Json] | None:
        properties, required = node.get("properties", {}), set(node.get("required", ()))
        most = min(int(node.get("maxProperties", _MEMBERS)), _MEMBERS)
        few = int(node.get("minProperties", 0))
        if few > MANY or len(required) > MANY:
            self.too_large = True
            return None
        made: dict[str, Json] = {}
        owed = len(required)
        for name in [*properties, *sorted(required - properties.keys())]:
            if name not in required and (not rich or len(made) >= most or len(made) + owed >= most):
                continue
            found = self._member(node, name, rich, name in required)
            owed -= name in required
            if found is not None:
                made[name] = found[0]
            elif name in required:
                return None
        if len(made) < few or (rich > 0 and not properties and most):
            self._more(made, node, max(few, 1), rich)
        return made

    def _member(self, node: Node, name: str, rich: int, required: bool) -> tuple[Json] | None:
        schema = node.get("properties", {}).get(name, _rest(node))
        below = max(0, rich - 1)
        if required:
            return self.made(schema, name, below)
        if schema is False or self._notes.is_unsent(schema):
            return None
        if rich == FLAT and not self._is_flat(schema):
            return None
        found = self.made(schema, name, below)
        return None if found is None or any(found[0] == one for one in _EMPTY) else found

    def _is_flat(self, schema: Json) -> bool:
        node = next(alternatives(schema, self._source.definition), {"type": ["object"]})
        return _SCALARS.issuperset(types_of(node)) if "enum" not in node else True

    def _more(self, made: dict[str, Json], node: Node, few: int, rich: int) -> None:
        """Members until there are enough: optional ones, then those that names or patterns allow."""
        optional = [name for name in node.get("properties", {}) if name not in made]
        for name in [*optional, *self._free_names(node, few)]:
            if len(made) >= few:
                return
            schema = node.get("properties", {}).get(name, _rest(node))
            free = name in optional or (schema is not True and schema != {})
            found = self.made(schema, "", max(0, rich - 1)) if schema is not False else None
            if found is not None and (free or node.get("minProperties")):
                made[name] = found[0]

    def _free_names(self, node: Node, few: int) -> list[str]:
        asked = node.get("propertyNames")
        patterns = [{"pattern": pattern, "type": "string"} for pattern in node.get("patternProperties", {})]
        found: list[str] = []
        for schema in [asked, *patterns] if isinstance(asked, dict) else patterns:
            node_of = next(alternatives({"type": "string", **schema}, self._source.definition), {"type": ["string"]})
            values = node_of["enum"] if "enum" in node_of else scalar_values(node_of, "key", self.evaluator.admits)
            found += [str(value) for value in islice(values, few)]
        return [*found, "key", *(f"key{at}" for at in range(2, few + 2))]

    def _arrays(self, node: Node, name: str, rich: int) -> Iterator[Json]:
        few, most = int(node.get("minItems", 0)), int(node.get("maxItems", MANY))
        if few > MANY:
            self.too_large = True
            return
        single = name[:-1] if len(name) > 3 and name.endswith("s") and not name.endswith("ss") else name
        head = [self.made(schema, single, max(0, rich - 1)) for schema in node.get("prefixItems", ())[:most]]
        if None in head:
            return
        items = [one[0] for one in head if one is not None]
        if "contains" in node:
            held = list(self._distinct({"allOf": [node["contains"], node.get("items", True)]}, single, rich))
            times = int(node.get("minContains", 1))
            items += held[:times] if node.get("uniqueItems") is True else held[:1] * min(times, MANY)
        yield from self._filled(node, items, max(few, min(most, len(items) or 1)), single, rich)
        if few <= len(items):
            yield items
        if not few and not items:
            yield []

    def _filled(self, node: Node, head: list[Json], size: int, name: str, rich: int) -> Iterator[list[Json]]:
        schema, missing = node.get("items", True), size - len(head)
        if missing <= 0 or schema is False:
            if missing <= 0:
                yield head
            return
        if node.get("uniqueItems") is True:
            found = [value for value in self._distinct(schema, name, rich, size + 1) if value not in head][:missing]
        else:
            one = self.made(schema, name, max(0, rich - 1))
            found = [one[0]] * missing if one is not None else []
        if len(found) == missing:
            yield [*head, *found]

    def _distinct(self, schema: Json, name: str, rich: int, most: int = MANY) -> Iterator[Json]:
        first = self.made(schema, name, max(0, rich - 1))
        seen: list[Json] = []
        own = [first[0]] if first is not None else []
        for value in (*own, *islice(self._others(schema, name, most), most * 3)):
            if value not in seen and len(seen) < most:
                seen.append(value)
                yield value

    def _others(self, schema: Json, name: str, most: int) -> Iterator[Json]:
        for node in islice(alternatives(schema, self._source.definition), 3):
            if "enum" in node:
                yield from node["enum"]
            for kind in _types(node):
                if kind in ("string", "integer", "number") and "enum" not in node:
                    yield from islice(self._plain(node, kind, name), most)
        yield from (value for (value,) in islice(self.builder.values(schema), most * 2))

    def _risky(self, schema: Json) -> bool:
        """True when a value made of the parts may still not fit the whole."""
        if not isinstance(schema, dict):
            return False
        ref = schema.get("$ref")
        if isinstance(ref, str) and len(schema) == 1:
            if ref not in self._risks:
                self._risks[ref] = True
                self._risks[ref] = self._risky(self._source.definition(ref.removeprefix("#/$defs/")))
            return self._risks[ref]
        if not _RISKY.isdisjoint(schema) or isinstance(ref, str):
            return True
        return any(self._risky(part) for part in schema.get("allOf", ()) if isinstance(part, dict))


def _types(node: Node) -> list[str]:
    """The types to try: those that the keywords are about, text where nothing is said; null last."""
    found = types_of(node)
    if "type" not in node and found[0] == "null":
        found = ["string", *found]
    return list(dict.fromkeys(sorted(found, key=lambda kind: (kind == "null", kind == "boolean"))))


def _rest(node: dict[str, Any]) -> Json:
    """What is said of a member that has no schema of its own."""
    patterns = node.get("patternProperties", {})
    free: Json = node.get("additionalProperties", node.get("unevaluatedProperties", True))
    first: Json = next(iter(patterns.values()), free)
    return first if isinstance(free, bool) else free


def _key(schema: Json) -> _Key | None:
    """What tells a schema of the source from another, merged ones by their parts; None where it says nothing."""
    if not isinstance(schema, dict) or not schema:
        return None
    if len(schema) == 1:
        ref, parts = schema.get("$ref"), schema.get("allOf")
        if isinstance(ref, str):
            return ref
        if isinstance(parts, list):
            return tuple(_key(part) for part in parts)
    # The source keeps its schemas, so no other one ever gets this identity.
    return id(schema)


# A value that a schema refuses, mended where it says why: owed members added, refused ones taken out or made anew.


Make = Callable[[Json, str], "tuple[Json] | None"]
_ROUNDS: Final = 8
_TAKEN_OUT: Final = frozenset({"schema", "additionalProperties", "unevaluatedProperties", "not", "maxProperties"})
_ABOVE: Final = 6


class Repair:
    """Mends values by what `evaluator` finds in them; `make` gives a value of a schema for a field of a name."""

    def __init__(self, evaluator: Evaluator, make: Make) -> None:
        self._evaluator = evaluator
        self._make = make

    def repaired(self, schema: Json, value: Json) -> tuple[Json] | None:
        """The value as a 1-tuple once the schema admits it, None when mending does not get there."""
        made = copy.deepcopy(value)
        for _ in range(_ROUNDS):
            found = self._evaluator.violations(schema, made)
            if not found:
                return None if found is None else (made,)
            if not any(self._mended(made, violation) for violation in _plain(found)):
                return None
        return None

    def _mended(self, value: Json, violation: Violation) -> bool:
        """True when something was changed in place."""
        node = violation.trace.node
        if violation.keyword in ("required", "dependentRequired"):
            owner = _at(value, violation.at)
            return isinstance(owner, dict) and self._added(owner, violation)
        if violation.keyword in ("additionalProperties", "unevaluatedProperties") and violation.name:
            owner = _at(value, violation.at)
            return isinstance(owner, dict) and owner.pop(violation.name, None) is not None
        if not violation.at:
            return violation.keyword in _TAKEN_OUT and self._emptied(value)
        owner, step = _at(value, violation.at[:-1]), violation.at[-1]
        if not isinstance(owner, (dict, list)):
            return False
        if violation.keyword in _TAKEN_OUT and isinstance(owner, dict):
            owner.pop(str(step), None)
            return True
        found = self._make(node, str(step))
        if found is None:
            return False
        owner[step] = found[0]  # type: ignore[index]
        return True

    def _emptied(self, value: Json) -> bool:
        """One optional member less; the next round says whether it was owed."""
        if not isinstance(value, dict) or not value:
            return False
        value.pop(next(reversed(value)))
        return True

    def _added(self, owner: dict[str, Json], violation: Violation) -> bool:
        for schema in _said_of(violation):
            found = self._make(schema, violation.name)
            if found is not None:
                owner[violation.name] = found[0]
                return True
        return False


def _plain(found: tuple[Violation, ...]) -> Iterator[Violation]:
    """The violations, those of the branch that comes closest instead of a union's own."""
    for violation in found:
        branches = [branch for branch in violation.branches if branch]
        yield from _plain(min(branches, key=len)) if branches else (violation,)


def _said_of(violation: Violation) -> Iterator[Json]:
    """What the nodes from the demand outwards say of the member that is missing."""
    trace: Any = violation.trace
    for _ in range(_ABOVE):
        if trace is None or trace.at != violation.at:
            break
        node = trace.node if isinstance(trace.node, dict) else {}
        for part in (node, *(each for each in node.get("allOf", ()) if isinstance(each, dict))):
            properties = part.get("properties")
            if isinstance(properties, dict) and violation.name in properties:
                yield properties[violation.name]
        trace = trace.above
    yield True


def _at(value: Any, steps: tuple[str | int, ...]) -> Any:
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
