"""Words beside a typed field that contradict it.

A field says whether something happened; no words stand in for it. Words that plainly say the opposite keep closed what
the field would open. Nothing is ever opened by what these lists find or do not find.
"""

from __future__ import annotations

import re
from typing import Final

_LEFT_OUT: Final = re.compile(
    r"\b(?:exclud\w*|without|except\w*|not\s+count\w*|never|other\s+than|filter\w*\s+out|no|none\s+of|apart\s+from)\b"
    r"[^,;.]*",
    re.I,
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:staging|stage(?=\s+(?:environment|system|cluster))|sandbox(?:es|ed)?|pre-?prod(?:uction)?|non-?prod\w*|"
    r"(?:test|integration|acceptance|demo|training|lab|ci|dr)[ -]+(?:\w+[ -]+)?(?:environments?|systems?|clusters?|"
    r"stages?|traffic|bench|servers?|instances?|gateways?|tenants?|network|data|runs?)|testing|qa|uat|dev|"
    r"development|developers?'?|localhost|local|laptops?|mock\w*|stub\w*|simulat\w+|emulat\w+|replay\w*|shadow|"
    r"mirror(?:ed)?|load[ -]?tests?|benchmarks?)\b",
    re.I,
)
_UNWRITTEN: Final = re.compile(
    r"\b(?:implied|implicit\w*|tacit\w*|silen(?:t|ce)\w*|presum\w+|assum\w+|inferred|deemed|verbal\w*|oral\w*|spoken|"
    r"hearsay|word\s+of\s+mouth|handshakes?|unwritten|nothing\s+(?:is\s+|was\s+)?(?:in\s+writing|written)|"
    r"(?:not|never)\s+(?:\w+\s+)?(?:in\s+writing|written)|without\s+(?:a\s+)?(?:writ\w+|record)|informal\w*|"
    r"no(?:body|\s*one|ne)?\s+(?:\w+\s+)?(?:object\w*|repl\w+|answer\w*|respon\w+|complain\w*))\b",
    re.I,
)
_SPEECH: Final = re.compile(
    r"\b(?:said|told|phone[ds]?|telephone|call(?:ed|s)?|voice|meetings?|conversations?|talk\w*|chat\w*|hallway|"
    r"corridor|in\s+person|face\s+to\s+face|stand-?up|lunch|coffee|mention\w*|nod(?:ded)?|thumbs)\b",
    re.I,
)
_WRITTEN: Final = re.compile(
    r"\b(?:signed|signature|written|minutes|e-?mails?|mail|tickets?|letters?|queue|documents?|forms?|register|pull|"
    r"request|records?|pdf|memo\w*|portal)\b",
    re.I,
)
_OPEN: Final = re.compile(
    r"\b(?:reject\w*|refus\w*|den(?:y|ied|ies)|declin\w*|pending|drafts?|withdrawn|withdrew|revok\w*|expired|await\w*|"
    r"unapproved|disapproved|rescind\w*|suspend\w*|on\s+hold|(?:not|never|nor|nothing|nobody)\b[^,;]*\bapprov\w+|"
    r"approved\s+by\s+(?:nobody|no\s+one)|without\s+(?:an?\s+)?approval|to\s+be\s+approved|requested|submitted|proposed|"
    r"approval\s+(?:is\s+)?(?:missing|open|outstanding))\b",
    re.I,
)
_CONSENT: Final = re.compile(
    r"\b(?:no\s+objections?|(?:does|do|did)\s*(?:not|n't)\s+object\w*|without\s+objections?|nothing\s+against|"
    r"no\s+longer\s+objects?|objections?\s+(?:is\s+|was\s+|were\s+)?(?:withdrawn|resolved))\b",
    re.I,
)
_OBJECTS: Final = re.compile(
    r"\b(?:object\w*|refus\w*|reject\w*|against|disagree\w*|oppos\w*|veto\w*|den(?:y|ies|ied)|declin\w*|"
    r"no\s+consent|blocks?|(?:not|n't|never)\s+(?:yet\s+)?(?:agree\w*|consent\w*|accept\w*|approv\w*|ready|migrat\w*|"
    r"moved?|adopt\w*)|cannot|can't|won't|will\s+not|still\s+(?:us\w+|reads?|needs?|rel(?:y|ies)|depends?)|"
    r"keeps?\s+(?:using|reading|needing)|must\s+(?:stay|remain|be\s+kept)|postpone\w*)\b",
    re.I,
)


def other_environment(words: str) -> str:
    """The first words by which a text names another environment than production, "" for none."""
    return _first(_ELSEWHERE, _LEFT_OUT.sub(" ", words))


def unwritten(words: str) -> str:
    """The first words by which a text says that a consent is spoken or implied, "" for none."""
    plain = _first(_UNWRITTEN, words)
    return plain or ("" if _WRITTEN.search(words) else _first(_SPEECH, words))


def unapproved(words: str) -> str:
    """The first words by which the leading clause of a text says that no approval stands, "" for none."""
    return _first(_OPEN, re.split(r"[;.]", words, maxsplit=1)[0])


def objection(words: str) -> str:
    """The first words by which a text objects, "" for none."""
    return _first(_OBJECTS, _CONSENT.sub(" ", words))


def _first(pattern: re.Pattern[str], words: str) -> str:
    found = pattern.search(words)
    return found[0] if found else ""
