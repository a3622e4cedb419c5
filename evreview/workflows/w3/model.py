"""What the steps of a security review hand to each other. All of it is frozen; every claim carries its citations."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from evreview.codefacts.model import Spot
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Area, ClosedVocabulary, Confidence, Sentence, Unrated
from evreview.evidence.item import Citation

# Rows that stand beside the trust map and the matrix of controls: gaps, the tie to what runs, middleware, tests.


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustGap:
    """Something that keeps a path from being traced, or that the trust model leaves out.

    Attributes:
        kind: the id of its rule in `trust.gaps`.
        says: what, and what to supply.
        decides: True for one that keeps step 2 from advancing.
    """

    kind: str
    says: Text
    citations: tuple[Citation, ...]
    decides: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentTie:
    """Whether the evidence ties the reviewed revision to what runs.

    Attributes:
        tied: a deployment record names the reviewed revision, and none names another one.
        needed: the request asks for a conclusion about deployed behaviour.
        other: a deployment record names another revision than the reviewed one.
    """

    tied: bool
    needed: bool
    why: Text
    citations: tuple[Citation, ...]
    other: bool = False

    @property
    def stops(self) -> bool:
        """True when the conclusion depends on what runs and nothing shows that it is the reviewed revision."""
        return self.needed and not self.tied


@dataclass(frozen=True, slots=True, kw_only=True)
class MiddlewareRow:
    """One thing that an application runs around its handlers.

    Attributes:
        application: how the code calls it.
        kind: middleware, before request, dependency, error handler.
        place: 1 runs first; 0 where no order exists or it can't be told.
        name: in the code's own words.
        area: what it does for a control, None where the code does not tell.
    """

    application: str
    kind: str
    place: int
    name: str
    area: Area | None
    citations: tuple[Citation, ...]


class Term(StrEnum):
    """What an authorization states, as its table names it."""

    AUTHORIZATION_RECORD = "authorization record"
    APPROVING_ROLE = "approving role"
    DECISION = "decision"
    FORM = "form"
    RECEIVED_THROUGH = "received through"
    IMMUTABLE_REVISION = "immutable revision"
    SYSTEM_OWNED = "system owned"
    ENVIRONMENT = "environment"
    ALLOWED_PATHS = "allowed paths"
    ALLOWED_TECHNIQUES = "allowed techniques"
    EXCLUDED_TARGETS = "excluded targets"
    EXCLUDED_ACTIONS = "excluded actions"
    REVIEW_PERIOD = "review period"
    EXCLUSIONS = "exclusions"
    ACTIVE_TESTING = "active testing"
    DISCLOSURE_BOUNDARY = "disclosure boundary"
    STOP_CONDITIONS = "stop conditions"
    CLEANUP = "cleanup"
    ROLLBACK = "rollback"


class ShownBy(ClosedVocabulary):
    """How a test of a control was found, NOTHING when it was not."""

    NOTHING = ""
    SYNTAX = "syntax tree"
    RESULT = "retained result"
    CHECK = "retained check"
    TEXT = "text"


class InventoryGapKind(ClosedVocabulary):
    """What an inventory lacks of a control."""

    ID = "id"
    SOURCE = "source"
    MIDDLEWARE = "middleware"
    DEPLOYMENT = "deployment wiring"
    POSITIVE_TESTS = "positive tests"
    NEGATIVE_TESTS = "negative tests"
    SURROUNDING = "surrounding files"
    ROUTE = "route"
    REVISION = "revision"
    CONTROL = "control"
    SCOPE = "scope"


class CellReason(Sentence):
    """Why a cell stays open, of the reasons that decide what is asked for; `NONE` is any other one."""

    NONE = ""
    UNREGISTERED = "no inspected code registers"
    NO_FUNCTION = "no one inspected file has a function of this name"
    UNQUOTED = "no quoted lines show where it stands"
    UNTIED = "nothing that was read ties the quoted lines to the route; "
    SHOWN_OPEN = "the code shows whom it lets past: "
    """Leads tell the rest in full; no further artifact is needed to go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRow:
    """One test of a control, resolved.

    Attributes:
        control, test: the control's id and the test's as listed.
        negative: listed as a test that whoever may not, can't.
        shown: how it was found.
        asserts: route and status of each assertion, as far as they can be told.
        outcome: of a retained run: passed, failed, error, skipped; "" when none is retained.
    """

    __test__ = False
    control: str
    test: str
    negative: bool
    shown: ShownBy
    asserts: tuple[tuple[str, int], ...]
    outcome: str
    citations: tuple[Citation, ...]


class Standing(ClosedVocabulary):
    """What the evidence shows of one control on one route."""

    PRESENT = "present"
    ABSENT = "absent"
    UNREAD = "unread"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"
    NOT_IN_SCOPE = "not in scope"


class Backing(ClosedVocabulary):
    """How well a trust boundary or an identity transition is supported."""

    VALIDATED = "validated"
    ASSUMPTION = "assumption"
    UNKNOWN = "unknown"


class Reach(ClosedVocabulary):
    """Whether the assumed attacker can get to the lines in question, as far as the evidence shows."""

    SHOWN = "shown"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class State(ClosedVocabulary):
    """What a candidate has become. SUPPORTED needs reachability and control evidence; no state says exploitable."""

    SUPPORTED = "supported"
    HYPOTHESIS = "hypothesis"
    REFUTED = "refuted by a compensating control"


class Disposition(ClosedVocabulary):
    """The four dispositions of a finding, and no other. Spec, W3 step 7."""

    BLOCKING = "blocking"
    OPEN = "open"
    ACCEPTED = "accepted with an expiry"
    CLOSED = "closed by evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One planned action, or the authorization itself, that is not covered: what, why, the record's place."""

    about: str
    why: Text
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryBacking:
    """One trust boundary or identity transition with what it is validated against.

    Attributes:
        id, name: of the record.
        backing: validated, a stated assumption, or unknown.
        why: what shows it, or what is missing.
    """

    id: str
    name: Text
    backing: Backing
    why: Text
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustPath:
    """One way from an actor through an entry point and its boundaries to an asset.

    Attributes:
        actor, entry_point, asset: ids of the trust model; `boundaries` ids in the order crossed.
        route: method and path as the code registers it, "" for none.
        in_reach: the actor's position is one that an attacker may be assumed in.
        gaps: why the path can't be traced; empty for a traceable one.
    """

    actor: str
    entry_point: str
    boundaries: tuple[str, ...]
    asset: str
    route: str
    in_reach: bool
    gaps: tuple[Text, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCell:
    """One cell of the control x route matrix. Key: `control`, `route`.

    Attributes:
        control: the control's id, or the area's name where no control is listed for it.
        area: its kind.
        route: method and path, `*` for what holds for every route.
        standing: what the evidence shows.
        why: in words, e.g. the guard's name.
        odd: an unguarded route beside guarded ones.
        reason: why it is open, where what is asked for hangs on that.
    """

    control: str
    area: Area
    route: str
    standing: Standing
    why: Text
    citations: tuple[Citation, ...]
    odd: bool = False
    reason: CellReason = CellReason.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryGap:
    """Something that the inventory lacks: which control, what, and the exact artifact to request (W3-F2).

    Attributes:
        control: the control's id, or the area's name.
        lacks: what is not there.
        request: the artifact to ask for.
        decides: False when a conclusion is possible without it (the control is then only unverified).
    """

    control: str
    area: Area
    lacks: InventoryGapKind
    request: Text
    citations: tuple[Citation, ...]
    decides: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A pattern that matched. It proves nothing.

    Attributes:
        id: `L-` and a digest of rule, path, symbol and ordinal; survives line moves.
        rule: the lead rule's id, the scanner's rule id, or the reviewer's candidate id.
        tool: `evreview`, the scanner's name, or `reviewer`.
        area: which kind of control it is about.
        says: what matched, without any payload or value.
        spot: the lines, None when it names none that are supplied.
        path, symbol: file in the repository, function or class around it; "" when unknown.
        route: the route whose handler reaches the lines, "" when none is known.
        lacks: what the lines do not show and the weakness needs; with it the lead stays a hypothesis.
        header: the request's header that decides there, "" for none.
    """

    id: str
    rule: str
    tool: str
    area: Area
    says: Text
    spot: Spot | None
    path: str
    symbol: str
    route: str
    citations: tuple[Citation, ...]
    lacks: Text = ()
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCandidate:
    """One place where a compensating control could stand.

    Attributes:
        place: middleware, dependency, decorator, deployment wiring, a surrounding file.
        standing: PRESENT for a control found there, ABSENT when there is none, UNKNOWN when it was not supplied.
        why: what was found, or what to request.
    """

    place: Text
    standing: Standing
    why: Text
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AbuseCase:
    """What an attacker in an allowed position might try at one boundary; a hypothesis until evidence decides.

    Attributes:
        id: `A-` and a digest.
        boundary, attacker: ids of the trust model.
        route: where it comes in.
        controlled_input, preconditions, bypass, consequence: in words, without payload.
        state: hypothesis, supported or refuted, after step 5.
        candidates: ids of the leads behind it.
    """

    id: str
    boundary: str
    attacker: str
    route: str
    controlled_input: Text
    preconditions: tuple[Text, ...]
    bypass: Text
    consequence: Text
    state: State
    candidates: tuple[str, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A suspected weakness with everything that speaks for and against it. Steps 4 and 5.

    Attributes:
        id: `S-` and a digest of kind, route, control symbol, path and asset; survives line moves.
        kind: the lead rule's or the reviewer's id.
        area: which kind of control it is about.
        title: what is suspected.
        leads: the ids of the leads behind it.
        route, control, asset, attacker: "" where unknown.
        reach, reach_why: reachability, as shown.
        challenges: every place where a compensating control could stand.
        state: supported only with reachability shown, control evidence, and every challenge ABSENT.
        missing: what would have to be supplied to decide it.
        preconditions: what the attacker needs.
        impact_observed, impact_inferred: kept apart.
        safe_verification: a harmless way to check it.
        slice: sha256 over the judged lines and what the challenges read; a disposition of another one has lapsed.
        validated: a retained local result confirms the control's behaviour.
        kept_out: ids of the attacker positions that a guard of the route keeps out.
        members: of a cause that several routes reach, the candidate of each; what is shown comes first.
    """

    id: str
    kind: str
    area: Area
    title: Text
    leads: tuple[str, ...]
    route: str
    control: str
    asset: str
    attacker: str
    reach: Reach
    reach_why: Text
    challenges: tuple[ControlCandidate, ...]
    state: State
    missing: tuple[Text, ...]
    preconditions: tuple[Text, ...]
    impact_observed: Text
    impact_inferred: Text
    safe_verification: Text
    slice: str
    citations: tuple[Citation, ...]
    validated: bool = False
    kept_out: tuple[str, ...] = ()
    members: tuple[Candidate, ...] = ()

    @property
    def routes(self) -> tuple[str, ...]:
        """Every route that it is about, those of which it is shown first; () where none is known."""
        return tuple(dict.fromkeys(one.route for one in (self.members or (self,)) if one.route))

    @property
    def alike(self) -> tuple[Candidate, ...]:
        """The candidates of single routes that have its state; itself where it is of one route."""
        return tuple(one for one in self.members if one.state is self.state) or (self,)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityFinding:
    """One row of the finding register: a candidate that was not refuted, rated and disposed of.

    Attributes:
        candidate: what it is about; the id is the finding's.
        severity, severity_why: from the rubric with the rule quoted, or not rated.
        confidence, confidence_why: from the confidence table.
        disposition: one of four; `disposition_why` says who and until when, or why a recorded one does not count.
        recommendation: the control change proposed.
        blocks: it holds the deployment.
        undecided: an unresolved hypothesis that would hold the deployment, or that nothing would rate, if it were
            supported.
        accepting: digest of what an acceptance of it would accept; the answers to that gate name it.
    """

    candidate: Candidate
    severity: str | Unrated
    severity_why: Text
    confidence: Confidence
    confidence_why: str
    disposition: Disposition
    disposition_why: Text
    recommendation: Text
    blocks: bool
    citations: tuple[Citation, ...]
    undecided: bool = False
    accepting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemediationRow:
    """One row of the remediation order. Spec, W3 remediation row.

    Attributes:
        finding: the finding's id.
        owner: the role that owns the control, "" where nobody is named.
        control_change, owner_role, tests, deployment, exit_evidence, rollback: in words; what is not supplied says so.
        refused: why the supplied one is refused (decision rule 6), empty for none; then `control_change` is ours.
        complete: every field was supplied.
    """

    finding: str
    control_change: Text
    owner: str
    owner_role: Text
    positive_tests: Text
    negative_tests: Text
    deployment: Text
    exit_evidence: Text
    rollback: Text
    refused: Text
    complete: bool
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorized:
    """Step 1's answer.

    Attributes:
        missing: fields of the record that are not written, in the words of W3-F1's recovery.
        refusals: what the record does not cover.
    """

    missing: tuple[str, ...]
    refusals: tuple[Refusal, ...]

    @property
    def passed(self) -> bool:
        """True when nothing is missing and every planned action is covered."""
        return not self.missing and not self.refusals


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustMap:
    """Step 2's answer: every way to an asset, every boundary's support, and what the trust model lacks.

    Attributes:
        missing: fields of the model that are not written.
        gaps: everything else that is wrong or left out.
    """

    paths: tuple[TrustPath, ...]
    backings: tuple[BoundaryBacking, ...]
    transitions: tuple[BoundaryBacking, ...]
    missing: tuple[str, ...]
    gaps: tuple[TrustGap, ...] = ()
    deployment: DeploymentTie | None = None

    @property
    def traceable(self) -> bool:
        """True when step 2 may advance: nothing is missing, and the requested controls' paths can be traced."""
        return not self.missing and not any(gap.decides for gap in self.gaps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """Step 3's answer: the control x route matrix and what the inventory lacks.

    Attributes:
        middleware: what runs around the handlers, in the order in which it runs.
        tests: every listed test, resolved.
    """

    cells: tuple[ControlCell, ...]
    gaps: tuple[InventoryGap, ...]
    middleware: tuple[MiddlewareRow, ...] = ()
    tests: tuple[TestRow, ...] = ()

    @property
    def concludes(self) -> bool:
        """True when step 3 may advance: every control has a conclusion."""
        return not any(gap.decides for gap in self.gaps)


# Ids that survive moved lines: digests over what a thing is about, never over where its lines stand.


LENGTH = 12
"""Hexadecimal digits kept: a review has hundreds of leads, not millions."""


def digest_id(kind: Literal["L", "S", "A"], *parts: str) -> str:
    """`L-`, `S-` or `A-` and the begin of a sha256 over the parts, each with its length in front."""
    data = b"".join(b"%d:%s" % (len(raw), raw) for part in parts if (raw := part.encode("utf-8", "surrogatepass")) or 1)
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:LENGTH]}"


def plain_path(path: str) -> str:
    """A path as the repository knows it: `/` between names, no `.` in front."""
    cleaned = posixpath.normpath(path.replace("\\", "/"))
    return "" if cleaned == "." else cleaned.removeprefix("/")


def names_of(candidate: Candidate, leads: Mapping[str, Lead]) -> frozenset[str]:
    """The names under which evidence may speak of a candidate before its id is known.

    Its own id, its leads', the reviewer's, and its kind with the route, the control or the file that it is about, such
    as `secret-in-source service/settings.py`.
    """
    behind = [leads[name] for name in candidate.leads if name in leads]
    stated = (each.rule for each in behind if each.tool == "reviewer")
    about = (*candidate.routes, candidate.control, *(each.path for each in behind))
    return frozenset((candidate.id, *candidate.leads, *stated, *(f"{candidate.kind} {name}" for name in about if name)))
