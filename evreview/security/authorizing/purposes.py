"""Purposes that no authorization makes acceptable: persistence, evasion, bypass, credential theft, exploitation.

A closed table of phrases, each with an example and a counter-example. A phrase after a word such as `without`,
`whether` or `prevent` in the same clause asks for the opposite and is let through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeRule:
    """One kind of purpose that is refused.

    Attributes:
        id: kebab-case.
        asks_for: in words, for the refusal.
        why: why it is refused.
        phrase: what a purpose of the kind holds.
        example, counter_example: a purpose that is refused, and a similar one that is not.
    """

    id: str
    asks_for: str
    why: str
    phrase: re.Pattern[str]
    example: str
    counter_example: str


def _phrase(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_WORDS: Final = r"(?:[\w'’-]+\s+){0,3}"
RULES: Final = (
    PurposeRule(
        id="asks-for-persistence",
        asks_for="persistence",
        why="A review leaves nothing behind through which somebody could come back.",
        phrase=_phrase(
            rf"\bpersistence\b|\bback-?\s?door\w*|\bfoothold|\bweb\s?shells?\b|\b(?:durable|persistent)\s+access\b"
            rf"|\bimplants?\b|\bpersist\w*\s+(?:on|in|inside)\s+{_WORDS}(?:hosts?|servers?|machines?|systems?|networks?)\b"
        ),
        example="Gain persistence on the ticket host",
        counter_example="Check that a session does not persist after logout",
    ),
    PurposeRule(
        id="asks-for-evasion",
        asks_for="evasion",
        why="A review does not hide, and it does not touch what watches the system.",
        phrase=_phrase(
            r"\b(?:evad\w*|evasion|(?:bypass|circumvent|avoid|defeat|disabl|suppress|alter|delet|clear|eras|tamper)\w*"
            rf"\s+{_WORDS}(?:detection|monitoring|alerts?|alerting|audit\s+logs?|audit\s+trail|logs|logging|sensors?))\b"
        ),
        example="Disable the audit logs while the handlers are tried",
        counter_example="Check that no handler can be called without an entry in the audit logs",
    ),
    PurposeRule(
        id="asks-for-a-bypass",
        asks_for="a bypass of access controls",
        why="A review looks at access controls; it does not go around them.",
        phrase=_phrase(
            rf"\b(?:bypass|circumvent|defeat|get\s+around|go\s+around)\w*\s+{_WORDS}(?:access\s+controls?|authentication"
            r"|authorization|guards?|logins?|permissions?)\b"
        ),
        example="Bypass the access controls of the notes",
        counter_example="Check for routes that bypass the access controls",
    ),
    PurposeRule(
        id="asks-for-credential-theft",
        asks_for="credential theft",
        why="A review needs no credential of anybody.",
        phrase=_phrase(
            rf"\b(?:steal|stole|harvest|dump|exfiltrat|phish|crack|pilfer)\w*\s+{_WORDS}(?:credentials?|passwords?|tokens?"
            r"|secrets?|cookies?|sessions?|(?:private\s+|api\s+)?keys?)\b"
            r"|\bcredential[- ](?:theft|harvesting|stuffing|dumping)\b"
        ),
        example="Harvest the session tokens of staff",
        counter_example="Check where the settings hold secrets, so that they can be replaced",
    ),
    PurposeRule(
        id="asks-for-exploitation",
        asks_for="exploitation",
        why="A review shows that a control is missing; it does not make use of that.",
        phrase=_phrase(
            r"\bexploit(?:s|ed|ing|ation)?\b|\bweaponi[sz]\w*|\bexfiltrat\w*"
            rf"|\b(?:attack|compromise|hijack|take\s+over)\s+{_WORDS}(?:hosts?|servers?|systems?|services?|accounts?|users?"
            r"|customers?|networks?)\b"
        ),
        example="Exploit the missing owner check to read notes of customers",
        counter_example="Check whether the notes can be reached without the owner check, without any exploitation",
    ),
)
_CLAUSE: Final = re.compile(r"[.,;:!?]|\b(?:and|then|but|so)\b", re.IGNORECASE)
_OPPOSITE: Final = re.compile(
    r"\b(?:no|not|nor|never|without|against|whether|where|cannot|prevent\w*|detect(?:s|ed|ing)?|resist\w*|refus\w*"
    r"|reject\w*|protect\w*|stop\w*|block\w*|mitigat\w*|defend\w*|exclud\w*|forbid\w*|(?:check|look|search)(?:s|ing)?\s+for|risk\s+of)\b|n['’]t\b",
    re.IGNORECASE,
)


def refused_purpose(purpose: str) -> PurposeRule | None:
    """The first rule that a purpose falls under, None for one that may be asked for."""
    return next((rule for rule in RULES if any(_asks(rule, clause) for clause in _CLAUSE.split(purpose))), None)


def _asks(rule: PurposeRule, clause: str) -> bool:
    return any(not _OPPOSITE.search(clause[: found.start()]) for found in rule.phrase.finditer(clause))
