"""Supplied remediations: what they take away by their words (rule 6, a closed table), and the rows made of them.

It refuses what is written plainly, in the words that people use for it; it does not replace a reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed
from evreview.core.vocabulary import Area, ClosedVocabulary
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import PlannedTest, Remediation, RemediationPlan, SecurityInventory
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import Candidate, Disposition, RemediationRow, SecurityFinding, State, names_of
from evreview.workflows.w3.planned_actions import refused_purpose


class Harm(ClosedVocabulary):
    """What a remediation takes away elsewhere, or that it leaves the cause."""

    AUTHENTICATION = "authentication"
    AUTHORIZATION = "authorization"
    AUDITABILITY = "auditability"
    CONFIDENTIALITY = "confidentiality"
    CONTROL = "another control"
    SYMPTOM = "the cause stays and only its effect is hidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """One way in which a control change weakens.

    Attributes:
        id: kebab-case, never reused.
        harm: what it takes away.
        why: why it is refused.
        expression: what the change says.
        example: a change that it finds.
        counter_example: one that reads alike and is none.
    """

    id: str
    harm: Harm
    why: str
    expression: str
    example: str
    counter_example: str


_OFF: Final = (
    r"(?:(?:disabl|remov|drop|skip|bypass(?! of\b)|delet|omit|loosen|relax|weaken)\w*"
    r"|(?:turn|switch|comment)(?:s|ed|ing)? (?:off|out))"
)
_THE: Final = r"\s+(?:(?!not\b|never\b)[\w-]+\s+){0,3}?"
_NOT: Final = r"(?<!not )(?<!never )(?<!without )(?<!cannot )(?<!no longer )(?<!that )(?<!which )(?<!who )(?<!stop )"
"""Before a verb: words that turn it round, and those by which it describes what is taken away."""
_CHECK: Final = (
    r"(?:checks?|guards?|tokens?|logins?|auth\w*|controls?|signatures?|validation|middleware|dependenc\w+|polic\w+)"
)
_NEAR: Final = r"[^.;]{0,40}?"

WEAKENINGS: Final = (
    Weakening(
        id="authentication-switched-off",
        harm=Harm.AUTHENTICATION,
        why="Whoever may not call would no longer be asked who they are.",
        expression=rf"{_NOT}\b{_OFF}{_THE}(?:auth(?:entication)?|login|sign-?in|token (?:check|validation)|mfa)\b",
        example="Disable the authentication for internal callers",
        counter_example="Require authentication and do not disable the token check",
    ),
    Weakening(
        id="anonymous-allowed",
        harm=Harm.AUTHENTICATION,
        why="A caller without a principal would be served.",
        expression=rf"{_NOT}\b(?:allow|permit|accept|let)\w*{_THE}(?:anonymous|unauthenticated)\b",
        example="Allow unauthenticated callers from the office network",
        counter_example="Never allow anonymous callers",
    ),
    Weakening(
        id="authorization-switched-off",
        harm=Harm.AUTHORIZATION,
        why="A decision about who may do what would no longer be made.",
        expression=rf"{_NOT}\b{_OFF}{_THE}"
        r"(?:authori[sz]ation|permission|(?:role|ownership|staff|owner|access) check|access control|rbac|guard|check)",
        example="Remove the role check from the export route",
        counter_example="Add an authorization check and do not remove the role check",
    ),
    Weakening(
        id="everyone-granted",
        harm=Harm.AUTHORIZATION,
        why="The right would be given to those who have no need of it.",
        expression=rf"{_NOT}\b(?:grant|give)\w*{_THE}(?:every(?:one|body)?|all)\b",
        example="Grant every user the support role",
        counter_example="Grant the support role to the support team",
    ),
    Weakening(
        id="record-switched-off",
        harm=Harm.AUDITABILITY,
        why="What was done could no longer be traced.",
        expression=rf"{_NOT}\b(?:{_OFF}|stop\w*|shorten\w*|truncat\w*){_THE}"
        r"(?:audit\w*|log(?:s|ging)?|monitor\w*|alert\w*|trac(?:es?|ing))\b"
        r"(?!\s+(?:of\s+)?(?:the\s+)?(?:tokens?|secrets?|passwords?|credentials?|keys?|personal|bodies))",
        example="Stop the audit log for this route",
        counter_example="Write an audit record and never stop logging",
    ),
    Weakening(
        id="protection-of-data-switched-off",
        harm=Harm.CONFIDENTIALITY,
        why="Data would be readable by those who may not read it.",
        expression=rf"{_NOT}\b{_OFF}{_THE}(?:encryption|tls(?!\s*v?1\.[01])|redaction|masking"
        r"|certificate (?:check|verification))\b",
        example="Turn off TLS between the gateway and the service",
        counter_example="Keep TLS between the gateway and the service",
    ),
    Weakening(
        id="secret-shared",
        harm=Harm.CONFIDENTIALITY,
        why="A secret would be known where it is not needed.",
        expression=rf"{_NOT}\b(?:log|print|return|expos|shar|copy|commit)\w*{_THE}"
        r"(?:secret|password|credential|api key|private key)s?\b"
        rf"|{_NOT}\b(?:log|print|expos|copy|commit)\w*{_THE}(?:token|key|cookie|session)s?\b",
        example="Log the credential so that support can look it up",
        counter_example="Do not log the credential",
    ),
    Weakening(
        id="symptom-hidden",
        harm=Harm.SYMPTOM,
        why="The weakness stays, only its effect is no longer seen.",
        expression=rf"{_NOT}\b(?:hid(?:e|ing)|suppress\w*|swallow\w*|mut(?:e|ing)|silenc\w*)\b"
        r"|\bcatch and ignore\b|\bwarning only\b",
        example="Swallow the exception and return an empty list",
        counter_example="Raise the refusal to the caller as a stable code",
    ),
    Weakening(
        id="served-without-principal",
        harm=Harm.AUTHENTICATION,
        why="A caller that nobody has identified would be served.",
        expression=rf"{_NOT}\b(?:let|allow|permit|accept|serv|answer|read)\w*\b[^.;]{{0,80}}?\bwithout{_THE}"
        r"(?:token|login|credentials?|password|authentication)\b",
        example="Let the office subnet read notes without a token",
        counter_example="Refuse requests without a token",
    ),
    Weakening(
        id="made-public",
        harm=Harm.AUTHORIZATION,
        why="What is protected would be open to anybody.",
        expression=rf"{_NOT}\b(?:mak|mark|open|declar)\w*\s+(?:[\w/{{}}-]+\s+){{0,4}}?"
        r"(?:public|to (?:everybody|everyone|anyone|all))\b",
        example="Make the notes route public",
        counter_example="The public answer keeps its form",
    ),
    Weakening(
        id="everybody-let-in",
        harm=Harm.AUTHORIZATION,
        why="The right would be given to those who have no need of it.",
        expression=rf"{_NOT}\b(?:let|allow|permit)\w*\s+(?:every(?:body|one)|any(?:body|one)|all)\b",
        example="Let everybody in the office subnet read notes",
        counter_example="Let the desk read notes after its token was checked",
    ),
    Weakening(
        id="check-set-to-off",
        harm=Harm.AUTHENTICATION,
        why="A check would stand in the code and decide nothing.",
        expression=r"[\w.-]*(?:verif|check|secure|auth|strict|enforc|valid|signature)[\w.-]*\s*(?:=|:|to|is)\s*"
        r"(?:false|off|none|no(?! longer)|0)\b",
        example="Set verify_signature to False",
        counter_example="Set verify_signature to True",
    ),
    Weakening(
        id="invalid-credential-accepted",
        harm=Harm.AUTHENTICATION,
        why="A credential that has lost its force would open the door.",
        expression=rf"{_NOT}\b(?:accept|allow|permit|honou?r)\w*{_THE}(?:expired|invalid|unsigned|revoked|forged|weak)\b",
        example="Accept expired tokens for a week",
        counter_example="Refuse expired tokens",
    ),
    Weakening(
        id="refusal-turned-into-success",
        harm=Harm.SYMPTOM,
        why="A refusal that looks like a success is seen by nobody.",
        expression=r"\b(?:2\d\d|success|empty \w+)\b[^.;]{0,60}\b(?:instead of|in place of|rather than)\b"
        r"[^.;]{0,20}\b(?:4\d\d|refus\w*|error)\b",
        example="Return 200 with an empty list instead of 403",
        counter_example="Return 403 instead of 200",
    ),
    Weakening(
        id="stored-in-clear",
        harm=Harm.CONFIDENTIALITY,
        why="Whoever reads the store would know what is in it.",
        expression=r"(?<!no longer )(?<!not )(?<!never )(?<!no longer in )(?<!not in )(?<!never in )\b(?:in )?"
        r"(?:plain[ -]?text|the clear|unencrypted|cleartext|unhashed)\b"
        r"|\bdowngrad\w*\b",
        example="Store passwords in plain text until the migration",
        counter_example="Passwords are never in plain text",
    ),
    Weakening(
        id="no-longer-recorded",
        harm=Harm.AUDITABILITY,
        why="What was done could no longer be traced.",
        expression=r"\b(?:not|no longer|never) (?:be )?(?:recorded|logged|audited|traced)\b"
        r"|\brais\w* (?:the )?log level\b",
        example="Raise the log level so that accesses are not recorded",
        counter_example="Each refusal is recorded",
    ),
    Weakening(
        id="check-relaxed",
        harm=Harm.CONTROL,
        why="What the control kept out would get in.",
        expression=rf"{_NOT}\b(?:relax|loosen|weaken|widen|lower|extend|prolong|rais)\w*{_THE}"
        r"(?:patterns?|limits?|validation|rules?|polic(?:y|ies)|constraints?|thresholds?|lifetimes?|expiry)\b",
        example="Relax the pattern of ticket ids",
        counter_example="Tighten the pattern of ticket ids",
    ),
    Weakening(
        id="hidden-by-a-name",
        harm=Harm.SYMPTOM,
        why="A name that is hard to guess is no control; the weakness stays.",
        expression=r"\bhard to guess\b|\bobscur\w*\b|\bnobody (?:knows|will find|would guess)\b"
        rf"|\brenam\w*{_THE}(?:header|route|path|parameter)\b",
        example="Rename the header to something hard to guess",
        counter_example="The header is no longer read",
    ),
    Weakening(
        id="no-longer-asked",
        harm=Harm.CONTROL,
        why="What was asked before would be taken as given.",
        expression=r"\bno longer (?:asks?|needs?|requires?|checks?|verif\w+|validat\w+|demands?)\b"
        rf"|{_NOT}\b(?:stop|quit|ceas)\w* (?:asking|checking|verifying|validating|requiring)\b",
        example="The notes route no longer asks for a token; the proxy is trusted",
        counter_example="The notes route no longer reads the header",
    ),
    Weakening(
        id="made-optional",
        harm=Harm.CONTROL,
        why="A control that may be left out is left out by whoever it would stop.",
        expression=rf"\b{_CHECK}\b(?:\s+[\w-]+){{0,3}}?\s+(?<!no longer )(?<!not )(?<!never )optional\b",
        example="Make the owner check optional",
        counter_example="The owner check is no longer optional",
    ),
    Weakening(
        id="replaced-by-less",
        harm=Harm.AUTHENTICATION,
        why="Where a caller stands, or what it says of itself, does not say who it is.",
        expression=rf"\b(?:replac|swap|exchang|substitut)\w*\b{_NEAR}\b{_CHECK}\b{_NEAR}\b(?:by|with|for)\b{_NEAR}"
        r"\b(?:ip|allow[ -]?list|network|subnet|address\w*|header|parameter|cookie|captcha)\b",
        example="Replace the bearer check by an IP allow list for the office",
        counter_example="Replace the header by the principal of the verified token",
    ),
    Weakening(
        id="taken-out",
        harm=Harm.CONTROL,
        why="A control that stood elsewhere would be gone.",
        expression=rf"(?<!of the )(?<!of a )(?<!around the )(?<!skips the )"
        rf"\b(?:{_CHECK}|limit\w*|filter\w*|protection)\b"
        r"[^.;]{0,25}?\b(?:is|are|gets?|be)\s+"
        r"(?:taken (?:out|away|off)|lifted|removed|dropped|disabled|suspended|skipped|(?:switched|turned) off)\b",
        example="Rate limiting is lifted for the desk",
        counter_example="The bypass of the check through a parameter is removed",
    ),
    Weakening(
        id="way-round-added",
        harm=Harm.CONTROL,
        why="Whoever finds the way round is not asked either.",
        expression=rf"{_NOT}\b(?:add|introduc|offer|provid|creat|keep)\w*\b[^.;]{{0,60}}?\b(?:that|which|to)\s+"
        r"(?:skip|bypass|circumvent|disabl|switch\w* off|get\w* around)\w*",
        example="Add a query parameter for support that skips the check",
        counter_example="Remove the query parameter that skips the check",
    ),
    Weakening(
        id="exempted",
        harm=Harm.CONTROL,
        why="What is exempted is open.",
        expression=rf"{_NOT}\b(?:exempt|except|exclud)\w*\b{_NEAR}\bfrom\b{_NEAR}\b(?:{_CHECK}|limit\w*|rules?)\b",
        example="Exempt the list of tickets from the middleware",
        counter_example="Remove the list's exemption",
    ),
    Weakening(
        id="right-widened",
        harm=Harm.AUTHORIZATION,
        why="A right would be given to those who have no need of it.",
        expression=rf"{_NOT}\b(?:grant|giv|assign)\w*\b{_NEAR}\b(?:staff|admin\w*|root|super\w*|full)\b[^.;]{{0,20}}?"
        r"\b(?:permission|right|role|access|scope|privilege)s?\b",
        example="Give the customer role the staff permission",
        counter_example="Ask the staff permission of whoever calls",
    ),
    Weakening(
        id="identity-assumed",
        harm=Harm.AUTHENTICATION,
        why="A caller that nobody has identified would act under a name.",
        expression=rf"{_NOT}\b(?:use|fall\w* back to|treat|assum|default)\w*\b{_NEAR}"
        r"\b(?:anonymous|guest|default|system)\b"
        r"[^.;]{0,15}?\b(?:user|principal|account|role|identity)\b|\bshared\b[^.;]{0,20}?"
        r"\b(?:account|password|login|credential|key|token)s?\b",
        example="Use the anonymous user when the token is missing",
        counter_example="Switch off the anonymous account",
    ),
    Weakening(
        id="caller-trusted",
        harm=Harm.AUTHENTICATION,
        why="What comes over the wire is taken as true because of where it comes from.",
        expression=rf"{_NOT}\btrust(?:s|ed|ing)?\b{_NEAR}\b(?:header|proxy|network|client|caller|cookie|parameter)s?\b"
        rf"|{_NOT}\b(?:accept|allow|permit)\w*\b{_NEAR}\balg\w*\W{{0,3}}none\b",
        example="Trust the user header of the proxy",
        counter_example="Take the user from the verified token",
    ),
    Weakening(
        id="fails-open",
        harm=Harm.AUTHORIZATION,
        why="Whoever can break the check would be let in.",
        expression=rf"\bfail\w*[- ]open\b|{_NOT}\b(?:grant|allow|let|permit|accept)\w*\b{_NEAR}"
        rf"\b(?:when|if|while)\b{_NEAR}"
        r"\b(?:down|unavailable|fails?|failing|unreachable|times? out)\b",
        example="Grant access when the directory is unavailable",
        counter_example="Refuse when the directory is unavailable",
    ),
    Weakening(
        id="failure-answered-as-success",
        harm=Harm.SYMPTOM,
        why="A refusal that looks like a success is seen by nobody.",
        expression=rf"{_NOT}\b(?:return|answer|respond)\w*\b{_NEAR}\b(?:2\d\d|empty|nothing|success)\b{_NEAR}"
        r"\b(?:when|if|on)\b[^.;]{0,40}?\b(?:fail\w*|refus\w*|error\w*|missing|denied)\b"
        rf"|\bcatch\w*\b{_NEAR}\b(?:2\d\d|success|ignor\w*|continue|pass)\b",
        example="Return an empty list when the check fails",
        counter_example="Return 403 when the check fails",
    ),
    Weakening(
        id="moved-to-the-caller",
        harm=Harm.CONTROL,
        why="Whoever is checked would do the checking.",
        expression=rf"{_NOT}\b(?:mov|shift|do|mak|put)\w*\b[^.;]{{0,20}}?\b(?:checks?|validation|decision|guards?|controls?)\b"
        r"[^.;]{0,20}?\b(?:clients?|browser|front ?end|page|app|callers?)\b"
        r"|\b(?:send|ship|embed|deliver|hand)\w*\b[^.;]{0,30}?\b(?:key|secret|password|credential)s?\b[^.;]{0,20}?"
        r"\b(?:browser|client|page|script|front ?end)\b|\b(?:key|secret)s? in (?:the )?(?:page|browser|client|script)",
        example="Move the check to the client",
        counter_example="Move the check to the server",
    ),
    Weakening(
        id="only-sometimes",
        harm=Harm.CONTROL,
        why="What is left out by a narrower check is open.",
        expression=r"\bonly (?:check|verif|validat|ask)\w*\b|\b(?:check|verif|validat)\w* only\b",
        example="Only check the role on POST",
        counter_example="Check the role on every method",
    ),
    Weakening(
        id="records-less",
        harm=Harm.AUDITABILITY,
        why="What was done could no longer be traced.",
        expression=r"\b(?:turn|reduc|limit|cut)\w*\b[^.;]{0,20}?\b(?:audit|logs?|logging|trail|monitor\w*)\b[^.;]{0,20}?"
        r"\b(?:down|only|less|errors?)\b",
        example="Turn the audit trail down to errors only",
        counter_example="Limit who may read the audit trail",
    ),
    Weakening(
        id="only-told",
        harm=Harm.SYMPTOM,
        why="Words keep nobody out; the weakness stays.",
        expression=r"^\s*(?:document|tell|remind|instruct|train|advise)\w*\b"
        r"|\b(?:mark|close|label|treat)\w*\b[^.;]{0,30}?\b(?:false[- ]positive|won'?t[- ]?fix|ignored?)\b",
        example="Mark the finding as false positive",
        counter_example="Refuse requests in which the header is set, and document that",
    ),
)  # fmt: skip


# A control-preserving design per area, proposed where none is supplied or the supplied one is refused.


DESIGNS: Final[Mapping[Area, str]] = {
    Area.AUTHENTICATION: "authenticate the caller on the server, before the handler and on every path to it, and "
    "refuse whoever has no valid principal; every other control stays as it is",
    Area.AUTHORIZATION: "decide on the server-side principal and the owner of the object, never on a value that the "
    "caller sends, in the dependency that guards the sibling routes; refuse by default and record the refusal",
    Area.INPUT_HANDLING: "check the value against what the handler needs before it is used, pass it as data and never "
    "as part of a statement, and refuse the rest; checks elsewhere stay",
    Area.SECRETS: "replace and revoke the value, read it from the deployment's secret store at run time, and keep it "
    "out of source, logs and responses",
    Area.LOGGING: "record who did what to which object and how it ended, without secrets and personal data; no "
    "existing record is removed or shortened",
    Area.ERROR_DISCLOSURE: "answer with a stable public code and message, keep the detail in the protected log, and "
    "leave status and refusal unchanged",
}
"""What is proposed in our words, by area; it adds or repairs a control and takes none away."""


# Decision rule 6: what makes a remediation refused: what its author states, and what its words say.


_AWAY: Final = (
    r"\b(?:remov|delet|drop|disabl|skip|bypass|replac|omit|exempt|suspend|lift)\w*|\btaken? (?:out|away|off)\b"
    r"|\bno longer\b|\b(?:switch|turn)\w* off\b|\bwithout\b|\boptional\b"
)
_CLAUSE: Final = re.compile(r"[.;]|,? (?:and|but) ")


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


def named_away(change: str, controls: Iterable[str]) -> tuple[str, ...]:
    """The controls that a clause of a change names beside a word that takes something away."""
    clauses = [clause for clause in _CLAUSE.split(change) if _pattern(_AWAY).search(clause)]
    spelled = {name: _pattern(rf"(?<![\w-]){re.escape(name)}(?![\w-])") for name in controls}
    return tuple(name for name, found in spelled.items() if any(found.search(clause) for clause in clauses))


def found_in(change: str) -> Iterator[Weakening]:
    """The rules that a control change meets."""
    return (rule for rule in WEAKENINGS if _pattern(rule.expression).search(change))


def refusal(remediation: Remediation, own: str, controls: frozenset[str]) -> Text:
    """Why a remediation is refused, () when it is not.

    Args:
        remediation: as supplied.
        own: the finding's own control, which a change may replace.
        controls: the controls of the inventory.
    """
    parts: list[str | UserText] = []
    for each in _reasons(remediation, own, controls):
        parts += ["; ", *each] if parts else each
    return tuple(parts)


def _reasons(remediation: Remediation, own: str, controls: frozenset[str]) -> Iterator[Text]:
    if remediation.weakens:
        yield (f"its author states that it weakens {', '.join(remediation.weakens)} elsewhere",)
    gone = [name for name in remediation.removes if name != own]
    listed_ones = [name for name in gone if name in controls]
    if listed_ones:
        yield ("it removes the control ", *listed(listed_ones))
    if unknown := [name for name in gone if name not in controls]:
        yield ("it removes what the inventory does not list: ", *listed(unknown))
    if told := named_away(remediation.control_change, sorted(controls - {own})):
        yield ("its words take away the control ", *listed(told))
    if remediation.hides_symptom:
        yield ("its author states that it hides the symptom and leaves the cause",)
    attack = refused_purpose(remediation.control_change)
    if attack is not None:
        yield (f"its words ask for what no review may do ({attack.id})",)
    for rule in found_in(remediation.control_change):
        said = f"it weakens {rule.harm} ({rule.id})" if rule.harm is not Harm.SYMPTOM else f"{rule.harm} ({rule.id})"
        yield (said,)


# The supplied remediations, joined to findings by the ids under which evidence may name them.


Names = Callable[[Candidate], frozenset[str]]
"""The ids under which evidence may name a candidate."""


@dataclass(frozen=True, slots=True)
class Supplied:
    """One supplied remediation, where it stands, and why it is refused (() when it is not)."""

    record: Remediation
    citation: Citation
    refused: Text = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """Every supplied remediation.

    Attributes:
        all: in the order supplied, with their places.
        names: the ids under which evidence may name a candidate.
        controls: the ids of the inventory.
    """

    all: tuple[tuple[Remediation, Citation], ...]
    names: Names
    controls: frozenset[str]

    def of(self, candidate: Candidate) -> Supplied | None:
        """The last remediation that names the candidate, None for none."""
        own = self.names(candidate)
        found = [pair for pair in self.all if pair[0].finding in own]
        if not found:
            return None
        record, citation = found[-1]
        return Supplied(record, citation, refusal(record, candidate.control, self.controls))

    def change_for(self, candidate: Candidate) -> Text:
        """The control change that is proposed: the supplied one, ours where there is none or it is refused."""
        supplied = self.of(candidate)
        if supplied is None or supplied.refused:
            return (DESIGNS[candidate.area],)
        return (UserText(supplied.record.control_change),)

    def unjoined(self, candidates: Iterable[Candidate]) -> Iterator[tuple[Remediation, Citation]]:
        """The remediations that name no candidate."""
        known = {name for each in candidates for name in self.names(each)}
        return ((record, citation) for record, citation in self.all if record.finding not in known)


def plans_of(bundle: Bundle, names: Names) -> Plans:
    """The supplied remediations of an unsealed bundle."""
    found = tuple(
        (record, cited.at(f"/remediations/{place}"))
        for cited in records_of(bundle, RemediationPlan)
        for place, record in enumerate(cited.record.remediations)
    )
    stated = first_of(bundle, SecurityInventory)
    controls = frozenset(each.id for each in stated.record.controls) if stated else frozenset()
    return Plans(all=found, names=names, controls=controls)


def remediations(bundle: Bundle, facts: W3Facts) -> Plans:
    """The supplied remediations, joined by the ids under which evidence may name a finding."""
    leads = facts.by_lead

    def names(candidate: Candidate) -> frozenset[str]:
        return names_of(candidate, leads)

    return plans_of(bundle, names)


NOT_SUPPLIED: Final = "not supplied; requested from "


def remediate(findings: Sequence[SecurityFinding], bundle: Bundle, plans: Plans) -> tuple[RemediationRow, ...]:
    """The remediation order, in the findings' order.

    A finding that is closed needs none. A hypothesis is verified before anything is changed, so it has a row only where
    a remediation for it is supplied.
    """
    rows = ((each, plans.of(each.candidate)) for each in findings if each.disposition is not Disposition.CLOSED)
    return tuple(
        _row(finding, supplied, bundle)
        for finding, supplied in rows
        if supplied is not None or finding.candidate.state is State.SUPPORTED
    )


def _row(finding: SecurityFinding, supplied: Supplied | None, bundle: Bundle) -> RemediationRow:
    record = supplied.record if supplied else None
    refused = supplied.refused if supplied else ()
    kept = None if refused else record  # tests, rollback and exit of a refused change don't fit ours
    owner = (record.owner_role if record else None) or ""
    asked = owner or bundle.request.roles.security_owner or "the security owner"
    fields = {
        "deployment": kept.deployment_dependency if kept else None,
        "exit_evidence": kept.exit_evidence if kept else None,
        "rollback": kept.rollback if kept else None,
    }
    tests = (kept.positive_tests, kept.negative_tests) if kept else ((), ())
    on = (*finding.candidate.citations, *((supplied.citation,) if supplied else ()))
    return RemediationRow(
        finding=finding.candidate.id,
        control_change=_change(finding, record, refused),
        owner=owner,
        owner_role=_given(owner, asked),
        refused=refused,
        complete=bool(kept and owner and all(fields.values()) and all(tests)),
        citations=tuple(dict.fromkeys(on)),
        positive_tests=_tests(tests[0], asked),
        negative_tests=_tests(tests[1], asked),
        **{name: _given(value, asked) for name, value in fields.items()},
    )


def _change(finding: SecurityFinding, record: Remediation | None, refused: Text) -> Text:
    if record is None:
        return ("no change is supplied; proposed: ", *finding.recommendation)
    if refused:
        return ("in place of the refused change: ", DESIGNS[finding.candidate.area])
    return (UserText(record.control_change),)


def _given(value: str | None, asked: str) -> Text:
    return (UserText(value),) if value else (NOT_SUPPLIED, UserText(asked))


def _tests(tests: Iterable[PlannedTest], asked: str) -> Text:
    parts: list[str | UserText] = []
    for test in tests:
        parts += [*(["; "] if parts else []), UserText(test.name), ": ", UserText(test.asserts)]
    return tuple(parts) or (NOT_SUPPLIED, UserText(asked))
