"""Proofs of Avro rows: schema resolution both ways, and data that one side writes and the other does not read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Decision, Told
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.outcome import NOT_ASKED, UNCOMPUTED, Proof, unproven
from evreview.contract.model import Contract
from evreview.contracts.avro.model import Schema
from evreview.contracts.readers.avro import schema_of
from evreview.core.vocabulary import Answer, Json, ProofMethod, ProofStatus
from evreview.kinds.avro.alignment import paired
from evreview.kinds.avro.codec import Data, Endless
from evreview.kinds.openapi.prover import replay_command
from evreview.proof.kinds.avro_aliases import as_written
from evreview.proof.kinds.avro_codec import Codec, Heard, differ, plain, read, version
from evreview.proof.kinds.avro_directions import Direction
from evreview.proof.kinds.avro_meaning import understood
from evreview.proof.kinds.avro_rows import Rows

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
        back, forth = (sum(pair[at].answer is Answer.NO for pair in found) for at in (0, 1))
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
        if found[writer].answer is Answer.UNKNOWN:
            return unproven(_said(found[writer]))
        if found[writer].answer is not Answer.NO:
            return RESOLVED
        if not self.witnesses:
            return unproven(f"{_said(found[writer])}; {NOT_ASKED}")
        return self._witness(delta, writer, found[writer])

    def _proof(self, delta: Delta, back: Direction, forth: Direction) -> Proof:
        broken = [(at, one) for at, one in enumerate((back, forth)) if one.answer is Answer.NO]
        if not broken:
            open_ = [one for one in (back, forth) if one.answer is Answer.UNKNOWN]
            return unproven(_said(open_[0])) if open_ else RESOLVED
        if not self.witnesses:
            return unproven(f"{_said(broken[0][1])}; {NOT_ASKED}")
        first = self._witness(delta, *broken[0])
        if first.status is ProofStatus.WITNESSED or len(broken) == 1:
            return first
        second = self._witness(delta, *broken[1])
        return second if second.status is ProofStatus.WITNESSED else first

    def _witness(self, delta: Delta, writer: int, direction: Direction) -> Proof:
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

    def _by_the_letter(self, key: str, data: bytes, writer: int) -> Heard | None:
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


def _said(direction: Direction) -> str:
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


def _witness(key: str, datum: object, data: bytes, told: tuple[int, tuple[Heard, Heard]]) -> dict[str, Json]:
    writer, heard = told
    return {
        "message": {"root": key, "value": plain(datum), "bytes": data.hex()},
        "accepted_by": _SIDES[writer],
        "refused_by": _SIDES[1 - writer],
        "reads": {name: _reading(each) for name, each in zip(_SIDES, heard, strict=True)},
        "codec": version(),
    }


def _reading(heard: Heard) -> Json:
    return {"error": heard.error} if heard.error else {"value": plain(heard.value)}


def _heard(codecs: tuple[Codec, Codec], key: str, data: bytes, writer: int) -> tuple[Heard, Heard]:
    """What both sides read of bytes of the writer's; `key` names the writer's root."""
    other = _other((codecs[0].schema, codecs[1].schema), key, writer)
    keys = (key, other) if writer == 0 else (other, key)
    source = (codecs[writer], key)
    return read(data, source, (codecs[0], keys[0])), read(data, source, (codecs[1], keys[1]))


def _understood(codecs: tuple[Codec, Codec], key: str, data: bytes, writer: int) -> tuple[Heard, Heard]:
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


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[Told, Told]:
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
        said[1 - writer] = replace(said[1 - writer], accepted=Answer.NO)
    return said[0], said[1]


def _told(heard: Heard) -> Told:
    if heard.error:
        return Told(accepted=Answer.NO, says=heard.error)
    return Told(accepted=Answer.YES, says=f"reads {json.dumps(plain(heard.value))}")
