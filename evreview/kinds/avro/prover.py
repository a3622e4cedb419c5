"""Proofs of Avro rows: schema resolution both ways, and data that one side writes and the other does not read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Decision, WitnessJudgement
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.outcome import UNCOMPUTED, Proof, ProofReason, replay_command, unproven
from evreview.contract.model import Contract, ElementKind, Place
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Absent, Change, Json, ProofMethod, ProofStatus, Tristate
from evreview.kinds.avro.codec import (
    Codec,
    Data,
    Endless,
    LogicalTypeMatch,
    ReadResult,
    differ,
    logical_type_match,
    parted,
    plain,
    read,
    understood,
    version,
    with_field,
)
from evreview.kinds.avro.parser import Call, Field, Named, Schema, Type, effective, gives_default
from evreview.kinds.avro.reader import schema_of
from evreview.kinds.avro.resolution import (
    Clash,
    Problem,
    Resolution,
    answer_of,
    names_match,
    paired,
    source_of,
    unread_symbols,
)

# Aliases as their author wrote them: libraries take some by the letter that the specification completes.
#
# Avro 1.12, Names: an alias without a namespace is meant in that of its type. The schemas here hold it completed.


def as_written(contract: Contract, schema: Schema) -> Schema | None:
    """The schema with its aliases by the letter, None where they are written in full."""
    names = {name: _by_the_letter(contract, named) for name, named in schema.names.items()}
    return replace(schema, names=names) if any(names[name] is not schema.names[name] for name in names) else None


def _by_the_letter(contract: Contract, named: Named) -> Named:
    document = contract.documents.get(named.place.file)
    node = follow(document, named.place.pointer) if named.aliases and not isinstance(document, str) else None
    listed = node.get("aliases") if isinstance(node, (dict, Mapping)) else None
    written = tuple(str(alias) for alias in listed) if isinstance(listed, list) else named.aliases
    return named if written == named.aliases else replace(named, aliases=written)


# One direction of a row of Avro: whether data of one side is read by the other, and the datum that shows it.


Show = Callable[[Data], Any]
"""Makes the key of a root and a datum of it, None where no root leads there."""


@frozen
class ReadingDirection:
    """One direction of a row: what stands against reading, and how to show it.

    Attributes:
        answer: yes, no, unknown, or n/a where nothing is read that way.
        problems: the clashes; none where the answer is yes.
        show: makes the datum that shows them.
        means: True where the bytes are read, and what a logical type makes of them is asked.
    """

    answer: Tristate
    problems: tuple[Problem, ...] = ()
    show: Show | None = None
    means: bool = False


YES: Final = ReadingDirection(Tristate.YES)
NOT: Final = ReadingDirection(Tristate.NOT_APPLICABLE)


class Held(NamedTuple):
    """A type, and the field and record that hold it; without a record it is a root, or part of a call."""

    type: Type
    name: str = ""
    holder: Named | None = None

    def shown(self, datum: Show) -> Show:
        """What makes a datum of a root with this type's own datum in its place."""
        holder = self.holder
        if holder is None:
            return lambda data: (key_of(data, self.type), datum(data))
        return lambda data: data.leading(holder.name, lambda _: with_field(data, holder, self.name, datum(data)))


def key_of(data: Data, root: Type) -> str:
    """The key of a root."""
    keys = (key for key, each in data.schema.roots.items() if each is root)
    return next(keys, next(iter(data.schema.roots), ""))


def answered(problems: tuple[Problem, ...]) -> ReadingDirection:
    """The direction of a call, of which no datum by itself is shown."""
    return ReadingDirection(answer_of(problems), problems) if problems else YES


def named_otherwise(problem: Problem, writer: Named, read: bool) -> ReadingDirection:
    """The direction of a named type whose name or size is another one."""
    if read:
        return YES
    return ReadingDirection(Tristate.NO, (problem,), lambda data: data.leading(writer.name, data.smallest))


def whole(writer: Type, reader: Type, by: Resolution) -> ReadingDirection:
    """The direction of a root as a whole."""
    problems = by.problems(reader, writer)
    if not problems:
        return YES
    return ReadingDirection(
        answer_of(problems), problems, Held(writer).shown(lambda data: data.clashing(writer, reader, by))
    )


def means(writer: Held, reader: Held, forms: tuple[Json, Json]) -> ReadingDirection:
    """The direction of a logical type: what the reader makes of the writer's values.

    Args:
        reader: the reader's.
        forms: the logical types that the row is about, the writer's first.
    """
    way, found = parted(writer.type, reader.type, forms)
    return _meaning(found, writer.shown(lambda data: data.along(writer.type, way, lambda _: found.shown)))


def fixed_means(writer: Named, reader: Named) -> ReadingDirection:
    """The direction of a fixed with another logical type."""
    own, other = (effective(each.logical, each.sort, each.size) for each in (writer, reader))
    found = logical_type_match(other, own, writer.size)
    return _meaning(found, lambda data: data.leading(writer.name, lambda _: found.shown))


def _meaning(found: LogicalTypeMatch, show: Show) -> ReadingDirection:
    if found.answer is Tristate.YES:
        return YES
    problem = Problem(Clash.MEANING, found.why)
    return ReadingDirection(found.answer, (problem,), show if found.shown is not None else None, means=True)


# Which part of an Avro schema a row is about, found by where it is written.


@frozen
class Spot:
    """A part of a schema and the named type around it, None outside of one."""

    part: Field | Named | Type | Call | str
    holder: Named | Call | None = None


@dataclass(slots=True)
class Spots:
    """The parts of one schema by their place."""

    schema: Schema
    _known: dict[Place, Spot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Finds the place of every part."""
        for place, spot in self._all():
            self._known.setdefault(place, spot)

    def at(self, place: Place | None) -> Spot | None:
        """What is written at a place, or directly around it."""
        if place is None:
            return None
        around = Place(place.file, place.pointer.rpartition("/")[0])
        return self._known.get(place) or self._known.get(around)

    def _all(self) -> Iterator[tuple[Place, Spot]]:
        for named in self.schema.names.values():
            yield named.place, Spot(named)
            for each in named.fields:
                yield each.place, Spot(each, named)
            for at, symbol in enumerate(named.symbols):
                yield named.place.child("symbols", at), Spot(symbol, named)
        for call in self.schema.calls:
            yield call.place, Spot(call)
            for each in call.request:
                yield each.place, Spot(each, call)
            yield call.response.place, Spot(call.response, call)
            yield call.errors.place, Spot(call.errors, call)
        for root in self.schema.roots.values():
            yield root.place, Spot(root)


# What resolution says of each row: the clash in each direction, and the datum that would show it.


_ADDED: Final = Change.ADDED
_NO_VALUE: Final = "the default is no value of the type, and parsers that look refuse the schema"
_LOGICAL: Final = "logicalType"


@dataclass(slots=True)
class Rows:
    """Judges the rows of two aligned schemas."""

    released: Schema
    candidate: Schema
    _spots: tuple[Spots, Spots] = field(init=False)
    _old: Mapping[str, str] = field(init=False)
    _new: Mapping[str, str] = field(init=False)
    _back: Resolution = field(init=False)
    _forth: Resolution = field(init=False)

    def __post_init__(self) -> None:
        """Pairs the types of both sides."""
        self._spots = Spots(self.released), Spots(self.candidate)
        self._old = paired(self.released, self.candidate)
        self._new = {old: new for new, old in self._old.items()}
        pairs = frozenset(self._old.items())
        self._back = Resolution(self.candidate, self.released, pairs)
        self._forth = Resolution(self.released, self.candidate, frozenset((old, new) for new, old in pairs))

    def directions(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        """Whether the candidate reads what the released side wrote, and the other way round; None for a rule's row."""
        if delta.facet.startswith(_LOGICAL):
            return self._logical(delta)
        match delta.element:
            case ElementKind.FIELD:
                return self._field(delta)
            case ElementKind.ENUM_VALUE if delta.facet == "":
                return self._symbol(delta)
            case ElementKind.TYPE:
                return self._type(delta)
            case ElementKind.OPERATION if delta.facet == "type":
                return self._root(delta)
            case ElementKind.ARGUMENT | ElementKind.REPLY:
                return self._call(delta)
        return None

    def _sides(self, delta: Delta) -> tuple[Spot | None, Spot | None]:
        return self._spots[0].at(delta.released_place), self._spots[1].at(delta.candidate_place)

    def _holders(self, old: Spot | None, new: Spot | None) -> tuple[Named, Named] | None:
        """The record on both sides, found by whichever side has the field."""
        own = old.holder if old is not None and isinstance(old.part, (Field, str)) else None
        other = new.holder if new is not None and isinstance(new.part, (Field, str)) else None
        if isinstance(own, Named):
            name = self._new.get(own.name)
            return (own, self.candidate.names[name]) if name is not None else None
        if isinstance(other, Named):
            name = self._old.get(other.name)
            return (self.released.names[name], other) if name is not None else None
        return None

    def _field(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        old, new = self._sides(delta)
        holders = self._holders(old, new)
        if holders is None or delta.facet not in ("", "type", "name", "default", "aliases"):
            return None
        before = old.part if old is not None and isinstance(old.part, Field) else None
        after = new.part if new is not None and isinstance(new.part, Field) else None
        back = self._read(after, holders[::-1], self._back) if after is not None else YES
        forth = self._read(before, holders, self._forth) if before is not None else YES
        if delta.facet in ("default", "aliases") and before is not None and after is not None:
            # Either counts only while the other side has no such field, and then there is a row about its name.
            return _ambiguous(back, forth) if delta.facet == "aliases" else self._default(after)
        return back, forth

    def _logical(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        """What either side makes of the other one's values at a logical type."""
        old, new = self._sides(delta)
        before, after = old.part if old is not None else None, new.part if new is not None else None
        if isinstance(before, Named) and isinstance(after, Named):
            return fixed_means(before, after), fixed_means(after, before)
        there, here = self._held(delta, old, 0), self._held(delta, new, 1)
        if there is None or here is None:
            return None
        forms = tuple(None if isinstance(form, Absent) else form for form in (delta.released, delta.candidate))
        back, forth = means(there, here, (forms[0], forms[1])), means(here, there, (forms[1], forms[0]))
        if delta.element is ElementKind.ARGUMENT:
            return replace(back, show=None), NOT
        return (NOT, replace(forth, show=None)) if delta.element is ElementKind.REPLY else (back, forth)

    def _held(self, delta: Delta, spot: Spot | None, at: int) -> Held | None:
        """The type of one side that a row about a logical type is in, and what holds it."""
        if delta.element is ElementKind.OPERATION:
            roots = self._roots(delta)
            return Held(roots[at]) if roots is not None else None
        part = spot.part if spot is not None else None
        if isinstance(part, Field) and spot is not None:
            return Held(part.type, part.name, spot.holder if isinstance(spot.holder, Named) else None)
        return Held(part) if isinstance(part, Type) else None

    def _read(self, reader: Field, holders: tuple[Named, Named], by: Resolution) -> ReadingDirection:
        """Whether one field of a reader gets its value from what a writer's record holds; the reader's record first."""
        own, writer = holders
        source = source_of(reader, writer)
        if by.ambiguous(reader, own, writer):
            return ReadingDirection(Tristate.UNKNOWN, (Problem(Clash.AMBIGUOUS, reader.name),))
        if source is None:
            if gives_default(reader, by.reader.names):
                return YES
            problem = Problem(Clash.DEFAULT, reader.name)
            return ReadingDirection(Tristate.NO, (problem,), lambda data: data.leading(writer.name, data.smallest))
        problems = by.problems(reader.type, source.type)
        if not problems:
            return YES

        def show(data: Data) -> Any:
            def end(_: Type) -> Any:
                return with_field(data, writer, source.name, data.clashing(source.type, reader.type, by))

            return data.leading(writer.name, end)

        return ReadingDirection(answer_of(problems), problems, show)

    def _default(self, after: Field | Named) -> tuple[ReadingDirection, ReadingDirection]:
        """A default that nobody needs, unless it is no value of its type: then not every parser takes the schema."""
        if isinstance(after, Named):
            fits = after.default in after.symbols
        else:
            fits = gives_default(after, self.candidate.names)
        if isinstance(after.default, Absent) or fits:
            return YES, YES
        open_ = ReadingDirection(Tristate.UNKNOWN, (Problem(Clash.DEFAULT, f"{after.name}: {_NO_VALUE}"),))
        return open_, open_

    def _symbol(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        holders = self._holders(*self._sides(delta))
        if holders is None:
            return None
        old, new = holders
        reader, writer = (old, new) if delta.change is _ADDED else (new, old)
        symbol = str(delta.candidate if delta.change is _ADDED else delta.released)
        if symbol not in unread_symbols(reader, writer):
            return YES, YES
        problem = Problem(Clash.SYMBOLS, symbol)
        broken = ReadingDirection(Tristate.NO, (problem,), lambda data: data.leading(writer.name, lambda _: symbol))
        return (YES, broken) if delta.change is _ADDED else (broken, YES)

    def _type(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        old, new = self._sides(delta)
        before = old.part if old is not None else None
        after = new.part if new is not None else None
        if not isinstance(before, Named) or not isinstance(after, Named):
            return None
        if delta.facet == "name":
            clash = Problem(Clash.NAME, f"{before.name} and {after.name}")
            return named_otherwise(clash, before, names_match(after, before)), named_otherwise(
                clash, after, names_match(before, after)
            )
        if delta.facet == "size":
            clash = Problem(Clash.SIZE, f"{before.size} and {after.size} bytes")
            return named_otherwise(clash, before, read=False), named_otherwise(clash, after, read=False)
        if delta.facet == "default":
            return self._default(after)
        return (YES, YES) if delta.facet in ("namespace", "aliases") else None

    def _roots(self, delta: Delta) -> tuple[Type, Type] | None:
        before = self.released.roots.get(delta.operation)
        after = self.candidate.roots.get(delta.operation)
        if after is None and len(self.candidate.roots) == 1:
            after = next(iter(self.candidate.roots.values()))
        return None if before is None or after is None else (before, after)

    def _root(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        roots = self._roots(delta)
        if roots is None:
            return None
        return whole(*roots, self._back), whole(*roots[::-1], self._forth)

    def _call(self, delta: Delta) -> tuple[ReadingDirection, ReadingDirection] | None:
        """Parameters are read by the candidate's server, answers by the released client."""
        old, new = self._sides(delta)
        before, after = old.part if old else None, new.part if new else None
        if isinstance(before, Type) and isinstance(after, Type):
            return NOT, answered(self._forth.problems(before, after))
        if isinstance(after, Field) and isinstance(before, Call):
            missing = Problem(Clash.DEFAULT, after.name)
            return answered(() if gives_default(after, self.candidate.names) else (missing,)), NOT
        if isinstance(before, Field) and isinstance(after, Field) and delta.facet == "type":
            return answered(self._back.problems(after.type, before.type)), NOT
        return (YES, NOT) if isinstance(before, Field) else None


def _ambiguous(back: ReadingDirection, forth: ReadingDirection) -> tuple[ReadingDirection, ReadingDirection]:
    """The directions of a row about aliases: they only matter where they leave open which field is read."""
    return tuple(one if one.answer is Tristate.UNKNOWN else YES for one in (back, forth))  # type: ignore[return-value]


RESOLVED: Final = Proof(
    status=ProofStatus.PROVED,
    method=ProofMethod.CONTAINMENT,
    witness={},
    command="",
    reason="schema resolution: whatever is written here with the one schema is read with the other, both ways",
)
_MOST_FIELDS: Final = 2_000_000
"""Fields that the data of all witnesses may hold together."""
ENOUGH: Final = "enough data was written for the rows before"
MEANING: Final = "by_logical_type"
"""The member of a witness whose bytes are read, and mean another value to the reader."""
LETTER: Final = "by_the_letter"
"""The member of a witness that holds what a codec reads which takes aliases as they are written."""
LAXER: Final = (
    "{codec}, asked with the file of {side} as it stands, is laxer and reads them: it leaves aliases without their "
    "namespace, which the specification gives them"
)
NO_DATUM: Final = "no root leads to it, so no datum holds it"
_SIDES: Final = ("released", "candidate")


@dataclass(slots=True)
class AvroProver:
    """Decides rows by resolution; data is written and read only where a row breaks and witnesses are asked for."""

    ledger: Ledger
    witnesses: bool = True
    _rows: Rows = field(init=False)
    _data: tuple[Data, Data] = field(init=False)
    _codecs: tuple[Codec, Codec] = field(init=False)
    _breaking: tuple[int, int] = field(init=False)
    _written: int = 0

    def __post_init__(self) -> None:
        """Reads both schemas, and counts the rows that break each direction."""
        self._rows = Rows(schema_of(self.ledger.released), schema_of(self.ledger.candidate))
        self._data = Data(self._rows.released), Data(self._rows.candidate)
        self._codecs = Codec(self._rows.released), Codec(self._rows.candidate)
        found = [pair for delta in self.ledger.deltas if (pair := self._rows.directions(delta)) is not None]
        back, forth = (sum(pair[at].answer is Tristate.NO for pair in found) for at in (0, 1))
        self._breaking = back, forth

    def decision(self, delta: Delta) -> Decision | None:
        """What resolution says of the row in both directions."""
        found = self._rows.directions(delta)
        if found is None:
            return None
        back, forth = found
        return Decision(
            accepts_old_requests=back.answer, emits_old_compatible=forth.answer, proof=self._proof(delta, back, forth)
        )

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row that resolution has no word about."""
        return UNCOMPUTED

    def one_way(self, delta: Delta, writer: int) -> Proof | None:
        """The proof of one direction: data of the released side (0) or of the candidate (1); None for a rule's row."""
        found = self._rows.directions(delta)
        if found is None:
            return None
        if found[writer].answer is Tristate.UNKNOWN:
            return unproven(_said(found[writer]))
        if found[writer].answer is not Tristate.NO:
            return RESOLVED
        if not self.witnesses:
            return unproven(f"{_said(found[writer])}; {ProofReason.NOT_ASKED}")
        return self._witness(delta, writer, found[writer])

    def _proof(self, delta: Delta, back: ReadingDirection, forth: ReadingDirection) -> Proof:
        broken = [(at, one) for at, one in enumerate((back, forth)) if one.answer is Tristate.NO]
        if not broken:
            open_ = [one for one in (back, forth) if one.answer is Tristate.UNKNOWN]
            return unproven(_said(open_[0])) if open_ else RESOLVED
        if not self.witnesses:
            return unproven(f"{_said(broken[0][1])}; {ProofReason.NOT_ASKED}")
        first = self._witness(delta, *broken[0])
        if first.status is ProofStatus.WITNESSED or len(broken) == 1:
            return first
        second = self._witness(delta, *broken[1])
        return second if second.status is ProofStatus.WITNESSED else first

    def _witness(self, delta: Delta, writer: int, direction: ReadingDirection) -> Proof:
        """The proof by a datum that one side writes and the other does not read."""
        why = _said(direction)
        if direction.show is None:
            return _unheard(why) if direction.means else _by_resolution(why, "a call is no datum by itself")
        self._written += sum(len(named.fields) for named in self._data[writer].schema.names.values())
        if self._written > _MOST_FIELDS:
            return _by_resolution(why, ENOUGH)
        try:
            shown = direction.show(self._data[writer])
            if shown is None:
                return _by_resolution(why, NO_DATUM)
            key, datum = shown
            data = self._codecs[writer].written(key, datum)
        except (Endless, ValueError) as error:
            return _by_resolution(why, str(error))
        if direction.means:
            return self._another(delta, why, (key, datum, data), writer)
        heard = _heard(self._codecs, key, data, writer)
        if not heard[1 - writer].error:
            return _by_resolution(why, f"{version()} reads such data all the same")
        witness = _witness(key, datum, data, (writer, heard))
        lax = self._by_the_letter(key, data, writer)
        if lax is None or lax.error:
            return self._shown(delta, why, witness)
        proof = self._shown(delta, why, {**witness, LETTER: _reading(lax)})
        return replace(proof, reason=f"{proof.reason}; {LAXER.format(codec=version(), side=_SIDES[1 - writer])}")

    def _by_the_letter(self, key: str, data: bytes, writer: int) -> ReadResult | None:
        """What the reader sees with its aliases as they are written, None where that makes no difference."""
        contract = (self.ledger.released, self.ledger.candidate)[1 - writer]
        written = as_written(contract, self._codecs[1 - writer].schema)
        if written is None:
            return None
        other = _other((self._codecs[0].schema, self._codecs[1].schema), key, writer)
        return read(data, (self._codecs[writer], key), (Codec(written), other))

    def _another(self, delta: Delta, why: str, wrote: tuple[str, Any, bytes], writer: int) -> Proof:
        """The proof by a datum of which the reader's logical type makes another value, or none."""
        heard = _understood(self._codecs, wrote[0], wrote[2], writer)
        if not heard[1 - writer].error and not differ(*heard):
            return replace(
                UNCOMPUTED, reason=f"{why}; no data shows it: {version()} makes no values of the logical type"
            )
        witness = _witness(*wrote, (writer, heard))
        return self._shown(delta, why, {**witness, MEANING: True})

    def _shown(self, delta: Delta, why: str, witness: dict[str, Json]) -> Proof:
        paths = [contract.path for contract in (self.ledger.released, self.ledger.candidate)]
        writer = _SIDES.index(str(witness["accepted_by"]))
        reads = witness["reads"]
        said = reads[_SIDES[1 - writer]] if isinstance(reads, Mapping) else {}
        other = "does not read them" if isinstance(said, Mapping) and "error" in said else "makes another value of them"
        reason = f"{why}: {_SIDES[writer]} wrote the bytes, and {_SIDES[1 - writer]} {other}"
        if self._breaking[writer] > 1:
            reason += "; other rows may stand against the same bytes"
        return Proof(
            status=ProofStatus.WITNESSED,
            method=ProofMethod.ENCODING,
            witness=witness,
            command=replay_command(paths, delta.id),
            reason=reason,
        )


def _said(direction: ReadingDirection) -> str:
    return "; ".join(f"{each.clash.value} ({each.about})" for each in direction.problems)


def _unheard(why: str) -> Proof:
    return replace(UNCOMPUTED, reason=f"{why}; no data shows it: {version()} makes no values of the logical type")


def _by_resolution(why: str, lacking: str) -> Proof:
    return Proof(
        status=ProofStatus.PROVED,
        method=ProofMethod.CONTAINMENT,
        witness={},
        command="",
        reason=f"schema resolution fails: {why}; no data shows it: {lacking}",
    )


def _witness(key: str, datum: object, data: bytes, told: tuple[int, tuple[ReadResult, ReadResult]]) -> dict[str, Json]:
    writer, heard = told
    return {
        "message": {"root": key, "value": plain(datum), "bytes": data.hex()},
        "accepted_by": _SIDES[writer],
        "refused_by": _SIDES[1 - writer],
        "reads": {name: _reading(each) for name, each in zip(_SIDES, heard, strict=True)},
        "codec": version(),
    }


def _reading(heard: ReadResult) -> Json:
    return {"error": heard.error} if heard.error else {"value": plain(heard.value)}


def _heard(codecs: tuple[Codec, Codec], key: str, data: bytes, writer: int) -> tuple[ReadResult, ReadResult]:
    """What both sides read of bytes of the writer's; `key` names the writer's root."""
    other = _other((codecs[0].schema, codecs[1].schema), key, writer)
    keys = (key, other) if writer == 0 else (other, key)
    source = (codecs[writer], key)
    return read(data, source, (codecs[0], keys[0])), read(data, source, (codecs[1], keys[1]))


def _understood(codecs: tuple[Codec, Codec], key: str, data: bytes, writer: int) -> tuple[ReadResult, ReadResult]:
    """What both sides make of bytes of the writer's by their logical types."""
    other = _other((codecs[0].schema, codecs[1].schema), key, writer)
    own, reader = codecs[writer], codecs[1 - writer]
    heard = understood(data, (own, key), (own, key)), understood(data, (own, key), (reader, other))
    return heard if writer == 0 else heard[::-1]


def _other(schemas: tuple[Schema, Schema], key: str, writer: int) -> str:
    """The key of the reader's root for the writer's: of the type that continues it, else the only one, else equal."""
    roots = schemas[1 - writer].roots
    if len(roots) == 1:
        return next(iter(roots))
    names = paired(*schemas)
    continued = names if writer == 1 else {old: new for new, old in names.items()}
    wanted = continued.get(schemas[writer].roots[key].name)
    return next((other for other, root in roots.items() if wanted and root.name == wanted), key)


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[WitnessJudgement, WitnessJudgement]:
    """What both contracts say of a witness's bytes.

    Raises:
        ValueError: it is no witness of Avro data of these contracts.
    """
    stated = witness if isinstance(witness, Mapping) else {}
    message = stated.get("message")
    kept = message if isinstance(message, Mapping) else {}
    side, key, text = stated.get("accepted_by"), kept.get("root"), kept.get("bytes")
    if side not in _SIDES or not isinstance(key, str) or not isinstance(text, str):
        raise ValueError("the witness holds no bytes, or not the side that wrote them")
    writer = _SIDES.index(side)
    schemas = schema_of(released), schema_of(candidate)
    if key not in schemas[writer].roots or _other(schemas, key, writer) not in schemas[1 - writer].roots:
        raise ValueError("the witness is about data that the contracts do not describe")
    codecs = Codec(schemas[0]), Codec(schemas[1])
    if stated.get(MEANING) is not True:
        first, second = _heard(codecs, key, bytes.fromhex(text), writer)
        return _told(first), _told(second)
    heard = _understood(codecs, key, bytes.fromhex(text), writer)
    said = [_told(each) for each in heard]
    if differ(*heard):
        said[1 - writer] = replace(said[1 - writer], accepted=Tristate.NO)
    return said[0], said[1]


def _told(heard: ReadResult) -> WitnessJudgement:
    if heard.error:
        return WitnessJudgement(accepted=Tristate.NO, says=heard.error)
    return WitnessJudgement(accepted=Tristate.YES, says=f"reads {json.dumps(plain(heard.value))}")
