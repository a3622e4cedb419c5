"""The rules that spoke in a comparison, as a SARIF log describes them; made from the catalogue alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from evreview.core.vocabulary import RuleId, Verdict
from evreview.kinds.rule_catalogue import BY_ID

NO_RULE: Final = "no-rule"
UNREAD: Final = "not-understood"
_LEVELS: Final = {Verdict.BREAKING: "error", Verdict.UNKNOWN: "warning", Verdict.COMPATIBLE: "note"}


def descriptors(rules: Iterable[str]) -> list[dict[str, Any]]:
    """A reporting descriptor per rule id, in the order given."""
    return [_descriptor(rule) for rule in rules]


def unread_descriptor() -> dict[str, Any]:
    """What a notification about a part that nobody could read refers to."""
    said = "A part of a contract could not be understood; what changed in it is not known."
    return {"id": UNREAD, **_texts("Not understood", said, said), "defaultConfiguration": {"level": "warning"}}


def _descriptor(rule_id: str) -> dict[str, Any]:
    rule = BY_ID.get(RuleId(rule_id))
    if rule is None:
        said = "No rule speaks about this difference: whether it is compatible is not known."
        return {
            "id": rule_id,
            "name": _name(rule_id),
            **_texts(rule_id.replace("-", " ").capitalize(), said, said),
            "defaultConfiguration": {"level": "warning"},
        }
    return {
        "id": rule_id,
        "name": _name(rule_id),
        **_texts(rule.title, rule.why, f"{rule.why} Reference: {rule.reference}."),
        "defaultConfiguration": {"level": _LEVELS[rule.verdict]},
        "properties": {
            "verdict": rule.verdict.value,
            "accepts_old_requests": rule.accepts_old_requests.value,
            "emits_old_compatible": rule.emits_old_compatible.value,
            "reference": rule.reference,
        },
    }


def _texts(short: str, full: str, helping: str) -> dict[str, Any]:
    texts = {"shortDescription": short, "fullDescription": full, "help": helping}
    return {name: {"text": text} for name, text in texts.items()}


def _name(rule_id: str) -> str:
    return "".join(part.capitalize() for part in rule_id.split("-"))
