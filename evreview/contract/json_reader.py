"""What every reader of JSON documents shares: where references lead, and what could not be read."""

from __future__ import annotations

from evreview.contract.model import Place, SchemaDialect, Unread, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json

Node = dict[str, Json]


class Reading:
    """One reading of one contract. Collects the unread rows."""

    def __init__(self, dialect: SchemaDialect, resolver: Resolver, root: Node, entry: str) -> None:
        self.dialect = dialect
        self.resolver = resolver
        self.root = root
        self.place = Place(entry, "")
        self._unread: dict[tuple[Place, str], Unread] = {}

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What could not be understood so far, in reading order."""
        return tuple(self._unread.values())

    def skip(self, place: Place, found: str, advice: str = "") -> None:
        """Records that the thing at `place` was not read."""
        self._unread.setdefault((place, found), Unread(place, found, advice))

    def resolve(self, node: Json, place: Place, what: str) -> tuple[Node, Place] | None:
        """The mapping that `node` is or refers to and where that is written; None, recorded, when there is none."""
        if isinstance(node, dict) and not isinstance(node.get("$ref"), str):
            return node, place
        found = self.resolver.follow(place, node)
        if found is None:
            self.skip(place, f"{what}: its $ref leads nowhere", "correct the reference, or supply the missing part")
            return None
        place, target = found
        if not isinstance(target, dict):
            self.skip(place, f"{what}: not an object", "write it as an object")
            return None
        return target, place

    def member(self, item: Json, owner: Place, key: str | int, what: str) -> tuple[Node, Place] | None:
        """`resolve` for a member of something at `owner`; the member's own place is made only when it is needed."""
        if isinstance(item, dict) and isinstance(item.get("$ref"), str):
            found = self.resolver.follow(owner, item)
            if found is not None and isinstance(found[1], dict):
                return found[1], found[0]
        return self.resolve(item, owner.child(key), what)

    def mapping(self, node: Node, key: str, place: Place) -> Node:
        """The mapping below `key`; an empty one, recorded when something else stands there."""
        value = node.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.skip(place.child(key), f"{key}: not an object", "write it as an object")
            return {}
        return value

    def listing(self, node: Node, key: str, place: Place) -> list[Json]:
        """The list below `key`; an empty one, recorded when something else stands there."""
        value = node.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.skip(place.child(key), f"{key}: not a list", "write it as a list")
            return []
        return value

    def flag(self, node: Node, key: str, place: Place, *, default: bool = False) -> bool:
        """The boolean below `key`; the default, recorded when something else stands there."""
        value = node.get(key, default)
        if isinstance(value, bool):
            return value
        self.skip(place.child(key), f"{key}: neither true nor false", "write true or false")
        return default

    def schema(self, node: Node, key: str, place: Place) -> ValueSet | None:
        """The value set below `key`, None when there is none."""
        if key not in node:
            return None
        schema = node[key]
        if not isinstance(schema, dict | bool):
            self.skip(place.child(key), "a schema that is neither an object nor a boolean", "write it as an object")
            return None
        return ValueSet(place.child(key), schema, self.dialect)
