"""The site's navigation: which page stands in which part, in the order of reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "Start": ("start",),
    "Tutorials": ("walkthrough", "walkthrough-w2", "walkthrough-w3", "tutorial-ci", "workshop"),
    "How to": (
        *("accepting", "gates", "imports", "clients", "witness", "git", "configuration", "ci", "batch", "lab"),
        *("execution", "formats", "interchange", "add-a-kind"),
    ),
    "Reference": (
        *("commands", "exit-statuses", "bundle-format", "registers", "rules", "api", "redaction", "authorization"),
        *("reference", "code-facts", "test-results", "security-controls", "security-leads", "security-rating"),
        *("kind-asyncapi", "kind-avro", "kind-graphql", "kind-jsonschema", "kind-protobuf", "kind-python"),
    ),
    "Explanation": (
        *("verdicts", "proofs", "value-sets", "rewrites", "contract-model", "never", "lapses"),
        *("architecture", "dependencies", "benchmarks"),
    ),
    "Words": ("glossary",),
}
"""A page that is named here and does not exist is left out; one that exists and is not named stands under "More"."""


def contents(pages: Collection[str]) -> str:
    """The lists of pages that the first page ends with, for pages named without their ending."""
    named = {page for part in PARTS.values() for page in part}
    below = {page for page in pages if "/" in page}
    more = sorted(set(pages) - named - below - {"index"})
    parts = {**PARTS, "More": tuple(more)}
    return "".join(
        "\n".join(["", "```{toctree}", ":hidden:", f":caption: {part}", "", *_there(names, pages), "```", ""])
        for part, names in parts.items()
        if any(name in pages for name in names)
    )


def _there(names: tuple[str, ...], pages: Collection[str]) -> Iterator[str]:
    yield from (name for name in names if name in pages)


def children(page: str, pages: Collection[str]) -> str:
    """The list of the pages in the folder of a page's name, empty where there is none."""
    inside = sorted(each for each in pages if each.startswith(f"{page}/"))
    return "\n".join(["", "```{toctree}", ":hidden:", "", *inside, "```", ""]) if inside else ""
