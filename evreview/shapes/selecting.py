"""What a discriminator demands of the branches of the union beside it: the value of its member names the branch.

OpenAPI 3.1.1, section 4.8.25: where the value matches no implicit or explicit mapping, "no schema can be determined and
validation SHOULD fail". So a branch holds only values that name it. A branch that lists the values of the member itself
is left as it is written, whatever the names of components say; so is a branch that does not describe the member.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contract.model import Place
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.schema.reader import discriminator_of
from evreview.schema.view import Discriminator

_DEEPEST: Final = 8
Schema = dict[str, Json]


def named(node: Mapping[str, Json], place: Place, branches: list[Json], resolver: Resolver) -> list[Schema | None]:
    """For each branch the schema of the member that names it, None where nothing more is demanded."""
    said = discriminator_of(node, place) if "discriminator" in node else None
    if said is None:
        return [None] * len(branches)
    found = [_Branch(said, (place, branch), resolver) for branch in branches]
    return [branch.demand if branch.described and not branch.listed else None for branch in found]


def decides(node: Json, place: Place, resolver: Resolver) -> bool:
    """True when the schemas of a union alone say which values its discriminator takes to which branch."""
    said = discriminator_of(node, place) if isinstance(node, (dict, Mapping)) and "discriminator" in node else None
    if said is None or not isinstance(node, (dict, Mapping)):
        return False
    branches = [branch for key in ("oneOf", "anyOf") for branch in _sequence(node.get(key))]
    found = [_Branch(said, (place, branch), resolver) for branch in branches]
    return bool(found) and all(branch.named and branch.described and branch.listed <= branch.named for branch in found)


def spelled_out(node: Json, place: Place, resolver: Resolver) -> bool:
    """True for a schema that means the same without its discriminator: each branch lists the values that select it."""
    if not isinstance(node, (dict, Mapping)) or "discriminator" not in node:
        return True
    said = discriminator_of(node, place)
    branches = [branch for key in ("oneOf", "anyOf") for branch in _sequence(node.get(key))]
    found = [_Branch(said, (place, branch), resolver) for branch in branches] if said is not None else []
    return bool(found) and all(branch.listed and branch.listed <= branch.named for branch in found)


class _Branch:
    """One branch: the values that name it, and what it says itself of the member."""

    def __init__(self, said: Discriminator, at: tuple[Place, Json], resolver: Resolver) -> None:
        self._member = said.property
        self.named = frozenset(_values(said.values, at[1]))
        self.described = list(_described(said.property, at, resolver, 0))
        self.listed = frozenset(str(value) for each in self.described for value in _listed(each))

    @property
    def demand(self) -> Schema | None:
        """That the member names the branch, None for one that nothing names."""
        texts = sorted(self.named)
        values: list[Json] = [*texts, *(other for text in texts for other in _untexted(text))]
        return {"properties": {self._member: {"enum": values}}} if values else None


def _values(values: Mapping[str, str], branch: Json) -> list[str]:
    """The values that select a branch: those mapped to it, else the name of its component."""
    ref = branch.get("$ref") if isinstance(branch, dict) else None
    if not isinstance(ref, str):
        return []
    return [value for value, target in values.items() if _tail(target) == _tail(ref)]


def _untexted(value: str) -> Iterator[Json]:
    """A mapping's keys are texts: the number or truth value that one may stand for."""
    try:
        read = json.loads(value)
    except ValueError:
        return
    if isinstance(read, (bool, int)):
        yield read


def _described(member: str, at: tuple[Place, Json], resolver: Resolver, depth: int) -> Iterator[Mapping[str, Json]]:
    """Every schema of a member that a branch has, through references and `allOf`."""
    found = resolver.follow(*at)
    place, node = found if found is not None else at
    if depth > _DEEPEST or found is None or not isinstance(node, (dict, Mapping)):
        return
    own = node.get("properties")
    if isinstance(own, (dict, Mapping)) and member in own:
        yield from _parts((place, own[member]), resolver, depth)
    for part in _sequence(node.get("allOf")):
        yield from _described(member, (place, part), resolver, depth + 1)


def _parts(at: tuple[Place, Json], resolver: Resolver, depth: int) -> Iterator[Mapping[str, Json]]:
    found = resolver.follow(*at)
    place, node = found if found is not None else at
    if depth > _DEEPEST or found is None or not isinstance(node, (dict, Mapping)):
        return
    yield node
    for key in ("allOf", "anyOf", "oneOf"):
        for part in _sequence(node.get(key)):
            yield from _parts((place, part), resolver, depth + 1)


def _listed(node: Mapping[str, Json]) -> Iterator[Json]:
    if "const" in node:
        yield node["const"]
    yield from _sequence(node.get("enum"))


def _sequence(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _tail(ref: str) -> str:
    return ref.rsplit("/", 1)[-1]
