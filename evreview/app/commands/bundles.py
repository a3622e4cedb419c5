"""What a review would stop on or trip over, said before it runs: the contracts are parsed, names are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, refuse, say, shown, warn
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import EvidenceId, EvidenceType, ExitStatus, WorkflowId

if TYPE_CHECKING:
    from evreview.evidence.bundle_reader import Examination
    from evreview.evidence.item import Bundle, EvidenceItem


REVIEW: Final = "review.yaml"
DECISIONS: Final = "decisions.yaml"
_ITEM_ID: Final = re.compile(r"E\d+(?=$|[#:])")


def examine(bundle: Bundle) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """The problems that keep a review of the bundle from its first result, and what is worth a warning."""
    problems: list[Problem] = []
    warnings = list(_decided(bundle))
    if bundle.workflow is WorkflowId.W2:
        return tuple(_scope(bundle)), tuple(warnings)
    if bundle.workflow is WorkflowId.W3:
        # Its first step has passed, else the bundle would not have been read whole.
        return (), tuple(warnings)
    named = bundle.request.contracts
    if named is None:
        found = "no contracts are named, so the review stops with W1-F1"
        return (Problem(code="contracts-missing", found=found, file=REVIEW, place="#/contracts"),), tuple(warnings)
    if named.released == named.candidate:
        found = f"released and candidate are both {named.released}, so nothing can differ"
        warnings.append(Problem(code="contracts-equal", found=found, file=REVIEW, place="#/contracts"))
    warnings += _incomplete(bundle)
    for side in ("released", "candidate"):
        wrong, unread = _contract(bundle, side, bundle.items[EvidenceId(getattr(named, side))])
        problems += wrong
        warnings += unread
    return tuple(problems), tuple(warnings)


def _incomplete(bundle: Bundle) -> Iterator[Problem]:
    """What a comparison remains for: parts of its boundary, and the policy that rates and permits."""
    from evreview.evidence.cited_records import first_of
    from evreview.evidence.records.compatibility import Policy
    from evreview.evidence.records.review import unnamed

    for what in unnamed(bundle.request):
        yield Problem(code="boundary-unnamed", found=f"{what} is not named: the review remains at step 1", file=REVIEW)
    if first_of(bundle, Policy) is None:
        found = "no typed policy is supplied: the review remains at step 4"
        advice = "Start a policy item with `kind: policy`"
        yield Problem(code="policy-missing", found=found, file=REVIEW, place="#/evidence", advice=advice)


def _scope(bundle: Bundle) -> Iterator[Problem]:
    """Why the publication scope of a reference can't be frozen: what is missing, mixed or not approved."""
    from evreview.core.quoted_text import plain
    from evreview.core.vocabulary import StepState
    from evreview.redaction.redactor import Redactor
    from evreview.workflows.w2 import step1_freeze_scope
    from evreview.workflows.w2.facts import W2Facts

    facts = W2Facts(load=lambda item: bundle.source(item.id), redactor=Redactor())
    first = step1_freeze_scope.run(bundle, facts)
    for reason in first.reasons if first.state is StepState.STOP else ():
        where = str(reason.citations[0]) if reason.citations else ""
        told = f"{plain(reason.text).rstrip('.')} ({first.code or 'stops at step 1'})"
        yield Problem(code="scope-not-frozen", found=told, file=REVIEW, place=where)


def _contract(bundle: Bundle, side: str, item: EvidenceItem) -> tuple[list[Problem], list[Problem]]:
    """Problems and unread parts of one contract."""
    from evreview.kinds.load import read_contract

    if item.type != EvidenceType.CONTRACT:
        found = f"{item.id} is named as the {side} contract, and its type is `{item.type}`"
        advice = f"Its type must be `{EvidenceType.CONTRACT}`"
        place = f"#/contracts/{side}"
        return [Problem(code="not-a-contract", found=found, file=REVIEW, place=place, advice=advice)], []
    inline = "" if item.file else f"{REVIEW} ({item.id})"
    try:
        contract = read_contract(*bundle.source(item.id))
    except BadInput as error:
        return [replace(problem, file=inline or problem.file) for problem in error.problems], []
    return [], [
        Problem(
            code="contract-unread",
            found=f"not understood: {each.found}",
            file=inline or each.place.file,
            place=f"#{each.place.pointer}",
            advice=each.advice,
        )
        for each in contract.unread
    ]


def _decided(bundle: Bundle) -> Iterator[Problem]:
    """Decisions about an item that the bundle lacks; findings and deltas are only known once a review ran."""
    for index, entry in enumerate(bundle.decisions.decisions):
        named = _ITEM_ID.match(getattr(entry, "subject", ""))
        if named and named[0] not in bundle.items:
            found = f"the decision is about {named[0]}, which is no evidence item of this bundle"
            place = f"#/decisions/{index}/subject"
            yield Problem(code="unknown-subject", found=found, file=DECISIONS, place=place)


# `evreview new`, `evreview check` and `evreview schema`: everything about a bundle before it is reviewed.


UNREAD: Final = "only review.yaml and the authorization were read, the rest not before the authorization passes"


def new(workflow: str, folder: Path) -> int:
    """Write a commented bundle for `workflow` into `folder`."""
    from evreview.evidence.scaffold import new_bundle

    new_bundle(workflow, folder)
    say(clean(f"wrote {shown(folder)}: fill in what is marked, then: evreview check {shown(folder)}"))
    return ExitStatus.DONE


def check(folder: Path, repository: Path | None = None) -> int:
    """Print every problem of a bundle and of its contracts; 0 when there is none.

    Commits are verified against `repository`. What is only worth a warning does not change the status.
    """
    found, problems = _examined(folder, repository)
    warnings = found.warnings
    if found.bundle is not None and not found.sealed:
        stops, worth_saying = examine(found.bundle)
        problems, warnings = (*problems, *stops), (*warnings, *worth_saying)
    for problem in problems:
        warn(f"{problem} [{problem.code}]")
    for warning in warnings:
        warn(f"warning: {warning} [{warning.code}]")
    if found.bundle is None or problems:
        count = len(problems)
        if found.sealed:
            warn(f"evreview: {UNREAD}")
        return refuse(f"{count} problem{'' if count == 1 else 's'} in {shown(folder)}")
    digest = found.bundle.digest
    say(clean(f"{shown(folder)}: {len(found.bundle.items)} evidence items, no problem; digest sha256:{digest}"))
    return ExitStatus.DONE


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
    """Print the JSON Schemas of the bundle's files and of an accept file, or one of them."""
    import json

    from evreview.evidence.json_schemas import schemas
    from evreview.evidence.records.compatibility import SCHEMA_NAME, accept_schema

    known = {**schemas(), SCHEMA_NAME: accept_schema()}
    if name is not None and name not in known:
        return refuse(f"there is no schema {name!r}. There are: {', '.join(known)}")
    wanted = known if name is None else known[name]
    say(clean(json.dumps(wanted, indent=2, ensure_ascii=False)))
    return ExitStatus.DONE


# `evreview map`: a draft of the mapping from changed code to contract elements.


def draft(folder: Path) -> int:
    """Print a draft of mapping entries for each diff of a W1 bundle; every entry waits for its reviewer."""
    import json

    from evreview.app.api import open_bundle, review
    from evreview.workflows.w1.reconcile.implementation_diff import drafts, is_diff, parse_diff

    bundle = open_bundle(folder)
    diffs = [
        item
        for item in bundle.items.values()
        if item.type is EvidenceType.IMPLEMENTATION_DIFF and is_diff(item.content)
    ]
    if not diffs:
        return refuse(f"{shown(folder)} holds no implementation diff")
    ledger = review(bundle).ledger
    addresses = [] if ledger is None else [str(address) for address in ledger.frame["address"]]
    for item in diffs:
        lines = ["kind: implementation-mapping", f"diff: {item.id}", "mappings:"]
        for each in drafts(parse_diff(item.content, item.file or str(item.id)), addresses):
            where = {"symbol": each.symbol} if each.symbol else {"lines": each.lines, "quote": each.quote}
            told = {"path": each.path, **where, "element": each.element, "why": each.why, "reviewed": False}
            lines += [
                f"  {'-' if at == 0 else ' '} {name}: {json.dumps(value, ensure_ascii=False)}"
                for at, (name, value) in enumerate(told.items())
            ]
        say(clean("\n".join(lines)))
    return ExitStatus.DONE
