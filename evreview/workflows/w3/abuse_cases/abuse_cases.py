"""Bounded abuse cases: what might be tried at each kind of control, and which boundary and attacker have one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed, text
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.security import SecurityInventory, TrustModel
from evreview.workflows.w3.access_control.access_words import words
from evreview.workflows.w3.access_control.units import ALL_ROUTES
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import AbuseCase, Candidate, Lead, State, TrustMap, TrustPath, digest_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """Something that an assumed attacker may be unable to do.

    Attributes:
        says: in words.
        told_by: groups of words; an exclusion that holds all words of one group excludes it.
        example, counter_example: exclusions that exclude it, and that do not.
    """

    id: str
    says: str
    told_by: tuple[tuple[str, ...], ...]
    example: str
    counter_example: str

    def excluded_by(self, exclusion: str) -> bool:
        """True when an exclusion of the trust model takes this capability away."""
        said = {_stem(word) for word in words(exclusion)}
        return any(all(_stem(word) in said for word in group) for group in self.told_by)


def _stem(word: str) -> str:
    """`flooding` and `floods` as `flood`; enough to compare the words of this table."""
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)].rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


CAPABILITIES: Final = (
    Capability(
        id="stolen-credentials",
        says="somebody else's credentials",
        told_by=(("stolen", "credentials"), ("credential", "theft"), ("stolen", "token"), ("phishing",),
                 ("compromised", "account"), ("stolen", "passwords"), ("compromised", "credentials")),
        example="use of stolen credentials",
        counter_example="knowledge of the signing key",
    ),
    Capability(
        id="signing-key",
        says="the key that signs credentials",
        told_by=(("key", "signs"), ("signing", "key"), ("private", "key"), ("token", "secret"), ("key", "tokens")),
        example="knowledge of the key that signs tokens",
        counter_example="use of stolen credentials",
    ),
    Capability(
        id="source-access",
        says="reading the source or what is built from it",
        told_by=(("source", "code"), ("read", "source"), ("repository", "access"), ("access", "repository"),
                 ("access", "source")),
        example="access to the source code",
        counter_example="access to the machine that the service runs on",
    ),
    Capability(
        id="volume",
        says="many or large requests",
        told_by=(("flood",), ("denial", "service"), ("volume",), ("exhaust",), ("brute", "force")),
        example="flooding the service with requests",
        counter_example="physical access",
    ),
    Capability(
        id="network-position",
        says="a place between the caller and the service, or on an allowed network",
        told_by=(("network", "position"), ("intercept",), ("man", "middle"), ("mitm",), ("allowed", "network"),
                 ("internal", "network"), ("eavesdrop",)),
        example="a position on the internal network",
        counter_example="flooding the service with requests",
    ),
    Capability(
        id="valid-account",
        says="credentials of their own",
        told_by=(("valid", "account"), ("own", "account"), ("insider",), ("authenticated", "user"),
                 ("valid", "credentials")),
        example="use of a valid account",
        counter_example="use of stolen credentials",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One thing that might be tried at a boundary with a control of the area.

    Attributes:
        needs: ids of capabilities beyond sending a request.
        controlled_input, bypass, consequence: in words; the consequence is about the assets behind the boundary.
        preconditions: what must hold besides.
        by_id: it takes a route that names one object.
        rules: the lead rules that look for it.
        on_lead: it is worth a case only where one of them found something.
    """

    id: str
    area: Area
    controlled_input: str
    preconditions: tuple[str, ...]
    bypass: str
    consequence: str
    needs: tuple[str, ...] = ()
    by_id: bool = False
    rules: tuple[str, ...] = ()
    on_lead: bool = False


_SEND: Final = "the attacker can call the route from this position"

TEMPLATES: Final = (
    Template(
        id="without-credentials",
        area=Area.AUTHENTICATION,
        controlled_input="the credentials, which are left out or are no valid ones",
        preconditions=(_SEND,),
        bypass="act without a principal that the service has verified",
        consequence="whoever calls gets as far as a verified principal to ",
        rules=(
            "service-without-authentication",
            "unguarded-sibling",
            "route-opened-by-name",
            "way-past-a-guard",
            "credential-not-checked",
            "unsigned-webhook",
        ),
    ),
    Template(
        id="credential-of-own-making",
        area=Area.AUTHENTICATION,
        controlled_input="a credential that was not issued by the service",
        preconditions=(_SEND, "the attacker has the key that signs credentials"),
        bypass="pass for a principal of the attacker's choice",
        consequence="the attacker acts as somebody else on ",
        needs=("signing-key",),
        rules=("verification-disabled",),
    ),
    Template(
        id="constant-in-the-source",
        area=Area.AUTHENTICATION,
        controlled_input="a credential that stands in the source as a constant",
        preconditions=(_SEND, "the attacker can read the source or what is built from it"),
        bypass="pass for whoever the constant stands for",
        consequence="the attacker acts as somebody who is signed in on ",
        needs=("source-access",),
        rules=("constant-credential",),
        on_lead=True,
    ),
    Template(
        id="credential-of-another",
        area=Area.AUTHENTICATION,
        controlled_input="a credential that was issued to somebody else",
        preconditions=(_SEND, "the attacker has got hold of it"),
        bypass="pass for its owner, also after it should have ended",
        consequence="the attacker acts as somebody else on ",
        needs=("stolen-credentials",),
        rules=("quick-password-hash",),
    ),
    Template(
        id="from-another-site",
        area=Area.AUTHENTICATION,
        controlled_input="the origin of a request that somebody else's browser sends",
        preconditions=("somebody who is signed in opens a site of the attacker's",),
        bypass="have the browser add its owner's credentials",
        consequence="another site acts as its visitor on ",
        rules=("credentials-to-any-origin",),
        on_lead=True,
    ),
    Template(
        id="own-word",
        area=Area.AUTHORIZATION,
        controlled_input="a header, parameter, cookie or body member that names a role, a right or an identity",
        preconditions=(_SEND,),
        bypass="have a decision rest on the caller's own word",
        consequence="a caller without the right reads or changes ",
        rules=(
            "caller-controlled-decision",
            "privilege-field-writable",
        ),
    ),
    Template(
        id="another-object",
        area=Area.AUTHORIZATION,
        controlled_input="the id of an object that belongs to somebody else",
        preconditions=(_SEND, "the attacker knows or guesses such an id"),
        bypass="reach the object without being asked whose it is",
        consequence="a caller reads or changes what belongs to others of ",
        by_id=True,
        rules=("object-without-owner-check",),
    ),
    Template(
        id="without-the-right",
        area=Area.AUTHORIZATION,
        controlled_input="a request of a principal who has not the right that similar routes ask for",
        preconditions=(_SEND, "the attacker has an account of their own"),
        bypass="reach what is kept for those who have the right",
        consequence="the attacker does what others alone may do to ",
        on_lead=True,
        needs=("valid-account",),
        rules=("weaker-sibling",),
    ),
    Template(
        id="from-an-allowed-network",
        area=Area.AUTHORIZATION,
        controlled_input="the address that the service takes for the caller's",
        preconditions=(_SEND, "the attacker calls from an allowed network, or can name such an address"),
        bypass="have the address stand for a right",
        consequence="a caller without a principal reads or changes ",
        needs=("network-position",),
        rules=("client-address-decision",),
    ),
    Template(
        id="more-than-data",
        area=Area.INPUT_HANDLING,
        controlled_input="a value that the component behind the service would read as more than data",
        preconditions=(_SEND, "the value arrives there unchanged"),
        bypass="have the value change what is done, not only what it is done with",
        consequence="the attacker changes what the service does with ",
        rules=(
            "unsafe-deserialisation",
            "sql-by-string",
            "command-by-string",
            "code-from-request",
            "template-from-string",
            "file-by-request",
            "address-by-request",
            "redirect-by-request",
            "markup-by-string",
            "every-member-from-request",
        ),
    ),
    Template(
        id="outside-the-expected",
        area=Area.INPUT_HANDLING,
        controlled_input="a value outside the documented form, size or range",
        preconditions=(_SEND,),
        bypass="pass the checks of form, size and range",
        consequence="the service works with values that it does not expect on ",
    ),
    Template(
        id="two-at-once",
        area=Area.INPUT_HANDLING,
        controlled_input="the moment at which requests come",
        preconditions=(_SEND,),
        bypass="pass one check with several requests before any of them counts",
        consequence="what may be spent once is spent several times of ",
        on_lead=True,
        rules=("check-then-act",),
    ),
    Template(
        id="too-much",
        area=Area.INPUT_HANDLING,
        controlled_input="the number and size of requests",
        preconditions=(_SEND,),
        bypass="use up what the service shares among its callers",
        consequence="others can't reach ",
        needs=("volume",),
    ),
    Template(
        id="key-in-reach",
        area=Area.SECRETS,
        controlled_input="a key that stands where the attacker can read it",
        preconditions=("the attacker can read the source or what is built from it",),
        bypass="use the key in place of the service",
        consequence="the attacker acts as the service on ",
        needs=("source-access",),
        rules=("secret-in-source",),
    ),
    Template(
        id="key-in-answers",
        area=Area.SECRETS,
        controlled_input="requests whose answers or failures may hold more than they should",
        preconditions=(_SEND,),
        bypass="have the service give away a key by itself",
        consequence="the attacker gains a key that protects ",
    ),
    Template(
        id="key-in-logs",
        area=Area.LOGGING,
        controlled_input="nothing: what callers and the service send is kept in logs",
        preconditions=("the attacker can read the logs or what is made of them",),
        bypass="use a key that a log holds",
        consequence="the attacker acts as whoever sent the key on ",
        on_lead=True,
        rules=("secret-in-log",),
    ),
    Template(
        id="unseen",
        area=Area.LOGGING,
        controlled_input="the parts of a request that logs keep, change or leave out",
        preconditions=(_SEND,),
        bypass="act so that the log does not tell who did what",
        consequence="it can't be told afterwards who read or changed ",
    ),
    Template(
        id="provoked-failure",
        area=Area.ERROR_DISCLOSURE,
        controlled_input="a request that makes a layer below fail",
        preconditions=(_SEND,),
        bypass="have the answer tell what failed inside",
        consequence="the attacker learns about the inside of what keeps ",
        rules=(
            "internal-error-in-response",
            "debug-mode-on",
        ),
    ),
)


MAX_CASES: Final = 1_000
"""Cases listed; what follows leaves its boundary uncovered, with the reason."""
_CAPABLE: Final = {capability.id: capability for capability in CAPABILITIES}
_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A case that needs what the trust model says the attacker can't do.

    Attributes:
        case: the template's id; capability: what it needs; excluded: the model's own words.
    """

    case: str
    boundary: str
    attacker: str
    capability: str
    excluded: UserText
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A boundary in reach without a case.

    Attributes:
        reasoned: the reason is a stated exclusion, so that step 4 may advance.
    """

    boundary: str
    why: Text
    reasoned: bool
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSet:
    """Step 4's answer."""

    cases: tuple[AbuseCase, ...]
    left_out: tuple[LeftOut, ...]
    uncovered: tuple[Uncovered, ...]

    @property
    def covers(self) -> bool:
        """True when step 4 may advance: every boundary in reach has a case or a stated reason."""
        return all(one.reasoned for one in self.uncovered)


def abuse_cases(
    model: Cited[TrustModel] | None,
    trust: TrustMap,
    inventory: Cited[SecurityInventory] | None,
    leads: Sequence[Lead] = (),
) -> CaseSet:
    """One hypothesis per boundary in reach, attacker position, route and thing to try; in the order of the paths."""
    maker = _Maker(model, inventory, leads)
    for (attacker, route), paths in _ways(trust).items():
        for boundary in dict.fromkeys(each for path in paths for each in path.boundaries):
            maker.take(boundary, attacker, route, [path for path in paths if boundary in path.boundaries])
    return CaseSet(
        cases=tuple(maker.cases), left_out=tuple(maker.left_out), uncovered=tuple(_uncovered_boundaries(trust, maker))
    )


def _ways(trust: TrustMap) -> dict[tuple[str, str], list[TrustPath]]:
    """The paths in reach by attacker and route; an entry point that is no route stands by its id."""
    found: dict[tuple[str, str], list[TrustPath]] = {}
    for path in trust.paths:
        if path.in_reach:
            found.setdefault((path.actor, path.route or path.entry_point), []).append(path)
    return found


class _Maker:
    """The cases made so far."""

    def __init__(
        self, model: Cited[TrustModel] | None, inventory: Cited[SecurityInventory] | None, leads: Sequence[Lead]
    ) -> None:
        self.model = model
        self.inventory = inventory
        self.leads = leads
        self.cases: list[AbuseCase] = []
        self.left_out: list[LeftOut] = []
        self.full: set[str] = set()

    def take(self, boundary: str, attacker: str, route: str, paths: Sequence[TrustPath]) -> None:
        """Makes the cases of one boundary, attacker and route."""
        areas = self.areas(boundary, route)
        for template in TEMPLATES:
            there = self.behind(template, route)
            if not any(_is_there(lead, route) for lead in there) and not _applies(template, areas, route):
                continue
            excluded = self.excluded(template)
            if excluded is not None:
                capability, words, at = excluded
                self.left_out.append(
                    LeftOut(
                        case=template.id, boundary=boundary, attacker=attacker, capability=capability,
                        excluded=UserText(words), citations=(at,),
                    )
                )  # fmt: skip
            elif len(self.cases) >= MAX_CASES:
                self.full.add(boundary)
            else:
                self.cases.append(self.case(template, boundary, attacker, route, paths))

    def areas(self, boundary: str, route: str) -> frozenset[Area]:
        """The kinds of control that stand at the boundary for the route, and those that leads there are about."""
        key = operation_key(route)
        stated = {
            control.area
            for control in (self.inventory.record.controls if self.inventory is not None else ())
            if boundary in control.boundaries
            and ("*" in control.routes or key in {operation_key(one) for one in control.routes})
        }
        suspected = {lead.area for lead in self.leads if _is_there(lead, route)}
        return frozenset(stated | suspected or _ACCESS)

    def behind(self, template: Template, route: str) -> list[Lead]:
        """The leads that look for what the template tries; a secret in source is behind it on every route."""
        named = [lead for lead in self.leads if lead.tool == "evreview" and lead.rule in template.rules]
        return [lead for lead in named if _is_there(lead, route) or lead.area is Area.SECRETS]

    def excluded(self, template: Template) -> tuple[str, str, Citation] | None:
        """The capability that the model excludes, in its words, None for a case that stands."""
        if self.model is None:
            return None
        for place, said in enumerate(self.model.record.excluded_capabilities or ()):
            for need in template.needs:
                if _CAPABLE[need].excluded_by(said):
                    return _CAPABLE[need].says, said, self.model.at(f"/excluded_capabilities/{place}")
        return None

    def case(
        self, template: Template, boundary: str, attacker: str, route: str, paths: Sequence[TrustPath]
    ) -> AbuseCase:  # fmt: skip
        """One hypothesis."""
        there = self.behind(template, route)
        assets = list(dict.fromkeys(path.asset for path in paths if path.asset))
        gaps = [("the way there is as the trust model says: ", *gap) for path in paths[:1] for gap in path.gaps]
        return AbuseCase(
            id=digest_id("A", template.id, boundary, attacker, route),
            boundary=boundary,
            attacker=attacker,
            route=route,
            controlled_input=(template.controlled_input,),
            preconditions=(*((each,) for each in template.preconditions), *gaps),
            bypass=(template.bypass,),
            consequence=text(template.consequence, *(listed(assets) or ("what lies behind it",))),
            state=State.HYPOTHESIS,
            candidates=tuple(dict.fromkeys(lead.id for lead in there)),
            citations=cited(self.at(boundary), *(path.citations for path in paths)),
        )

    def at(self, boundary: str) -> tuple[Citation, ...]:
        """The boundary's place in the model."""
        for place, one in enumerate((self.model.record.boundaries or ()) if self.model is not None else ()):
            if one.id == boundary and self.model is not None:
                return (self.model.at(f"/boundaries/{place}"),)
        return ()


def _applies(template: Template, areas: frozenset[Area], route: str) -> bool:
    """True for what is worth a case without any lead."""
    return template.area in areas and not template.on_lead and (not template.by_id or "{" in route)


def _is_there(lead: Lead, route: str) -> bool:
    return bool(lead.route) and (lead.route == ALL_ROUTES or operation_key(lead.route) == operation_key(route))


def _uncovered_boundaries(trust: TrustMap, maker: _Maker) -> Iterator[Uncovered]:
    """The boundaries in reach without a case, and entry points in reach that cross none."""
    have = {case.boundary for case in maker.cases}
    left = {one.boundary: one for one in maker.left_out}
    for boundary in dict.fromkeys(each for path in trust.paths if path.in_reach for each in path.boundaries):
        if boundary in have:
            continue
        on = maker.at(boundary) or (maker.model.citation,) if maker.model is not None else ()
        if boundary in left and boundary not in maker.full:
            one = left[boundary]
            why = text("every case needs what is excluded: ", one.excluded)
            yield Uncovered(boundary=boundary, why=why, reasoned=True, citations=one.citations)
        else:
            why = text(f"more than {MAX_CASES} cases; review fewer routes at once")
            yield Uncovered(boundary=boundary, why=why, reasoned=False, citations=on)
    for path in trust.paths:
        if path.in_reach and not path.boundaries:
            why = text(
                "the entry point ", UserText(path.entry_point), " crosses no boundary; name those before the asset"
            )
            yield Uncovered(boundary="", why=why, reasoned=False, citations=path.citations)


def settled(cases: Iterable[AbuseCase], candidates: Iterable[Candidate]) -> tuple[AbuseCase, ...]:
    """The cases after step 5: supported by one candidate, refuted when all of theirs are, else still hypotheses.

    A candidate supports no case of a position that a guard of its route keeps out.
    """
    behind: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        for lead in candidate.leads:
            behind.setdefault(lead, []).append(candidate)
    return tuple(
        replace(case, state=_settled([_for(case, one) for lead in case.candidates for one in behind.get(lead, [])]))
        for case in cases
    )


def _for(case: AbuseCase, candidate: Candidate) -> State:
    kept_out = candidate.state is State.SUPPORTED and case.attacker in candidate.kept_out
    return State.HYPOTHESIS if kept_out else candidate.state


def _settled(states: Sequence[State]) -> State:
    if State.SUPPORTED in states:
        return State.SUPPORTED
    return State.REFUTED if states and all(state is State.REFUTED for state in states) else State.HYPOTHESIS
