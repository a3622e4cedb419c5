"""The pages that are made from the code when the site is built. They stay out of the repository."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from evreview.core.vocabulary import ContractKind


def _page(module: str, name: str, *given: object) -> str:
    """What the function of that module writes; modules load when their page is wanted."""
    return str(getattr(import_module(module), name)(*given))


_RULES: Final = "evreview.app.commands.rules"
MADE: Final[dict[str, Callable[[], str]]] = {
    "api.md": partial(_page, "tools.pages.api", "api_page"),
    "authorization.md": partial(_page, "tools.pages.authorization", "authorization_page"),
    "bundle-format.md": partial(_page, "evreview.evidence.json_schemas", "bundle_format"),
    "code-facts.md": partial(_page, "evreview.codefacts.guards.framework_conventions", "page"),
    "commands.md": partial(_page, "tools.pages.commands", "commands_page"),
    "redaction.md": partial(_page, "tools.pages.redaction", "page"),
    "reference.md": partial(_page, "tools.pages.reference", "reference_page"),
    "registers.md": partial(_page, "tools.pages.registers", "registers_page"),
    "rules.md": partial(_page, _RULES, "index"),
    **{f"rules/{kind}.md": partial(_page, _RULES, "page", kind) for kind in ContractKind},
    "security-controls.md": partial(_page, "tools.pages.security_controls", "controls_page"),
    "security-leads.md": partial(_page, "tools.pages.security_leads", "leads_page"),
    "security-rating.md": partial(_page, "tools.pages.security_rating", "rating_page"),
    "test-results.md": partial(_page, "tools.pages.test_results", "results_page"),
    "workshop.md": partial(_page, "tools.pages.workshop", "workshop_page"),
}
"""Text by the page's place below `docs`."""
