"""All lead rules, and the page that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.vocabulary import Area
from evreview.security.leads.rules_input import INPUT
from evreview.security.leads.rules_kept import KEPT
from evreview.security.leads.rules_open import OPEN
from evreview.security.leads.rules_places import PLACES
from evreview.security.leads.rules_service import SERVICE
from evreview.security.leads.rules_services import SERVICES
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.step4_leads.rules_access import ACCESS
from evreview.workflows.w3.step4_leads.rules_guards import GUARDS

RULES: Final[tuple[LeadRule, ...]] = (*ACCESS, *OPEN, *GUARDS, *INPUT, *PLACES, *KEPT, *SERVICE, *SERVICES)
_BY_ID: Final = {rule.id: rule for rule in RULES}

READ_LINES: Final[dict[Area, str]] = {
    Area.AUTHENTICATION: "Read the lines and what runs before them; in an isolated fixture, a call without "
    "credentials must be refused.",
    Area.AUTHORIZATION: "Read the lines and what runs before them; in an isolated fixture with synthetic data, a "
    "principal without the right must be refused.",
    Area.INPUT_HANDLING: "Read where the value comes from and what checks it; in an isolated fixture, a harmless value "
    "outside the expected ones must be refused.",
    Area.SECRETS: "Ask the secret's owner whether it is in use, and have it replaced; nobody tries it.",
    Area.LOGGING: "Read what is written; in an isolated fixture, a synthetic mark must not stand in the log.",
    Area.ERROR_DISCLOSURE: "Read what is answered; in an isolated fixture, a synthetic mark in the failure's text must "
    "not stand in the answer.",
}
"""A harmless way to check a lead of another tool, by area."""


def rule_of(name: str) -> LeadRule | None:
    """The rule of that id, None for another tool's or a reviewer's."""
    return _BY_ID.get(name)


def page(rules: tuple[LeadRule, ...] = RULES) -> str:
    """`docs/security-leads.md`: every rule with its example and its look-alikes."""
    return "\n".join([_HEAD.rstrip(), "", *_table(rules), *(line for rule in rules for line in _section(rule))]) + "\n"


_HEAD: Final = """# Security leads

What evreview looks for in the sources of a security review. This page is made from `evreview/security/leads/`.

A match is a lead, never a proof. It becomes a supported candidate only when it is shown that an assumed attacker
reaches the lines, when the lines are cited, and when every place where another control could stand was supplied and
searched. Otherwise it stays a hypothesis with a safe way to check it. Sources are read as syntax trees; nothing is
imported, executed or sent. Files that are only tests are left out.
"""


def _table(rules: tuple[LeadRule, ...]) -> Iterator[str]:
    yield "| Rule | Area | What is suspected |"
    yield "| --- | --- | --- |"
    yield from (f"| [`{rule.id}`](#{rule.id}) | {rule.area} | {rule.title} |" for rule in rules)


def _section(rule: LeadRule) -> Iterator[str]:
    yield from ["", f"## `{rule.id}`", "", f"{rule.title}. {rule.why}", ""]
    yield from [f"- Attacker: {rule.attacker}.", f"- Inferred impact: {rule.impact}", f"- Safe check: {rule.verify}"]
    controls = ", ".join(sorted(rule.compensates)) or "none that is known by its form"
    yield from [f"- Controls elsewhere that would make it harmless: {controls}.", ""]
    yield from ["Matches:", "", *_code(rule, rule.example)]
    for source in rule.counter_examples:
        yield from ["", "Does not match:", "", *_code(rule, source)]


def _code(rule: LeadRule, source: str) -> Iterator[str]:
    if rule.area is Area.SECRETS:
        source = "\n".join(_hidden(line) for line in source.splitlines())
    yield from ["```python", source.strip(), "```"]


def _hidden(line: str) -> str:
    """A line of an example whose invented secret is not printed: scanners would report this page."""
    name, sep, value = line.partition(' = "')
    return f'{name}{sep}…"' if sep and len(value) > 16 else line
