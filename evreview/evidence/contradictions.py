"""Words beside a typed field that contradict it.

A field says whether something happened; no words stand in for it. Words that plainly say the opposite keep closed what
the field would open. Nothing is ever opened by what these lists find or do not find.
"""

from __future__ import annotations

import re
from typing import Final

_LEFT_OUT: Final = re.compile(
    r"\b(?:exclud\w*|without|except\w*|not\s+count\w*|never|other\s+than|filter\w*\s+out|no|none\s+of|apart\s+from|"
    r"omit\w*|ignor\w*|discard\w*|remov\w*|drop\w*|subtract\w*|leav\w*\s+out|left\s+out)\b"
    r"[^,;.]*",
    re.I,
)
_LEFT_OUT_AFTER: Final = (
    r"(?:\s+(?!wh|with\b|of\b)[\w-]+){0,3}?\s+"
    r"(?:(?:is|are|was|were|has|have|had|do|does|did)\b(?:\s+(?!wh)[\w']+){0,8}?\s+)?"
    r"(?:exclu\w+|left\s+out|filtered(?:\s+out)?|omitted|ignored|discarded|removed|dropped|subtracted|"
    r"not\s+(?:\w+\s+)?(?:counted|included|part|among)|counted\s+(?:elsewhere|apart|separately)|(?:its|their)\s+own)\b"
)
"""What follows the name of something that is left out, or counted by itself."""
_PRODUCTION: Final = re.compile(r"(?<!pre-)(?<!pre )(?<!non-)(?<!non )\b(?:production|live)\b", re.I)
_ELSEWHERE: Final = re.compile(
    r"\b(?:staging|stage(?=\s+(?:environment|system|cluster))|sandbox(?:es|ed)?|pre-?prod(?:uction)?|non-?prod\w*|"
    r"(?:test|integration|acceptance|demo|training|lab|ci|dr)[ -]+(?:\w+[ -]+)?(?:environments?|systems?|clusters?|"
    r"stages?|traffic|bench|servers?|instances?|gateways?|tenants?|network|data|runs?)|testing|qa|uat|dev|"
    r"development|developers?'?|localhost|local|laptops?|mock\w*|stub\w*|simulat\w+|emulat\w+|replay\w*|shadow|"
    r"mirror(?:ed)?|load[ -]?tests?|benchmarks?)\b",
    re.I,
)
_APART: Final = re.compile(_ELSEWHERE.pattern + _LEFT_OUT_AFTER, re.I)
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
_STATE: Final = re.compile(
    r"(?:(?:the\s+)?approval|state|status)?[\s:]*(?:(?:is|was|still|has\s+been|currently)\s+)*"
    r"(?P<state>(?:not|never|un)[\s-]*(?:yet\s+)?approved|rejected|refused|denied|declined|pending|draft|withdrawn|revoked|expired|"
    r"suspended|rescinded|requested|submitted|proposed|open|outstanding|awaiting\s+approval|on\s+hold)\b",
    re.I,
)
"""A text that starts with the name of a state, as a field of that name does."""
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
_SUMMED: Final = re.compile(
    r"\b\d+\s+(?:\w+\s+)?(?:passed|passing|passes|successes|succeeded|tests?|total|examples?|skipped|ok|specs?|valid)\b"
    r"|\b(?:passed|total|tests?(?:\s+run)?|ran|examples?)\s*[:=]\s*\d|\bran\s+\d",
    re.I,
)
"""A line in which a test runner says how many tests there were."""
_FAILED: Final = re.compile(
    r"(?<![\w.-])0*[1-9]\d*\s+(?:tests?\s+|examples?\s+|unexpected\s+)?(?:failed|failing|fail|failures?|errors?|errored|broken)\b"
    r"|(?<!expected )\b(?:failures?|errors?|failed|fail|unexpected\s+successes)\s*[:=]\s*0*[1-9]",
    re.I,
)
_FAILED_ALONE: Final = re.compile(
    r"\s*(?:=+\s*)?(?:(?<![\w.-])0*[1-9]\d*\s+(?:tests?\s+|examples?\s+)?(?:failed|failing|failures?|errors?)"
    r"(?:\s+in\s+[\d.]+\s*s\w*)?|FAILED(?:\s*\(.*\))?|FAIL(?:URE)?|BUILD FAILED|(?:not ok|FAILED|--- FAIL:)\s.*"
    r"|(?:process\s+)?exit(?:ed)?(?:\s+with)?\s+(?:code|status)\s*:?\s*[1-9]\d*)[\s.!=]*",
    re.I,
)
_UNMOVED: Final = re.compile(
    r"\b(?:planned|pending|scheduled|upcoming|identified|proposed|requested|deferred|postponed|withdrawn|reverted|cancel\w*|"
    r"aborted|rolled\s+back|moved\s+back|blocked|waiting|awaiting|unstarted|to\s+do|todo|backlog|in\s+progress|under\s+way|"
    r"ongoing|started|partly|partial(?:ly)?|(?:not|never)\s+(?:yet\s+)?(?:started|begun|adopted|migrated|moved|done|complete\w*|"
    r"switched|tested|ready)|will\s+(?:move|migrate|switch|adopt)|to\s+be\s+\w+|still\s+(?:on|us\w+|requests?)|"
    r"stays?\s+on|remains?\s+on)\b",
    re.I,
)
_MOVED: Final = re.compile(
    r"(?<!not )(?<!not yet )(?<!never )(?<!be )(?<!partly )(?<!partially )"
    r"\b(?:adopted|migrated|moved(?!\s+back)|switched|completed?|done|finished|live)\b",
    re.I,
)
_OPPOSED: Final = re.compile(
    r"(?<!not )(?<!never )(?<!no longer )\b(?:object(?:s|ed|ing)?|objection|refus(?:es|ed|ing|al)|"
    r"reject(?:s|ed|ing|ion)|veto(?:es|ed)?|declin(?:es|ed|ing)|blocked|oppos(?:es|ed))\b(?!\s+(?:\w+\s+)?(?:withdrawn|resolved|lifted))",
    re.I,
)
"""Words of a status by which a client's owner has said no."""
_UNDONE: Final = re.compile(
    r"\b(?:rollback|roll-back|drill|return|restore|exercise|switch)\s+(?:\w+\s+){0,3}?"
    r"(?:failed|aborted|timed\s+out|stopped\s+half-?way|was\s+(?:broken\s+off|abandoned|unsuccessful|not\s+(?:successful|completed?|finished))|"
    r"(?:did|could|was|were)\s*(?:not|n't)\s+(?:succeed|complete\w*|work|finish\w*|return\w*|possible))\b|"
    r"\A\s*(?:failed|aborted|unsuccessful|not\s+(?:yet\s+)?(?:done|exercised|carried\s+out|performed))\b",
    re.I,
)
_NO_TROUBLE: Final = re.compile(r"\b(?:no|nothing|none|without|never|neither)\b[^.;]*", re.I)


def other_environment(words: str) -> str:
    """The first words by which a text names nothing but another environment than production as counted, "" for none."""
    counted = _LEFT_OUT.sub(" ", _APART.sub(" ", words))
    return "" if _PRODUCTION.search(counted) else _first(_ELSEWHERE, counted)


def unwritten(words: str) -> str:
    """The first words by which a text says that a consent is spoken or implied, "" for none."""
    plain = _first(_UNWRITTEN, words)
    return plain or ("" if _WRITTEN.search(words) else _first(_SPEECH, words))


def other_state(words: str) -> str:
    """The name of another state than approved that a text starts with, "" for none; what else it says is a remark."""
    found = _STATE.match(words.strip())
    return found["state"] if found else ""


def objection(words: str) -> str:
    """The first words by which a text objects, "" for none."""
    return _first(_OBJECTS, _CONSENT.sub(" ", words))


def failing(output: str) -> str:
    """The first line by which a test's output says that something failed, "" for none; zero failures are none."""
    for line in output.splitlines():
        if _FAILED_ALONE.fullmatch(line) or (_SUMMED.search(line) and _FAILED.search(line)):
            return line.strip()
    return ""


def unmoved(status: str) -> str:
    """The first words by which a migration status says that the client has not moved, "" for none."""
    return "" if _MOVED.search(status) else _first(_UNMOVED, status)


def opposed(status: str) -> str:
    """The first words by which a migration status says that the client's owner has said no, "" for none."""
    return _first(_OPPOSED, _CONSENT.sub(" ", status))


def undone(words: str) -> str:
    """The first words by which a drill's text says that the rollback did not work, "" for none."""
    return _first(_UNDONE, _NO_TROUBLE.sub(" ", words))


def _first(pattern: re.Pattern[str], words: str) -> str:
    found = pattern.search(words)
    return found[0] if found else ""
