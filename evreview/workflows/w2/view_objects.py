"""Objects of bodies, each printed once: the named schemas that bodies and their fields consist of.

Two bodies show the same object when its rows read the same: a member that one of them withholds makes two of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import UserText, joined
from evreview.core.vocabulary import ABSENT
from evreview.evidence.item import Bundle
from evreview.report.escape import SafeMarkdown, cell, cell_code, cell_words, heading, heading_link, quoted_cell, slug
from evreview.report.output_contract import is_near
from evreview.report.template_environment import output_contracts
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Body, FieldRow, Response
from evreview.workflows.w2.contract_words import ConstraintKind
from evreview.workflows.w2.facts import ClaimKey, W2Facts
from evreview.workflows.w2.reconcile.publication import LEFT_OUT, held_words
from evreview.workflows.w2.view_blocks import cites, form_words, is_inner

OF_STATUS: Final = "the code of the status"
_OURS: Final = ("Index", "Publication scope", "Gates", "Steps", "Contract gaps", "Evidence items", "Exact forms")


@dataclass(frozen=True, slots=True)
class Field:
    """One row of an object: as the contract has it, and the object that it holds, by its key."""

    row: FieldRow
    inner: str = ""
    held: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """An object, or a body of no name: its rows, paths counted from it. The key is the same for what reads the same."""

    key: str
    name: str
    rows: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """An object as a table under its heading."""

    heading: SafeMarkdown
    rows: tuple[TableRow, ...]


class Home:
    """Where an object is printed."""

    SUCCESS: Final = "success"
    ERROR: Final = "error"


class Objects:
    """The objects of all bodies of a reference, and what each body's cells say of them."""

    def __init__(self, bundle: Bundle, facts: W2Facts) -> None:
        self._bundle, self._facts = bundle, facts
        self._shapes: dict[str, Shape] = {}
        self._homes: dict[str, str] = {}
        self._roots: dict[ClaimKey, Shape] = {}
        self._titles: dict[str, str] = {}
        for entry in facts.entries:
            for response in entry.success:
                for body in response.bodies:
                    self._take(body, Home.SUCCESS)
        for entry in facts.entries:
            for response in entry.errors:
                for body in response.bodies:
                    self._take(_without_codes(response, body), Home.ERROR)
        for entry in facts.entries:
            for body in entry.body.bodies if entry.body else ():
                self._take(body, entry.operation.id)
        self._name()

    def _take(self, body: Body, home: str) -> None:
        name = body.root.object if body.root else ""
        if body.root and not name and home == Home.ERROR:
            name = body.root.extends
        rows = (
            *((body.root,) if body.root else ()),
            *(row for row in body.fields if row is not body.root and row.path),
        )
        held = tuple(_held_fields(self._facts, body))
        known = len(self._shapes)
        shape = self._build(name, rows, held)
        self._roots[body.claim] = shape
        if name and home in (Home.SUCCESS, Home.ERROR) and len(shape.rows) > 1:
            self._shapes.setdefault(shape.key, shape)
        for key in tuple(self._shapes)[known:]:
            self._homes[key] = home

    def _build(self, name: str, rows: Sequence[FieldRow], held: Sequence[Field] = ()) -> Shape:
        found: list[Field] = []
        inside = ""
        for row in rows:
            if inside and row.path.startswith((f"{inside}.", f"{inside}[")):
                continue
            inside = ""
            listed = self._inner(f"{row.path}[]", rows) if row.listing else ""
            inner = listed or (self._inner(row.path, rows) if row.path else "")
            if inner:
                inside = row.path
            if row.path or _tells(row) or len(rows) == 1 or inner:
                found.append(Field(row, inner))
            if inner and not row.path:
                break
        found += held
        read = [(each.row.path, *_words(each.row), each.inner, each.held) for each in found]
        return Shape(repr((name, read)), name, tuple(found))

    def _inner(self, path: str, rows: Sequence[FieldRow]) -> str:
        """The key of the object at a path, "" where there is none that could be told apart."""
        here = [row for row in rows if row.path == path]
        if len(here) != 1 or not here[0].object or (path.endswith("[]") and (here[0].description or here[0].branch)):
            return ""
        below = [row for row in rows if row.path.startswith((f"{path}.", f"{path}["))]
        if not below or any(row.branch != here[0].branch for row in below):
            return ""
        root = replace(here[0], path="", description="", branch="", required=None)
        inner = [replace(row, path=row.path.removeprefix(path).removeprefix("."), branch="") for row in below]
        shape = self._build(here[0].object, (root, *inner))
        self._shapes.setdefault(shape.key, shape)
        return shape.key

    def _name(self) -> None:
        """A heading of its own for each object: its name, and a number where two objects have one name."""
        taken = {slug(name) for name in _OURS} | {slug(each.operation.id) for each in self._facts.entries}
        required = [each.name for one in output_contracts() if one.workflow == "W2" for each in one.headings]
        for key, shape in self._shapes.items():
            name = shape.name
            if any(is_near(name, each) for each in required) or slug(name) in ("", *taken):
                name = f"{name} object"
            number, title = 1, name
            while slug(title) in taken:
                number, title = number + 1, f"{name} {number + 1}"
            taken.add(slug(title))
            self._titles[key] = title

    def printed(self, home: str) -> tuple[Printed, ...]:
        """The objects that stand at a place, in the order in which they are met."""
        keys = (key for key in self._shapes if self._homes.get(key) == home)
        return tuple(Printed(heading(self._titles[key]), self.rows(self._shapes[key])) for key in keys)

    def root(self, body: Body) -> Shape:
        """What a body consists of."""
        return self._roots[body.claim]

    def is_shared(self, body: Body) -> bool:
        """True when the body is an object that is printed under a heading of its own."""
        return self.root(body).key in self._titles

    def said(self, body: Body) -> SafeMarkdown:
        """A body in the cell of an answer: its object, or its type where that says everything."""
        shape = self.root(body)
        if self.is_shared(body):
            return heading_link(self._titles[shape.key])
        if len(shape.rows) == 1 and not shape.rows[0].row.path:
            only = shape.rows[0]
            told = self._allowed(only.row)
            return SafeMarkdown(f"{self._type(only)}{f'; {told}' if told else ''}")
        return cell("fields below" if shape.rows else "the contract states no schema")

    def is_listed(self, body: Body) -> bool:
        """True when the body's fields need a table in the entry of its operation."""
        shape = self.root(body)
        return not self.is_shared(body) and bool(shape.rows) and any(each.row.path for each in shape.rows)

    def rows(self, shape: Shape) -> tuple[TableRow, ...]:
        """The rows of an object's table."""
        return tuple(self._field(each) for each in shape.rows)

    def _field(self, each: Field) -> TableRow:
        row = each.row
        name = cell_code(row.path) if row.path else cell("(body)")
        if each.held:
            return name, cell("withheld"), cell("withheld"), cell(each.held), cites(self._bundle, row.citations)
        needed = "n/a" if row.required is None else "yes" if row.required else "no"
        allowed = self._allowed(row, inner=bool(each.inner) and not row.listing) or cell("any")
        return name, self._type(each), cell(needed), allowed, cites(self._bundle, row.citations)

    def _type(self, each: Field) -> SafeMarkdown:
        """The type, its object linked."""
        told = str(cell_words(each.row.type))
        title = self._titles.get(each.inner, "") or self._again(each.row)
        if not title or "object" not in told:
            return SafeMarkdown(told)
        before, _, after = told.partition("object")
        return SafeMarkdown(f"{before}{heading_link(title)}{after}")

    def _again(self, row: FieldRow) -> str:
        """The heading of the object that a row repeats, where only one has its name."""
        keys = [key for key, shape in self._shapes.items() if shape.name == row.object] if row.again else []
        return self._titles[keys[0]] if len(keys) == 1 else ""

    def _allowed(self, row: FieldRow, *, inner: bool = False) -> SafeMarkdown:
        told = () if inner else tuple(each.says for each in row.allowed)
        notes = () if inner else row.notes[: -1 if self._again(row) else None]
        default = () if row.default is ABSENT else (("default ", UserText(form_words(row.default))),)
        words = cell_words(joined((*told, *default, *notes)))
        said = quoted_cell(row.description) if row.description else ""
        return SafeMarkdown("; ".join(part for part in (str(words), str(said)) if part))


def _tells(row: FieldRow) -> bool:
    allowed = [each for each in row.allowed if each != LEFT_OUT]  # a sentence above the table says that
    return bool(allowed or row.notes or row.description or row.default is not ABSENT)


def _words(row: FieldRow) -> tuple[object, ...]:
    told = tuple(each.says for each in row.allowed)
    notes = ("again", row.object) if row.again else row.notes
    return row.type, row.required, told, repr(row.default), notes, row.description


def _without_codes(response: Response, body: Body) -> Body:
    """An error body as all its statuses share it: no internals, and the code left to the status."""
    codes = {code.value for code in response.codes_of(body)}
    kept = (row for row in body.fields if not is_inner(row.path))
    return replace(body, fields=tuple(_uncoded(row) if row.codes and codes.issuperset(row.codes) else row
                                      for row in kept))  # fmt: skip


def _uncoded(row: FieldRow) -> FieldRow:
    allowed = tuple(each for each in row.allowed if each.kind is not ConstraintKind.VALUES)
    return replace(row, allowed=allowed, notes=(*row.notes, (OF_STATUS,)))


def _held_fields(facts: W2Facts, body: Body) -> Iterator[Field]:
    """The fields of a body that the contract has and a discrepancy withholds: their names, and nothing of them."""
    for key in outermost(facts):
        if key.startswith(f"{body.claim} ") and not is_inner(path := key.removeprefix(f"{body.claim} ")):
            row = FieldRow(path=path, type=(), kind=body.root.kind, required=None, allowed=(),
                           citations=body.citations) if body.root else None  # fmt: skip
            if row is not None:
                yield Field(row, held=held_words(facts, key))


def outermost(facts: W2Facts) -> tuple[ClaimKey, ...]:
    """The withheld claims of the contract that are no part of another withheld one."""
    held = facts.left_out
    return tuple(
        key
        for key in sorted(held)
        if not any(key != outer and key.startswith((f"{outer} ", f"{outer}.", f"{outer}[]")) for outer in held)
    )
