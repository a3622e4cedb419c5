"""`evreview rules`: the catalogue, or one rule in full. The documentation page is made from the same values."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.app.commands.shell import clean, refuse, say
from evreview.comparison.rules.rule import Example, Rule, Whole
from evreview.core.vocabulary import ABSENT, ContractKind, ExitStatus, Form
from evreview.kinds.rule_catalogue import BY_KIND, CATALOGUE

ONE_LINE: Final = 110
"""Characters of an example that still stands on one line."""


def rules(wanted: str | None, kind: ContractKind | None = None) -> int:
    """Print the rule catalogue as a table, that of one kind, or one rule with its why, example and counter-example."""
    if wanted is None:
        say(clean(table(CATALOGUE if kind is None else BY_KIND[kind])))
        return ExitStatus.DONE
    known = CATALOGUE if kind is None else BY_KIND[kind]
    found = next((rule for rule in known if rule.id == wanted), None)
    if found is None:
        near = difflib.get_close_matches(wanted, [rule.id for rule in known], n=3)
        hint = f"Near to it: {', '.join(near)}" if near else "`evreview rules` lists them all"
        return refuse(f"there is no rule {wanted!r}{f' for {kind}' if kind else ''}. {hint}")
    say(clean(in_full(found)))
    return ExitStatus.DONE


def table(catalogue: Sequence[Rule]) -> str:
    """One line per rule: id, verdict, title."""
    widest = max(len(rule.id) for rule in catalogue)
    lines = [f"{rule.id:<{widest}}  {rule.verdict:<10}  {rule.title}" for rule in catalogue]
    return "\n".join([*lines, "", f"{len(catalogue)} rules. One in full: evreview rules ID"])


def in_full(rule: Rule) -> str:
    """Everything that the catalogue says about one rule, as Markdown."""
    return "\n".join(
        [
            f"## {rule.id}",
            "",
            *_facts(rule),
            *_example("Example", rule.example),
            "",
            *_example("Counter-example, which this rule leaves alone", rule.counter_example),
        ]
    )


def index() -> str:
    """The documentation page that counts the rules of each kind and says how to read them."""
    rows = [f"| {kind} | {len(own(kind))} | {len(BY_KIND[kind])} |" for kind in BY_KIND]
    return "\n".join(
        [
            "# Rules",
            "",
            "Made from the code by `make docs`; a test keeps it current. A delta that no rule matches is",
            "**unknown**, never compatible. A proof overrules a rule's verdict where one is found.",
            "",
            "`evreview rules --kind openapi` lists the rules of a kind, `evreview rules ID` prints one with why,",
            "example and counter-example. `make docs` writes a page of all rules per kind into the folder `rules`",
            "beside this page; these stay out of the repository.",
            "",
            "| Kind of contract | Own rules | With those about JSON schemas, which stand at OpenAPI |",
            "| --- | --- | --- |",
            *rows,
            "",
        ]
    )


def own(kind: ContractKind) -> tuple[Rule, ...]:
    """The rules whose page is that of a kind: those that no kind before it has."""
    earlier: set[str] = set()
    for other, known in BY_KIND.items():
        if other is kind:
            return tuple(rule for rule in known if rule.id not in earlier)
        earlier |= {rule.id for rule in known}
    return ()


def page(kind: ContractKind) -> str:
    """The documentation page of the rules of one kind."""
    catalogue = own(kind)
    shared = len(BY_KIND[kind]) - len(catalogue)
    head = [
        f"# Rules: {kind}",
        "",
        f"{len(catalogue)} rules; all kinds: [rules](../rules.md). Made from the code by `make docs`.",
        *([f"The other {shared}, about JSON schemas, stand at [openapi](openapi.md)."] if shared else []),
        "",
        "| Rule | Verdict | Accepts old requests | Emits old-compatible | Title |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = [
        f"| [`{rule.id}`](#{rule.id}) | {rule.verdict} | {rule.accepts_old_requests} | "
        f"{rule.emits_old_compatible} | {_cell(rule.title)} |"
        for rule in catalogue
    ]
    return "\n".join([*head, *rows, "", *(in_full(rule) + "\n" for rule in catalogue)]).rstrip("\n") + "\n"


def _facts(rule: Rule) -> Iterable[str]:
    yield rule.title
    yield ""
    yield f"- Verdict: **{rule.verdict}**"
    yield f"- The new producer accepts old requests: {rule.accepts_old_requests}"
    yield f"- The new producer emits old-compatible responses: {rule.emits_old_compatible}"
    yield f"- Why: {rule.why}"
    yield f"- Reference: {rule.reference}"
    if rule.planes:
        yield f"- By plane: {', '.join(f'{plane} {verdict}' for plane, verdict in rule.planes)}"
    if rule.mirror:
        yield f"- In the other direction: `{rule.mirror}`"
    if rule.replaced_by:
        yield f"- Replaced by: {', '.join(f'`{one}`' for one in rule.replaced_by)}"
    yield ""


def _example(title: str, example: Example) -> Iterable[str]:
    yield f"{title}, in the {example.slot}:"
    yield ""
    yield "```diff"
    if isinstance(example.released, dict) and isinstance(example.candidate, dict) and isinstance(example.slot, Whole):
        yield from _edited(example.released, example.candidate)
    else:
        yield from _signed("-", example.released)
        yield from _signed("+", example.candidate)
    yield "```"


def _edited(released: Form, candidate: Form) -> Iterable[str]:
    """The lines of a whole contract that differ, with what stands around them."""
    before, after = (json.dumps(form, ensure_ascii=False, indent=1).splitlines() for form in (released, candidate))
    found = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
    return ("  …" if line.startswith("@@") else f"{line[0]} {line[1:]}".rstrip() for line in found)


def _signed(sign: str, form: Form) -> Iterable[str]:
    if form is ABSENT:
        return [f"{sign} (left out)"]
    if isinstance(form, str) and "\n" in form:
        return (f"{sign} {line}".rstrip() for line in form.splitlines())
    short = json.dumps(form, ensure_ascii=False)
    text = short if len(short) <= ONE_LINE else json.dumps(form, ensure_ascii=False, indent=2)
    return (f"{sign} {line}" for line in text.splitlines())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
