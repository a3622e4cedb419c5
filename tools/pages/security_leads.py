"""The part of the leads' page that says what supports, keeps open and refutes a lead."""

from __future__ import annotations

from typing import Final

from evreview.workflows.w3.triage.nginx import FORMS, NGINX_RULES

_CHALLENGES_HEAD: Final = """
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
- A hypothesis otherwise: what is missing is named, with the exact artifact to supply. So is what the lines themselves
  leave open: a load of what no line shows to come from a caller, a call of the service that anybody would have to stand
  between, a route of another language without a declared guard.

A complete, isolated, passed negative test on the route turns a suspicion that a check is absent into a hypothesis.

A suspicion of a reviewer without a safe way to check it stays a hypothesis too (W3-F3).

## Wiring

Plain nginx configuration is read to its end: one server, prefix or exact locations, directives that are known, no
conditions, no includes. So is a plain Caddyfile: one site, directives that are known, no named matchers, no routes of
its own. Of a Kubernetes Ingress for the nginx controller and of Traefik's labels in a compose file only that is read
which makes every way to the route ask who calls; the rest stays open, since controllers have a configuration of their
own. Any other form (Envoy, HAProxy, Istio, gateways) leaves the question open and names the file, except compose files
and plain workloads in which nothing could stand between. A file that looks like wiring is searched whatever part it is
mapped to. Wiring refutes nothing where a deployment record names another revision than the reviewed one. A reviewer's
word neither refutes nor supports: quoted lines count as another control only when they are read as one.

| Wiring | Stands for | Why | Example |
| --- | --- | --- | --- |
"""


def challenging_section() -> str:
    """What follows the rules on `docs/security-leads.md`."""
    rows = [f"| `{rule.id}` | {rule.effect} | {rule.why} | `{_line(rule.example)}` |" for rule in NGINX_RULES]
    rows += [f"| `{rule.id}` ({rule.form}) | {rule.effect} | {rule.why} | `{_line(rule.example)}` |" for rule in FORMS]
    return _CHALLENGES_HEAD + "\n".join(rows) + "\n"


def _line(example: str) -> str:
    return " ".join(example.replace("`", "'").split())
