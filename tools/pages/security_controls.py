"""`docs/security-controls.md`: what the trust map and the matrix of controls rest on, made from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from evreview.workflows.w3.inventory.listing import WANTED
from evreview.workflows.w3.inventory.routes import AREAS
from evreview.workflows.w3.registers import (
    BACKING_COLUMNS,
    CONTROL_COLUMNS,
    MIDDLEWARE_COLUMNS,
    PATH_COLUMNS,
    TEST_COLUMNS,
    TRUST_GAP_COLUMNS,
)
from evreview.workflows.w3.registers import INVENTORY_GAP_COLUMNS as INVENTORY_GAPS
from evreview.workflows.w3.trust.trust_map import FIELDS, TRUST_GAP_RULES

_BACKINGS: Final = (
    ("`route`", "the inspected code registers the method and path; names of path parameters do not matter"),
    ("`configuration`", "the quote stands on the lines of a configuration or source excerpt of the reviewed revision"),
    ("`deployment record`", "the quote stands there, and the record names the reviewed revision"),
    ("`assumption`", "never; a stated one is printed as an assumption"),
    ("nothing", "never; it is unknown, or an assumption where one is stated"),
)
_TESTS: Final = (
    ("`syntax tree`", "a function of a Python file whose name ends as the id does; requests and statuses are read"),
    ("`retained result`", "a case of the output of a test run; of several the worst outcome counts"),
    ("`retained check`", "a check of a test record, with command, revision, fixture and result"),
    ("`text`", "the id stands in the text of an item in another language"),
)
_STANDINGS: Final = (
    ("`present`", "the code or the quoted lines show it"),
    ("`absent`", "the code that was read shows none"),
    ("`unread`", "a part that may hold it could not be read; it is named"),
    ("`unknown`", "nothing shows it, and nothing shows that there is none"),
    ("`not applicable`", "there is nothing to control"),
    ("`not in scope`", "the inventory leaves the area out and says why"),
)
_CONTROLS_HEAD: Final = """# Trust map and control inventory

Steps 2 and 3 of a security review (W3). This page is made from the code. Nothing is executed:
code is read as syntax trees, other languages by quoted lines.

## The trust model

Step 2 remains until the model states each of these, and until a path over every listed control can be followed from
an actor to an asset."""
_BACKED: Final = """
A boundary counts for what validates it and for nothing more:
"""
_GAPS: Final = """
## Gaps of the map

Those that decide keep step 2; the others are named and the review goes on."""
_LISTS: Final = """
## What the inventory lists

A list that is missing is unknown, and the review stops with `W3-F2`. An empty list is an answer. Every quote has to
stand on its lines, every item has to be of the one revision, and code needs its path in the repository (source map, or
`<commit>:<path>` in `integrity`).
"""
_LINES: Final = """
## The matrix

A listed control stands on a route when its quoted lines belong to it: to a guard of the route, to its handler, to what
the handler's code refers to, or to what its application runs around it. What is named may run; it need not, so this
shows that lines belong to a route, never that they are executed. Middleware that looks at the path is believed only of
routes that the inventory names. A guard that a condition on method, path, a setting or a word of the caller leaves out,
that a wide handler swallows, that refuses after the handler ran, or that asks only whether credentials are there is
`unknown`, never `present`. Deployment wiring counts as the inventory states it. A route without a listed control
of an area is read by the area's rule.
"""
_ODD: Final = """
An unguarded route is marked odd beside a guarded one of the same resource (the steps of the path before its first
parameter), of a file of which two thirds are guarded, or of those that the lead rule `unguarded-sibling` compares. An
open reading route beside a guarded writing one is not odd, nor is one for everybody by its path (`/health`).

## Tests

A positive test has to assert that a route of the control admits, a negative one that it refuses. A test counts as
executed only with a retained result of the reviewed revision.
"""


def controls_page() -> str:
    """The page, in Markdown."""
    fields = (f"| {field.words} | {field.why} |" for field in FIELDS)
    rules = (
        f"| `{rule.id}` | {_yes(rule.decides)} | {rule.why} | {rule.example} | {rule.counter_example} |"
        for rule in TRUST_GAP_RULES
    )
    lists = (f"| {one.lacks} | {one.request} | {one.when_empty or 'there is none'} |" for one in WANTED)
    parts = [
        *_section(_CONTROLS_HEAD, ("Stated", "Without it"), fields),
        *_section(_BACKED, ("`backed_by`", "Validated when"), _pairs(_BACKINGS)),
        *_section(_GAPS, ("Gap", "Decides", "Why", "Example", "Not"), rules),
        *_section(_LISTS, ("List", "Missing: asked for", "Empty: asked for, without stopping"), lists),
        *_section(_LINES, ("Standing", "Means"), _pairs(_STANDINGS)),
        *_areas(),
        *_section(_ODD, ("Found by", "What counts"), _pairs(_TESTS)),
        *_columns(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _areas() -> Iterator[str]:
    for rule in AREAS:
        yield from (f"### {rule.area.capitalize()}", "", rule.why, "")
        for word, code in (("Counts:", rule.example), ("Does not:", rule.counter_example)):
            yield from (word, "", "```python", code, "```", "")


def _columns() -> Iterator[str]:
    registers: tuple[tuple[str, Mapping[str, str]], ...] = (
        ("trust-paths", PATH_COLUMNS),
        ("trust-backings", BACKING_COLUMNS),
        ("trust-gaps", TRUST_GAP_COLUMNS),
        ("controls", CONTROL_COLUMNS),
        ("inventory-gaps", INVENTORY_GAPS),
        ("middleware", MIDDLEWARE_COLUMNS),
        ("control-tests", TEST_COLUMNS),
    )
    yield from ("## Registers", "")
    for name, columns in registers:
        yield from _section(
            f"\n`{name}`", ("Column", "Meaning"), _pairs((f"`{key}`", says) for key, says in columns.items())
        )


def _section(text: str, head: tuple[str, ...], rows: Iterable[str]) -> Iterator[str]:
    yield from (text.strip("\n"), "")
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    yield from rows
    yield ""


def _pairs(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"| {first} | {second} |" for first, second in rows)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
