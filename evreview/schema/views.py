"""`Views`: the views of one contract's schemas, with references followed and `allOf` merged where nothing is lost.

And one schema as plain nodes without references, `allOf` or unions: `alternatives`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

import orjson

from evreview.contract.model import Place, SchemaDialect, UnsupportedConstruct
from evreview.contract.references import Resolver
from evreview.core.json_text import same
from evreview.core.vocabulary import Json
from evreview.schema.branch_labels import branch_labels
from evreview.schema.discriminators import Hierarchy, are_disjoint
from evreview.schema.reader import (
    REF_ALONE,
    extends_null,
    is_annotation,
    json_type,
    listed_values,
    malformed,
    only_null,
    read_node,
    tighter,
    written_type,
)
from evreview.schema.view import EVERYTHING, Additional, Edge, Key, Part, SchemaView, Sub, named_edges, single_edges

# The view that admits what two views admit, when one view can say it.


_MARKED: Final = frozenset({"readOnly", "writeOnly", "deprecated", "uniqueItems"})
_FIRST_WINS: Final = frozenset({"default", "xml", "x-extensible-enum"})
_HIGHEST: Final = frozenset({"minLength", "minItems", "minProperties", "minContains"})
_LOWEST: Final = frozenset({"maxLength", "maxItems", "maxProperties", "maxContains"})


def merge(left: SchemaView, right: SchemaView) -> SchemaView | None:
    """The view that admits exactly what both admit; None when one view can't say it."""
    slots = _slots(left, right)
    types = _types_of_both(left.types, right.types)
    enum = _enum_of_both(left, right)
    keywords = _keywords_of_both(left.keywords, right.keywords)
    if slots is None or keywords is None or not (_closes_nothing(left, right) and _closes_nothing(right, left)):
        return None
    null = left.null and right.null
    return SchemaView(
        never=left.never or right.never or (types == frozenset() and not null),
        types=types,
        null=null,
        enum=enum,
        minimum=tighter(left.minimum, right.minimum, lower=True),
        maximum=tighter(left.maximum, right.maximum, lower=False),
        keywords=keywords,
        properties=_both(left.properties, right.properties),
        required=left.required | right.required,
        patterns=_both(left.patterns, right.patterns),
        dependent_required={
            name: left.dependent_required.get(name, frozenset()) | right.dependent_required.get(name, frozenset())
            for name in {**left.dependent_required, **right.dependent_required}
        },
        dependent_schemas=_both(left.dependent_schemas, right.dependent_schemas),
        all_of=_once(left.all_of, right.all_of),
        members=_once(left.members, right.members),
        annotations={**right.annotations, **left.annotations},
        **slots,
    )


_SLOTS: Final[tuple[tuple[str, object], ...]] = (
    ("additional", True), ("property_names", None), ("items", True), ("prefix", ()), ("contains", None),
    ("unevaluated_properties", True), ("unevaluated_items", True), ("any_of", ()), ("one_of", ()), ("negated", None),
    ("conditional", {}), ("discriminator", None),
)  # fmt: skip


def _slots(left: SchemaView, right: SchemaView) -> dict[str, Any] | None:
    """What only one of both may say: the one that says it, None when both do and differ."""
    found: dict[str, Any] = {}
    for name, non_wire in _SLOTS:
        mine, other = getattr(left, name), getattr(right, name)
        if name == "items" and isinstance(mine, Sub) and isinstance(other, Sub) and left.prefix == right.prefix:
            found[name] = _joined(mine, other)
            continue
        if mine != non_wire and other != non_wire and mine != other and name != "discriminator":
            return None
        found[name] = other if mine == non_wire else mine
    return found


def _closes_nothing(closing: SchemaView, other: SchemaView) -> bool:
    """True when `closing` does not judge members that only `other` names."""
    judges = closing.additional is not True or closing.unevaluated_properties is not True
    if not judges and closing.items is True:
        return True
    if judges and (other.patterns or not closing.properties.keys() >= other.properties.keys()):
        return False
    return closing.items is True or not other.prefix


def _types_of_both(left: frozenset[str] | None, right: frozenset[str] | None) -> frozenset[str] | None:
    if left is None or right is None:
        return left if right is None else right
    both = left & right
    if ("integer" in left and "number" in right) or ("number" in left and "integer" in right):
        both |= {"integer"}
    return both


def _enum_of_both(left: SchemaView, right: SchemaView) -> tuple[Json, ...] | None:
    if left.enum is None or right.enum is None:
        return left.enum if right.enum is None else right.enum
    kept = {repr(value) for value in right.enum}
    return tuple(value for value in left.enum if repr(value) in kept)


def _keywords_of_both(left: Mapping[str, Json], right: Mapping[str, Json]) -> dict[str, Json] | None:
    both = {**right, **left}
    for name in left.keys() & right.keys():
        mine, other = left[name], right[name]
        if mine == other or name in _FIRST_WINS or name in _MARKED:
            continue
        if not isinstance(mine, (int, float)) or not isinstance(other, (int, float)):
            return None
        if name in _HIGHEST:
            both[name] = max(mine, other)
        elif name in _LOWEST:
            both[name] = min(mine, other)
        else:
            return None
    return both


def _both(left: Mapping[str, Sub], right: Mapping[str, Sub]) -> dict[str, Sub]:
    found = dict(left)
    for name, sub in right.items():
        mine = found.get(name)
        if mine is None:
            found[name] = sub
        else:
            found[name] = _joined(mine, sub)
    return found


def _joined(left: Sub, right: Sub) -> Sub:
    """The position where both have to hold."""
    known = set(left.key)
    more = tuple(part for part in right.parts if id(part.node) not in known)
    return Sub((*left.parts, *more)) if more else left


def _once(left: tuple[Sub, ...], right: tuple[Sub, ...]) -> tuple[Sub, ...]:
    """Both, each position once: a fan of references to one schema stays linear."""
    return tuple({sub.key: sub for sub in (*left, *right)}.values())


_MAX_MERGE_DEPTH: Final = 60
_NOWHERE: Final = Place("", "")
_LATE: Final = ("$dynamicRef", "$recursiveRef")
_COMPARE: Final = "compare what it may lead to by hand, or write it as a $ref"
_ONLY_NULL: Final = SchemaView(types=frozenset())


class Views:
    """Reads schemas of one contract in one dialect, and remembers what it read by identity of the nodes."""

    def __init__(self, resolver: Resolver, dialect: SchemaDialect) -> None:
        self._resolver = resolver
        self.dialect = dialect
        self.hierarchy = Hierarchy(resolver)
        self._views: dict[Key, SchemaView] = {}
        self._subs: dict[Key, Sub] = {}
        self._rewritten: dict[int, tuple[Json, Json]] = {}
        self._open: set[Key] = set()
        self._ends: dict[int, tuple[Json, Part | None]] = {}
        self.unread: dict[Place, UnsupportedConstruct] = {}

    def resolve(self, sub: Sub) -> Sub:
        """The position behind plain references; a dangling or circular reference stays as it is."""
        if len(sub.parts) == 1:
            start = sub.parts[0]
            if not isinstance(start.node, dict) or "$ref" not in start.node:
                return sub
            part = self._follow(start)
            return sub if part is start else Sub((part,))
        return Sub(tuple(self._follow(part) for part in sub.parts), sub.owner)

    def of(self, sub: Sub) -> SchemaView:
        """The view of a position, references followed."""
        return self.view(self.resolve(sub))

    def _follow(self, start: Part) -> Part:
        """The end of a chain of references; remembered for all its links, so that long chains stay cheap."""
        passed: dict[int, Json] = {}
        part: Part | None = start
        while part is not None:
            node = part.node
            ref = node.get("$ref") if isinstance(node, dict) else None
            if not isinstance(node, dict) or not isinstance(ref, str):
                break
            if id(node) in self._ends:
                part = self._ends[id(node)][1]
                break
            found = None if id(node) in passed else self._resolver.target(part.place, ref)
            passed[id(node)] = node
            if found is None:
                part = None
            elif self.dialect not in REF_ALONE and any(not is_annotation(name) for name in node if name != "$ref"):
                part = self._with_siblings(part)
                break
            else:
                part = Part(found[1], found[0])
        for key, node in passed.items():
            self._ends[key] = (node, part)
        return self._alone(start) if part is None else part

    def _alone(self, part: Part) -> Part:
        """A reference that leads nowhere, without what stands beside it where the version ignores that."""
        node = part.node
        if self.dialect not in REF_ALONE or not isinstance(node, dict) or "$ref" not in node:
            return part
        return Part(self._rewritten.setdefault(id(node), (node, {"$ref": node["$ref"]}))[1], part.place)

    def _with_siblings(self, part: Part) -> Part:
        """A reference with siblings, written as `allOf`; made once per node, so that identity holds."""
        node = part.node
        if id(node) not in self._rewritten and isinstance(node, dict):
            rest = {name: value for name, value in node.items() if name != "$ref"}
            listed = rest.get("allOf")
            others = list(listed) if isinstance(listed, list) else []
            self._rewritten[id(node)] = (node, {**rest, "allOf": [*others, {"$ref": node["$ref"]}]})
        return Part(self._rewritten[id(node)][1], part.place)

    def view(self, sub: Sub) -> SchemaView:
        """The view of a position that `resolve` returned."""
        found = self._views.get(sub.key)
        if found is None:
            self._open.add(sub.key)
            found = self._read(sub)
            self._open.discard(sub.key)
            self._views[sub.key] = found
            self._subs[sub.key] = sub  # keeps rewritten nodes alive, so that ids are never reused
        return found

    def edges(self, sub: Sub) -> list[Edge]:
        """Every member one step below a resolved position; shared schemas that were merged in have an empty step."""
        view = self.view(sub)
        found = [*named_edges(view), *single_edges(view)]
        for keyword, branches in (("allOf", view.all_of), ("anyOf", view.any_of), ("oneOf", view.one_of)):
            labels = self.labels(view, branches) if branches else ()
            found += [
                Edge(f"{keyword}({label})", False, branch) for label, branch in zip(labels, branches, strict=True)
            ]
        found += [Edge("", False, member) for member in view.members]
        return found

    def labels(self, view: SchemaView, branches: Sequence[Sub]) -> list[str]:
        """A name for each branch from what travels on the wire, never from component names or positions."""
        targets = [self.resolve(branch) for branch in branches]
        return branch_labels(view, [(target, self._shallow(target)) for target in targets])

    def selecting(self, sub: Sub) -> Sub | None:
        """The schema whose subtypes a resolved position may hold: the discriminated one, or one that extends it.

        A schema that names no member beyond the one it is made from stands for that one.
        """
        view = self.view(sub)
        base = view.discriminator.written if view.discriminator is not None else None
        if base is None:
            return None
        for part in sub.parts:
            if part.place == base:
                return Sub((part,))
        around = view.members if len(sub.parts) == 1 else tuple(Sub((part,)) for part in sub.parts)
        for member in map(self.resolve, around):
            found = self.selecting(member)
            if found is not None:
                more = view.properties.keys() > self.view(member).properties.keys()
                extends = (sub.place.file, sub.place.pointer) in self.hierarchy.below(base)
                return sub if more and extends and len(sub.parts) == 1 else found
        return None

    def selected(self, home: Sub) -> Mapping[str, Sub]:
        """The values that select a subtype of what `selecting` returned, each with a reference to it."""
        told = self.view(home).discriminator
        found = self.hierarchy.selected(told) if told is not None else {}
        if told is None or told.written is None or home.place == told.written:
            return found
        by_place = self.hierarchy.by_place(told)
        chosen = {value for where in self.hierarchy.below(home.place) for value in by_place.get(where, ())}
        return {value: found[value] for value in sorted(chosen)}

    def _shallow(self, target: Sub) -> SchemaView:
        """The view of a branch, without what it inherits when it is being read right now."""
        return EVERYTHING if target.key in self._open else self.view(target)

    def _read(self, sub: Sub) -> SchemaView:
        if len(sub.parts) > 1:
            pieces = tuple(Sub((part,)) for part in sub.parts)
            return self._with_members(EVERYTHING, pieces)
        base = read_node(sub.parts[0], self.dialect)
        self._note(sub.parts[0])
        if len(self._open) > _MAX_MERGE_DEPTH:
            return base  # composed as written: what is not merged is compared branch by branch
        if base.unevaluated_properties is not True and self._leaves(sub.parts[0], _describes_members):
            base = replace(base, unevaluated_properties=True)
        if base.unevaluated_items is not True and self._leaves(sub.parts[0], _describes_items):
            base = replace(base, unevaluated_items=True)
        view = self._with_branches(self._whole(base) if base.all_of else base, base)
        if base.types is None and extends_null(sub.parts[0].node, self.dialect):
            view = replace(view, null=True)
        return view

    def _whole(self, base: SchemaView) -> SchemaView:
        """A node with its members of `allOf` merged; what it says of unevaluated members sees theirs, too."""
        open_ = replace(base, all_of=(), unevaluated_properties=True)
        view = self._with_members(open_, base.all_of)
        if base.unevaluated_properties is True:
            return view
        if view.unevaluated_properties is True:
            return replace(view, unevaluated_properties=base.unevaluated_properties)
        return self._with_members(replace(base, all_of=()), base.all_of)

    def _leaves(self, part: Part, nothing: Callable[[Mapping[str, Json]], bool]) -> bool:
        """True when a node or a member of its `allOf` leaves `nothing` unevaluated."""
        waiting, seen = [part], set()
        while waiting:
            node, place = waiting.pop()
            if not isinstance(node, dict) or id(node) in seen:
                continue
            if nothing(node):
                return True
            seen.add(id(node))
            waiting += [self.resolve(member).parts[0] for member in read_node(Part(node, place), self.dialect).all_of]
        return False

    def written(self, sub: Sub) -> SchemaView:
        """The view of a resolved position with its members of `allOf` as they are written, none of them merged."""
        if len(sub.parts) > 1:
            return replace(EVERYTHING, all_of=tuple(Sub((part,)) for part in sub.parts))
        base = read_node(sub.parts[0], self.dialect)
        return self._with_branches(base, base)

    def _note(self, part: Part) -> None:
        """Keeps what could not be read of a node, for the ledger."""
        if isinstance(part.node, dict):
            for bad in malformed(part.node, self.dialect):
                place = part.place.child(*bad.steps)
                self.unread.setdefault(place, UnsupportedConstruct(place, bad.found, bad.advice))
            for keyword in _LATE:
                if keyword in part.node:
                    place = part.place.child(keyword)
                    self.unread.setdefault(place, UnsupportedConstruct(place, f"{keyword} is not followed", _COMPARE))

    def _with_members(self, base: SchemaView, members: Sequence[Sub]) -> SchemaView:
        if len(members) > 1:
            members = [members[at] for at in _first_of_each([self.resolve(member) for member in members])]
        view, residual = self._merged_all(base, members)
        if residual and len(members) > 1:
            # Which ones can be merged hangs on what was merged before: the order may not be the author's.
            view, residual = self._merged_all(base, sorted(members, key=self._shape))
        return replace(view, all_of=(*view.all_of, *residual)) if residual else view

    def _merged_all(self, base: SchemaView, members: Sequence[Sub]) -> tuple[SchemaView, list[Sub]]:
        residual: list[Sub] = []
        view = base
        for member in members:
            merged = self._merged(view, member)
            if merged is None:
                residual.append(member)
            else:
                view = merged
        return view, residual

    def _shape(self, member: Sub) -> str:
        """A text by which members sort, whatever their order, prose and component names."""
        view = self._shallow(self.resolve(member))
        named = sorted(view.properties), sorted(view.types or ()), sorted(view.required), sorted(view.patterns)
        return repr((*named, view.closed, view.additional is True, sorted(map(repr, view.keywords.items()))))

    def _merged(self, view: SchemaView, member: Sub) -> SchemaView | None:
        target = self.resolve(member)
        if target.key in self._open:
            return None
        other = self.view(target)
        shared = target.key != member.key and len(target.parts) == 1 and not _is_rewritten(self._rewritten, target)
        if shared:
            other = _owned(other, target)
        return merge(view, other)

    def _with_branches(self, view: SchemaView, base: SchemaView) -> SchemaView:
        """The view with the node's own choices simplified; those of members of its `allOf` are, their null included."""
        for keyword in ("any_of", "one_of"):
            branches: tuple[Sub, ...] = getattr(view, keyword)
            if branches and branches == getattr(base, keyword):
                view = self._simplified(view, keyword, branches)
        return view

    def _simplified(self, view: SchemaView, keyword: str, branches: tuple[Sub, ...]) -> SchemaView:
        targets = [self.resolve(branch) for branch in branches]
        if keyword == "one_of" and self._share_null(targets):
            return view
        if keyword == "any_of":
            chosen = _first_of_each(targets)
            branches, targets = tuple(branches[at] for at in chosen), [targets[at] for at in chosen]
        real = [at for at, target in enumerate(targets) if not _is_null(target)]
        null = len(real) < len(branches)
        if not real:
            alone = merge(_branches_set(view, keyword, ()), _ONLY_NULL)
            return view if alone is None else alone
        nodes = [targets[at].parts[0].node for at in real]
        bare = _branches_set(view, keyword, ())
        if all(_is_plain(node) for node in nodes) and (len(targets) > 1 or keyword == "one_of"):
            listed = _united(nodes) if keyword == "any_of" or self._apart(nodes) else None
            united = merge(bare, replace(listed, null=listed.null or null)) if listed is not None else None
            if united is not None:
                return united
        if len(real) == 1:
            member = self._merged(replace(bare, null=True) if null else bare, branches[real[0]])
            if member is not None:
                return replace(member, null=view.null) if null else member
        kept = tuple(branches[at] for at in real)
        admits = (null and view.null) if view.types is None else view.null
        return replace(_branches_set(view, keyword, kept), null=admits)

    def _share_null(self, targets: Sequence[Sub]) -> bool:
        """True when null meets two branches that name it, so that "exactly one of them" refuses it."""
        nulls = sum(_is_null(target) for target in targets)
        others = [self._shallow(target) for target in targets if not _is_null(target)]
        return nulls > 1 or (nulls == 1 and any(view.null and view.typed for view in others))

    def _apart(self, nodes: Sequence[Json]) -> bool:
        """True when branches that name types or list values have no value in common."""
        views = [read_node(Part(node, _NOWHERE), self.dialect) for node in nodes]
        return are_disjoint(views, self.view)


def _describes_members(node: Mapping[str, Json]) -> bool:
    """True when additional members are described, if only as open: then none of them is unevaluated."""
    return "additionalProperties" in node


def _describes_items(node: Mapping[str, Json]) -> bool:
    """The same of all items; a list is about the first ones, and only together with `additionalItems` about all."""
    items = node.get("items", ())
    return isinstance(items, (bool, dict)) or (isinstance(items, list) and "additionalItems" in node)


def _first_of_each(targets: Sequence[Sub]) -> list[int]:
    """The positions of the branches that repeat none before them: any of a set is the same when one stands twice."""
    keys: dict[object, int] = {}
    for at, target in enumerate(targets):
        place, node = target.place, target.parts[0].node
        try:
            key: object = (place.file, orjson.dumps(node, option=orjson.OPT_SORT_KEYS))
        except (TypeError, RecursionError, orjson.JSONEncodeError):
            key = target.key
        keys.setdefault(key if len(target.parts) == 1 else target.key, at)
    return list(keys.values())


def _branches_set(view: SchemaView, keyword: str, branches: tuple[Sub, ...]) -> SchemaView:
    return replace(view, any_of=branches) if keyword == "any_of" else replace(view, one_of=branches)


def _is_rewritten(rewritten: Mapping[int, tuple[Json, Json]], target: Sub) -> bool:
    return any(made is target.parts[0].node for _, made in rewritten.values()) if rewritten else False


def _is_null(target: Sub) -> bool:
    return len(target.parts) == 1 and only_null(target.parts[0].node)


def _is_plain(node: Json) -> bool:
    """True for a node that only names types or only lists values."""
    if not isinstance(node, (dict, Mapping)):
        return False
    return all(name in ("type", "enum", "const") or is_annotation(name) for name in node) and any(
        name in node for name in ("type", "enum", "const")
    )


def _united(nodes: Sequence[Json]) -> SchemaView | None:
    """The union of branches that only list values, or of branches that only name types; None for a mixture."""
    maps = [node for node in nodes if isinstance(node, (dict, Mapping))]
    listing = [("const" in node or "enum" in node) for node in maps]
    if not maps or (any(listing) and not all(listing)):
        return None
    types: set[str] = set()
    values: list[Json] = []
    for node in maps:
        written = written_type(node)
        listed = [written] if isinstance(written, str) else written if isinstance(written, list) else []
        types |= {name for name in listed if isinstance(name, str)}
        if all(listing):
            values += listed_values(node) or []
    null = "null" in types or any(value is None for value in values)
    kinds = (
        frozenset(types - {"null"}) if types else frozenset(json_type(value) for value in values if value is not None)
    )
    enum = tuple({repr(value): value for value in values if value is not None}.values()) if all(listing) else None
    return SchemaView(types=kinds - {"integer"} if "number" in kinds else kinds, null=null, enum=enum)


def _owned(view: SchemaView, owner: Sub) -> SchemaView:
    """The view of a shared schema, each member marked with the schema it came from."""

    def own(sub: Sub) -> Sub:
        return sub if sub.owner is not None else Sub(sub.parts, owner.key)

    def maybe(sub: Additional) -> Additional:
        return own(sub) if isinstance(sub, Sub) else sub

    return replace(
        view,
        properties={name: own(sub) for name, sub in view.properties.items()},
        patterns={name: own(sub) for name, sub in view.patterns.items()},
        additional=maybe(view.additional),
        items=maybe(view.items),
        members=(Sub(owner.parts),),
    )


# One schema as plain nodes without references, `allOf` or unions: one node for each way to meet it.


TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
_WAYS: Final = 24
_TRIED: Final = 400
_DEEP: Final = 30
_LOWER_BOUNDS: Final = frozenset(
    {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"}
)
_UPPER_BOUNDS: Final = frozenset(
    {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"}
)
_NESTED: Final = frozenset({"items", "additionalProperties", "propertyNames", "contains", "unevaluatedProperties"})
_BY_NAME: Final = frozenset({"properties", "patternProperties"})
_TAKEN_APART: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "$defs"})
Node = dict[str, Any]
Definition = Callable[[str], Json | None]


def alternatives(schema: Json, definition: Definition, *, unions: bool = True) -> Iterator[Node]:
    """The plain nodes of a schema in reading order; a `type` in them is a list, `const` an `enum`.

    `not`, conditions and dependent schemas are left in: whoever makes values of a node asks the schema in the end.

    Args:
        schema: its references are `#/$defs/<name>`.
        definition: the schema behind a name.
        unions: False leaves `anyOf` and `oneOf` aside.
    """
    yield from islice(_Flattening(definition, unions).of(schema, 0, frozenset()), _WAYS)


def ways_to(schema: Json, definition: Definition, most: int) -> list[Node] | None:
    """The plain nodes of a schema, which admit all that it admits; None for more than `most`, or where one is lost."""
    flattening = _Flattening(definition, unions=True)
    found = list(islice(flattening.of(schema, 0, frozenset()), most + 1))
    return None if len(found) > most or flattening.cut else found


class _Flattening:
    def __init__(self, definition: Definition, unions: bool) -> None:
        self._definition = definition
        self._unions = unions
        self._left = _TRIED
        self.cut = False
        """Whether a way was left out."""

    def of(self, schema: Any, depth: int, passed: frozenset[str]) -> Iterator[Node]:
        if not isinstance(schema, Mapping):
            if schema is not False:
                yield {}
            return
        self._left -= 1
        ref = schema.get("$ref")
        if self._left < 0 or depth > _DEEP or ref in passed:
            self.cut = True
            return
        own = _plain(schema)
        if own is None:
            return
        parts: list[list[Json]] = [[part] for part in schema.get("allOf", ())]
        if isinstance(ref, str):
            passed = passed | {ref}
            target = self._definition(ref.removeprefix("#/$defs/"))
            parts.append([True if target is None else target])
        if self._unions:
            parts += [list(schema[name]) for name in ("anyOf", "oneOf") if schema.get(name)]
        yield from self._with(own, parts, depth, passed)

    def _with(self, node: Node, parts: list[list[Json]], depth: int, passed: frozenset[str]) -> Iterator[Node]:
        if not parts:
            yield node
            return
        for branch in parts[0]:
            for flat in self.of(branch, depth + 1, passed):
                both = merged(node, flat)
                if both is not None:
                    yield from self._with(both, parts[1:], depth, passed)


def _plain(schema: Mapping[str, Any]) -> Node | None:
    node = {key: value for key, value in schema.items() if key not in _TAKEN_APART}
    if "type" in node:
        node["type"] = listed(node["type"])
    if "const" in node:
        only = [node.pop("const")]
        node["enum"] = [one for one in only if "enum" not in node or any(same(one, other) for other in node["enum"])]
    return node if node.get("enum", True) != [] else None


def merged(one: Node, other: Node) -> Node | None:
    """Both plain nodes as one; None when no value can meet both."""
    made = dict(one)
    for key, value in other.items():
        if key not in made:
            made[key] = value
            continue
        mine = made[key]
        if key == "type":
            made[key] = [name for name in TYPES if _has(mine, name) and _has(value, name)]
        elif key == "enum":
            made[key] = [item for item in mine if any(same(item, there) for there in value)]
        elif key == "required":
            made[key] = sorted({*mine, *value})
        elif key in _BY_NAME:
            both = {name: together(mine[name], value[name]) for name in mine.keys() & value.keys()}
            made[key] = {**mine, **value, **both}
        elif key in _NESTED and mine != value:
            made[key] = together(mine, value)
        elif key in _LOWER_BOUNDS:
            made[key] = max(mine, value)
        elif key in _UPPER_BOUNDS:
            made[key] = min(mine, value)
        elif key == "prefixItems" and len(value) > len(mine):
            made[key] = value
    return None if made.get("type", True) == [] or made.get("enum", True) == [] else made


def together(*schemas: Json) -> Json:
    """One schema for all of them at once, each node said once: what leads to itself would grow with every round."""
    parts = list({id(part): part for schema in schemas for part in conjuncts(schema)}.values())
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def conjuncts(schema: Json) -> list[Json]:
    """The schemas that hold together, where a schema says nothing but that; else the schema alone."""
    if isinstance(schema, dict) and len(schema) == 1 and isinstance(parts := schema.get("allOf"), list):
        return [part for branch in parts for part in conjuncts(branch)]
    return [schema]


def _has(names: list[Any], name: str) -> bool:
    return name in names or (name == "integer" and "number" in names)


def listed(value: Any) -> list[Any]:
    """A list as it is, anything else as the only member of one."""
    return value if isinstance(value, list) else [value]


def types_of(node: Node) -> list[str]:
    """The types that a plain node admits, in a fixed order; those that its keywords are about first."""
    said = node.get("type")
    if said is not None:
        return [name for name in TYPES if name in said]
    about = [name for name, keys in _ABOUT.items() if keys & node.keys()]
    return [*about, *(name for name in TYPES if name not in about)]


_ABOUT: Final[Mapping[str, frozenset[str]]] = {
    "object": frozenset({"properties", "required", "additionalProperties", "patternProperties", "minProperties"}),
    "array": frozenset({"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"}),
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "integer": frozenset({"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}),
}
