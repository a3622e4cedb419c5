"""What no authorization makes acceptable: purposes, destinations elsewhere, and words that claim beyond the evidence.

A closed table of phrases, each with an example and a counter-example. A phrase after a word such as `without`,
`whether` or `prevent` in the same clause asks for the opposite and is let through.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import product
from typing import Final

from evreview.core.quoted_text import Part, Text, UserText, plain, text
from evreview.core.vocabulary import Technique
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.review import ExecutionPlan, PlannedAction
from evreview.evidence.records.security import Authorization
from evreview.workflows.w3.model import Candidate, Lead, Refusal, State


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
_THE: Final = r"(?:(?:the|a|an|any|all|its|their|our|every|this|security|system|network|host)\s+){0,2}"
PURPOSE_RULES: Final = (
    PurposeRule(
        id="asks-for-persistence",
        asks_for="persistence",
        why="A review leaves nothing behind through which somebody could come back.",
        phrase=_phrase(
            rf"\b(?:gain|establish|achiev|maintain|obtain|keep|get|test|set\s+up)\w*\s+{_WORDS}persistence\b"
            r"(?!\s+(?:layer|model|unit|code|framework|store))"
            r"|\bback-?\s?door\w*|\bfoothold|\bweb\s?shells?\b|\b(?:durable|persistent)\s+access\b|\bimplants?\b"
            rf"|\bpersist\w*\s+(?:on|in|inside)\s+{_WORDS}(?:hosts?|servers?|machines?|systems?|networks?)\b"
            r"|\b(?:get|gain|open|drop|pop|keep)\w*\s+(?:a\s+|the\s+)?(?:(?:reverse|remote|root)\s+)?shell\b|\breverse\s+shell"
        ),
        example="Gain persistence on the ticket host",
        counter_example="Check that a session does not persist after logout, and read the persistence layer",
    ),
    PurposeRule(
        id="asks-for-evasion",
        asks_for="evasion",
        why="A review does not hide, and it does not touch what watches the system.",
        phrase=_phrase(
            r"\bevad(?:e|es|ed|ing)\b|\bevasion\s+(?:of|techniques?)\b|\b(?:detection|filter|waf|sensor)\s+evasion\b"
            r"|\b(?:remain|stay|go|work|act|move)\w*\s+(?:undetected|unnoticed|unseen|hidden|below\s+the\s+radar)\b"
            rf"|\bhid(?:e|es|ing)\s+{_WORDS}from\s+{_THE}(?:monitoring|detection|alerts?|alerting|audit\w*|logs?|logging"
            r"|sensors?|soc|defenders?|operators?)\b"
            rf"|\b(?:bypass|circumvent|avoid|defeat|disabl|suppress|stopp|turn(?:ing)?\s+off)\w*\s+{_THE}"
            r"(?:detection|monitoring|alerts?|alerting|audit\w*|logging|sensors?|waf|firewall|rate\s+limit\w*|antivirus|captcha)\b"
            rf"|\b(?:wip|clear|eras|cover|remov|delet)\w*\s+(?:(?:the|our|all|any|its|their)\s+)*(?:traces|tracks|logs?\b)"
            rf"|\b(?:alter|delet|clear|eras|forg|tamper)\w*\s+(?:with\s+)?{_THE}(?:entries\s+(?:of|from|in)\s+)?{_THE}"
            r"(?:(?:audit|event|access)\s+(?:logs?|trails?|entries)|logs)\b"
        ),
        example="Disable the audit logs while the handlers are tried",
        counter_example="Check who may delete tickets, and that the DELETE handler logs it",
    ),
    PurposeRule(
        id="asks-for-a-bypass",
        asks_for="a bypass of access controls",
        why="A review looks at access controls; it does not go around them.",
        phrase=_phrase(
            r"\b(?:bypass|circumvent|defeat|get\s+around|go\s+around)\w*\s+(?:[\w'’-]+\s+){0,2}(?:access\s+controls?"
            r"|authentication|authorization|guards?|logins?|permissions?)\b"
        ),
        example="Bypass the access controls of the notes",
        counter_example="Find routes that bypass the access controls",
    ),
    PurposeRule(
        id="asks-for-credential-theft",
        asks_for="credential theft",
        why="A review needs no credential of anybody.",
        phrase=_phrase(
            rf"\b(?:steal|stole|harvest|dump|exfiltrat|phish|crack|pilfer)\w*\s+{_WORDS}(?:credentials?|passwords?|tokens?"
            r"|secrets?|cookies?|sessions?|keys?|hash(?:es)?)\b"
            r"|\bspray(?:s|ing)?\b|\b(?:log|sign)\w*\s+in\s+(?:with|as|using)\b"
            rf"|\b(?:try|use|replay|reuse)\w*\s+{_WORDS}(?:leaked|stolen|captured|dumped)\b"
            rf"|\breplay\w*\s+{_WORDS}(?:cookies?|sessions?|tokens?)\b"
            r"|\bcredential[- ](?:theft|harvesting|stuffing|dumping)\b|\bpassword\s+spray\w*|\bphish(?:ing)?\b"
            r"|\bbrute[- ]?forc(?:e|es|ing)\b"
            r"(?!\s+(?:is|are|gets?|be)\s+(?:refus|limit|block|prevent|detect|stopp|slow)\w*)"
            rf"|^\s*(?:to\s+)?(?:pull|obtain|get|grab|take|collect|extract|recover|read\s+out)\s+{_WORDS}(?:credentials?"
            r"|passwords?|cookies?|sessions?|private\s+keys?)\b"
        ),
        example="Harvest the session tokens of staff",
        counter_example="Check where the settings hold secrets, so that they can be replaced",
    ),
    PurposeRule(
        id="asks-for-exploitation",
        asks_for="exploitation",
        why="A review shows that a control is missing; it does not make use of that.",
        phrase=_phrase(
            r"\bexploit(?:s|ed|ing|ation)?\b(?!\s+(?:mitigation|prevention|protection|detection)s?\b)"
            r"|\bweaponi[sz]\w*|\bexfiltrat\w*|\bprivilege\s+escalation\b|\bescalat\w*\s+(?:\w+\s+)?privileges?\b"
            r"|\blateral(?:ly)?\s+mov\w*|\bmov\w*\s+laterally\b|\bpivot(?:s|ed|ing)?\s+(?:to|in|into|through|from)\b"
            rf"|\bdump(?:s|ing)?\s+{_WORDS}(?:tables?|databases?|records?|users?|customers?|data)\b"
            rf"|\b(?:attack|compromise|hijack|take\s+over)\s+(?!of\b){_WORDS}(?:hosts?|servers?|systems?|services?|accounts?"
            r"|users?|customers?|networks?)\b"
            r"|\bescalat\w*\s+to\b|\b(?:becom|get|gain)\w*\s+root\b|\bpoison\w*\b"
            rf"|\b(?:guess|enumerat)\w*\s+{_WORDS}(?:ids?|pins?|codes?|passwords?|tokens?)\b"
        ),
        example="Exploit the missing owner check to read notes of customers",
        counter_example="Check whether the notes can be reached without the owner check, without any exploitation",
    ),
    PurposeRule(
        id="asks-for-disruption",
        asks_for="disruption",
        why="A review leaves the system as available as it was.",
        phrase=_phrase(
            r"\bdenial[- ]of[- ]service\b|\bd?dos\s+(?:the|attack)"
            r"|\b(?:crash|flood|overload|exhaust)(?:s|ing)?\s+(?:the|a|an|our|every|all)\b"
            rf"|\b(?:crash|flood|overload|take\s+down|bring\s+down)\w*\s+{_THE}(?:\w+\s+)?"
            r"(?:services?|servers?|hosts?|proxy|prox(?:y|ies)|sites?|databases?|systems?|networks?)\b"
        ),
        example="Denial of service against the notes",
        counter_example="Check whether a limit protects the service against denial of service",
    ),
    PurposeRule(
        id="asks-for-an-attack-tool",
        asks_for="an attack tool",
        why="A review reads and takes in results; a tool that attacks does neither.",
        phrase=_phrase(
            r"\b(?:sqlmap|metasploit|meterpreter|mimikatz|cobalt\s*strike|hashcat|john\s+the\s+ripper"
            r"|(?:thc[- ]?)?hydra|responder\.py|bloodhound|empire\s+agent|nuclei|masscan|slowloris)\b"
        ),
        example="Run sqlmap against the list of tickets",
        counter_example="Read the list of tickets for statements that are built from texts",
    ),
)
_ALIKE: Final = str.maketrans(
    "аеіоорсухѕјһԁԛԝвмнктАЕІОРСУХЅЈВМНКТαεοριντυχΑΕΟΡΙΝΤΥΧ", "aeioopcyxsjhdqwbmhktAEIOPCYXSJBMHKTaeopivtuxAEOPINTYX"
)
"""Cyrillic and Greek letters that look like Latin ones."""
_CLAUSE: Final = re.compile(r"[.,;:!?]|\b(?:and|then|but|so)\b", re.IGNORECASE)
_OPPOSITE: Final = re.compile(
    r"\b(?:no|not|nor|nobody|none|never|without|against|whether|where|cannot|prevent\w*|detect(?:s|ed|ing)?|resist\w*"
    r"|refus\w*|reject\w*|protect\w*|stop(?:s|ped)?|block\w*|mitigat\w*|defend\w*|exclud\w*|forbid\w*"
    r"|(?:check|look|search)(?:s|ing)?\s+for|risk\s+of"
    r"|(?:routes?|handlers?|code|paths?|calls?|requests?|callers?|users?|clients?)\s+(?:that|which|who))\b|n['’]t\b",
    re.IGNORECASE,
)


def refused_purpose(purpose: str) -> PurposeRule | None:
    """The first rule that a purpose falls under, None for one that may be asked for."""
    seen = _seen(purpose)
    return next((rule for rule in PURPOSE_RULES if any(_asks(rule, clause) for clause in _CLAUSE.split(seen))), None)


def _seen(purpose: str) -> str:
    """What a reader sees: compatibility forms and look-alikes as the letters that they pass for, nothing invisible."""
    shown = unicodedata.normalize("NFKD", purpose).translate(_ALIKE)
    return "".join(sign for sign in shown if unicodedata.category(sign) not in ("Cf", "Mn"))


def _asks(rule: PurposeRule, clause: str) -> bool:
    """Whether a phrase stands in the clause before any word that turns it round."""
    found, turned = rule.phrase.search(clause), _OPPOSITE.search(clause)
    return found is not None and (turned is None or found.start() < turned.end())


# Paths of a repository as an authorization writes them: `src/app.py`, `src/*.py`, `src/**` for everything below.


_WILD: Final = re.compile(r"[*?\[]")
_TOKEN: Final = re.compile(r"[^\s,;`'\"()]+")
_FILE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}")
_BELOW: Final = "**"
_MOST_STEPS: Final = 200


def is_plain(path: str) -> bool:
    """True for a relative POSIX path that stays where it starts."""
    steps = path.split("/")
    outside = path.startswith(("/", "~")) or "\\" in path or "://" in path
    return not outside and ".." not in steps and "." not in steps and "" not in steps[:-1] and path != ""


def covers(allowed: str, path: str) -> bool:
    """True when everything that `path` stands for is allowed; both may hold wildcards."""
    return is_plain(path) and not _is_long(allowed, path) and _within(_steps(allowed), _steps(path))


def meets(excluded: str, path: str) -> bool:
    """True when `path` may stand for something excluded. A folder's name excludes what is below it."""
    if _is_long(excluded, path):
        return True
    steps = _steps(excluded)
    ours = _steps(path)
    return _overlap(steps, ours) or (steps[-1:] != (_BELOW,) and _overlap((*steps, _BELOW), ours))


def patterns_in(words: str) -> tuple[str, ...]:
    """The paths that a text names: a text of one word, and every word with a slash, a star or a file's ending.

    A file's name without a folder stands for every file of that name.
    """
    tokens = [token.rstrip(".:!?") for token in _TOKEN.findall(words) if "://" not in token]
    alone = len(tokens) == 1 and len(words.split()) == 1
    named = [token for token in tokens if alone or "/" in token or "*" in token or _FILE.fullmatch(token)]
    anywhere = [f"{_BELOW}/{token}" for token in named if "/" not in token and _FILE.fullmatch(token)]
    return tuple(dict.fromkeys((*named, *anywhere)))


def _is_long(*paths: str) -> bool:
    """True for a path with more steps than anybody has; it covers nothing and meets everything."""
    return any(path.count("/") >= _MOST_STEPS for path in paths)


def _steps(path: str) -> tuple[str, ...]:
    steps = path.split("/")
    return (*steps[:-1], _BELOW) if steps[-1] == "" and len(steps) > 1 else tuple(steps)


def _within(allowed: Sequence[str], path: Sequence[str]) -> bool:
    """Whether the pattern takes the whole path; `**` takes one step or more, so `src/**` is not `src` itself."""
    reached = {0}
    for step in path:
        reached = {after for at in reached for after in _after(allowed, at, step)}
    return len(allowed) in reached


def _after(allowed: Sequence[str], at: int, step: str) -> Iterator[int]:
    if at < len(allowed) and allowed[at] == _BELOW:
        yield from (at, at + 1)
    elif at < len(allowed) and _step_within(allowed[at], step):
        yield at + 1


def _step_within(allowed: str, step: str) -> bool:
    if _WILD.search(step):
        return step != _BELOW and allowed in (step, "*")
    return fnmatchcase(step, allowed)


def _overlap(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether some path is taken by both patterns."""
    waiting, seen = [(0, 0)], {(0, 0)}
    while waiting:
        one, other = waiting.pop()
        if (one, other) == (len(left), len(right)):
            return True
        if one == len(left) or other == len(right):
            continue
        if _BELOW in (left[one], right[other]) or _steps_meet(left[one], right[other]):
            for pair in product(_next(left, one), _next(right, other)):
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
    return False


def _next(pattern: Sequence[str], at: int) -> tuple[int, ...]:
    return (at, at + 1) if pattern[at] == _BELOW else (at + 1,)


def _steps_meet(left: str, right: str) -> bool:
    both_wild = _WILD.search(left) and _WILD.search(right)
    return bool(both_wild) or fnmatchcase(left, right) or fnmatchcase(right, left)


# Every planned action compared with the authorization: technique, paths, targets, what it uses, what it is for.


LOOPBACK: Final = frozenset({"loopback", "localhost", "127.0.0.1", "::1"})
"""The only targets that an action may have."""
LEFT_OUT: Final = ("exclusions", "prohibited_targets")
"""The fields of an authorization that name what is left out."""
LONGEST_PURPOSE: Final = 2000
"""Nobody reads a longer one."""


def refused_action(action: PlannedAction, known: Cited[Authorization]) -> Iterator[Refusal]:
    """Why one planned action is not covered, none when it is."""
    yield from _technique(action, known)
    for path in action.paths:
        yield from refused_path(action.id, path, known)
    for target in action.targets:
        yield from _target(action, target, known)
    for needed in action.uses:
        yield _refusal(action.id, known.at("/prohibited_targets"), "it would need ", needed)
    yield from _purpose(action, known)


def refused_path(about: str, path: str, known: Cited[Authorization]) -> Iterator[Refusal]:
    """Why a path may not be looked at, none when it may."""
    record = known.record
    if record.paths and not any(covers(allowed, path) for allowed in record.paths):
        yield _refusal(about, known.at("/paths"), UserText(path), " is none of the allowed paths")
    for field in LEFT_OUT:
        for index, words in enumerate(getattr(record, field) or ()):
            if any(meets(pattern, path) for pattern in patterns_in(words)):
                yield _refusal(about, known.at(f"/{field}/{index}"), UserText(path), " is left out")


def _refusal(about: str, citation: Citation, *why: Part) -> Refusal:
    return Refusal(about=about, why=text(*why), citations=(citation,))


def _technique(action: PlannedAction, known: Cited[Authorization]) -> Iterator[Refusal]:
    record = known.record
    if record.techniques and action.technique not in record.techniques:
        yield _refusal(action.id, known.at("/techniques"), action.technique, " is none of the allowed techniques")
    active = record.active_testing
    if action.technique is Technique.ACTIVE_VALIDATION and active is not None and not active.permitted:
        yield _refusal(action.id, known.at("/active_testing/permitted"), "active testing is not permitted")


def _target(action: PlannedAction, target: str, known: Cited[Authorization]) -> Iterator[Refusal]:
    for index, words in enumerate(known.record.prohibited_targets or ()):
        if target.casefold() == words.casefold():
            at = known.at(f"/prohibited_targets/{index}")
            yield _refusal(action.id, at, UserText(target), " is a prohibited target")
    if target.casefold() not in LOOPBACK:
        yield _refusal(action.id, known.at("/prohibited_targets"), UserText(target), " is not local")
    elif action.technique is not Technique.ACTIVE_VALIDATION:
        at = known.at("/active_testing")
        yield _refusal(action.id, at, "it touches ", UserText(target), ", which is active testing under another name")


def _purpose(action: PlannedAction, known: Cited[Authorization]) -> Iterator[Refusal]:
    if max(len(action.id), len(action.purpose or "")) > LONGEST_PURPOSE:
        yield _refusal(action.id, known.at("/prohibited_actions"), f"its purpose has over {LONGEST_PURPOSE} characters")
        return
    rule = refused_purpose(action.purpose or "") or refused_purpose(action.id)
    if rule is not None:
        yield _refusal(action.id, known.at("/prohibited_actions"), "it asks for ", rule.asks_for, f" ({rule.id})")
    if action.purpose is None and action.technique is Technique.ACTIVE_VALIDATION:
        yield _refusal(action.id, known.at("/active_testing"), "active testing without a stated purpose")
    own = {word.casefold() for word in (action.id, action.technique, action.purpose or "") if word}
    for index, words in enumerate(known.record.prohibited_actions or ()):
        if words.casefold() in own or words.casefold() in (action.purpose or "").casefold():
            yield _refusal(action.id, known.at(f"/prohibited_actions/{index}"), "it is a prohibited action")


_FILES: Final = r"(?:py|js|ts|go|rb|rs|java|php|sh|ya?ml|json|xml|txt|toml|ini)"
_NAME: Final = rf"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?!{_FILES}\b)[A-Za-z]{{2,}}"
_LOCAL: Final = re.compile(r"(?:loopback|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1?|(?:.+\.)?localhost)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRule:
    """One form in which a command names a destination; the group `host` is it.

    Attributes:
        id: kebab-case.
        form: what it looks like.
        example: a word that names a destination elsewhere.
        counter_example: a similar word that doesn't.
    """

    id: str
    form: re.Pattern[str]
    example: str
    counter_example: str


TARGET_RULES: Final = (
    TargetRule(
        id="target-url",
        form=re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@\s]*@)?(?P<host>\[[^\]\s]*\]|[^/:\s?#'\"]+)"),
        example="--base-url=https://tickets.example.com/v2",
        counter_example="--base-url=http://127.0.0.1:{port}/v2",
    ),
    TargetRule(
        id="target-address",
        form=re.compile(r"(?<![\w.:/@-])(?P<host>\d{1,3}(?:\.\d{1,3}){3})(?![\w.])"),
        example="192.0.2.7",
        counter_example="127.0.0.1",
    ),
    TargetRule(
        id="target-port",
        form=re.compile(rf"(?<![\w./:@-])(?P<host>{_NAME}):\d{{2,5}}(?!\w)"),
        example="db.example.com:5432",
        counter_example="tests.py:42",
    ),
    TargetRule(
        id="target-account",
        form=re.compile(rf"(?<!\w)[\w.+-]+@(?P<host>{_NAME})"),
        example="deploy@host.example.com",
        counter_example="requests@2.32.1",
    ),
    TargetRule(
        id="target-option",
        form=re.compile(rf"\A--?(?:\w+-)*(?:host|server|target|endpoint|remote)(?:=|\s)(?P<host>{_NAME}|\[[^\]]+\])"),
        example="--host=tickets.example.com",
        counter_example="--host=localhost",
    ),
)


def elsewhere(word: str) -> Iterator[str]:
    """The destinations in a word of a command that are not loopback."""
    for rule in TARGET_RULES:
        for found in rule.form.finditer(word):
            host = found["host"].strip("[]")
            if host and not _LOCAL.match(host):
                yield host


def destinations(plan: ExecutionPlan) -> tuple[tuple[str, str], ...]:
    """Place in the plan and destination, for everything in its commands that is not loopback."""
    fixture = plan.fixture
    words = [(f"#/tests/{at}", word) for at, word in enumerate(plan.tests)]
    words += [(f"#/cleanup/{at}", word) for at, word in enumerate(plan.cleanup)]
    if fixture is not None:
        words += [(f"#/fixture/start/{at}", word) for at, word in enumerate(fixture.start)]
        words += [(f"#/fixture/environment/{name}", value) for name, value in fixture.environment.items()]
    return tuple(dict.fromkeys((place, host) for place, word in words for host in elsewhere(word)))


CLAIMS: Final = re.compile(
    r"(?<![\w-])(?:exploit(?:s|ed|ing|able|ability|ation|ably)?|(?:re)?confirm(?:s|ed|ation)?|proven|proved|proves|"
    r"trivially|RCE|pwn(?:ed|able)?|weaponi[sz]\w*)(?![\w-])",
    re.IGNORECASE,
)
"""Words that claim more than a review shows, whoever writes them."""
WITHOUT_CLAIM: Final = "(claim word left out)"


def without_claims(value: Text) -> Text:
    """The text with claim words of the subject left out; words of ours are ours to choose."""
    return tuple(
        UserText(CLAIMS.sub(WITHOUT_CLAIM, part.value)) if isinstance(part, UserText) else part for part in value
    )


def plain_lead(lead: Lead) -> Lead:
    """The lead without claim words."""
    return replace(lead, says=without_claims(lead.says))


def plain_candidate(candidate: Candidate) -> Candidate:
    """The candidate without claim words, and without a verification that would leave the machine or do harm.

    What nothing can verify safely is no more than a hypothesis (W3-F3).
    """
    safe = () if harm_of(candidate) else without_claims(candidate.safe_verification)
    return replace(
        candidate,
        state=candidate.state if safe or candidate.state is State.REFUTED else State.HYPOTHESIS,
        title=without_claims(candidate.title),
        reach_why=without_claims(candidate.reach_why),
        preconditions=tuple(map(without_claims, candidate.preconditions)),
        impact_observed=without_claims(candidate.impact_observed),
        impact_inferred=without_claims(candidate.impact_inferred),
        missing=tuple(map(without_claims, candidate.missing)),
        challenges=tuple(replace(each, why=without_claims(each.why)) for each in candidate.challenges),
        safe_verification=safe,
    )


def harm_of(candidate: Candidate) -> Text:
    """Why the stated verification is no safe one, () when nothing speaks against it."""
    parts: list[str | UserText] = []
    for each in _harms(plain(candidate.safe_verification)):
        parts += ["; ", *each] if parts else each
    return tuple(parts)


def _harms(words: str) -> Iterator[Text]:
    offence = refused_purpose(words)
    if offence is not None:
        yield (f"it asks for {offence.asks_for} ({offence.id})",)
    beyond = tuple(dict.fromkeys(host for word in words.split() for host in elsewhere(word.strip(".,;()"))))
    if beyond:
        yield ("it would contact ", UserText(beyond[0]), ", which is not loopback")
