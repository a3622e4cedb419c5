"""All lead rules, and the page that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Hit, LeadRule, RuleInput, read
from evreview.workflows.w3.leads.destinations import PLACES
from evreview.workflows.w3.leads.injection import INPUT
from evreview.workflows.w3.leads.rendered_and_stored_values import KEPT
from evreview.workflows.w3.leads.rules_access import ACCESS, GUARDS, OPEN
from evreview.workflows.w3.leads.rules_disclosure import SERVICE
from evreview.workflows.w3.leads.rules_services import SERVICES
from evreview.workflows.w3.model import Lead, digest_id, plain_path

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
READ_BRIEF: Final[dict[Area, str]] = {
    Area.AUTHENTICATION: "read the lines; isolated fixture, no credentials: refused",
    Area.AUTHORIZATION: "read the lines; isolated fixture, a caller without the right: refused",
    Area.INPUT_HANDLING: "read what checks it; isolated fixture, an unexpected harmless value: refused",
    Area.SECRETS: "ask the secret's owner, have it replaced; nobody tries it",
    Area.LOGGING: "read what is written; isolated fixture: a synthetic mark is not in the log",
    Area.ERROR_DISCLOSURE: "read what is answered; isolated fixture: a mark of the failure is not in it",
}
"""The same in at most 80 characters."""


def rule_of(name: str) -> LeadRule | None:
    """The rule of that id, None for another tool's or a reviewer's."""
    return _BY_ID.get(name)


def page(rules: tuple[LeadRule, ...] = RULES) -> str:
    """`docs/security-leads.md`: every rule with its example and its look-alikes."""
    return "\n".join([_HEAD.rstrip(), "", *_table(rules), *(line for rule in rules for line in _section(rule))]) + "\n"


_HEAD: Final = """# Security leads

What evreview looks for in the sources of a security review. This page is made from the code.

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


# Leads of evreview's own rules over the supplied sources.


TOOL = "evreview"


def find_leads(sources: Sequence[SourceText], code: CodeFacts, rules: Sequence[LeadRule] = RULES) -> tuple[Lead, ...]:
    """Every match of every rule, one per route that reaches the lines; by file, line and rule."""
    reading = read(sources, code)
    found = [lead for rule in rules for lead in leads_of(rule, reading)]
    return tuple(sorted(found, key=_order))


def _order(lead: Lead) -> tuple[str, int, str, str]:
    return (lead.path, lead.spot.first if lead.spot else 0, lead.rule, lead.route)


def leads_of(rule: LeadRule, reading: RuleInput) -> tuple[Lead, ...]:
    """The matches of one rule."""
    seen: dict[tuple[str, str, str], int] = {}
    found: list[Lead] = []
    for hit in _once(rule.look(reading)):
        path = plain_path(hit.path)
        key = (path, hit.symbol, hit.route)
        number = seen.get(key, 0)
        seen[key] = number + 1
        found.append(
            Lead(
                id=digest_id("L", rule.id, hit.symbol, path, hit.route, str(number)),
                rule=rule.id,
                tool=TOOL,
                area=hit.area or rule.area,
                says=hit.says,
                spot=hit.spot,
                path=path,
                symbol=hit.symbol,
                route=hit.route,
                citations=hit.spot.citations,
                lacks=hit.lacks,
                header=hit.header,
            )
        )
    return tuple(found)


def _once(hits: Iterable[Hit]) -> list[Hit]:
    """Each place once per route; one that a route reaches is not told as unreached, nor again for all routes."""
    by_place: dict[tuple[str, tuple[int, int]], dict[str, Hit]] = {}
    for hit in hits:
        by_place.setdefault((str(hit.spot.item) + hit.path, hit.order), {}).setdefault(hit.route, hit)
    kept: list[Hit] = []
    for routes in by_place.values():
        named = [hit for route, hit in routes.items() if route not in ("", ALL_ROUTES)]
        around = [hit for route, hit in routes.items() if route == ALL_ROUTES]
        kept += around or named or list(routes.values())
    return sorted(kept, key=lambda hit: (plain_path(hit.path), hit.order, hit.route))
