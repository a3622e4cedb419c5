"""The first screens of the W3 artifact: verdict, controls at each route, threats in three lines, what is authorized."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Part, Text, UserText, bare, counted, listed, text
from evreview.core.vocabulary import Area, Unrated
from evreview.evidence.citation import on_line
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import SafeMarkdown, cell, cell_words, citations, group
from evreview.report.statement import Statement, inferred, limited, observed
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.halt import first_reason
from evreview.workflows.engine.next_actions import first_action
from evreview.workflows.engine.registers import BoundaryRow, TableRow, empty, near, short_revision
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.artifact.finding_tables import finding_title, rule_of_finding, unresolved
from evreview.workflows.w3.facts import W3Facts, deciding_items, finding_items, scope_items, sealed_items
from evreview.workflows.w3.gates import Disclosure, disclosure
from evreview.workflows.w3.model import Backing, Candidate, ControlCell, Standing, State, Term
from evreview.workflows.w3.rating import is_unrated


def verdict(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, why it stops or what is supported, how much, who acts, who may read."""
    on = scope_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=deciding_items(bundle, steps, facts))
    yield from (replace(each, citations=near(bundle, each.citations)) for each in first_reason(decision))
    if not facts.opened:
        unread = "; nothing else was read" if on else ", so that none of these items was read"
        yield observed(f"No current written authorization covers this review{unread}.",
                       on=on or sealed_items(bundle, facts))  # fmt: skip
    elif facts.rated:
        yield from () if decision.state.is_halted else _supported(bundle, facts)
        yield _counted(facts, finding_items(facts) or on)
    yield first_action(decision.next_actions, "Approval and disclosure")
    yield marking(disclosure(bundle, facts), facts.revision if facts.opened else "")


_NAMED: Final = 6
"""Findings, assets, ids that one sentence names."""


def _supported(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """The gravest supported finding that is unresolved, and the ids of the others."""
    shown = [each for each in unresolved(facts) if each.candidate.state is State.SUPPORTED]
    if not shown:
        return
    first, others = shown[0], [each.candidate.id for each in shown[1:]]
    rated = "not rated" if isinstance(first.severity, Unrated) else first.severity
    more: Text = ("; also supported: ", *listed(others, _NAMED)) if others else ()
    rule = rule_of_finding(facts, first)
    on = [on_line(bundle, each) for each in (*first.candidate.citations[:2], *((rule,) if rule else ()))]
    says = (UserText(first.candidate.id), f" ({rated}, {first.disposition}): ", *bare(finding_title(first)))
    yield inferred(*text(*says, *more, "."), on=on)


def _counted(facts: W3Facts, on: tuple[Citation, ...]) -> Statement:
    shown = sum(each.candidate.state is State.SUPPORTED for each in facts.findings)
    guessed = len(facts.findings) - shown
    unsure = "1 hypothesis" if guessed == 1 else f"{guessed} hypotheses"
    unknown = sum(each.undecided or is_unrated(each) for each in facts.findings)
    open_ones = f", {unknown} of which nobody can say" if unknown else ""
    held = f"{counted(len(facts.holding), 'unresolved finding')} holding the deployment{open_ones}"
    return observed(f"{counted(shown, 'supported finding')}, {unsure}; {held}.", on=on)


def marking(to_whom: Disclosure, revision: str = "") -> Statement:
    """Who may have this artifact, and for which revision it holds."""
    valid: Text = (
        (" Valid for the immutable revision ", UserText(short_revision(revision)), " only.") if revision else ()
    )
    if to_whom.internal:
        return limited("Internal: for the authorized team only; no disclosure outside it is approved.", *valid)
    return limited("For the recipients named under Approval and disclosure only.", *valid)


# Controls at each route: the worst standing of each area, and what a candidate says against it.


ROUTES: Final = 8
"""Rows of the table; the rest is summed in the last one."""
UNLISTED: Final = "not listed"
EVERY: Final = "*"
_WORST: Final = (
    Standing.ABSENT,
    Standing.UNREAD,
    Standing.UNKNOWN,
    Standing.PRESENT,
    Standing.NOT_IN_SCOPE,
    Standing.NOT_APPLICABLE,
)
_FLAGGED: Final = _WORST[:3]
_SHORT: Final[Mapping[Standing, str]] = {Standing.NOT_APPLICABLE: "n/a"}
_CHALLENGES: Final[Mapping[State, str]] = {
    State.SUPPORTED: "finding",
    State.HYPOTHESIS: "hypothesis",
    State.REFUTED: "refuted",
}
"""What a candidate says of a control; the gravest first."""


@dataclass(frozen=True, slots=True)
class RouteSquare:
    """What stands in a square of route by area.

    Attributes:
        word: the worst standing of the area's controls at the route.
        challenge: `finding` or `hypothesis` where one is about them; `refuted` where what looked absent was refuted.
        about: the id of the candidate behind it, "" for none.
        flagged: whether the standing is none that a reader may pass by.
        citations: what the standing rests on.
    """

    word: str
    challenge: str
    about: str
    flagged: bool
    citations: tuple[Citation, ...]

    def __str__(self) -> str:
        return f"{self.word}; {self.challenge}" if self.challenge else self.word

    @property
    def holds(self) -> bool:
        """Whether a finding or hypothesis stands against the control."""
        return self.challenge in (_CHALLENGES[State.SUPPORTED], _CHALLENGES[State.HYPOTHESIS])


_Row = Mapping[Area, RouteSquare]


def control_glance(bundle: Bundle, facts: W3Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """One row a route, the worst first: what the evidence shows of each area's controls there, what speaks against."""
    if facts.inventory is None:
        return empty(8, "step 3 was not reached", read)
    by_route = squares_by_route(facts)
    order = list(by_route)
    shown = order if len(order) <= ROUTES else order[: ROUTES - 1]
    rows = [_route_row(bundle, route, by_route[route], read) for route in shown]
    rest = [by_route[route] for route in order[len(shown) :]]
    if rest:
        rows.append(_rest_row(rest, read))
    return tuple(rows) or empty(8, "no route is registered, and no control is listed", read)


def squares_by_route(facts: W3Facts) -> dict[str, _Row]:
    """Each route's squares, the worst first; what holds for every route stands at each, or alone where none is."""
    found: dict[str, dict[Area, tuple[ControlCell, ...]]] = {}
    every: dict[Area, tuple[ControlCell, ...]] = {}
    for each in facts.inventory.cells if facts.inventory else ():
        kept = every if each.route in ("", EVERY) else found.setdefault(each.route, {})
        kept[each.area] = (*kept.get(each.area, ()), each)
    for own in found.values():
        for area, general in every.items():
            own[area] = (*own.get(area, ()), *general)
    told = found or ({EVERY: every} if every else {})
    speaks = _challenged(facts)
    squares = {
        route: {area: _square(own.get(area, ()), speaks.get((route, area))) for area in Area}
        for route, own in told.items()
    }
    return dict(sorted(squares.items(), key=lambda each: _gravity(each[1].values())))


def _challenged(facts: W3Facts) -> dict[tuple[str, Area], Candidate]:
    """The gravest finding about each area at each route, else the candidate that was refuted there."""
    found: dict[tuple[str, Area], Candidate] = {}
    grave = list(_CHALLENGES)
    refuted = (each for each in facts.challenged if each.state is State.REFUTED)
    for whole in (*(each.candidate for each in facts.findings), *refuted):
        for one in whole.members or (whole,):
            at = one.route, one.area
            if at not in found or grave.index(one.state) < grave.index(found[at].state):
                found[at] = replace(one, id=whole.id)
    return found


def _square(cells: Sequence[ControlCell], candidate: Candidate | None) -> RouteSquare:
    rank = min((_WORST.index(each.standing) for each in cells), default=len(_WORST))
    flagged = rank < len(_FLAGGED)
    word = UNLISTED if rank == len(_WORST) else _SHORT.get(_WORST[rank], str(_WORST[rank]))
    speaks = candidate is not None and (flagged or candidate.state is not State.REFUTED)
    return RouteSquare(
        word=word,
        challenge=_CHALLENGES[candidate.state] if candidate and speaks else "",
        about=candidate.id if candidate and speaks else "",
        flagged=flagged,
        citations=next((each.citations for each in cells if each.standing is _WORST[rank]), ()) if cells else (),
    )


def _gravity(row: Iterable[RouteSquare]) -> tuple[int, ...]:
    """Findings before hypotheses, then the worst standings, area by area."""
    words = [*(_SHORT.get(each, str(each)) for each in _WORST), UNLISTED]
    against = [*list(_CHALLENGES.values())[:2], ""]
    squares = list(row)
    gravest = min(against.index(each.challenge if each.holds else "") for each in squares)
    return gravest, *(words.index(each.word) for each in squares)


def _route_row(bundle: Bundle, route: str, own: _Row, read: Iterable[Citation]) -> TableRow:
    squares = list(own.values())
    odd = [each.citations[0] for each in squares if each.flagged and each.citations]
    on = odd or [each.citations[0] for each in squares if each.citations][:1] or [*read]
    shown = dict.fromkeys(on_line(bundle, each) for each in on)
    name = cell("every route" if route == EVERY else route)
    return (name, *map(_shown, squares), citations([*shown][:3]))


def _shown(square: RouteSquare) -> SafeMarkdown:
    """The square: what needs a look is bold, a finding and a hypothesis lead to their card."""
    word = SafeMarkdown(f"**{cell(square.word)}**") if square.flagged else cell(square.word)
    if not square.challenge:
        return word
    against = f"[{square.challenge}](#{square.about.lower()})" if square.holds else cell(square.challenge)
    return SafeMarkdown(f"{word}; {against}")


def _rest_row(rest: Sequence[_Row], read: Iterable[Citation]) -> TableRow:
    cells = []
    for area in Area:
        words = [str(own[area]) for own in rest]
        cells.append(cell(", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(sorted(words)))))
    return (cell(f"{counted(len(rest), 'more route')}"), *cells, citations(tuple(read)))


# Threats in three lines.


def threats(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """The assumed attacker and what is protected; what was traced and tried; what the attacker can't do."""
    model = facts.model
    if model is None:
        return
    record = model.record
    at = [on_line(bundle, model.at(f"/{name}")) for name in ("attacker_positions", "assets") if getattr(record, name)]
    positions = listed(record.attacker_positions or ()) or ("none stated",)
    yield observed("Attacker positions assumed: ", *positions, ". Assets: ", *_assets(facts), ".",
                   on=at or (model.citation,))  # fmt: skip
    if facts.trust is not None:
        yield observed(_traced(facts), _tried(facts), ": under Traceability.", on=(model.citation,))
    if record.excluded_capabilities:
        yield limited("Not assumed of an attacker: ", *listed(record.excluded_capabilities), ".",
                      on=(on_line(bundle, model.at("/excluded_capabilities")),))  # fmt: skip


def _assets(facts: W3Facts) -> Text:
    assets = (facts.model.record.assets or ()) if facts.model else ()
    parts: list[Part] = []
    for each in assets[:_NAMED]:
        kind: Text = (" (", UserText(each.classification), ")") if each.classification else (" (not classified)",)
        parts += [*([", "] if parts else []), UserText(each.id), *kind]
    more = f" and {len(assets) - _NAMED} more" if len(assets) > _NAMED else ""
    return text(*parts, more) or ("none stated",)


def _traced(facts: W3Facts) -> str:
    assert facts.trust is not None
    found = (*facts.trust.backings, *facts.trust.transitions)
    shown = sum(each.backing is Backing.VALIDATED for each in found)
    traceable = sum(not path.gaps for path in facts.trust.paths)
    return (
        f"{counted(len(facts.trust.paths), 'path')}, {traceable} traceable; "
        f"{len(found)} boundaries and identity transitions, {shown} validated"
    )


def _tried(facts: W3Facts) -> str:
    if not facts.cases:
        return ""
    states = [each.state for each in facts.cases]
    counts = [f"{states.count(state)} {word}" for state, word in _STATES.items() if state in states]
    return f"; {counted(len(states), 'abuse case')}, {', '.join(counts)}"


_STATES: Final[Mapping[State, str]] = {
    State.SUPPORTED: "supported",
    State.HYPOTHESIS: "still suspected",
    State.REFUTED: "refuted",
}


# What is authorized, the terms that belong together in one row.


GROUPS: Final[Mapping[str, tuple[Term, ...]]] = {
    "approved by": (Term.APPROVING_ROLE, Term.DECISION),
    "immutable revision": (Term.IMMUTABLE_REVISION, Term.REVIEW_PERIOD),
    "allowed": (Term.ALLOWED_PATHS,),
    "allowed techniques": (Term.ALLOWED_TECHNIQUES,),
    "excluded": (Term.EXCLUDED_TARGETS, Term.EXCLUSIONS),
    "excluded actions": (Term.EXCLUDED_ACTIONS,),
    "disclosure boundary": (Term.DISCLOSURE_BOUNDARY,),
    "stop conditions": (Term.STOP_CONDITIONS,),
}
"""What stands on the first screens."""
FURTHER: Final[Mapping[str, tuple[Term, ...]]] = {
    "authorization record": (Term.AUTHORIZATION_RECORD,),
    "received": (Term.FORM, Term.RECEIVED_THROUGH),
    "system": (Term.SYSTEM_OWNED, Term.ENVIRONMENT),
    "active testing": (Term.ACTIVE_TESTING,),
    "clean up": (Term.CLEANUP, Term.ROLLBACK),
}
"""What stands in the annex."""
_PREFIX: Final[Mapping[Term, str]] = {
    Term.RECEIVED_THROUGH: "through ",
    Term.EXCLUSIONS: "left out: ",
    Term.ROLLBACK: "rollback: ",
}


def authorization_rows(bundle: Bundle, facts: W3Facts) -> tuple[TableRow, ...]:
    """What the authorization states that decides what may be reviewed."""
    return tuple(_grouped(bundle, facts, GROUPS)) or empty(3, "no authorization record is supplied")


def further_rows(bundle: Bundle, facts: W3Facts) -> tuple[TableRow, ...]:
    """What else it states, and the day for which the review is judged."""
    known = {term for terms in (*GROUPS.values(), *FURTHER.values()) for term in terms}
    left = [row for row in facts.boundary if row.what not in known]
    days = tuple((cell(row.what), cell_words(row.value), cell("review request")) for row in left)
    return (*_grouped(bundle, facts, FURTHER), *days) or empty(3, "step 1 did not run")


def _grouped(bundle: Bundle, facts: W3Facts, groups: Mapping[str, tuple[Term, ...]]) -> Iterator[TableRow]:
    stated = {row.what: row for row in facts.boundary}
    for name, terms in groups.items():
        if found := [(term, stated[term]) for term in terms if term in stated]:
            yield _terms(bundle, name, found)


def _terms(bundle: Bundle, name: str, found: Sequence[tuple[Term, BoundaryRow]]) -> TableRow:
    parts: list[Part] = []
    for term, row in found:
        value = _short_digest(row.value) if term is Term.AUTHORIZATION_RECORD else row.value
        parts += [*(["; "] if parts else []), _PREFIX.get(term, ""), *value]
    on = dict.fromkeys(on_line(bundle, each) for _, row in found for each in row.citations)
    return (cell(name), cell_words(text(*parts)), group(on))


def _short_digest(value: Text) -> Text:
    first, *rest = value
    return (UserText(f"sha256:{short_revision(str(first).removeprefix('sha256:'))}"), *rest)
