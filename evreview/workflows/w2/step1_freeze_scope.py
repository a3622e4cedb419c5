"""Step 1: freeze the publication scope: one revision for everything supplied, and every name resolves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import lru_cache
from typing import Final

import pandas as pd

from evreview.codefacts.read import mapped_sources, sources_of
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.errors import BadInput
from evreview.core.quoted_text import Subject, listed, text
from evreview.core.vocabulary import ContractKind, EvidenceType, Integrity, Role, StepState
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.reference import ContractApproval
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.test_runs import TestRun
from evreview.kinds.load import read_contract
from evreview.kinds.openapi.reader_servers import server_key
from evreview.report.statement import Statement, cite, limited, observed
from evreview.workflows.engine.registers import BoundaryRow, boundary_frame, judged_for
from evreview.workflows.engine.retained_runs import later_runs, read_runs, violated
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.facts import F1, Operation, W2Facts
from evreview.workflows.w2.inputs import approval_of, contract_item, missing_inputs, plan_of, scope_of, unread_parts

# Path templates of contracts and of code in one spelling: parameters without names, types and patterns.


_COLON = re.compile(r"(?<=/):[A-Za-z_]\w*")
_ANGLES = re.compile(r"<[^<>/]*(?:/[^<>]*)?>")


@lru_cache(maxsize=8192)
def spelled(path: str) -> str:
    """The template with `{}` for each parameter: `{id}`, `{id:int}`, `{id:[0-9]{3}}`, `<int:id>` and `:id` alike."""
    braced = "".join(_without_names(_ANGLES.sub("{}", path)))
    return _COLON.sub("{}", braced)


def _without_names(path: str) -> Iterator[str]:
    """The parts of a path, whatever stands in balanced braces left out; braces that never close are literal."""
    depth, start = 0, 0
    for at, sign in enumerate(path):
        if sign == "{":
            if depth == 0:
                yield path[start:at]
                start = at
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield "{}"
                start = at + 1
    yield path[start:]


def same_path(one: str, other: str) -> bool:
    """True when two templates match the same paths, as far as their spelling tells."""
    return spelled(one) == spelled(other)


def without_slash(path: str) -> str:
    """The path without a slash at its end."""
    return path.rstrip("/") or "/"


# Which operations of a contract a scope names.


METHODS: Final = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"})


def operations_of(contract: Contract) -> tuple[Operation, ...]:
    """Every operation that callers send requests to, in document order; webhooks and callbacks are none of them."""
    return tuple(_operation(element) for element in contract.operations if element.role is Role.REQUEST)


def operations_in(
    contract: Contract, included: Sequence[str], excluded: Sequence[str]
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations in scope, in document order, and the names that stand for none or for several.

    A name is method and path, up to the names of path parameters and with or without the base path of a server, or an
    operation id. What is excluded is out of scope even when it is included too.
    """
    every = operations_of(contract)
    found = {name: _named(name, every, contract) for name in (*included, *excluded)}
    left_out = {id(operation) for name in excluded for operation in found[name]}
    chosen = {id(operation) for name in included for operation in found[name] if len(found[name]) == 1} - left_out
    unresolved = tuple(name for name, meant in found.items() if len(meant) != 1)
    return tuple(operation for operation in every if id(operation) in chosen), unresolved


def operations_named(contract: Contract, name: str) -> tuple[Operation, ...]:
    """Every operation that a name may stand for."""
    return _named(name, operations_of(contract), contract)


def base_paths(contract: Contract, operation: Operation) -> tuple[str, ...]:
    """The base paths that stand before the operation's path, its own servers' or the document's; "" for none."""
    own = [child for child in operation.element.children if child.kind is ElementKind.SERVER]
    servers = own or [child for child in contract.root.children if child.kind is ElementKind.SERVER]
    bases = (str(server.facet("basePath") or "/") for server in servers)
    return tuple(dict.fromkeys("" if base == "/" else base for base in bases)) or ("",)


def whole_paths(contract: Contract, operation: Operation) -> tuple[str, ...]:
    """The operation's path as the contract writes it, and below each of its base paths."""
    return tuple(dict.fromkeys((operation.path, *(base + operation.path for base in base_paths(contract, operation)))))


def _operation(element: Element) -> Operation:
    method, _, path = element.name.partition(" ")
    named = element.facet("operationId")
    return Operation(
        id=element.name,
        method=method,
        path=path,
        operation_id=named if isinstance(named, str) else "",
        element=element,
    )


def _named(name: str, every: Iterable[Operation], contract: Contract) -> tuple[Operation, ...]:
    """Everything that a name may stand for; a spelling that is written out comes before all others."""
    wanted = " ".join(name.split())
    method, _, path = wanted.partition(" ")
    line = f"{method.upper()} {path}"
    exact = tuple(each for each in every if line == each.id or (wanted and wanted == each.operation_id))
    if exact or method.upper() not in METHODS or not path:
        return exact
    shape = spelled(path)
    alike = tuple(each for each in every if each.method == method.upper() and spelled(each.path) == shape)
    return alike or tuple(
        each
        for each in every
        if each.method == method.upper() and any(same_path(path, whole) for whole in whole_paths(contract, each))
    )


# Whether the scope's base URL shape agrees with the servers of the contract; what stands in braces fits any label.


def agreeing(contract: Contract, operation: Operation, base: str) -> tuple[Element, ...] | None:
    """The operation's servers that the base URL agrees with; None when the contract names no server."""
    own = [child for child in operation.element.children if child.kind is ElementKind.SERVER]
    servers = own or [child for child in contract.root.children if child.kind is ElementKind.SERVER]
    # Where no server is written, the reader adds one at `/` whose place is the document.
    written = [each for each in servers if each.place != contract.root.place or each.name != "/"]
    return tuple(each for each in written if same_base(base, each.name)) if written else None


def same_base(one: str, other: str) -> bool:
    """True when two base URLs have one shape: scheme, host and path, as far as both state them."""
    mine, theirs = _parts(one), _parts(other)
    return (
        _fits(mine[0], theirs[0])
        and _fit(mine[1].split("."), theirs[1].split("."))
        and _fit(mine[2].split("/"), theirs[2].split("/"))
    )


def _parts(url: str) -> tuple[str, str, str]:
    """Scheme, host with port, and path; what the text leaves open is one template."""
    key = server_key(url)
    head, separator, rest = key.partition("//")
    if separator and (not head or head.endswith(":")):
        host, _, path = rest.partition("/")
        return head.removesuffix(":") or "{}", host, path.strip("/")
    first, _, path = key.partition("/")
    return "{}", "{}", (path if first in ("", ".", "{}") else key).strip("/")


def _fit(mine: list[str], theirs: list[str]) -> bool:
    """True when every label fits; a template that stands alone is a whole host or nothing narrower."""
    if ["{}"] in (mine, theirs):
        return True
    return len(mine) == len(theirs) and all(map(_fits, mine, theirs))


def _fits(mine: str, theirs: str) -> bool:
    """True when two labels can be the same: a template stands for any text between what is written around it."""
    for pattern, label in ((mine, theirs), (theirs, mine)):
        before, opened, _ = pattern.partition("{}")
        after = pattern.rpartition("{}")[2]
        if opened and (not label.startswith(before) or not label.endswith(after)) and "{}" not in label:
            return False
    return mine == theirs or "{}" in mine or "{}" in theirs


# W2-F1: which item does not belong to the one immutable revision; revisions are compared up to short forms.


_DIGEST: Final = "sha256:"


@dataclass(frozen=True, slots=True)
class Named:
    """A revision that one item names: of what, which, where. `revision` is "" where none is named."""

    what: str
    revision: str
    citation: Citation


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
        yield Named("the contract-test run", run.record.revision or "", run.at("/revision"))
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
            if named.what != "the contract-test run":
                yield observed(f"No immutable revision is named for {named.what}.", on=(named.citation, scope.citation))
        elif not same_revision(named.revision, scope.record.revision):
            words = (Subject(named.revision), ", the scope names ", Subject(scope.record.revision))
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
        yield observed("Another contract was approved: digest ", Subject(stated.sha256), ".", on=on)
    if stated.revision is not None and not same_revision(stated.revision, revision):
        yield observed("Revisions differ: the approval is of ", Subject(stated.revision), ".", on=on)


def _tied(bundle: Bundle, run: Cited[TestRun], item: EvidenceItem, revision: str) -> Iterator[Statement]:
    """The run ran against this contract, and its retained output is the one that it wrote."""
    against = run.record.contract
    if against is not None and _bare(against) != item.sha256 and not same_revision(against, revision):
        on = (run.at("/contract"), *cite(item.id))
        yield observed("Revisions differ: the tests ran against the contract ", Subject(against), ".", on=on)
    digest = run.record.output_sha256
    output = bundle.items[run.record.output]
    if digest is not None and _bare(digest) != output.sha256:
        on = (run.at("/output_sha256"), *cite(output.id))
        yield observed("The retained output is not the one that the run wrote: digest ", Subject(digest), ".", on=on)


def _is_digest(revision: str) -> bool:
    return not revision or ":" in revision or revision.startswith("blob ")


def _bare(digest: str) -> str:
    return digest.strip().lower().removeprefix(_DIGEST)


MOST_NAMED: Final = 12
"""Operations that one sentence names."""


def freeze_scope(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The scope with contract, operations, sources and runs; stops on what is missing, mixed (F1) or unapproved."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    runs, broken = read_runs(bundle)
    known = replace(facts, scope=scope, item=item, approval=approval_of(bundle, item), plan=plan_of(bundle), runs=runs)
    contract, unreadable = _contract(item, known)
    missing = (*missing_inputs(bundle, runs), *broken, *unreadable)
    known = replace(known, contract=contract, boundary=tuple(_rows(bundle, known)))
    if scope is not None and scope.record.contract_is_changing:
        return _stopped(known, (_w1_first(known),))
    if missing or contract is None or scope is None:
        return _stopped(known, missing)
    included, excluded = scope.record.operations or (), tuple(each.operation for each in scope.record.exclusions or ())
    operations, unresolved = operations_in(contract, included, excluded)
    mixed = (*disagreements(bundle), *_unresolved(known, unresolved), *_scope_differs(known, operations))
    if mixed:
        return _stopped(known, mixed, F1.code)
    known = replace(known, operations=operations, sources=sources_of(bundle))
    known = replace(known, boundary=tuple(_rows(bundle, known)))
    refused = (*_unapproved(bundle, known), *_unsafe_plan(known))
    if refused:
        return _stopped(known, refused)
    tables = {"Publication scope": boundary_frame(known.boundary), "Operations": operations_frame(operations)}
    return Outcome(state=StepState.ADVANCE, facts=known, reasons=tuple(_gaps(bundle, known)), tables=tables)


def _stopped(facts: W2Facts, reasons: tuple[Statement, ...], code: str = "") -> Outcome[W2Facts]:
    tables = {"Publication scope": boundary_frame(facts.boundary)}
    return Outcome(state=StepState.STOP, code=code, facts=facts, reasons=reasons, tables=tables)


def _contract(item: EvidenceItem | None, facts: W2Facts) -> tuple[Contract | None, tuple[Statement, ...]]:
    if item is None:
        return None, ()
    try:
        contract = read_contract(*facts.load(item))
        return (contract, ()) if contract.kind is ContractKind.OPENAPI else (None, (_of_other_kind(item, contract),))
    except BadInput as error:
        on = cite(item.id)
        told = (observed("The contract can't be used: ", Subject(str(each)), on=on) for each in error.problems)
        return None, tuple(told)


def _of_other_kind(item: EvidenceItem, contract: Contract) -> Statement:
    words = ("The contract is of the kind ", Subject(contract.kind.value), ": a reference is written from an OpenAPI ")
    return observed(*words, "document only. Review other kinds as W1.", on=cite(item.id))


def _w1_first(facts: W2Facts) -> Statement:
    on = (facts.scope.at("/contract_is_changing"),) if facts.scope else ()
    return limited(
        "The contract is changing, or a breaking-compatibility decision is open: review it as W1 first.", on=on
    )


def _unresolved(facts: W2Facts, names: Iterable[str]) -> Iterator[Statement]:
    on = _scope_and_contract(facts)
    for name in names:
        meant = operations_named(facts.contract, name) if facts.contract else ()
        if meant:
            words = (Subject(name), " stands for ", *listed(each.id for each in meant), "; name method and path.")
            yield observed("An operation identifier is ambiguous in the contract: ", *words, on=on)
        else:
            yield observed("An operation identifier does not resolve in the contract: ", Subject(name), ".", on=on)


def _scope_differs(facts: W2Facts, operations: tuple[Operation, ...]) -> Iterator[Statement]:
    """Where the publication scope says something else than the contract does."""
    scope, contract = facts.scope, facts.contract
    if scope is None or contract is None:
        return
    version = scope.record.api_version or ""
    if contract.release and version != contract.release:
        words = (Subject(version), ", the contract ", Subject(contract.release))
        yield observed("The scope names the API version ", *words, ".", on=_scope_and_contract(facts))
    yield from _elsewhere(facts, contract, scope.record.base_url or "", operations)
    yield from _both(facts, contract)


def _both(facts: W2Facts, contract: Contract) -> Iterator[Statement]:
    """Operations that the scope includes and excludes."""
    scope = facts.scope
    if scope is None:
        return
    excluded = tuple(each.operation for each in scope.record.exclusions or ())
    left_out = {each.id for each in operations_in(contract, excluded, ())[0]}
    for each in operations_in(contract, scope.record.operations or (), ())[0]:
        if each.id in left_out:
            on = (scope.at("/operations"), scope.at("/exclusions"))
            yield observed("The scope includes and excludes the same operation: ", Subject(each.id), ".", on=on)


def _elsewhere(facts: W2Facts, contract: Contract, base: str, operations: tuple[Operation, ...]) -> Iterator[Statement]:
    """Operations that the contract serves under another base URL than the scope's."""
    apart = [each.id for each in operations if agreeing(contract, each, base) == ()]
    if apart:
        words = (Subject(base), " is of none of the contract's servers for ", *listed(apart), ".")
        yield observed("The scope's base URL shape does not agree with the contract: ", *words,
                       on=_scope_and_contract(facts))  # fmt: skip


def _unapproved(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    """Why the approval does not cover what is in scope."""
    approval = facts.approval
    if approval is None or facts.contract is None:
        return
    stated, on = approval.record, (approval.citation,)
    if stated.decision != "approved":
        yield observed("The contract is not approved: ", Subject(stated.role), " rejected it.", on=on)
        return
    if stated.at.astimezone(UTC).date().isoformat() > bundle.request.as_of:
        yield observed(f"The approval was given after the review's date {bundle.request.as_of}.", on=on)
    if bundle.request.roles.api_owner and stated.role != bundle.request.roles.api_owner:
        words = (Subject(stated.role), ", and the API owner is ", Subject(bundle.request.roles.api_owner))
        yield observed("The approval is not the API owner's: it was given by ", *words, ".", on=on)
    if stated.operations is None:
        return
    covered = {each.id for each in operations_in(facts.contract, stated.operations, ())[0]}
    for operation in facts.operations:
        if operation.id not in covered:
            yield observed("The approval does not cover the operation ", Subject(operation.id), ".", on=on)


def _unsafe_plan(facts: W2Facts) -> Iterator[Statement]:
    """Mutating examples that the plan can't keep to itself: no isolated target, or nothing that undoes them."""
    plan = facts.plan
    if plan is None or not plan.record.mutating:
        return
    if plan.record.fixture is None:
        yield limited("A mutating example has no isolated non-production target.", on=(plan.at("/mutating"),))
    if not plan.record.cleanup:
        yield limited("A mutating example has no cleanup procedure.", on=(plan.at("/mutating"),))


def _scope_and_contract(facts: W2Facts) -> tuple[Citation, ...]:
    return cite(facts.scope.citation if facts.scope else None, facts.item.id if facts.item else None)


def _rows(bundle: Bundle, facts: W2Facts) -> Iterator[BoundaryRow]:
    item, scope = facts.item, facts.scope
    yield judged_for(bundle.request.as_of)
    if item is not None:
        value = text(Subject(item.integrity), f" ({item.standing}); content ", Subject(f"sha256:{item.sha256}"))
        yield BoundaryRow(what="contract identifier", value=value, citations=cite(item.id))
    if item is not None and facts.contract is not None:
        kind = text(f"{facts.contract.kind} ", Subject(facts.contract.version))
        yield BoundaryRow(what="contract format", value=kind, citations=cite(item.id))
    if scope is None:
        return
    stated = {
        "API version": ("api_version", scope.record.api_version),
        "base URL shape": ("base_url", scope.record.base_url),
        "audience": ("audience", scope.record.audience),
    }
    if scope.record.revision:
        value = text(Subject(scope.record.revision))
        yield BoundaryRow(what="one immutable revision", value=value, citations=(scope.at("/revision"),))
    for what, (name, said) in stated.items():
        if said:
            yield BoundaryRow(what=what, value=text(Subject(said)), citations=(scope.at(f"/{name}"),))
    if scope.record.operations:
        names = listed(each.id for each in facts.operations) or listed(scope.record.operations)
        yield BoundaryRow(what="included operations", value=names, citations=(scope.at("/operations"),))
    for policy in bundle.of_type(EvidenceType.POLICY):
        version = getattr(policy.record, "policy_version", "")
        known = text("version ", Subject(version)) if version else ("supplied as text",)
        yield BoundaryRow(what="compatibility policy", value=known, citations=cite(policy.id))
    if scope.record.exclusions is not None:
        left: list[str | Subject] = []
        for each in scope.record.exclusions:
            left += [*(["; "] if left else []), Subject(each.operation), " (", Subject(each.why), ")"]
        value = tuple(left) or ("none stated",)
        yield BoundaryRow(what="exclusions", value=value, citations=(scope.at("/exclusions"),))


def _gaps(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    yield from later_runs(bundle)
    yield from unread_parts(facts.runs)
    yield from violated(bundle)
    yield from unlisted(facts)
    if facts.item is not None and facts.item.integrity_state is not Integrity.VERIFIED:
        yield limited("The contract's integrity is declared, not verified.", on=cite(facts.item.id))


def unlisted(facts: W2Facts) -> Iterator[Statement]:
    """The operations of the contract that the scope neither includes nor excludes."""
    if facts.scope is None or facts.contract is None or not facts.operations:
        return
    excluded = tuple(each.operation for each in facts.scope.record.exclusions or ())
    listed_ids = {each.id for each in facts.operations} | {
        each.id for name in excluded for each in operations_named(facts.contract, name)
    }
    left = [each.id for each in operations_of(facts.contract) if each.id not in listed_ids]
    if left:
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        yield limited("The scope neither includes nor excludes: ", *listed(left[:MOST_NAMED]), f"{more}.",
                      on=_scope_and_contract(facts))  # fmt: skip


def operations_frame(operations: Iterable[Operation]) -> pd.DataFrame:
    """One row per operation in scope. Key: `operation`. Columns: operation, method, path, operation_id."""
    rows = [(each.id, each.method, each.path, each.operation_id) for each in operations]
    return pd.DataFrame(rows, columns=["operation", "method", "path", "operation_id"])
