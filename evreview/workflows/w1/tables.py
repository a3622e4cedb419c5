"""The registers of the W1 artifact as rows of short cells. An empty register keeps one row that says so."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed, plain
from evreview.core.vocabulary import DeltaId, Direction, StatementKind, Tristate, Verdict, VersionPath
from evreview.evidence.citation import on_line, on_record_line
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import Policy
from evreview.report.escape import (
    NOTHING,
    SafeMarkdown,
    cell,
    cell_code,
    cell_words,
    citations,
    fragments,
    own_id,
    row_link,
    statement,
)
from evreview.report.statement import Statement, executed, inferred, limited, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Decision, Finding, Validation
from evreview.workflows.engine.registers import TableRow, by_line, empty, near, rule_name, rules_quoted, short_revision
from evreview.workflows.w1.checks import Proposed
from evreview.workflows.w1.client_outcomes import ClientOutcome, delta_outcomes, expected_words, named, outcome_of
from evreview.workflows.w1.clients.register import ClientRow
from evreview.workflows.w1.facts import Source, W1Facts, read_contracts
from evreview.workflows.w1.findings import supporting
from evreview.workflows.w1.matrix import RowWords, row_title
from evreview.workflows.w1.policy.judgement import PolicyJudgement
from evreview.workflows.w1.policy.monitoring import RolloutMonitor

FRAGMENT: Final = 80
CELL: Final = 120


def source_rows(bundle: Bundle, facts: W1Facts) -> tuple[TableRow, ...]:
    """Per source, what it matches (step 3)."""
    found, folder = facts.reconciliation.sources if facts.reconciliation else (), _folder(facts)
    rows = (
        (
            SafeMarkdown(f"{cell_code(_below(folder, source))}; {cell(source.operation or 'not recorded')}"),
            cell(str(source.basis)),
            cell(str(source.match)),
            cell_words(_reasons(source.released_reasons, source.candidate_reasons)),
            citations((on_line(bundle, source.citation),)),
        )
        for source in found
    )
    return tuple(rows) or empty(5, "no implementation or observation was reconciled")


def source_folder(facts: W1Facts) -> Iterator[Statement]:
    """The folder that the changed files share, said once; nothing where they share none."""
    if folder := _folder(facts):
        on = dict.fromkeys(Citation(each.citation.id) for each in _changed(facts))
        yield observed("Changed files stand under ", UserText(folder), ".", on=on)


def _changed(facts: W1Facts) -> tuple[Source, ...]:
    found = facts.reconciliation.sources if facts.reconciliation else ()
    return tuple(source for source in found if source.kind == "implementation")


def _folder(facts: W1Facts) -> str:
    """The folder of all changed files with its slash, "" where there is none or fewer than two."""
    folders = [posixpath.dirname(source.id) for source in _changed(facts)]
    absolute = {folder.startswith("/") for folder in folders}
    shared = posixpath.commonpath(folders) if len(folders) > 1 and len(absolute) == 1 else ""
    return f"{shared}/" if shared.strip("/") else ""


def _below(folder: str, source: Source) -> str:
    return source.id.removeprefix(folder) if source.kind == "implementation" else source.id


def _reasons(released: Iterable[str], candidate: Iterable[str]) -> Text:
    both = [*dict.fromkeys((*released, *candidate))]
    if not both:
        return ("agrees",)
    shown = [reason for at, reason in enumerate(both) if not at or sum(map(len, both[: at + 1])) <= CELL - 20]
    more = f"; {len(both) - len(shown)} more" if len(both) > len(shown) else ""
    return ("; ".join(shown) + more,)


# Findings.


_BASIS: Final[Mapping[Validation | None, str]] = {
    Validation.EXECUTED: "executed",
    Validation.PROVED: "proof",
    Validation.NONE: "not validated",
    None: "not validated",
}
_MEETS: Final[Mapping[Direction | None, str]] = {
    Direction.READ: "old requests may be refused",
    Direction.WRITTEN: "old clients may fail",
}


def is_printed(facts: W1Facts, finding: Finding) -> bool:
    """True for a finding with a row of its own: a compatible difference that nobody rates is in the matrix."""
    row = next((row for row in facts.rows if row.delta.id == finding.delta_id), None)
    judged = facts.judgements.get(finding.delta_id) if finding.delta_id else None
    if row is None or row.judgement.verdict is not Verdict.COMPATIBLE or finding.blocks:
        return True
    breaks = any(impact.breaking for impact in facts.impacts if impact.delta_id == row.delta.id)
    return breaks or bool(judged and judged.severity)


def finding_rows(bundle: Bundle, facts: W1Facts, words: RowWords, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The finding register, the gravest first as the policy orders severities."""
    policy = first_of(bundle, Policy)
    order = policy.record.severities if policy else ()
    found = sorted((each for each in facts.findings if is_printed(facts, each)), key=lambda each: _weight(order, each))
    return tuple(_finding(bundle, facts, words, each) for each in found) or empty_findings(facts, read)


def _weight(severities: tuple[str, ...], finding: Finding) -> tuple[int, bool]:
    place = severities.index(finding.severity) if finding.severity in severities else len(severities)
    return place, not finding.blocks


def empty_findings(facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The finding register's one row when it has none; a run that stopped early says so."""
    why = "no difference is material" if facts.gates else "step 9 was not reached"
    blank = cell("n/a")
    return ((cell(f"{NOTHING}: {why}"), blank, blank, citations(read), blank, blank, blank, blank),)


def _finding(bundle: Bundle, facts: W1Facts, words: RowWords, finding: Finding) -> TableRow:
    judged = facts.judgements.get(finding.delta_id) if finding.delta_id else None
    rule = rule_name(judged.citation) if judged and judged.severity and judged.citation else ""
    title = row_title(words, finding.delta_id) or finding.short_title or finding.title
    card = row_link(finding.delta_id or finding.id, (plain(title),))
    rated = (judged.citation,) if judged and judged.citation else ()
    return (
        cell(f"{finding.severity} ({rule})" if rule else finding.severity),
        cell(f"{finding.confidence} ({_BASIS[finding.validation]})"),
        SafeMarkdown(f"{own_id(finding.id)} {card}"),
        citations(near(bundle, finding.citations, rated)),
        fragments(by_line(bundle, _impact(facts, words, finding))),
        fragments((_recommendation(facts, finding),)),
        fragments(by_line(bundle, (_verification(facts, finding),))),
        cell(_disposition(judged, finding)),
    )


def _disposition(judged: PolicyJudgement | None, finding: Finding) -> str:
    """What becomes of it; of the policy's own words the first clause, which stand whole below the table."""
    clause = finding.disposition.partition(";")[0]
    ours = judged is None or finding.disposition != judged.disposition or clause == finding.disposition
    return finding.disposition if ours else f"{clause} (policy)"


def _impact(facts: W1Facts, words: RowWords, finding: Finding) -> Iterator[Statement]:
    if finding.delta_id is None:
        yield from (replace(each, citations=()) for each in finding.impact if each.kind is StatementKind.INFERENCE)
        return
    row = next(row for row in facts.rows if row.delta.id == finding.delta_id)
    found = delta_outcomes(words.impacts.get(row.delta.id, ()))
    for clients, word in ((found.failed, "failed"), (found.passed, "passed")):
        if clients:
            yield observed("run: ", *named(clients), f" {word}", on=found.runs)
    if found.declared:
        yield observed("declared: ", *named(found.declared))
    if found.declared or found.failed:
        yield inferred(*expected_words(found, found.declared or found.failed))
    elif row.judgement.verdict is Verdict.COMPATIBLE:
        yield inferred("by contract no old client fails")
    else:
        yield inferred(_MEETS.get(row.delta.direction, "what was built for the released form may fail"))


def _recommendation(facts: W1Facts, finding: Finding) -> Statement:
    row = next((row for row in facts.rows if row.delta.id == finding.delta_id), None)
    if row is None:
        return replace(finding.recommendation, citations=())
    if row.judgement.verdict is Verdict.COMPATIBLE and not finding.blocks:
        return recommended("announce it")
    if facts.path is None:
        return recommended("keep the released form until a path is chosen")
    if facts.path.path is VersionPath.REJECTION:
        return recommended("do not ship it")
    return recommended(f"keep the released form; {'not by' if facts.path.objections else 'path:'} {facts.path.path}")


def _verification(facts: W1Facts, finding: Finding) -> Statement:
    row = next((row for row in facts.rows if row.delta.id == finding.delta_id), None)
    if row is None:
        return replace(finding.verification, text=_first_sentence(finding.verification.text), citations=())
    done = supporting(facts, row)
    if done:
        return executed(done[0].result, on=(done[0].citation,))
    planned = facts.checks.proposed_for(row.delta.id) if facts.checks else ()
    if not planned:
        return proposed("a contract test of both forms")
    kinds = dict.fromkeys("as supplied" if each.citation else str(each.direction) for each in planned)
    return proposed(", ".join(kinds))


def _first_sentence(words: Text) -> Text:
    """What a cell says of a sentence of ours; the card has all of it."""
    first, *rest = words
    return words if rest or isinstance(first, UserText) else (first.partition(". ")[0],)


def rating_rules(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """Every rule of the policy that rates a printed finding, quoted once."""
    seen: dict[Citation, tuple[str, Text]] = {}
    for finding in facts.findings:
        judged = facts.judgements.get(finding.delta_id) if finding.delta_id else None
        if judged and judged.severity and judged.citation and is_printed(facts, finding):
            seen.setdefault(judged.citation, (judged.severity, (UserText(judged.quoted),)))
    yield from rules_quoted(bundle, seen)
    policy = first_of(bundle, Policy)
    ratings = dict.fromkeys(judged.severity for each in facts.findings if is_printed(facts, each)
                            and (judged := facts.judgements.get(each.delta_id or DeltaId("")))
                            and judged.disposition == each.disposition and judged.severity)  # fmt: skip
    for severity in ratings if policy else ():
        told = policy.record.disposition_per_severity.get(severity, "") if policy else ""
        if ";" in told and policy:
            yield observed(f"The policy's disposition of {severity}: ", UserText(told), ".", on=(policy.citation,))


def preconditions(facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """What must hold for the impact of the printed findings, those with one condition together."""
    alike: dict[str, list[str]] = defaultdict(list)
    for finding in facts.findings:
        if is_printed(facts, finding):
            alike[finding.preconditions].append(finding.id)
    for words, ids in alike.items():
        yield limited("Preconditions of ", *listed(ids), f": {words}.", on=on)


def silent_findings(facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """The compatible changes of defaults, nullability and error shapes: announced, and no row of their own."""
    found = [each.delta_id for each in facts.findings if each.delta_id and not is_printed(facts, each)]
    if found:
        yield recommended("Announce these compatible changes of the matrix: ", *listed(found), ".", on=on)  # fmt: skip


def finding_cards(bundle: Bundle, facts: W1Facts) -> tuple[SafeMarkdown, ...]:
    """The card of every finding that no difference shows, under its id: what its row and the list below do not say."""
    return tuple(_finding_card(bundle, each) for each in facts.findings if each.delta_id is None)


def _finding_card(bundle: Bundle, finding: Finding) -> SafeMarkdown:
    lines = (*(each for each in finding.impact if each.kind is not StatementKind.INFERENCE), finding.verification)
    body = "\n".join(f"* {statement(line)}" for line in by_line(bundle, lines))
    return SafeMarkdown(f"#### {own_id(finding.id.lower())}\n\n{body}\n")


# Checks.


def executed_rows(bundle: Bundle, facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """Checks with a retained result: command, revision, fixture and result, all four; failed ones first."""
    order = {"failed": 0, "error": 1}
    checks = sorted(facts.checks.executed if facts.checks else (), key=lambda check: order.get(check.result, 2))
    rows = (
        (
            cell_words((UserText(check.id),)),
            cell(check.command),
            cell_code(short_revision(check.revision)),
            cell(check.fixture),
            cell(f"executed: {check.result}"),
            citations((on_record_line(bundle, check.citation),)),
        )
        for check in checks
    )
    return tuple(rows) or empty(6, _no_checks(facts), read)


def _no_checks(facts: W1Facts) -> str:
    return "no check with a retained result is among the evidence" if facts.checks else "step 6 was not reached"


def proposed_rows(bundle: Bundle, facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """Checks without a retained result, and what waits for them; the checks that one difference asks for together."""
    reading = {row.delta.id for row in facts.rows if row.delta.direction is Direction.READ}
    groups: dict[object, list[Proposed]] = defaultdict(list)
    for check in facts.checks.proposed if facts.checks else ():
        alike = (check.deltas, check.missing) if check.status == "proposed" else (check.id, check.citation)
        groups[alike].append(check)
    equal: dict[object, list[list[Proposed]]] = defaultdict(list)
    for checks in groups.values():
        first = checks[0]
        own = tuple(_asked(check, first.deltas[0] in reading) for check in checks) if first.status == "proposed" else ()
        same: object = (own, first.missing) if own else first
        if len(equal[same]) == _TOGETHER:
            equal[(same, first.id)] = equal.pop(same)
        equal[same].append(checks)
    rows = tuple(_proposed(bundle, each, reading, read) for each in equal.values())
    return rows or empty(5, "no check is proposed" if facts.checks else "step 6 was not reached", read)


_TOGETHER: Final = 2
"""Differences whose equal checks share a row."""


def _proposed(
    bundle: Bundle, alike: list[list[Proposed]], reading: Container[str], read: Iterable[Citation]
) -> TableRow:
    first = alike[0][0]
    if first.status != "proposed":
        what: Text = (UserText(first.what),)
    else:
        is_read = first.deltas[0] in reading
        what = ("; ".join(_asked(check, is_read) for check in alike[0]),)
    waiting = [each for checks in alike for each in checks[0].deltas]
    return (
        cell_words(listed(check.id for checks in alike for check in checks)),
        cell_words(what),
        cell(f"{first.status}: {', '.join(first.missing) or 'a retained result'}"),
        cell_words(named(waiting, _WAITING) if waiting else ("no classification",)),
        citations((on_record_line(bundle, first.citation),) if first.citation else read),
    )


_WAITING: Final = 94
"""Characters of the ids that wait for a check: six."""


def _asked(check: Proposed, read: bool) -> str:
    """What a check asks in a few words; the register has its sentence."""
    if check.direction == "consumer":
        return "each released parser reads both forms"
    if check.direction == "contract":
        return "both contracts judge the message"
    return "the producer takes what old clients send" if read else "the producer keeps its contract"


# Removal, monitoring, clients.


def removal_rows(bundle: Bundle, facts: W1Facts) -> tuple[TableRow, ...]:
    """What is asked to be removed, and which conditions fail."""
    rows = (
        (
            cell_code(removal.address),
            cell("permitted by the conditions" if removal.permitted else "stays available"),
            cell_words((UserText("; ".join(missing.text for missing in removal.missing)),))
            if removal.missing
            else cell("nothing"),
            citations(on_line(bundle, each) for each in removal.citations),
        )
        for removal in facts.removals
    )
    asked = facts.path is not None
    return tuple(rows) or empty(4, "no removal is asked" if asked else "step 7 was not reached")


@dataclass(frozen=True, slots=True)
class SignalWatch:
    """One way to watch, and the changes that are watched so."""

    name: str
    control: RolloutMonitor
    changes: tuple[str, ...]


def watches(facts: W1Facts) -> tuple[SignalWatch, ...]:
    """Controls that differ only in their change are one; each signal has one name."""
    alike: dict[tuple[object, ...], list[RolloutMonitor]] = defaultdict(list)
    for control in facts.controls:
        means = (control.signal, control.counters, control.baseline, control.threshold, control.window)
        moves = (control.resolution, control.tags, control.traffic_steps, control.rollback, control.missing)
        alike[(*means, *moves)].append(control)
    names: dict[tuple[str, str, str], str] = {}
    for key in alike:
        signal, counters, baseline = (str(part) for part in key[:3])
        if signal:
            names.setdefault((signal, counters, baseline), f"S{len(names) + 1}")
    return tuple(
        SignalWatch(names.get((each[0].signal, each[0].counters, each[0].baseline), ""), each[0],
                    tuple(control.delta_id for control in each))
        for each in alike.values()
    )  # fmt: skip


_WATCHED: Final = 5
"""Changes that one row names: the next row has the others."""


def monitoring_rows(bundle: Bundle, facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """One row per way to watch, with all changes that are watched so."""
    known = {row.delta.id for row in facts.rows} | {finding.id for finding in facts.findings}
    rows = tuple(
        _control(bundle, replace(watch, changes=watch.changes[at : at + _WATCHED]), known, read)
        for watch in watches(facts)
        for at in range(0, len(watch.changes), _WATCHED)
    )
    return rows or empty(9, "no control was designed", read)


def _control(bundle: Bundle, watch: SignalWatch, known: Container[str], read: Iterable[Citation]) -> TableRow:
    control = watch.control
    ids = [name for name in watch.changes if name in known]
    others = len(watch.changes) - len(ids)
    told = [", ".join(own_id(name) for name in ids)] if ids else []
    if others:
        told.append(cell(f"{others} that only the implementation shows"))
    steps = len(control.traffic_steps)
    missing = f"blocked: missing {', '.join(control.missing)}" if control.missing else "covered and approved"
    return (
        SafeMarkdown("; ".join(told)),
        cell_code(watch.name) if watch.name else cell("not supplied"),
        _told(control.baseline.split(";")[0]),
        _told(control.threshold),
        _told(control.window),
        cell(f"{steps} step{'' if steps == 1 else 's'}" if steps else "not supplied"),
        _told(control.rollback),
        cell(missing),
        citations(near(bundle, control.citations or read)),
    )


def _told(value: str) -> SafeMarkdown:
    return cell(value) if value else cell("not supplied")


def client_rows(bundle: Bundle, facts: W1Facts, read: Iterable[Citation]) -> tuple[TableRow, ...]:
    """The client-impact register, unlisted consumers last."""
    known = tuple(_client(bundle, row) for row in facts.clients)
    if facts.unknown_consumers is None:
        return known or empty(5, "step 5 was not reached; consumers are unknown", read)
    unknown = facts.unknown_consumers
    return (
        *known,
        (
            cell("unlisted consumers"),
            cell("unknown"),
            fragments((limited(f"unlisted consumers are unknown; usage closes {len(unknown.closed_deltas)} of "
                               f"{len(facts.rows)} differences"),)),
            cell("unknown"),
            citations(near(bundle, unknown.citations or read)),
        ),
    )  # fmt: skip


def _client(bundle: Bundle, row: ClientRow) -> TableRow:
    return (
        cell_words((UserText(row.client),)),
        cell(row.parser.short),
        fragments(by_line(bundle, _client_impact(row))),
        cell(row.short_status),
        citations(on_record_line(bundle, each) for each in row.citations),
    )


def _client_impact(row: ClientRow) -> Iterator[Statement]:
    """What was executed and what is declared as observations, what follows as inference; by id."""
    for word in ("failed", "passed"):
        ran = [impact for impact in row.impacts if impact.executed == word]
        if ran:
            on = dict.fromkeys(each for impact in ran for each in impact.executed_checks)
            yield observed(f"run: {word} on ", *named(tuple(impact.delta_id for impact in ran)), on=on)
    declared = _deltas(row, Tristate.YES)
    unsure = _deltas(row, Tristate.UNKNOWN)
    yield observed("refuses ", *named(declared))
    if unsure:
        yield observed("unknown for ", *named(unsure))
    outcomes = {outcome_of(impact) for impact in row.impacts}
    grave = next((word for word in (ClientOutcome.FAILS, ClientOutcome.MAY_FAIL, ClientOutcome.UNKNOWN)
                  if word in outcomes), None)  # fmt: skip
    yield inferred(_FOLLOWS.get(grave, "no failure is expected of it"))


_FOLLOWS: Final[Mapping[ClientOutcome | None, str]] = {
    ClientOutcome.FAILS: "it fails on such a message",
    ClientOutcome.MAY_FAIL: "it may fail on such a message",
    ClientOutcome.UNKNOWN: "what it does with such a message is unknown",
}


def _deltas(row: ClientRow, answer: Tristate) -> tuple[str, ...]:
    return tuple(impact.delta_id for impact in row.impacts if impact.contract_incompatible is answer)


# Traceability.


def trace_rows(bundle: Bundle, facts: W1Facts, words: RowWords, decision: Decision) -> tuple[TableRow, ...]:
    """Every material conclusion with its evidence."""
    on = read_contracts(bundle)
    conclusions = [inferred(f"Decision: {decision.headline}", on=on)]
    if facts.path is not None:
        fit = "does not fit" if facts.path.objections else "supported"
        conclusions.append(inferred(f"Path: {facts.path.path} ({fit})", on=facts.path.citations or on))
    conclusions += [
        inferred(
            UserText(finding.id),
            ": ",
            *(row_title(words, finding.delta_id) or finding.short_title or finding.title),
            on=near(bundle, finding.citations, finding.citations[-1:]),
        )
        for finding in facts.findings
        if is_printed(facts, finding)
    ]
    sources = facts.reconciliation.sources if facts.reconciliation else ()
    if sources:
        tally: dict[str, int] = defaultdict(int)
        for source in sources:
            tally[str(source.match)] += 1
        told = ", ".join(f"{count} {match}" for match, count in sorted(tally.items()))
        cited = tuple(dict.fromkeys(Citation(source.citation.id) for source in sources))
        conclusions.append(observed(f"{len(sources)} sources match: {told}", on=cited))
    return tuple(
        (fragments((replace(conclusion, citations=()),)), citations(conclusion.citations)) for conclusion in conclusions
    )
