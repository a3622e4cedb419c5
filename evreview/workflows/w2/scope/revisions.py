"""The revisions that the supplied items name, and where they are not one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.read import mapped_sources
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.reference import ContractApproval
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.test_runs import TestRun
from evreview.report.statement import Statement, cite, observed
from evreview.workflows.w2.scope.inputs import approval_of, contract_item, plan_of, scope_of

_DIGEST: Final = "sha256:"


@dataclass(frozen=True, slots=True)
class Named:
    """A revision that one item names: of what, which, where. `revision` is "" where none is named."""

    what: str
    revision: str
    citation: Citation
    is_run: bool = False


def named_revisions(bundle: Bundle) -> Iterator[Named]:
    """Every revision that the evidence names for contract, handlers, validators, tests and approval."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    if item is not None:
        yield Named("the contract", _own(item, approval_of(bundle, item)), cite(item.id)[0])
    for entry, cited, place in mapped_sources(bundle):
        source = bundle.items[entry.item]
        yield Named(f"the {entry.part}", entry.revision or source.revision, cited.at(f"/sources/{place}"))
        if entry.revision and not _is_digest(source.revision):
            yield Named(f"the {entry.part}'s own integrity", source.revision, cite(source.id)[0])
    for run in records_of(bundle, TestRun):
        yield Named("the contract-test run", run.record.revision or "", run.at("/revision"), is_run=True)
    plan = plan_of(bundle)
    if plan is not None:
        yield Named("the execution plan", plan.record.revision, plan.at("/revision"))
    if bundle.request.implementation_revision and scope is not None:
        yield Named("the implementation named in review.yaml", bundle.request.implementation_revision, scope.citation)
    known = {item.id if item else "", *(entry.item for entry, _, _ in mapped_sources(bundle))}
    yield from (named for each, named in _others(bundle) if each not in known)


def _others(bundle: Bundle) -> Iterator[tuple[str, Named]]:
    """What the integrity of each item names as its commit; a policy lives where its owners keep it."""
    for each in bundle.items.values():
        if each.type != EvidenceType.POLICY and not _is_digest(each.revision):
            what = f"the {each.type}" if isinstance(each.type, EvidenceType) else "an item of another type"
            yield each.id, Named(what, each.revision, cite(each.id)[0])


def disagreements(bundle: Bundle) -> Iterator[Statement]:
    """What does not agree with the scope's revision or with the contract's digest, item by item."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    if scope is None or item is None or scope.record.revision is None:
        return
    for named in named_revisions(bundle):
        if not named.revision or _is_digest(named.revision):
            if not named.is_run:
                yield observed(f"No immutable revision is named for {named.what}.", on=(named.citation, scope.citation))
        elif not same_revision(named.revision, scope.record.revision):
            words = (UserText(named.revision), ", the scope names ", UserText(scope.record.revision))
            yield observed(f"Revisions differ: {named.what} is at ", *words, ".", on=(named.citation, scope.citation))
    approval = approval_of(bundle, item)
    if approval is not None:
        yield from _approved(approval, item, scope.record.revision)
    for run in records_of(bundle, TestRun):
        yield from _tied(bundle, run, item, scope.record.revision)


def _own(item: EvidenceItem, approval: Cited[ContractApproval] | None) -> str:
    """The contract's revision: its integrity's, or what was approved under the digest of exactly this contract."""
    if not _is_digest(item.revision):
        return item.revision
    approved = approval.record if approval else None
    same = approved is not None and approved.sha256 is not None and _bare(approved.sha256) == item.sha256
    return approved.revision or "" if approved is not None and same else ""


def _approved(approval: Cited[ContractApproval], item: EvidenceItem, revision: str) -> Iterator[Statement]:
    stated = approval.record
    on = (approval.citation, *cite(item.id))
    if stated.sha256 is None and stated.revision is None:
        yield observed("The approval names neither digest nor revision of the contract.", on=on)
    if stated.sha256 is not None and _bare(stated.sha256) != item.sha256:
        yield observed("Another contract was approved: digest ", UserText(stated.sha256), ".", on=on)
    if stated.revision is not None and not same_revision(stated.revision, revision):
        yield observed("Revisions differ: the approval is of ", UserText(stated.revision), ".", on=on)


def _tied(bundle: Bundle, run: Cited[TestRun], item: EvidenceItem, revision: str) -> Iterator[Statement]:
    """The run ran against this contract, and its retained output is the one that it wrote."""
    against = run.record.contract
    if against is not None and _bare(against) != item.sha256 and not same_revision(against, revision):
        on = (run.at("/contract"), *cite(item.id))
        yield observed("Revisions differ: the tests ran against the contract ", UserText(against), ".", on=on)
    digest = run.record.output_sha256
    output = bundle.items[run.record.output]
    if digest is not None and _bare(digest) != output.sha256:
        on = (run.at("/output_sha256"), *cite(output.id))
        yield observed("The retained output is not the one that the run wrote: digest ", UserText(digest), ".", on=on)


def _is_digest(revision: str) -> bool:
    return not revision or ":" in revision or revision.startswith("blob ")


def _bare(digest: str) -> str:
    return digest.strip().lower().removeprefix(_DIGEST)
