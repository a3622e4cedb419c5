"""Findings, their cards, remediation, checks and dispositions as rows of short cells; a card holds the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evreview.core.quoted_text import Text, UserText, bare, joined, listed, plain, text
from evreview.core.vocabulary import Unrated
from evreview.evidence.citation import on_line
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import (
    SafeMarkdown,
    cell,
    cell_code,
    cell_plain,
    cell_quoted,
    cell_words,
    citations,
    fragments,
    own_id,
    row_link,
    statement,
)
from evreview.report.markdown import BREAK
from evreview.report.statement import Statement, executed, inferred, limited, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import (
    CITED,
    TableRow,
    common_scope,
    empty,
    near,
    rule_name,
    rules_quoted,
    short_revision,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.facts import ProposedCheck, W3Facts, deciding_items, sealed_items
from evreview.workflows.w3.leads.catalogue import READ_BRIEF, rule_of
from evreview.workflows.w3.model import (
    Candidate,
    ControlCandidate,
    Disposition,
    RemediationRow,
    SecurityFinding,
    Standing,
    State,
)
from evreview.workflows.w3.rating import Completeness, completeness
from evreview.workflows.w3.validation import LocalResult
from evreview.workflows.w3.validation import executed as executed_of

Read = Iterable[Citation]
FRAGMENT: Final = 80
NOT_NAMED: Final = "unknown: the evidence names none"
NO_PLAN: Final = "a bounded local validation plan, once approved"
_STATES: Final[Mapping[State, str]] = {State.SUPPORTED: "supported", State.HYPOTHESIS: "hypothesis"}
_SHOWN: Final[Mapping[Completeness, str]] = {
    Completeness.COMPLETE: "all shown",
    Completeness.PARTIAL: "partly unknown",
    Completeness.PATTERN: "a pattern alone",
}


def unresolved(facts: W3Facts) -> tuple[SecurityFinding, ...]:
    """The findings that are neither accepted nor closed."""
    return tuple(each for each in facts.findings if each.disposition in (Disposition.BLOCKING, Disposition.OPEN))


def rule_of_finding(facts: W3Facts, finding: SecurityFinding) -> Citation | None:
    """Where the rule of the rubric stands that rates a finding; None where nothing does."""
    if facts.rubric is None or isinstance(finding.severity, Unrated):
        return None
    ours = facts.rubric.citation.id
    return next((on for on in finding.citations if on.id == ours and on.locator.startswith("#/rules/")), None)


def _near(bundle: Bundle, facts: W3Facts, each: SecurityFinding) -> tuple[Citation, ...]:
    rule = rule_of_finding(facts, each)
    return near(bundle, each.citations, (rule,) if rule else ())


# The finding register.


def finding_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The finding register: severity and confidence each with its own reason."""
    why = "no candidate stands" if facts.rated else "step 7 was not reached"
    return tuple(_finding(bundle, facts, each) for each in facts.findings) or _no_finding(why, read)


def _no_finding(why: str, read: Read) -> tuple[TableRow, ...]:
    """The row that says so; the column of evidence is the fourth here."""
    first, *rest, on = empty(8, why, read)[0]
    return ((first, *rest[:2], on, *rest[2:]),)


def _finding(bundle: Bundle, facts: W3Facts, each: SecurityFinding) -> TableRow:
    about = each.candidate
    on = _near(bundle, facts, each)
    return (
        _severity(facts, each),
        cell(f"{each.confidence} ({_sure(about)})"),
        SafeMarkdown(f"{own_id(about.id)} {row_link(about.id, finding_title(each))}; {_STATES[about.state]}"),
        citations(on),
        fragments(_impact(each)),
        fragments((_recommendation(facts, each),)),
        fragments(_verification(bundle, facts, each)),
        cell(str(each.disposition)),
    )


def finding_title(each: SecurityFinding) -> Text:
    """What is suspected; a title in nobody's words but the reviewer's is printed as theirs."""
    title = each.candidate.title
    theirs = all(isinstance(part, UserText) for part in title)
    return ("the reviewer suspects: ", *title) if theirs else title


def _severity(facts: W3Facts, each: SecurityFinding) -> SafeMarkdown:
    rule = rule_of_finding(facts, each)
    if isinstance(each.severity, Unrated):
        return cell(each.severity)
    if rule is None:
        return cell_words((f"{each.severity} (", *each.severity_why, ")"))
    return cell(f"{each.severity} ({rule_name(rule)})")


def _sure(about: Candidate) -> str:
    """Why the confidence is what it is: how much is shown, and whether a retained result says so."""
    return f"{_SHOWN[completeness(about)]}; {'a local result' if about.validated else 'no local result'}"


def _impact(each: SecurityFinding) -> Iterator[Statement]:
    about = each.candidate
    yield observed(*_nearest(_place_last(about.impact_observed)))
    yield inferred(*_nearest(bare(about.impact_inferred)))


def _place_last(told: Text) -> Text:
    """`in X: what` as `what in X`: a name and its colon would be one long word."""
    if len(told) < 3 or told[0] != "in " or not str(told[2]).startswith(": "):
        return told
    return text(str(told[2]).removeprefix(": "), *told[3:], " in ", told[1])


def _nearest(told: Text) -> Text:
    """The text with long paths by their last part: the card has them whole."""
    return tuple(
        part.value.rpartition("/")[2]
        if isinstance(part, UserText) and "/" in part.value and " " not in part.value and len(part.value) > _PATH
        else part
        for part in told
    )


_PATH: Final = 20
"""Characters of a path beside seven other columns; the card has it whole."""


def _needs(about: Candidate, most: int) -> Text:
    """The position and what the attacker needs besides."""
    position: list[Text] = [(UserText(about.attacker),)] if about.attacker else []
    needs = [_without(each, "the attacker ") for each in about.preconditions]
    more: list[Text] = [(f"{len(needs) - most} more",)] if len(needs) > most else []
    return joined((*position, *needs[:most], *more), ", ") or ("nothing beyond the position",)


def _without(told: Text, begin: str) -> Text:
    first, *rest = told
    return (first.removeprefix(begin), *rest) if isinstance(first, str) else told


def _recommendation(facts: W3Facts, each: SecurityFinding) -> Statement:
    about = each.candidate
    if about.state is State.HYPOTHESIS and about.safe_verification:
        return recommended("verify it before any claim")
    if len(plain(each.recommendation)) <= FRAGMENT:
        return recommended(*each.recommendation)
    owner = next((row.owner for row in facts.remediation if row.finding == about.id), "")
    return recommended("the control change of its card", *((", by ", UserText(owner)) if owner else ()))


def _verification(bundle: Bundle, facts: W3Facts, each: SecurityFinding) -> Iterator[Statement]:
    yield from _ran(facts, each)
    yield proposed(*brief_check(each.candidate))


def _ran(facts: W3Facts, each: SecurityFinding) -> Iterator[Statement]:
    """The retained results that the finding rests on."""
    for one in executed_of(facts):
        if set(one.citations) & set(each.candidate.citations):
            yield executed(UserText(one.id), f" {one.result}", on=one.citations)


def brief_check(about: Candidate) -> Text:
    """The safe check in a few words; a reviewer's own stay as they are, and the card has the sentence."""
    rule = rule_of(about.kind)
    if rule is not None:
        return (rule.brief,)
    safe = about.safe_verification or (NO_PLAN,)
    theirs = any(isinstance(part, UserText) for part in safe)
    return safe if theirs or len(plain(safe)) <= FRAGMENT else (READ_BRIEF[about.area],)


def rating_words(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """Every rule of the rubric that rates a finding, quoted once, and what the words of the confidence mean."""
    seen: dict[Citation, tuple[str, Text]] = {}
    for each in facts.findings:
        if rule := rule_of_finding(facts, each):
            seen.setdefault(rule, (each.severity, each.severity_why))
    yield from rules_quoted(bundle, seen)
    used = {completeness(each.candidate) for each in facts.findings}
    if used:
        means = "; ".join(f"{word}: {each}" for each, word in _SHOWN.items() if each in used)
        on = dict.fromkeys(Citation(each.citations[0].id) for each in facts.findings if each.citations)
        yield inferred(f"Confidence, by what is shown, whatever the severity. {means[0].upper()}{means[1:]}.", on=on)


def claim_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """What every security claim identifies: asset, control evidence, preconditions, confidence, safe verification."""
    rows = (
        (
            own_id(each.candidate.id),
            _named(each.candidate.asset),
            cell_words(_control(each.candidate)),
            cell_words(_needs(each.candidate, 3)),
            cell(str(each.confidence)),
            cell_words(brief_check(each.candidate)),
            citations(_near(bundle, facts, each)),
        )
        for each in facts.findings
    )
    return tuple(rows) or empty(7, "no finding, or step 7 was not reached", read)


def _control(about: Candidate) -> Text:
    named: Text = (UserText(about.control), "; ") if about.control else ("no control is listed for it; ",)
    return (*named, f"reachability {about.reach}")


def _named(value: str) -> SafeMarkdown:
    return cell_code(value) if value else cell(NOT_NAMED)


# Cards: everything of one finding.


def finding_cards(bundle: Bundle, facts: W3Facts) -> tuple[SafeMarkdown, ...]:
    """The card of every finding under its id: what is shown, where was searched, the claim, its rating, its check."""
    return tuple(_card(bundle, facts, each) for each in facts.findings)


def _card(bundle: Bundle, facts: W3Facts, each: SecurityFinding) -> SafeMarkdown:
    body = "\n".join(f"* {statement(line)}" for line in _card_lines(bundle, facts, each))
    return SafeMarkdown(f"#### {own_id(each.candidate.id.lower())}\n\n{body}\n")


def _card_lines(bundle: Bundle, facts: W3Facts, each: SecurityFinding) -> Iterator[Statement]:
    about = each.candidate
    on = tuple(dict.fromkeys(on_line(bundle, one) for one in about.citations))
    routes: Text = ("; on ", *listed(about.routes)) if about.routes else ()
    yield observed(*_sentence(about.impact_observed), *routes, ".", on=on)
    yield _searched(bundle, about, on)
    yield inferred(f"Reachability {about.reach}: ", *bare(about.reach_why), ".", on=on)
    needs = ("; attacker preconditions: ", *_needs(about, len(about.preconditions)))
    yield inferred(*_sentence(about.impact_inferred), *needs, ".", on=on)
    yield _rated(bundle, facts, each, on)
    if about.missing:
        yield limited("Not shown: ", *bare(joined(about.missing)), ".", on=on[:CITED])
    yield recommended(*_ended(_sentence(each.recommendation)), on=on[:CITED])
    yield from _ran(facts, each)
    yield proposed(*_ended(_sentence(about.safe_verification or (NO_PLAN,))), on=on[:CITED])


def _sentence(told: Text) -> Text:
    """The text with a capital letter and without its full stop."""
    first, *rest = bare(told)
    return (f"{first[:1].upper()}{first[1:]}", *rest) if isinstance(first, str) else (first, *rest)


def _ended(told: Text) -> Text:
    """The text with a full stop, where the subject's own words bring none."""
    return told if isinstance(told[-1], UserText) and told[-1].value.endswith(".") else (*told, ".")


def _searched(bundle: Bundle, about: Candidate, on: tuple[Citation, ...]) -> Statement:
    """Where a compensating control was looked for, and what stands there."""
    if not about.challenges:
        return limited("No place of a compensating control was searched.", on=on[:CITED])
    there: dict[Standing, list[ControlCandidate]] = {}
    for each in about.challenges:
        there.setdefault(each.standing, []).append(each)
    told = joined((f"{standing} in ", *joined((one.place for one in found), ", ")) for standing, found in there.items())
    cited = [one for each in about.challenges for one in each.citations]
    return observed(f"Places searched for a compensating control, {len(about.challenges)}: ", *told, ".",
                    on=dict.fromkeys(on_line(bundle, one) for one in cited or on))  # fmt: skip


def _rated(bundle: Bundle, facts: W3Facts, each: SecurityFinding, on: tuple[Citation, ...]) -> Statement:
    rule = rule_of_finding(facts, each)
    sure = f"; confidence {each.confidence}: {each.confidence_why}."
    if rule is None:
        return limited(f"Severity {each.severity}: ", *bare(each.severity_why), sure, on=on[:CITED])
    name = UserText(rule_name(rule))
    return inferred(f"Severity {each.severity} by the rule ", name, sure, on=(on_line(bundle, rule),))


# Remediation, checks, dispositions, traceability.


def remediation_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """The remediation order."""
    rows = tuple(_remediation(bundle, each) for each in facts.remediation)
    return rows or empty(8, "no finding needs one, or step 8 was not reached", read)


def _remediation(bundle: Bundle, each: RemediationRow) -> TableRow:
    refused: Text = ("refused: ", *each.refused, "; ") if each.refused else ()
    tests = (("positive: ", *_asserted(each.positive_tests)), ("negative: ", *_asserted(each.negative_tests)))
    return (
        own_id(each.finding),
        cell_quoted((*refused, *each.control_change)),
        cell_plain(each.owner_role),
        SafeMarkdown(BREAK.join(map(cell_quoted, tests))),
        cell_quoted(each.deployment),
        cell_quoted(each.exit_evidence),
        cell_quoted(each.rollback),
        citations(near(bundle, each.citations, each.citations[-1:])),
    )


def _asserted(told: Text) -> Text:
    """What tests assert, without their names, which stand below the table."""
    named = set(_names(told))
    return tuple(part for at, part in enumerate(told) if at not in named and at - 1 not in named)


def _names(told: Text) -> Iterator[int]:
    """Where the names of tests stand in the text."""
    yield from (at for at, part in enumerate(told[:-1]) if isinstance(part, UserText) and told[at + 1] == ": ")


def test_names(bundle: Bundle, facts: W3Facts) -> Iterator[Statement]:
    """The names of the tests of every remediation: the rows hold what they assert."""
    for each in facts.remediation:
        sides = (("positive", each.positive_tests), ("negative", each.negative_tests))
        found = joined((f"{side} ", *listed(str(told[at]) for at in _names(told)))
                       for side, told in sides if any(True for _ in _names(told)))  # fmt: skip
        if found:
            yield recommended("Tests of ", UserText(each.finding), ": ", *found, ".",
                              on=near(bundle, each.citations, each.citations[-1:]))  # fmt: skip


def proposed_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Checks without a retained result, those of the gravest findings first."""
    order = {each.candidate.id: place for place, each in enumerate(facts.findings)}
    known = {each.id: each for each in facts.challenged}
    checks = sorted(facts.proposed, key=lambda each: order.get(each.about, len(order)))
    rows = (
        (
            _check(each, known),
            cell_words(each.verifies),
            cell_words(each.missing),
            cell_words(each.leaves),
            citations(near(bundle, each.citations)),
        )
        for each in checks
    )
    return tuple(rows) or empty(5, "none is open, or step 6 was not reached", read)


def _check(each: ProposedCheck, known: Mapping[str, Candidate]) -> SafeMarkdown:
    if each.about not in known:
        return cell_words(each.check)
    return SafeMarkdown(f"{own_id(each.about)}: {cell_words(brief_check(known[each.about]))}")


def _run_key(each: LocalResult) -> tuple[str, str, str, str]:
    return (each.run, each.command, each.revision, each.environment)


def _runs(facts: W3Facts) -> dict[tuple[str, str, str, str], int]:
    """The retained runs of several cases, numbered."""
    keys = dict.fromkeys(_run_key(each) for each in executed_of(facts) if each.run != each.item)
    return {key: place for place, key in enumerate(keys, 1)}


def run_statements(facts: W3Facts) -> Iterator[Statement]:
    """Every run whole, once: its rows name it."""
    at = {_run_key(each): each.run for each in executed_of(facts)}
    for key, number in _runs(facts).items():
        _, command, revision, environment = key
        told = (UserText(command), "; ", UserText(environment), "; revision ", UserText(revision))
        scope = _scope(facts).removesuffix("::")
        tests: Text = ("; tests of ", UserText(scope)) if scope else ()
        yield observed(f"Run {number}: ", *told, *tests, ".", on=(Citation(at[key]),))


def executed_rows(facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """Checks with a retained result, as their record holds it."""
    runs, scope = _runs(facts), _scope(facts)
    rows = tuple(_executed(each, runs.get(_run_key(each), 0), scope) for each in executed_of(facts))
    return rows or empty(6, "no retained result, or step 6 was not reached", read)


def _scope(facts: W3Facts) -> str:
    """What the names of all tests of runs begin with, which the statements about the runs say."""
    runs = _runs(facts)
    return common_scope(each.id for each in executed_of(facts) if _run_key(each) in runs)


def _executed(each: LocalResult, run: int, scope: str) -> TableRow:
    return (
        cell(each.id.removeprefix(scope)) if run and scope else cell_words((UserText(each.id),)),
        cell(f"run {run}") if run else cell_code(each.command),
        cell_code(short_revision(each.revision)),
        cell(f"run {run}") if run else cell_words((UserText(each.environment),)),
        cell(each.result),
        citations(each.citations),
    )


def disposition_rows(bundle: Bundle, facts: W3Facts, read: Read) -> tuple[TableRow, ...]:
    """State and evidence of each finding, and the digest that a recorded disposition has to name."""
    rows = (
        (
            own_id(each.candidate.id),
            cell(str(each.disposition)),
            cell_words(each.disposition_why),
            cell("yes" if each.blocks else "no"),
            cell_code(short_revision(each.candidate.slice)),
            citations(_near(bundle, facts, each)),
        )
        for each in facts.findings
    )
    return tuple(rows) or empty(6, "no finding, or step 7 was not reached", read)


def judged_digests(facts: W3Facts) -> tuple[tuple[str, str], ...]:
    """The whole digests that a recorded disposition names, by finding."""
    return tuple((each.candidate.id, each.candidate.slice) for each in facts.findings)


def trace_rows(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> tuple[TableRow, ...]:
    """The decision and every finding with what they rest on."""
    deciding = deciding_items(bundle, steps, facts)
    found = (
        (
            fragments(
                (inferred(UserText(each.candidate.id), f": {_state(each.candidate.state)}, {each.disposition}"),)
            ),
            citations(_near(bundle, facts, each)),
        )
        for each in facts.findings
    )
    decided = inferred if deciding else limited
    told = fragments((decided(f"Decision: {decision.headline}"),))
    return ((told, citations(deciding or sealed_items(bundle, facts))), *found)


def _state(state: State) -> str:
    if state is State.SUPPORTED:
        return "supported by reachability and control evidence"
    return "unconfirmed hypothesis"
