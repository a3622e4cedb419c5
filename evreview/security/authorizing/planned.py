"""Every planned action compared with the authorization: technique, paths, targets, what it uses, what it is for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.quoted_text import Part, Subject, text
from evreview.core.vocabulary import Technique
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.review import PlannedAction
from evreview.evidence.records.security import Authorization
from evreview.security.authorizing.paths import covers, meets, patterns_in
from evreview.workflows.w3.model import Refusal
from evreview.workflows.w3.step1_planned_actions import refused_purpose

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
        yield _refusal(about, known.at("/paths"), Subject(path), " is none of the allowed paths")
    for field in LEFT_OUT:
        for index, words in enumerate(getattr(record, field) or ()):
            if any(meets(pattern, path) for pattern in patterns_in(words)):
                yield _refusal(about, known.at(f"/{field}/{index}"), Subject(path), " is left out")


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
            yield _refusal(action.id, at, Subject(target), " is a prohibited target")
    if target.casefold() not in LOOPBACK:
        yield _refusal(action.id, known.at("/prohibited_targets"), Subject(target), " is not local")
    elif action.technique is not Technique.ACTIVE_VALIDATION:
        at = known.at("/active_testing")
        yield _refusal(action.id, at, "it touches ", Subject(target), ", which is active testing under another name")


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
