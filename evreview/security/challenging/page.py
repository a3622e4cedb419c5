"""The part of the leads' page that says what supports, keeps open and refutes a lead."""

from __future__ import annotations

from typing import Final

from evreview.security.challenging.wiring import RULES

_HEAD: Final = """
## Leads of others

- SARIF 2.1.0 of any scanner, retained as an item of type `test record`: rule, place, the rule's weakness numbers and
  its own short description are read, messages only without what stands in quotes. Results that passed, are only
  informational, or are gone since the baseline are left out; suppressed ones say so.
- A record of kind `security-candidates`, with quotes that are checked against the lines.

A scanner's result joins the suspicion on its lines when both are about the same area. Alone it stays a hypothesis.

## What becomes of a lead

- Supported: the route is registered, an assumed attacker position reaches it by a path of the trust map and gets past
  the route's guards, the lines are cited, and decorators, dependencies, middleware, deployment wiring and the
  surrounding files that the inventory names were searched and hold no control that would do it. Whoever the trust model
  calls anyone, anonymous or an outsider gets past no guard; whether others have a right that a guard asks for is not
  known.
- Refuted: such a control stands in one of these places; its lines are cited.
- A hypothesis otherwise: what is missing is named, with the exact artifact to supply.

A complete, isolated, passed negative test on the route turns a suspicion that a check is absent into a hypothesis.

A suspicion of a reviewer without a safe way to check it stays a hypothesis too (W3-F3).

## Wiring

Only plain nginx configuration is read to its end: one server, prefix or exact locations, directives that are known, no
conditions, no includes. Anything else leaves the question open, except compose files and plain workloads in which
nothing could stand between. A reviewer's word neither refutes nor supports: quoted lines count as another control only
when they are read as one.

| Wiring | Stands for | Why | Example |
| --- | --- | --- | --- |
"""


def challenging_section() -> str:
    """What follows the rules on `docs/security-leads.md`."""
    rows = [f"| `{rule.id}` | {rule.effect} | {rule.why} | `{_line(rule.example)}` |" for rule in RULES]
    return _HEAD + "\n".join(rows) + "\n"


def _line(example: str) -> str:
    return " ".join(example.split())
