"""The registers of the W3 artifact's annex and of what became no finding, as rows of ready cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.core.quoted_text import Text, UserText, joined, listed
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import SafeMarkdown, cell, cell_code, cell_plain, cell_words, citations, own_id
from evreview.workflows.engine.registers import TableRow, empty, near
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import AbuseCase, ControlCell, InventoryGap, Lead, Standing, State
from evreview.workflows.w3.triage.lead_groups import is_unreached

Read = Iterable[Citation]
_FIRST: Final = (Standing.ABSENT, Standing.UNREAD, Standing.UNKNOWN, Standing.PRESENT)
"""What is looked at first in the matrix; the rest follows."""


def path_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Every way from an actor to an asset."""
    paths = facts.trust.paths if facts.trust else ()
    rows = (
        (
            _wrapping(each.actor),
            _wrapping(each.entry_point),
            cell(each.route or "unknown"),
            cell_plain(joined(((UserText(name),) for name in each.boundaries), " > ") or ("none",)),
            _wrapping(each.asset),
            cell("yes" if each.in_reach else "no"),
            cell_words(joined(each.gaps) or ("traceable",)),
            citations(near(bundle, each.citations)),
        )
        for each in paths
    )
    return tuple(rows) or empty(8, _unreached(facts.trust is not None, 2), read)


def backing_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Every trust boundary and identity transition, and what supports it."""
    found = (*facts.trust.backings, *facts.trust.transitions) if facts.trust else ()
    rows = (
        (
            cell_words((UserText(each.id), ": ", *each.name)),
            cell(str(each.backing)),
            cell_words(each.why),
            citations(near(bundle, each.citations)),
        )
        for each in found
    )
    return tuple(rows) or empty(4, _unreached(facts.trust is not None, 2), read)


def control_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The control x route matrix: an unguarded neighbour of guarded routes first, then what is absent or unknown."""
    cells = sorted(facts.inventory.cells if facts.inventory else (), key=lambda each: (not each.odd, _rank(each)))
    rows = (
        (
            _wrapping(each.control),
            cell(str(each.area)),
            cell(each.route or "unknown"),
            cell(f"{each.standing}{', beside guarded routes' if each.odd else ''}"),
            cell_plain(each.why),
            citations(near(bundle, each.citations or tuple(read))),
        )
        for each in cells
    )
    return tuple(rows) or empty(6, _unreached(facts.inventory is not None, 3), read)


def _rank(each: ControlCell) -> int:
    return _FIRST.index(each.standing) if each.standing in _FIRST else len(_FIRST)


def gap_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What the inventory lacks, and the exact artifact that is requested; controls that lack the same in one row."""
    alike: dict[tuple[object, ...], list[InventoryGap]] = defaultdict(list)
    for each in facts.inventory.gaps if facts.inventory else ():
        alike[each.lacks, each.request, each.decides].append(each)
    rows = (
        (
            cell_plain(listed(each.control for each in gaps) or ("unknown",)),
            cell(gaps[0].lacks),
            cell_plain(gaps[0].request),
            cell("no conclusion without it" if gaps[0].decides else "the control stays unverified"),
            citations(near(bundle, [on for each in gaps for on in each.citations] or tuple(read))),
        )
        for gaps in alike.values()
    )
    why = "nothing is missing" if facts.inventory is not None else "step 3 was not reached"
    return tuple(rows) or empty(5, why, read)


# Abuse cases: what the evidence decided stands whole; hypotheses by boundary, each thing to try told once.


def case_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Abuse cases that control evidence supports or disproves."""
    alike: dict[tuple[object, ...], list[AbuseCase]] = {}
    for each in facts.cases:
        if each.state is not State.HYPOTHESIS:
            same = (each.state, each.controlled_input, each.preconditions, each.bypass)
            alike.setdefault((*same, each.consequence), []).append(each)
    order = sorted(alike.values(), key=lambda cases: cases[0].state is State.REFUTED)
    rows = (
        (
            cell_plain((f"{cases[0].state}; ", *_over(cases))),
            cell_plain(listed(dict.fromkeys(each.attacker or "unknown" for each in cases))),
            cell_words(cases[0].controlled_input),
            cell_words(joined(cases[0].preconditions) or ("none besides the position",)),
            cell_words(cases[0].bypass),
            cell_words(cases[0].consequence),
            citations(near(bundle, [on for each in cases for on in each.citations] or tuple(read))),
        )
        for cases in order
    )
    why = "every case is a hypothesis" if facts.cases else "step 4 was not reached or found none"
    return tuple(rows) or empty(7, why, read)


def _over(cases: list[AbuseCase]) -> Text:
    """Boundaries and routes of cases that are alike but for them; the register has a row for each."""
    routes = dict.fromkeys(each.route for each in cases if each.route)
    at = listed(dict.fromkeys(each.boundary for each in cases))
    return (*at, f" over {', '.join(routes)}") if routes else at


@dataclass(frozen=True, slots=True)
class _Tries:
    """Hypotheses that are alike but for what is tried: one boundary, the same positions on the same routes."""

    boundary: str
    attackers: tuple[str, ...]
    routes: tuple[str, ...]
    names: tuple[str, ...]
    cases: tuple[AbuseCase, ...]


def _try_of(each: AbuseCase) -> tuple[Text, tuple[Text, ...], Text, Text]:
    """What is tried, whatever asset lies behind."""
    return (each.controlled_input, each.preconditions, each.bypass, each.consequence[:1])


def _named_tries(cases: Iterable[AbuseCase]) -> Mapping[object, str]:
    keys = dict.fromkeys(_try_of(each) for each in cases if each.state is State.HYPOTHESIS)
    return {key: f"T{place}" for place, key in enumerate(keys, 1)}


def _hypotheses(cases: Sequence[AbuseCase]) -> Iterator[_Tries]:
    """The hypotheses by boundary; a row is exact: every position there may try each of them on every route."""
    names = _named_tries(cases)
    by_route: dict[tuple[str, str, str], dict[str, AbuseCase]] = defaultdict(dict)
    for each in cases:
        if each.state is State.HYPOTHESIS:
            by_route[each.boundary, names[_try_of(each)], each.route][each.attacker] = each
    by_try: dict[tuple[str, str, tuple[str, ...]], dict[str, list[AbuseCase]]] = defaultdict(dict)
    for (boundary, name, route), there in by_route.items():
        by_try[boundary, name, tuple(there)][route] = [*there.values()]
    alike: dict[tuple[str, tuple[str, ...], tuple[str, ...]], dict[str, list[AbuseCase]]] = defaultdict(dict)
    for (boundary, name, attackers), ways in by_try.items():
        alike[boundary, attackers, tuple(ways)][name] = [one for found in ways.values() for one in found]
    order = [*dict.fromkeys(each.boundary for each in cases)]
    for (boundary, attackers, routes), tries in sorted(alike.items(), key=lambda one: order.index(one[0][0])):
        found = tuple(one for members in tries.values() for one in members)
        yield _Tries(boundary, attackers, routes, tuple(tries), found)


def hypothesis_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Per boundary, who may try what on which routes: hypotheses, each until evidence decides."""
    rows = (
        (
            _name(each.boundary),
            cell_words(listed(each.attackers)),
            cell(", ".join(name for name in each.routes if name) or "unknown"),
            cell_words(_assets(each.cases)),
            cell_words(listed(each.names)),
            cell(str(State.HYPOTHESIS)),
            citations(near(bundle, [on for one in each.cases for on in one.citations] or tuple(read))),
        )
        for each in _hypotheses(facts.cases)
    )
    why = "no case is a hypothesis" if facts.cases else "step 4 was not reached or found none"
    return tuple(rows) or empty(7, why, read)


def _assets(cases: Iterable[AbuseCase]) -> Text:
    behind = (part.value for each in cases for part in each.consequence[1:] if isinstance(part, UserText))
    return listed(dict.fromkeys(behind)) or ("what lies behind it",)


def try_rows(facts: W3Facts) -> tuple[TableRow, ...]:
    """What the hypotheses try, each told once."""
    named = _named_tries(facts.cases)
    tries = {named[_try_of(each)]: each for each in reversed(facts.cases) if each.state is State.HYPOTHESIS}
    rows = (
        (
            cell_code(name),
            cell_words(tries[name].controlled_input),
            cell_words(joined(tries[name].preconditions) or ("none besides the position",)),
            cell_words(tries[name].bypass),
            cell_words((*tries[name].consequence[:1], "the asset")),
        )
        for name in named.values()
    )
    why = "no case is a hypothesis" if facts.cases else "step 4 was not reached or found none"
    return tuple(rows) or ((*empty(5, why)[0][:4], cell("n/a")),)


# What became no finding: leads, refuted candidates; and where a compensating control was looked for.


def lead_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Leads: patterns that matched, one row per place with the routes that reach it. None of them is proof."""
    alike: dict[tuple[object, ...], list[Lead]] = {}
    for each in facts.leads:
        if not is_unreached(each):
            alike.setdefault(
                (each.tool, each.rule, each.path, each.symbol, each.spot or each.id, each.says), []
            ).append(each)
    rows = (
        (
            cell_words((UserText(leads[0].id),)),
            cell_words((UserText(leads[0].tool), ": ", UserText(leads[0].rule))),
            SafeMarkdown(f"{cell_words(_place(leads[0]))}; {cell(_reached(leads))}"),
            cell_words(leads[0].says),
            citations(near(bundle, [on for lead in leads for on in lead.citations] or tuple(read))),
        )
        for leads in alike.values()
    )
    return tuple(rows) or empty(5, "step 4 was not reached or found none", read)


def _reached(leads: Sequence[Lead]) -> str:
    return ", ".join(dict.fromkeys(lead.route for lead in leads if lead.route)) or "reached by no known route"


def _place(lead: Lead) -> Text:
    return (UserText(" ".join(part for part in (lead.path, lead.symbol) if part) or "not named"),)


def unreached_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What scanners report in code that no entry point is shown to reach: one row per rule, rated by nobody."""
    alike: dict[tuple[str, str], list[Lead]] = {}
    for each in facts.leads:
        if is_unreached(each):
            alike.setdefault((each.tool, each.rule), []).append(each)
    rows = (
        (
            cell_words((UserText(tool), ": ", UserText(rule))),
            cell(str(len(leads))),
            cell_words(joined(dict.fromkeys(map(_place, leads)))),
            citations(near(bundle, [lead.citations[0] for lead in leads if lead.citations] or tuple(read))),
        )
        for (tool, rule), leads in alike.items()
    )
    why = "the leads above are secrets or are reached" if facts.leads else "step 4 was not reached or found none"
    return tuple(rows) or empty(4, why, read)


def refuted_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Candidates that a compensating control refutes: removed from the findings, kept here."""
    rows = (
        (
            cell_words((UserText(each.id), ": ", *each.title)),
            cell_words(joined((*one.place, ": ", *one.why) for one in each.challenges if one.standing == "present")
                       or each.reach_why),
            citations(near(bundle, each.citations)),
        )
        for each in facts.challenged
        if each.state is State.REFUTED
    )  # fmt: skip
    return tuple(rows) or empty(3, "no candidate was refuted, or step 5 was not reached", read)


def challenge_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """For each finding, every place where a compensating control could stand."""
    rows = (
        (
            own_id(finding.candidate.id),
            cell_words(each.place),
            cell(str(each.standing)),
            cell_words(each.why),
            citations(near(bundle, each.citations or finding.candidate.citations)),
        )
        for finding in facts.findings
        for each in finding.candidate.challenges
    )
    return tuple(rows) or empty(5, "no finding, or step 7 was not reached", read)


def _name(value: str) -> SafeMarkdown:
    return cell_code(value) if value else cell("unknown")


def _wrapping(value: str) -> SafeMarkdown:
    return cell_plain((UserText(value),)) if value else cell("unknown")


def _unreached(reached: bool, step: int) -> str:
    return "none is stated" if reached else f"step {step} was not reached"
