"""Citations of places of the contract under documentation, always of something that is written there."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.contract.citations import cited_place
from evreview.contract.model import Contract, Place
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import MISSING, EvidenceId, Json
from evreview.evidence.item import Citation
from evreview.schema.view import Part, Sub


class Places:
    """Makes and remembers the citations of one contract."""

    def __init__(self, contract: Contract, item: EvidenceId) -> None:
        self.contract = contract
        self.item = item
        self.resolver = Resolver(contract.documents)
        self._entry = contract.root.place.file
        self._made: dict[Place, Citation] = {}
        self._required: dict[tuple[int, ...], dict[str, Place]] = {}
        self._aliases: dict[Place, Place] = {}

    def at(self, place: Place) -> Citation:
        """A citation of the place, or of what holds it where a reader spelled out something that is written nowhere."""
        found = self._made.get(place)
        if found is None:
            found = cited_place(self.item, self._entry, self._written(place))
            self._made[place] = found
        return found

    def all(self, places: Iterable[Place]) -> tuple[Citation, ...]:
        """Citations of several places, each once."""
        return tuple(dict.fromkeys(self.at(place) for place in places))

    def node(self, place: Place) -> Json:
        """What is written at a place, None where nothing is."""
        found = follow(self.contract.documents.get(place.file), place.pointer)
        return None if found is MISSING else found

    def stands_for(self, made: Place, written: Place) -> None:
        """Records where that is written which the reader put at a place of its own."""
        self._aliases[made] = written

    def required(self, sub: Sub) -> dict[str, Place]:
        """Where each required member of a resolved schema position is demanded."""
        found = self._required.get(sub.key)
        if found is None:
            found = {}
            for part in sub.parts:
                self._demands(part, found, set())
            self._required[sub.key] = found
        return found

    def _demands(self, part: Part, found: dict[str, Place], seen: set[int]) -> None:
        node = part.node
        if not isinstance(node, dict) or id(node) in seen:
            return
        seen.add(id(node))
        names = node.get("required")
        for name in names if isinstance(names, list) else ():
            if isinstance(name, str):
                found.setdefault(name, part.place.child("required"))
        ref, members = node.get("$ref"), node.get("allOf")
        target = self.resolver.target(part.place, ref) if isinstance(ref, str) else None
        if target is not None:
            self._demands(Part(target[1], target[0]), found, seen)
        for at, member in enumerate(members if isinstance(members, list) else ()):
            self._demands(Part(member, part.place.child("allOf", at)), found, seen)

    def _written(self, place: Place) -> Place:
        alias = self._aliases.get(place)
        if alias is not None:
            return alias
        document = self.contract.documents.get(place.file)
        while place.pointer and follow(document, place.pointer) is MISSING:
            place = Place(place.file, place.pointer.rpartition("/")[0])
            if place in self._aliases:
                return self._aliases[place]
        return place
