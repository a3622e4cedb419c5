"""What each release of a history broke, how long it stands, and which clients may talk to which release.

Every answer is that of one comparison of two releases. Rows of steps between them are never added up: what one release
breaks a later one may mend, and two harmless steps may break together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.delta import Delta
from evreview.comparison.history import History, answers
from evreview.core.vocabulary import ABSENT, Aspect, Change, CompatibilityLevel, Form, Json, Tristate

if TYPE_CHECKING:
    from evreview.comparison.kind_spec import Specs


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseBreak:
    """A row that a release brought.

    Attributes:
        row: of the comparison with the release before.
        since: the number of that release.
        until: the first later release that does not break what the release before `since` had; None while it stands.
    """

    row: JudgedRow
    since: int
    until: int | None

    def to_dict(self, names: Callable[[int], str]) -> dict[str, Json]:
        """The row of the JSON object of `evreview history --format json`, not yet redacted."""
        delta, told = self.row.delta, self.row.judgement
        return {
            "id": delta.id,
            "since": names(self.since),
            "until": None if self.until is None else names(self.until),
            "title": told.title,
            "rule": told.rule,
            "operation": delta.operation,
            "address": delta.address,
        }


def release_breaks(history: History) -> tuple[ReleaseBreak, ...]:
    """Every breaking row of two neighbours, in the order of the releases."""
    found = {(pair.earlier, pair.later): pair.comparison.breaking for pair in history.pairs}
    last = len(history.releases) - 1

    def until(row: JudgedRow, since: int) -> int | None:
        later = range(since + 1, last + 1)
        return next((each for each in later if not _stands(row.delta, found[since - 1, each])), None)

    return tuple(
        ReleaseBreak(row=row, since=since, until=until(row, since))
        for since in range(1, last + 1)
        for row in found[since - 1, since]
    )


def _stands(delta: Delta, later: Iterable[JudgedRow]) -> bool:
    """True where a later release breaks the same, whatever value it has there now."""
    return any(_same_place(delta, row.delta) or _swallows(row.delta, delta) for row in later)


def _same_place(one: Delta, other: Delta) -> bool:
    """True for rows about the same thing of the same released contract. Ids hang on both values, so they don't say it.

    What several operations share is told where its first use is; there the released text says that it is the same.
    """
    if one.id == other.id:
        return True
    if (one.role, one.direction, one.aspect, one.facet) != (other.role, other.direction, other.aspect, other.facet):
        return False
    written = one.released is not ABSENT and one.released_place == other.released_place
    return one.address == other.address or (written and one.element is other.element)


def _swallows(whole: Delta, part: Delta) -> bool:
    """True for a row that takes away what holds the part, or makes it a value of another type."""
    gone = whole.change is Change.REMOVED and not whole.facet
    other = whole.aspect is Aspect.TYPES and _types(whole.released).isdisjoint(_types(whole.candidate))
    below = f"{whole.address} > ", f"{whole.address}[]"
    return (gone or other) and (part.address == whole.address or part.address.startswith(below))


def _types(form: Form) -> frozenset[str]:
    return frozenset(map(str, form if isinstance(form, list | tuple) else (form,)))


def client_matrix(
    history: History, specs: Specs, *, witnesses: bool = True, tell: Callable[[str], None] = lambda _: None
) -> tuple[tuple[Tristate, ...], ...]:
    """For each release's clients, whether they may talk to each release: yes, no or unknown.

    Args:
        history: the releases, each compared with every later one.
        specs: the kinds of contract.
        witnesses: see `compare`.
        tell: is told which pair is compared.
    """
    from evreview.comparison.compare import compare

    known = {(pair.earlier, pair.later): pair.comparison for pair in history.pairs}
    count = len(history.releases)

    def answer(client: int, server: int) -> Tristate:
        if client == server:
            return Tristate.YES
        found = known.get((client, server))
        if found is None:
            sides = history.releases[client], history.releases[server]
            tell(f"{sides[0].path} with {sides[1].path}")
            found = compare(*sides, specs, witnesses=witnesses)
        return may_talk(found)

    return tuple(tuple(answer(client, server) for server in range(count)) for client in range(count))


def may_talk(comparison: Comparison) -> Tristate:
    """Whether a client of the released side may talk to the candidate: what it sends is accepted, and it reads all."""
    found = {told for row in comparison.rows for told in answers(CompatibilityLevel.FULL, row)}
    if Tristate.NO in found:
        return Tristate.NO
    return Tristate.UNKNOWN if Tristate.UNKNOWN in found or comparison.doubted else Tristate.YES
