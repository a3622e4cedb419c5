"""Traits: what an operation or message takes over from others, in the order of each generation of the format.

2.x patches the target with its traits, so that a trait overrides. 3.x patches the traits with the target, so that a
trait never does; among traits the last one speaks (AsyncAPI 2.6 and 3.0, "Traits Merge Mechanism"; RFC 7386).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from evreview.contract.json_reader import Node
from evreview.contract.model import Place
from evreview.contracts.readers.asyncapi_scope import MAX_DEPTH, Scope, rebased
from evreview.core.vocabulary import Json


class Merged(NamedTuple):
    """An object with its traits.

    Attributes:
        node: every member that holds.
        place: of the object itself.
        owners: where a member stands that is not written in the object, by name.
    """

    node: Node
    place: Place
    owners: Mapping[str, Place]

    def at(self, name: str) -> Place:
        """The place of a member."""
        return self.owners.get(name, self.place).child(name)

    def pointer(self, name: str) -> str:
        """A member's pointer relative to the object, "" for one that a trait brings."""
        return f"/{name}" if name in self.node and self.owners.get(name, self.place) == self.place else ""


def merged(node: Node, place: Place, scope: Scope) -> Merged:
    """An operation or a message with its traits."""
    listed = node.get("traits")
    own = {key: value for key, value in node.items() if key != "traits"}
    if listed is None:
        return Merged(own, place, {})
    parts = [(own, place)]
    traits = []
    for at, item in enumerate(scope.listing(node, "traits", place)):
        found = scope.resolve(item, place.child("traits", at), "trait")
        traits += [found] if found is not None else []
    parts = [*traits, *parts] if scope.third else [*parts, *traits]
    return _joined(parts, place, scope)


def _joined(parts: list[tuple[Node, Place]], place: Place, scope: Scope) -> Merged:
    members: Node = {}
    owners: dict[str, Place] = {}
    for node, at in parts:
        for key, value in node.items():
            before = members.get(key)
            if value is None and key in members:
                del members[key]
            elif isinstance(before, dict) and isinstance(value, dict):
                old = rebased(before, owners.get(key, place).file, place.file)
                members[key] = patched(old, rebased(value, at.file, place.file), place, scope)
                owners[key] = place
                scope.edited(place.child(key), members[key])
            else:
                members[key] = value
                owners[key] = at
    return Merged(members, place, {key: at for key, at in owners.items() if at != place and key in members})


def patched(target: Json, patch: Json, place: Place, scope: Scope, depth: int = 0) -> Json:
    """`target` with `patch` over it; two references are followed first, for what they lead to is merged."""
    if not isinstance(patch, dict) or not isinstance(target, dict) or depth > MAX_DEPTH:
        return patch
    target, patch = _followed(target, place, scope), _followed(patch, place, scope)
    if not isinstance(patch, dict) or not isinstance(target, dict) or target == patch:
        return patch
    made = dict(target)
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = patched(made[key], value, place, scope, depth + 1) if key in made else value
    return made


def _followed(node: Json, place: Place, scope: Scope) -> Json:
    """What a reference leads to, as it has to be written in the file of `place`; a dangling one stays."""
    if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
        return node
    found = scope.resolver.follow(place, node)
    return node if found is None else rebased(found[1], found[0].file, place.file)
