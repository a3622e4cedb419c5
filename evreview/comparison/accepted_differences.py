"""What a row takes in that no row of its own tells.

That is all that a schema says which was replaced as a whole, and what is said of a member, parameter or header that
came or went, its requiredness too.

The id of such a row names it in short. An entry that accepts it is bound to the rest by a digest, so that the
same id does not cover what comes with the new schema later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.build import dialect_of
from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.delta import Delta
from evreview.comparison.ledger import Ledger
from evreview.comparison.wire_forms import Forms, canonical
from evreview.contract.model import Contract, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import Absent, Change, DeltaId, Form, Json
from evreview.evidence.records.compatibility import AcceptedDelta, AcceptFile
from evreview.evidence.typed_reader import MARK, read_model
from evreview.schema.view import Part, Sub
from evreview.schema.views import Views

if TYPE_CHECKING:
    from pandas import DataFrame


_DEEP: Final = 16
_DIGITS: Final = 16
_MEMBERS: Final = frozenset({ElementKind.PROPERTY, ElementKind.PARAMETER, ElementKind.HEADER})
_COMPOSITIONS: Final = frozenset({"allOf", "anyOf", "oneOf"})


class Contents:
    """The digests of one comparison, each made when it is asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._forms: dict[int, _Digests] = {}

    @deep_stack()
    def of(self, delta: Delta) -> str:
        """The digest of what both sides say below the row, 16 levels deep; "" where other rows tell it.

        The same for equal meanings, whatever the texts, the order and the names of components.
        """
        if not self._ledger.spec.json_values:
            return ""
        if delta.element in _MEMBERS and not delta.facet and delta.change is not Change.CHANGED:
            return self._member(delta)
        if not _is_whole(delta):
            return ""
        pairs = self._ledger.pairs.get(delta.id, ())
        sides: list[tuple[Sub | None, Sub | None]] = [(pair.released, pair.candidate) for pair in pairs]
        if not sides:
            places = delta.released_place, delta.candidate_place
            old, new = map(_schema_at, (self._ledger.released, self._ledger.candidate), places)
            sides = [(old, new)]
        found = sorted({(self._digest(0, old), self._digest(1, new)) for old, new in sides})
        return _digest([list(each) for each in found])

    def _member(self, delta: Delta) -> str:
        """The digest of what came or went; where it comes back on the other side, another one."""
        at = 0 if delta.change is Change.REMOVED else 1
        contract = (self._ledger.released, self._ledger.candidate)[at]
        place = (delta.released_place, delta.candidate_place)[at]
        sub = _at(contract, place) if delta.element is ElementKind.PROPERTY else _schema_at(contract, place)
        return _digest([delta.facts.get(comparison_delta.REQUIRED) is True, self._digest(at, sub)])

    def _digest(self, at: int, sub: Sub | None) -> str:
        if sub is None:
            return ""
        if at not in self._forms:
            contract = (self._ledger.released, self._ledger.candidate)[at]
            self._forms[at] = _Digests(Views(Resolver(contract.documents), dialect_of(contract)))
        return str(self._forms[at].of(sub, _DEEP))


class _Digests(Forms):
    """Forms whose members are digests: as long as one node, however much stands below it."""

    def of(self, sub: Sub, depth: int = _DEEP) -> Json:
        """The digest of a schema position, as deep as asked for."""
        return _digest(super().of(sub, depth))


def _digest(form: Json) -> str:
    return hashlib.sha256(canonical(form)).hexdigest()[:_DIGITS]


def _is_whole(delta: Delta) -> bool:
    """True for a row behind which the comparison of a schema ended."""
    forms = delta.released, delta.candidate
    if delta.facet == "schema":
        return True
    if delta.facet == "type":
        old, new = map(_types, forms)
        return bool(old and new) and old.isdisjoint(new)
    # One side without branches: a branch that came or went has no other form, branches of another keyword go on.
    plain = [isinstance(form, dict) and form.keys().isdisjoint(_COMPOSITIONS) for form in forms]
    return delta.facet in _COMPOSITIONS and not any(isinstance(form, Absent) for form in forms) and any(plain)


def _types(form: Form) -> set[str]:
    found = {str(name) for name in form} if isinstance(form, list) else {form} if isinstance(form, str) else set()
    return found | {"integer"} if "number" in found else found


def _schema_at(contract: Contract, place: Place | None) -> Sub | None:
    """The schema at the place of an element, None where it has none."""
    found = _at(contract, place)
    below = _at(contract, place.child("schema")) if place is not None else None
    return found if below is None else below


def _at(contract: Contract, place: Place | None) -> Sub | None:
    """The schema at a place, None where none is written."""
    node = follow(contract.documents.get(place.file), place.pointer) if place is not None else None
    return Sub((Part(node, place),)) if place is not None and isinstance(node, dict | bool) else None


# Accept files in, entries out, or every problem of every file with its line.


@frozen(kw_only=True)
class Entry:
    """One accepted difference and where it is written.

    Attributes:
        id: of the row that it accepts.
        reason, owner, note: as written.
        expires: the last day on which it holds, as `2027-01-31`.
        operations: those that the row may reach, None where the id alone decides.
        content: of a row that takes in a whole schema, None where the id alone decides.
        file: as the user named it.
        line: of the entry.
    """

    id: DeltaId
    reason: str
    owner: str
    expires: str
    note: str
    file: str
    line: int | None
    operations: frozenset[str] | None = None
    content: str | None = None


def read_accept_files(files: Iterable[tuple[str, bytes]]) -> tuple[Entry, ...]:
    """The entries of all files, in order.

    Args:
        files: the name of each, as the user gave it, and its bytes.

    Raises:
        BadInput: every problem of every file: what `parse_text` and `read_model` find, and `accepted-twice`.
    """
    entries: list[Entry] = []
    named: list[tuple[str, str, int | None]] = []
    problems: list[Problem] = []
    for file, data in files:
        try:
            value = parse_text(data, file)
            named += _named(value, file, data)
            entries += _entries(value, file, data)
        except BadInput as error:
            problems += error.problems
    problems += _twice(named)
    if problems:
        raise BadInput(problems)
    return tuple(entries)


def _named(value: Json, file: str, data: bytes) -> Iterator[tuple[str, str, int | None]]:
    """Every id with its file and line, also of entries in which something else is wrong."""
    listed = value.get("accept") if isinstance(value, Mapping) else None
    for at, entry in enumerate(listed if isinstance(listed, list) else ()):
        name = entry.get("id") if isinstance(entry, Mapping) else None
        if isinstance(name, str) and name != MARK:
            yield name, file, line_of(data, f"/accept/{at}")


def _entries(value: Json, file: str, data: bytes) -> Iterator[Entry]:
    found, problems = read_model(AcceptFile, value, file=file)
    if found is None or problems:
        raise BadInput(replace(problem, line=line_of(data, problem.place)) for problem in problems)
    for at, accepted in enumerate(found.accept):
        yield _entry(accepted, file, line_of(data, f"/accept/{at}"))


def _entry(accepted: AcceptedDelta, file: str, line: int | None) -> Entry:
    return Entry(
        id=DeltaId(accepted.id),
        reason=accepted.reason,
        owner=accepted.owner,
        expires=accepted.expires,
        note=accepted.note,
        file=file,
        line=line,
        operations=None if accepted.operations is None else frozenset(accepted.operations),
        content=accepted.content,
    )


def _twice(named: Iterable[tuple[str, str, int | None]]) -> Iterator[Problem]:
    """A problem per entry whose id another one before it has: which of both reasons holds is not for us to choose."""
    first: dict[str, str] = {}
    for name, file, line in named:
        if name in first:
            found = f"{name} is accepted already in {first[name]}"
            yield Problem(
                code="accepted-twice", found=found, file=file, line=line, advice="Keep one of the two entries"
            )
        else:
            first[name] = f"{file} line {line}"


# The table of acceptances, joined to rows by their id. No fact and no judgement changes here.


class State(StrEnum):
    """ACCEPTED: the row does not count for `--fail-on`. EXPIRED: it counts again."""

    ACCEPTED = "accepted"
    EXPIRED = "expired"


@frozen
class Accepted:
    """What an accept file says about one row of today's ledger."""

    entry: Entry
    state: State

    def to_dict(self) -> dict[str, Json]:
        """The acceptance as it stands beside its row in `evreview diff --format json`."""
        return {"state": self.state.value, **_entry_fields(self.entry)}


@frozen
class Stale:
    """An entry that accepts nothing any more, and why."""

    entry: Entry
    found: str

    def to_dict(self) -> dict[str, Json]:
        """The entry as `evreview diff --format json` lists it."""
        return {"id": self.entry.id, **_entry_fields(self.entry), "found": self.found}


@frozen(kw_only=True)
class Acceptance:
    """All entries of the accept files, against one ledger and one day.

    Attributes:
        today: the day on which expiry was judged.
        by_id: for each row that an entry names, what it says.
        stale: the entries that name no row, or one that reaches more than they list, in the files' order.
    """

    today: date
    by_id: Mapping[DeltaId, Accepted]
    stale: tuple[Stale, ...]

    def covers(self, row: DeltaId) -> bool:
        """True when the row is accepted today."""
        found = self.by_id.get(row)
        return found is not None and found.state is State.ACCEPTED

    def count(self, state: State) -> int:
        """How many rows have this state."""
        return sum(found.state is state for found in self.by_id.values())

    def summary(self) -> dict[str, Json]:
        """Counts of accepted and expired rows and of stale entries."""
        return {**{state.value: self.count(state) for state in State}, "stale": len(self.stale)}


def join(
    entries: Iterable[Entry],
    rows: Mapping[DeltaId, Sequence[str]],
    noise: Iterable[DeltaId],
    *,
    today: date,
    content: Callable[[DeltaId], str],
) -> Acceptance:
    """What the entries say about the rows.

    Args:
        entries: of all accept files.
        rows: the operations that each of today's rows reaches.
        noise: the ids of the differences without effect on the wire.
        today: an entry holds up to and including the day on which it expires.
        content: what a row takes in that its id does not say, see `Contents`; asked where an entry states it.
    """
    quiet = frozenset(noise)
    found: dict[DeltaId, Accepted] = {}
    stale: list[Stale] = []
    for entry in entries:
        listed = entry.operations
        others = [each for each in rows.get(entry.id, ()) if listed is not None and each not in listed]
        if others:
            stale.append(Stale(entry, f"{MORE}: {', '.join(others[:_TOLD])}{', …' * (len(others) > _TOLD)}"))
        elif entry.id in rows and entry.content is not None and entry.content != content(entry.id):
            stale.append(Stale(entry, OTHER))
        elif entry.id in rows:
            expired = date.fromisoformat(entry.expires) < today
            found[entry.id] = Accepted(entry, State.EXPIRED if expired else State.ACCEPTED)
        else:
            stale.append(Stale(entry, NOISE if entry.id in quiet else GONE))
    return Acceptance(today=today, by_id=found, stale=tuple(stale))


GONE = "no row has this id: the difference is gone, or it changed and is not covered"
MORE = "the difference reaches what the entry does not list, so it is not covered"
OTHER = "what comes with the difference is not what the entry was written for, so it is not covered"
_TOLD = 5
NOISE = "the difference has no effect on the wire, so there is nothing to accept"


def _entry_fields(entry: Entry) -> dict[str, Json]:
    return {
        "reason": entry.reason,
        "owner": entry.owner,
        "expires": entry.expires,
        "note": entry.note,
        "source": entry.file,
        "line": entry.line,
    }


# A comparison with the table of acceptances beside it, in the form that every output format reads.


COLUMNS = ("acceptance", "acceptance_reason", "acceptance_owner", "acceptance_expires")


@frozen
class AcceptedComparison:
    """A comparison whose rows say whether they are accepted; no row and no verdict is other than without it."""

    comparison: Comparison
    acceptance: Acceptance

    def to_dict(self) -> dict[str, Json]:
        """The comparison's JSON object; each row, the summary and the whole have one more member `acceptance`."""
        plain = self.comparison.to_dict()
        counts = self.acceptance.summary()
        stale = [entry.to_dict() for entry in self.acceptance.stale]
        return {
            **plain,
            "summary": {**self.comparison.summary, "acceptance": counts},
            "rows": [{**row, "acceptance": self._of(row["id"])} for row in _mappings(plain["rows"])],
            "acceptance": {"today": self.acceptance.today.isoformat(), **counts, "stale": stale},
        }

    def _of(self, row: Json) -> Json:
        found = self.acceptance.by_id.get(DeltaId(str(row)))
        return found.to_dict() if found is not None else None

    @property
    def frame(self) -> DataFrame:
        """The comparison's frame, with the columns `COLUMNS` after its own."""
        frame = self.comparison.frame
        cells = [_cells(self.acceptance.by_id.get(DeltaId(name))) for name in frame["delta_id"]]
        return frame.assign(**{name: [cell[at] for cell in cells] for at, name in enumerate(COLUMNS)})


def _mappings(value: Json) -> Iterator[Mapping[str, Json]]:
    assert isinstance(value, Sequence)
    return (row for row in value if isinstance(row, Mapping))


def _cells(found: Accepted | None) -> tuple[str, str, str, str]:
    if found is None:
        return "", "", "", ""
    return found.state.value, found.entry.reason, found.entry.owner, found.entry.expires


# An accept file to fill in: an entry for every row that counts, nothing decided in it.


_HEAD = """\
# Differences that we accept. Fill in every {mark}; delete the entries that you do not accept.
# reason: why; owner: the role that answers for it; expires: the last day on which it holds, such as 2027-01-31.
# Then: evreview diff RELEASED CANDIDATE --fail-on breaking --accept FILE
"""


def skeleton(
    rows: Iterable[JudgedRow],
    acceptance: Acceptance | None,
    clean: Callable[[str], str],
    content: Callable[[Delta], str],
) -> str:
    """The text of an accept file with an entry per row, its reason, owner and expiry left to fill in.

    Args:
        rows: those that count for `--fail-on`.
        acceptance: what is accepted already; rows that it names only get a comment that tells where.
        clean: makes a text of the contracts fit to be printed.
        content: what a row takes in that its id does not say, see `Contents`.
    """
    known = acceptance.by_id if acceptance is not None else {}
    wanted = list(rows)
    lines = [_HEAD.format(mark=MARK)]
    for row in wanted:
        found = known.get(row.delta.id)
        if found is not None and found.state is State.EXPIRED:
            lines.append(clean(f"# {row.delta.id} expired: renew it in {found.entry.file} line {found.entry.line}\n"))
    entries = [_entry_text(row, clean, content(row.delta)) for row in wanted if row.delta.id not in known]
    return "".join([*lines, "accept:\n" if entries else "accept: []\n", *entries])


def _entry_text(row: JudgedRow, clean: Callable[[str], str], content: str) -> str:
    delta = row.delta
    reached = list(delta.operations)
    # An operation that is not fit to be printed can't be listed: then the id alone decides.
    listed = bool(reached) and all(clean(each) == each for each in reached)
    about = f"{row.judgement.verdict.value}: {row.judgement.rule or 'no rule'} at {delta.address}"
    return (
        f"  - id: {delta.id}\n"
        f"    reason: {MARK}\n"
        f"    owner: {MARK}\n"
        f"    expires: {MARK}\n"
        + (f"    operations: {json.dumps(reached, ensure_ascii=False)}\n" if listed else "")
        + (f'    content: "{content}"\n' if content else "")
        + f"    note: {json.dumps(clean(about))}\n"
    )
