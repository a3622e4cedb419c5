"""The part of the leads' page that says what supports, keeps open and refutes a lead."""

from __future__ import annotations

from typing import Final

from evreview.workflows.w3.leads.catalogue import page
from evreview.workflows.w3.triage.nginx import FORMS, NGINX_RULES

_CHALLENGES_HEAD: Final = """
## Leads of others

- SARIF 2.1.0 of any scanner, retained as an item of type `test record`: rule, place, the rule's weakness numbers and
  its own short description are read, messages only without what stands in quotes. Results that passed, are only
  informational, or are gone since the baseline are left out; suppressed ones say so.
- A record of kind `security-candidates`, with quotes that are checked against the lines.

A scanner's result joins the suspicion on its lines when both are about the same area. Alone it stays a hypothesis.

## Own rules beside Bandit

Why the rules that a scanner has too are kept. Bandit 1.9.4 read what the rules read: the security cases and the demo
(C), the flawed programs of `tests/workflows/w3/pairs` (P), the labelled sources of `tests/workflows/w3/leads` (S). A
pair of numbers is ours, then Bandit's on the same: functions that are named, and mended twins and look-alikes that are
named though nothing is wrong. Any of Bandit's tests about the matter counts, wherever it stands in the function.

| Rule | C | P | S | False in P | False in S | Why it stays |
| --- | --- | --- | --- | --- | --- | --- |
| `unsafe-deserialisation` | 1, 1 | 4, 3 | 30, 22 | 0, 1 of 4 | 0, 5 of 40 | misses `yaml.unsafe_load`, ruamel, numpy |
| `sql-by-string` | 1, 1 | 8, 6 | 33, 26 | 0, 4 of 8 | 0, 17 of 36 | does not ask where a value comes from |
| `command-by-string` | 0, 0 | 4, 3 | 14, 12 | 0, 3 of 4 | 0, 11 of 12 | does not ask where a value comes from |
| `code-from-request` | 0, 0 | 1, 1 | 4, 3 | 0, 0 of 1 | 0, 1 of 5 | misses `import_module` |
| `template-from-string` | 0, 0 | 0, 0 | 5, 0 | 0, 0 of 0 | 0, 0 of 5 | misses all |
| `file-by-request` | 1, 0 | 8, 0 | 51, 1 | 0, 0 of 8 | 0, 1 of 56 | has no such test; speaks of `/tmp` |
| `address-by-request` | 0, 0 | 6, 0 | 41, 35 | 0, 0 of 6 | 0, 35 of 42 | speaks of time limits and `urlopen` |
| `redirect-by-request` | 0, 0 | 3, 0 | 46, 0 | 0, 0 of 3 | 0, 0 of 45 | has no such test |
| `markup-by-string` | 0, 0 | 0, 0 | 10, 2 | 0, 0 of 0 | 0, 0 of 16 | misses pages that a handler returns |
| `every-member-from-request` | 0, 0 | 0, 0 | 5, 0 | 0, 0 of 0 | 0, 0 of 7 | has no such test |
| `quick-password-hash` | 0, 0 | 0, 0 | 4, 3 | 0, 0 of 0 | 0, 3 of 6 | names every quick hash, of a file too |
| `internal-error-in-response` | 0, 0 | 0, 0 | 13, 0 | 0, 0 of 0 | 0, 0 of 12 | has no such test |
| `debug-mode-on` | 0, 0 | 0, 0 | 6, 1 | 0, 0 of 0 | 0, 0 of 6 | knows `run` of Flask only |
| `verification-disabled` | 0, 0 | 4, 0 | 50, 4 | 0, 0 of 4 | 0, 0 of 46 | knows nothing of tokens |
| `credentials-to-any-origin` | 0, 0 | 0, 0 | 6, 0 | 0, 0 of 0 | 0, 0 of 6 | has no such test |
| `secret-in-log` | 0, 0 | 3, 0 | 15, 0 | 0, 0 of 3 | 0, 0 of 15 | has no such test |
| `check-then-act` | 0, 0 | 4, 0 | 16, 0 | 0, 0 of 4 | 0, 0 of 16 | has no such test |

No rule is covered everywhere. Of Semgrep's public rules, those for five of them were tried on P and S: they name all of
`code-from-request` (5 of 5, none false), 29 of 34 of `unsafe-deserialisation` (9 of 44 false), 3 of 5 of
`template-from-string` (2 of 5 false), 3 of 6 of `credentials-to-any-origin` (2 of 6 false), 1 of 6 of `debug-mode-on`.
`code-from-request` stays all the same: they would have to be fetched, and an imported result alone makes a hypothesis
where the own rule's finding is supported (tried on `celery-chain-eval`, `kafka-python-yaml`, `pika-callback-pickle` and
`flask-command-match`: the result became a lead with its route each time).

## What becomes of a lead

- Supported: the route is registered, an assumed attacker position reaches it by a path of the trust map and gets past
  the route's guards, the lines are cited, and decorators, dependencies, middleware, deployment wiring and the
  surrounding files that the inventory names were searched and hold no control that would do it. Whoever the trust model
  calls `anyone`, `anonymous` or `outsider` gets past no guard; whether others have a right that a guard asks for is not
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


def leads_page() -> str:
    """The page: the catalogue of rules, and by what a suspicion is refuted."""
    return page() + challenging_section()


def challenging_section() -> str:
    """What follows the rules on the page."""
    rows = [f"| `{rule.id}` | {rule.effect} | {rule.why} | `{_line(rule.example)}` |" for rule in NGINX_RULES]
    rows += [f"| `{rule.id}` ({rule.form}) | {rule.effect} | {rule.why} | `{_line(rule.example)}` |" for rule in FORMS]
    return _CHALLENGES_HEAD + "\n".join(rows) + "\n"


def _line(example: str) -> str:
    return " ".join(example.replace("`", "'").split())
