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
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.build import dialect_of
from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.delta import Delta, Noise
from evreview.comparison.ledger import Ledger
from evreview.comparison.wire_forms import Forms, canonical
from evreview.contract.model import Contract, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import Absent, Change, DeltaId, Form, Json, RuleId
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
    """What is accepted, and where it is written.

    Attributes:
        id: of the row that it accepts; "" for an entry that names a rule.
        rule: whose rows it accepts, where they reach nothing but `operations`; "" for an entry that names a row.
        reason, owner, note: as written.
        expires: the last day on which it holds, as `2027-01-31`.
        operations: those that the row may reach, None where the id alone decides.
        content: of a row that takes in a whole schema, None where the id alone decides.
        file: as the user named it.
        line: of the entry.
    """

    id: DeltaId
    rule: RuleId
    reason: str
    owner: str
    expires: str
    note: str
    file: str
    line: int | None
    operations: frozenset[str] | None = None
    content: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What it names, one by one: the id, or the rule at each operation."""
        return tuple(_names(self.id, self.rule, sorted(self.operations or ())))

    @property
    def named(self) -> str:
        """What it names: the id, or the rule with its operations."""
        return self.id or f"{self.rule} at {', '.join(sorted(self.operations or ()))}"


def read_accept_files(
    files: Iterable[tuple[str, bytes]], rules: Callable[[], Iterable[str]], known: Iterable[Entry] = ()
) -> tuple[Entry, ...]:
    """The entries of all files, in order.

    Args:
        files: the name of each, as the user gave it, and its bytes.
        rules: gives the ids of all rules.
        known: entries that stand elsewhere; what they name stands in no file.

    Raises:
        BadInput: every problem of every file: what `parse_text` and `read_model` find, and `accepted-twice`.
    """
    entries: list[Entry] = []
    named = [(name, each.file, each.line) for each in known for name in each.names]
    problems: list[Problem] = []
    for file, data in files:
        try:
            value = parse_text(data, file)
            line = partial(line_of, data)
            named += named_in(value, file, line)
            entries += _entries(value, file, line, rules)
        except BadInput as error:
            problems += error.problems
    problems += named_twice(named)
    if problems:
        raise BadInput(problems)
    return tuple(entries)


LineOf = Callable[[str], int | None]
"""Tells the line of a place, None when it is not known."""
Named = tuple[str, str, int | None]


def named_in(value: Json, file: str, line: LineOf) -> Iterator[Named]:
    """Everything that entries name with its file and line, also of entries in which something else is wrong."""
    for at, entry in _listed(value):
        name, rule, reached = entry.get("id"), entry.get("rule"), entry.get("operations")
        for each in _names(name, rule, reached if isinstance(reached, list) else ()):
            yield each, file, line(f"/accept/{at}")


def _listed(value: Json) -> Iterator[tuple[int, Mapping[str, Json]]]:
    listed = value.get("accept") if isinstance(value, Mapping) else None
    for at, entry in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(entry, Mapping):
            yield at, entry


def _names(name: Json, rule: Json, operations: Iterable[Json] | None) -> Iterator[str]:
    """What one entry names: its id, or its rule at each operation."""
    if isinstance(name, str) and name not in ("", MARK):
        yield name
    elif isinstance(rule, str) and rule:
        yield from (f"{rule} at {each}" for each in operations or () if isinstance(each, str))


def entry_problems(value: Json, file: str, rules: Callable[[], Iterable[str]]) -> Iterator[Problem]:
    """A problem for each entry that names neither a row nor a rule at operations, or both, or no rule that there is.

    Args:
        value: what holds the list `accept`.
        file: its name.
        rules: gives the ids of all rules.
    """
    for at, entry in _listed(value):
        where = f"#/accept/{at}"
        rule = entry.get("rule")
        if isinstance(rule, str) and rule and rule not in (known := sorted(rules())):
            near = get_close_matches(rule, known, n=1)
            advice = f"Did you mean `{near[0]}`?" if near else "`evreview rules` lists them"
            yield Problem(
                code="unknown-rule", found=f"there is no rule `{rule}`", file=file, place=f"{where}/rule", advice=advice
            )
        if "id" in entry and "rule" in entry:
            found, advice = "an entry names a row or a rule, and this one both", "Leave `rule` or `id` out"
            yield Problem(code="accepted-by-both", found=found, file=file, place=f"{where}/rule", advice=advice)
        missing = [] if "id" in entry else ["operations"] if "rule" in entry else ["id"]
        for name in missing:
            if not entry.get(name):
                found = f"the field `{name}` is missing"
                advice = "Name a row with `id`, or a `rule` with its `operations`"
                yield Problem(code="missing-field", found=found, file=file, place=f"{where}/{name}", advice=advice)


def _entries(value: Json, file: str, line: LineOf, rules: Callable[[], Iterable[str]]) -> Iterator[Entry]:
    found, wrong = read_model(AcceptFile, value, file=file)
    problems = (*wrong, *entry_problems(value, file, rules))
    if found is None or problems:
        raise BadInput(replace(problem, line=line(problem.place)) for problem in problems)
    for at, accepted in enumerate(found.accept):
        yield entry_of(accepted, file, line(f"/accept/{at}"))


def entry_of(accepted: AcceptedDelta, file: str, line: int | None) -> Entry:
    """An accepted difference with the place at which it is written."""
    return Entry(
        id=DeltaId(accepted.id),
        rule=RuleId(accepted.rule),
        reason=accepted.reason,
        owner=accepted.owner,
        expires=accepted.expires,
        note=accepted.note,
        file=file,
        line=line,
        operations=None if accepted.operations is None else frozenset(accepted.operations),
        content=accepted.content,
    )


def named_twice(named: Iterable[Named]) -> Iterator[Problem]:
    """A problem per name that another entry before it has: which of both reasons holds is not for us to choose."""
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
        rule: dict[str, Json] = {"rule": self.entry.named} if self.entry.rule else {}
        return {"id": self.entry.id or None, **rule, **_entry_fields(self.entry), "found": self.found}


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


def join(  # noqa: PLR0913  the tables that meet here
    entries: Iterable[Entry],
    rows: Mapping[DeltaId, Sequence[str]],
    noise: Iterable[DeltaId],
    *,
    today: date,
    content: Callable[[DeltaId], str],
    rules: Mapping[DeltaId, RuleId | None] = MappingProxyType({}),
) -> Acceptance:
    """What the entries say about the rows.

    Args:
        entries: of all accept files.
        rows: the operations that each of today's rows reaches.
        noise: the ids of the differences without effect on the wire.
        today: an entry holds up to and including the day on which it expires.
        content: what a row takes in that its id does not say, see `Contents`; asked where an entry states it.
        rules: the rule of each row.
    """
    quiet = frozenset(noise)
    found: dict[DeltaId, Accepted] = {}
    stale: list[Stale] = []
    # An entry for one row says more than one for all rows of a rule.
    for entry in sorted(entries, key=lambda each: not each.id):
        if entry.rule:
            covered, why = _of_rule(entry, rows, rules)
            found |= {row: Accepted(entry, _state(entry, today)) for row in covered if row not in found}
            stale += [Stale(entry, why)] if why else []
            continue
        listed = entry.operations
        others = [each for each in rows.get(entry.id, ()) if listed is not None and each not in listed]
        if others:
            stale.append(Stale(entry, f"{MORE}: {', '.join(others[:_TOLD])}{', …' * (len(others) > _TOLD)}"))
        elif entry.id in rows and entry.content is not None and entry.content != content(entry.id):
            stale.append(Stale(entry, OTHER))
        elif entry.id in rows:
            found[entry.id] = Accepted(entry, _state(entry, today))
        else:
            stale.append(Stale(entry, NOISE if entry.id in quiet else GONE))
    return Acceptance(today=today, by_id=found, stale=tuple(stale))


def _state(entry: Entry, today: date) -> State:
    return State.EXPIRED if date.fromisoformat(entry.expires) < today else State.ACCEPTED


def _of_rule(
    entry: Entry, rows: Mapping[DeltaId, Sequence[str]], rules: Mapping[DeltaId, RuleId | None]
) -> tuple[list[DeltaId], str]:
    """The rows that an entry covers by its rule; and what to tell of it, "" where it covers all that it touches."""
    listed = entry.operations or frozenset()
    touched = [row for row, rule in rules.items() if rule == entry.rule and not listed.isdisjoint(rows[row])]
    covered = [row for row in touched if listed.issuperset(rows[row])]
    others = sorted({each for row in touched for each in rows[row] if each not in listed})
    if others:
        return covered, f"{MORE}: {', '.join(others[:_TOLD])}{', …' * (len(others) > _TOLD)}"
    return covered, "" if covered else NO_SUCH_ROW


NO_SUCH_ROW = "no row of this rule reaches one of these operations"
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

    @property
    def ledger(self) -> Ledger:
        """The facts."""
        return self.comparison.ledger

    @property
    def rows(self) -> tuple[JudgedRow, ...]:
        """The comparison's rows."""
        return self.comparison.rows

    @property
    def noise(self) -> tuple[Noise, ...]:
        """The comparison's noise."""
        return self.comparison.noise

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
