"""What keeps a bundle from its last step, said before it is reviewed: the same steps judge it that a review runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from evreview.app.commands.approve import answer_time, answer_words, is_late
from evreview.app.commands.shell import clean, refuse, say, shown, tell, typed, warn, word_of
from evreview.core.errors import BadInput, Problem
from evreview.core.quoted_text import UserText, command_line, counted, plain
from evreview.core.vocabulary import EvidenceType, ExitStatus, Remedy, StepState, WorkflowId

if TYPE_CHECKING:
    from evreview.evidence.bundle_reader import Examination
    from evreview.evidence.item import Bundle, Citation
    from evreview.report.statement import Statement
    from evreview.workflows.engine.gates import Seat
    from evreview.workflows.engine.step import StepResult
    from evreview.workflows.session import Run


REVIEW: Final = "review.yaml"
DECISIONS: Final = "decisions.yaml"
_ITEM_ID: Final = re.compile(r"E\d+(?=$|[#:])")
_LINE: Final = re.compile(r"[:#]L(\d+)")
_IN_PART: Final = re.compile(r":file=(?P<file>[^#]+)(?P<rest>.*)")
_LAST: Final = 9


@dataclass(frozen=True, slots=True)
class Outlook:
    """How far a review of a bundle would come.

    Attributes:
        problems: every reason for which a step before the last would not advance.
        warnings: what the last step would say besides the answers of people, and decisions about nothing.
        answers: reasons of a step before the last that nothing but an answer mends.
        waiting: who has to answer, in the order of the gates: the gate's id and the seat.
        reached: True where the review would reach its last step once those have answered.
    """

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    answers: tuple[Problem, ...]
    waiting: tuple[tuple[str, Seat], ...]
    reached: bool


def outlook(bundle: Bundle) -> Outlook:
    """What a review of the bundle would stop on or remain for: at once, where a run tells one step at a time."""
    from evreview.workflows.session import Run

    run = Run(bundle)
    results, gates = run.survey()
    held = [result for result in results if result.state is not StepState.ADVANCE]
    told = [one for result in held if result.number < _LAST for one in _held(bundle, result)]
    problems = tuple(problem for remedy, problem in told if remedy is not Remedy.ANSWER)
    waiting = dict.fromkeys((gate.spec.id, seat) for gate in gates for seat in gate.waiting)
    if bundle.workflow is WorkflowId.W2:
        waiting = dict.fromkeys((*_unanswered(bundle), *waiting))
    return Outlook(
        problems=problems,
        warnings=(*_decided(bundle), *_equal(bundle), *_standing(bundle, results[-1]), *_uncounted(run)),
        answers=tuple(problem for remedy, problem in told if remedy is Remedy.ANSWER),
        waiting=tuple(waiting),
        reached=results[-1].number == _LAST and not problems,
    )


def _unanswered(bundle: Bundle) -> Iterator[tuple[str, Seat]]:
    """The API owner's seat, where the approval of a reference's contract is still to be given."""
    from evreview.workflows.engine.gates import Seat
    from evreview.workflows.w2.scope import CONTRACT_APPROVAL, unanswered

    if unanswered(bundle) is not None:
        yield CONTRACT_APPROVAL, Seat("api-owner", bundle.request.roles.api_owner or "")


def _held(bundle: Bundle, result: StepResult) -> Iterator[tuple[Remedy | None, Problem]]:
    """The reasons of a step that does not advance, each at the place that it rests on, with what mends its cause."""
    unread = tuple(_unreadable(bundle)) if result.code == "W1-F1" else ()
    if unread:
        # The reader says it with file, line and a code of its own.
        yield from ((None, problem) for problem in unread)
        return
    ends = "stops" if result.state is StepState.STOP else "remains"
    for reason, *others in _alike(result.reasons):
        file, where = _place(bundle, reason.citations)
        advice = REMEDIES.get(reason.remedy) if reason.remedy else None
        subject = command_line([word_of(Path(bundle.root))])
        more = ", ".join(plain((_about(each), *_elsewhere(bundle, each, file, where))) for each in others)
        yield (
            reason.remedy,
            Problem(
                code=result.code.lower() or f"{ends}-at-step-{result.number}",
                found=f"step {result.number} {ends}: {plain(reason.text).rstrip('.')}"
                + (f"; the same of {len(others)} more: {more}" if others else ""),
                file=file,
                place=where,
                advice=(advice or ADVICE[bundle.workflow][result.number]).format(bundle=subject),
            ),
        )


_FEW: Final = 3
"""Reasons that say the same of different things, up to which each has a line."""


def _alike(reasons: Iterable[Statement]) -> Iterator[list[Statement]]:
    """The reasons, many that say the same in our words of one thing each together."""
    groups: dict[object, list[Statement]] = {}
    for at, each in enumerate(reasons):
        named = [isinstance(part, UserText) for part in each.text]
        ours = tuple(part for part, is_named in zip(each.text, named, strict=True) if not is_named)
        groups.setdefault((ours, each.remedy) if sum(named) == 1 else at, []).append(each)
    for found in groups.values():
        yield from [found] if len(found) > _FEW else ([each] for each in found)


def _about(reason: Statement) -> UserText:
    return next(part for part in reason.text if isinstance(part, UserText))


def _elsewhere(bundle: Bundle, reason: Statement, file: str, where: str) -> tuple[str, ...]:
    """The place of a reason in brackets, where it is not that of the first."""
    own, at = _place(bundle, reason.citations)
    told = at if own == file else f"{own} {at}".rstrip()
    return (f" ({told})",) if (own, at) != (file, where) else ()


def _unreadable(bundle: Bundle) -> Iterator[Problem]:
    """Why a contract of a comparison can't be read, in the reader's own words and places."""
    from evreview.kinds.load import read_contract

    named = bundle.request.contracts
    for side in ("released", "candidate") if named else ():
        item = bundle.items[getattr(named, side)]
        if item.type != EvidenceType.CONTRACT:
            found = f"{item.id} is named as the {side} contract, and its type is `{item.type}`"
            advice = f"Its type must be `{EvidenceType.CONTRACT}`"
            at = f"#/contracts/{side}"
            yield Problem(code="not-a-contract", found=found, file=REVIEW, place=at, advice=advice)
            continue
        try:
            read_contract(*bundle.source(item.id))
        except BadInput as error:
            inline = "" if item.file else f"{REVIEW} ({item.id})"
            yield from (replace(problem, file=inline or problem.file) for problem in error.problems)


def _place(bundle: Bundle, citations: tuple[Citation, ...]) -> tuple[str, str]:
    """File and place of the first citation; the request where nothing is cited."""
    from evreview.evidence.citation import on_line

    if not citations:
        return REVIEW, ""
    cited = on_line(bundle, citations[0])
    part = _IN_PART.match(cited.locator)
    file = unquote(part["file"]) if part else bundle.items[cited.id].file or f"{REVIEW} ({cited.id})"
    locator = part["rest"] if part else cited.locator
    line = _LINE.match(locator)
    if line is None:
        return file, locator
    beside = [_LINE.match(each.locator) for each in citations[1:] if each.id == cited.id]
    return file, f"line {', '.join((line[1], *(each[1] for each in beside if each)))}"


def _standing(bundle: Bundle, last: StepResult) -> Iterator[Problem]:
    """What the last step remains for besides an answer that nobody gave yet."""

    if last.number == _LAST and last.state is not StepState.ADVANCE:
        yield from (problem for remedy, problem in _held(bundle, last) if remedy is not Remedy.ANSWER)


def _uncounted(run: Run) -> Iterator[Problem]:
    """Of a contract review, records that join nothing or count as no run, which a review goes on without."""
    from evreview.report.statement import limited
    from evreview.workflows.w1.view import form_unstated, joins_nothing, unruled_words

    if run.bundle.workflow is not WorkflowId.W1:
        return
    policies = (item.file for item in run.bundle.items.values() if item.type is EvidenceType.POLICY)
    if silent := unruled_words(run.facts):
        file = next(policies, None) or REVIEW
        advice = "State a rule that fits them; `evreview schema policy` describes it"
        yield Problem(code="policy-silent", found=plain(silent), file=file, place="#/rules", advice=advice)
    uses = (limited(gap.text, on=(gap.citation,)) for gap in run.facts.ownership_gaps
            if gap.missing == "mapping" and gap.citation)  # fmt: skip
    # A check of an operation that did not change joins nothing either, and is no slip.
    slips = (each for each in run.facts.unjoined if each.why != "no-difference" or each.narrow)
    named = (*joins_nothing(replace(run.facts, unjoined=tuple(slips))), *uses)
    told = {"joins-nothing": named, "form-unstated": form_unstated(run.bundle, run.facts)}
    for code, statements in told.items():
        for each in statements:
            file, where = _place(run.bundle, each.citations)
            yield Problem(code=code, found=plain(each.text).rstrip("."), file=file, place=where, advice=_COUNTED[code])


_COUNTED: Final[Mapping[str, str]] = {
    "joins-nothing": "Correct the name, or leave it where nothing is meant; then seal the bundle",
    "form-unstated": "State `parses: candidate` or `parses: released` (`evreview.parses` in a JUnit report)",
}


def _equal(bundle: Bundle) -> Iterator[Problem]:
    named = bundle.request.contracts
    if bundle.workflow is WorkflowId.W1 and named is not None and named.released == named.candidate:
        found = f"released and candidate are both {named.released}, so nothing can differ"
        yield Problem(code="contracts-equal", found=found, file=REVIEW, place="#/contracts")


_COMPLETE: Final = "Complete review.yaml; `evreview schema review.yaml` describes every field"
ADVICE: Final[Mapping[WorkflowId, Mapping[int, str]]] = {
    WorkflowId.W1: {
        1: _COMPLETE,
        2: "Leave the part out of both contracts, or explain it by a note in decisions.yaml",
        3: "Supply what ran, or correct what contradicts",
        4: "Complete the policy; `evreview schema policy` describes it",
        6: "Retain one result of the check, with the output that shows it",
        7: "Record it in the rollout record, or plan without it; `evreview schema rollout-record`",
        8: "Give the change an approved signal and threshold in the rollout record",
        9: "Settle it before anything is permitted",
    },
    WorkflowId.W2: {
        1: "Complete the scope and what it names; `evreview schema publication-scope` describes it",
        2: "Supply the source that answers it, or map it; `evreview schema source-map`",
        3: "Decide on the difference by a disposition in decisions.yaml",
        4: "Supply what the entry lacks, or leave the operation out of the scope",
        5: "Correct the contract, so that an example of it exists",
        6: "Retain command, revision, environment and output of the run; `evreview schema test-run`",
        7: "Leave it out of the contract or of the scope",
        8: "Name who answers in review.yaml, or have the answer given anew: `evreview approve --help`",
        9: "Settle it before anything is published",
    },
    WorkflowId.W3: {
        1: "Correct the authorization, or what goes beyond it; `evreview schema authorization`",
        2: "Complete the trust model; `evreview schema trust-model` describes it",
        3: "Supply what is requested; `evreview schema security-inventory` describes the list of controls",
        4: "Complete the candidates, or supply the sources that they name",
        5: "Supply the sources that decide it",
        6: "Report the run to the security owner; nothing more runs before the answer",
        7: "Complete the rubric; `evreview schema severity-rubric` describes it",
        8: "Complete the remediation; `evreview schema remediation-plan` describes it",
        9: "Settle it before anything is disclosed",
    },
}
"""What to do about a step that does not advance; W1's step 5 marks and goes on."""
REMEDIES: Final[Mapping[Remedy, str]] = {
    Remedy.MAP: "Draft an entry with `evreview map {bundle}`, and set `reviewed: true` once it is right",
    Remedy.REVIEW: "Review the drafts of the mapping: correct the element, set `reviewed: true`, "
    "then `evreview seal {bundle}`",
    Remedy.CORRECT_ENTRY: "Correct the entry, or take it out and draft it anew with `evreview map {bundle}`; "
    "then `evreview seal {bundle}`",
    Remedy.NAME_DIFFERENCE: "Name the difference in an entry of the mapping: a symbol may have several, each with one "
    "element; then `evreview seal {bundle}`",
    Remedy.SUPPLY_DIFF: "Supply the diff of the code behind it: make the review with --code, or from an older release "
    "since which that code changed; a contract that changed alone stops here (docs/git.md)",
    Remedy.SAY_WHO_ANSWERED: "State the `revision` that answered in the record; then `evreview seal {bundle}`",
    Remedy.STATE_BEHAVIOUR: "State in the entry what the branch does (`runtime`, `facet`), or supply a response of the "
    "candidate with its `revision` (`evreview import {bundle} har`); then `evreview seal {bundle}`",
    Remedy.RECORD_CANDIDATE: "Supply a response of the candidate with its `revision` (`evreview import {bundle} har`)",
    Remedy.SANITIZE: "Take the value out there, then `evreview seal {bundle}`",
    Remedy.CORRECT_SOURCE: "Correct contract or implementation, whichever is wrong, and compare anew",
}
"""What to do about a cause where the causes of one step are mended in different ways."""


def _decided(bundle: Bundle) -> Iterator[Problem]:
    """Decisions about an item that the bundle lacks."""
    for index, entry in enumerate(bundle.decisions.decisions):
        named = _ITEM_ID.match(getattr(entry, "subject", ""))
        if named and named[0] not in bundle.items:
            found = f"the decision is about {named[0]}, which is no evidence item of this bundle"
            place = f"#/decisions/{index}/subject"
            yield Problem(code="unknown-subject", found=found, file=DECISIONS, place=place)


# `evreview check` and `evreview schema`: everything about a bundle before it is reviewed.


UNREAD: Final = "only review.yaml and the authorization were read, the rest not before the authorization passes"


def check(folder: Path, repository: Path | None = None) -> int:
    """Print everything that keeps a bundle from its last step, approvals apart; 0 when nothing does.

    Commits are verified against `repository`. What is only worth a warning does not change the status.
    """
    found, problems = _examined(folder, repository)
    warnings, ahead = found.warnings, None
    if found.draft is not None and not found.sealed:
        ahead = outlook(found.draft)
        problems, warnings = (*problems, *ahead.problems), (*warnings, *ahead.warnings)
    for problem in problems:
        warn(f"{problem} [{problem.code}]")
    for warning in warnings:
        warn(f"warning: {warning} [{warning.code}]")
    if found.draft is not None and ahead is not None and ahead.reached and ahead.waiting and not problems:
        tell(_outstanding(ahead, folder, found.draft))
    if found.bundle is None or problems:
        count = len(problems)
        if found.sealed:
            warn(f"evreview: {UNREAD}")
        return refuse(f"{count} problem{'' if count == 1 else 's'} in {shown(folder)}")
    items, digest = counted(len(found.bundle.items), "evidence item"), found.bundle.digest
    say(clean(f"{shown(folder)}: {items}, no problem; digest sha256:{digest}"))
    return ExitStatus.DONE


def _outstanding(ahead: Outlook, folder: Path, bundle: Bundle) -> Iterator[str]:
    """How far the review comes, who has to answer on the way, and the command by which each does."""
    for answer in ahead.answers:
        yield f"{answer.file}{f' {answer.place}' if answer.place else ''}: {answer.found}"
    yield f"step {_LAST} will be reached" + (" once these have answered" if ahead.answers else "")
    late = is_late(bundle, answer_time(bundle))
    for gate, seat in ahead.waiting:
        who = f"{seat} as {seat.stands_for.replace('-', ' ')}"
        asked = typed(*answer_words(folder, gate, seat, late=late))
        yield f"waits for  {who}: {asked if seat.is_named else _unnamed(seat)}"


def _unnamed(seat: Seat) -> str:
    return "the client inventory names no `owner_role`" if seat.client else "review.yaml names no role"


def _examined(folder: Path, repository: Path | None) -> tuple[Examination, tuple[Problem, ...]]:
    """The bundle as far as it may be read, and its problems; that a review is not authorized is one."""
    from evreview.evidence.bundle_reader import examine_bundle

    found = examine_bundle(folder, repository=repository)
    if found.bundle is None or not found.sealed:
        return found, found.problems
    from evreview.workflows.w3.authorization import authorization_problems

    problems = tuple(authorization_problems(found.bundle))
    if problems:
        return found, problems
    found = examine_bundle(folder, repository=repository, whole=True)
    return found, found.problems


def schema(name: str | None) -> int:
    """Print the JSON Schemas of the bundle's files, of an accept file and of the configuration, or one of them."""
    import json

    from evreview.app.commands.configuration import configuration_schema
    from evreview.evidence.files import OWN_CONFIGURATION
    from evreview.evidence.json_schemas import schemas
    from evreview.evidence.records.compatibility import SCHEMA_NAME, accept_schema

    known = {**schemas(), SCHEMA_NAME: accept_schema(), OWN_CONFIGURATION: configuration_schema()}
    if name is not None and name not in known:
        return refuse(f"there is no schema {name!r}. There are: {', '.join(known)}")
    wanted = known if name is None else known[name]
    say(clean(json.dumps(wanted, indent=2, ensure_ascii=False)))
    return ExitStatus.DONE


# `evreview seal`: the digests of what was edited.


def seal(folder: Path, *, check_only: bool) -> int:
    """Write the digests of a bundle's items, or say with status 2 which do not hold."""
    from evreview.evidence.renewed_digests import renew_digests

    found = renew_digests(folder, write=not check_only)
    told = [f"{one.file} ({one.id}, {'new' if one.is_new else 'changed'})" for one in found]
    if check_only and found:
        return refuse(f"not sealed: {', '.join(told)}. Run: {typed('seal', folder)}")
    done = f"sealed {', '.join(told)}" if found else "every digest holds"
    say(clean(f"{shown(folder)}: {done}"))
    return ExitStatus.DONE
