"""Decision rule 6: what makes a remediation refused. Rules are values; tests run every example and counter-example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from evreview.evidence.records.candidates import Remediation
from evreview.prose import Subject, Text, listed
from evreview.security.authorizing.purposes import refused_purpose
from evreview.vocab import Word


class Harm(Word):
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
    r"(?:(?:disabl|remov|drop|skip|bypass|delet|omit|loosen|relax|weaken)\w*"
    r"|(?:turn|switch|comment)(?:s|ed|ing)? (?:off|out))"
)
_THE: Final = r"\s+(?:(?!not\b|never\b)[\w-]+\s+){0,3}?"
_NOT: Final = r"(?<!not )(?<!never )(?<!without )(?<!cannot )"

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
        r"(?:audit\w*|log(?:s|ging)?|monitor\w*|alert\w*|trac(?:es?|ing))\b",
        example="Stop the audit log for this route",
        counter_example="Write an audit record and never stop logging",
    ),
    Weakening(
        id="protection-of-data-switched-off",
        harm=Harm.CONFIDENTIALITY,
        why="Data would be readable by those who may not read it.",
        expression=rf"{_NOT}\b{_OFF}{_THE}(?:encryption|tls|redaction|masking|certificate (?:check|verification))\b",
        example="Turn off TLS between the gateway and the service",
        counter_example="Keep TLS between the gateway and the service",
    ),
    Weakening(
        id="secret-shared",
        harm=Harm.CONFIDENTIALITY,
        why="A secret would be known where it is not needed.",
        expression=rf"{_NOT}\b(?:log|print|return|expos|shar|copy|commit)\w*{_THE}"
        r"(?:secret|password|credential|api key|private key)s?\b",
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
        r"(?:false|off|none|no|0)\b",
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
        r"(?:plain[ -]?text|the clear|unencrypted|cleartext)\b",
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
        expression=rf"{_NOT}\b(?:relax|loosen|weaken|widen|lower)\w*{_THE}"
        r"(?:patterns?|limits?|validation|rules?|polic(?:y|ies)|constraints?|thresholds?)\b",
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
)  # fmt: skip


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


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
    parts: list[str | Subject] = []
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
    if remediation.hides_symptom:
        yield ("its author states that it hides the symptom and leaves the cause",)
    attack = refused_purpose(remediation.control_change)
    if attack is not None:
        yield (f"its words ask for what no review may do ({attack.id})",)
    for rule in found_in(remediation.control_change):
        said = f"it weakens {rule.harm} ({rule.id})" if rule.harm is not Harm.SYMPTOM else f"{rule.harm} ({rule.id})"
        yield (said,)
