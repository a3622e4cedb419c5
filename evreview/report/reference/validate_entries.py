"""An entry against itself and the registers: request line, examples and limits, and what is told of it elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from evreview.core.errors import Problem
from evreview.report.agreement_rules import Entries
from evreview.report.markdown import Cell, Document, Heading, Table, split_row
from evreview.report.output_contract import OutputContract, is_empty_row, violation
from evreview.report.reference.validate_examples import Example, Objects, examples_in, fits

Row = Mapping[str, Cell]
_NOT_WHOLE: Final = ("[cut: ", "[redacted: ", " more")
_NAMED: Final = re.compile(r"`([^`]+)`")
_ALL: Final = re.compile(r"all (?:\d+ )?operations")
_FIRST_LINE: Final = re.compile(r"(?P<method>[A-Z]+) (?P<target>\S+) HTTP/")
_OWN_HEADERS: Final = ("host", "content-type", "accept", "cookie", "authorization")
"""Headers of a request that no parameter stands for."""
_ASKED: Final = re.compile(
    r"(?P<where>path|query|header|cookie) parameter (?P<name>.+?)(?P<told>, required|, optional|: .+)"
)
_KEEPS: Final = 4
"""Where the table of parameters says what values keep to."""
_NONE: Final = "none stated"
_NOWHERE: Final[tuple[Cell | None, int]] = (None, 0)
_EXAMPLE: Final = re.compile(r"EX-[0-9a-f]+")
_UNVERIFIED: Final = re.compile(r"; unverified \(W2-F4\)\Z")
_HELD: Final = re.compile(r"(?:^|, )(?P<names>.+?) \(`(?P<discrepancy>X-[0-9a-f]{8,64})`\)(?=, |\Z)")
"""What a discrepancy withholds, by name."""
_HELD_NAME: Final = re.compile(r"(?P<body>body of )?`(?P<name>[^`]+)`")
_OF_REQUEST: Final = re.compile(r"(?:request body|parameters|validation) ")
"""How the place of a discrepancy begins that is about a parameter or a field of the request."""
_RUN: Final = re.compile(r"^sent in [^:\n]+: ")
"""Which run an executed example was sent in; the index of examples says its result alone."""


def check_entries(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every entry that tells something else than a table, statement or example about the same operation."""
    for rule in contract.entries:
        deep = [each for each in document.headings if each.level == 3]
        told = (table for table in document.tables if table.header == rule.record)
        record = {table.heading for table in told if any(row[0].full == rule.method for row in table.rows)}
        objects = Objects(document, rule.fields, _codes(document, rule))
        for heading in deep:
            entry = _Entry(rule, document, heading, objects)
            if heading.text in record:
                yield from entry.problems()
            elif heading.text in objects.named:
                for example in examples_in(document, entry.lines):
                    yield from objects.problems(example, objects.named[heading.text])
        for row, line in _rows(document.tables, rule.scope) if record else ():
            what, value, *_ = row.values()
            if what.full == rule.included and _is_whole(value.full) and not record <= set(value.spans):
                missing = ", ".join(sorted(record - set(value.spans)))
                yield violation("said-differently", f"{rule.included!r} leave out {missing[:120]!r}", line)
        yield from _left_out(document, rule)


def _left_out(document: Document, rule: Entries) -> Iterator[Problem]:
    """What the scope leaves out, in its row and one by one."""
    each = [part for part in document.prose if part.text.partition(": ")[2].startswith(rule.left_out)]
    told = "; ".join(f"{name} ({why})" for part in each for name, why in [(*part.spans, "", "")[:2]])
    for row, line in _rows(document.tables, rule.scope):
        what, value, *_ = row.values()
        if what.full == rule.excluded and _is_whole(value.full + told) and _plain(value.full) != _plain(told or _NONE):
            found = f"{rule.excluded!r} are {value.full[:120]!r} in line {line}"
            yield violation("said-differently", found, each[0].line if each else line)


def _rows(tables: Sequence[Table], header: str) -> Iterator[tuple[Row, int]]:
    for table in tables:
        for index, cells in enumerate(table.rows if table.header == header else ()):
            if not is_empty_row(cells) and len(cells) == len(table.columns):
                yield dict(zip(table.columns, cells, strict=True)), table.row_line(index)


def _codes(document: Document, rule: Entries) -> frozenset[str]:
    """Every code of an answer."""
    rows = (tuple(row.values()) for row, _ in _rows(document.tables, rule.answers))
    return frozenset(span for row in rows for span in row[2].spans)


def _texts(row: Row) -> list[str]:
    return [cell.full for cell in row.values()]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\\(?=[^\w\s])|`", "", text).split()).strip(" .;")


def _parts(text: str) -> set[str]:
    return {_plain(part) for part in text.split("; ")}


def _is_whole(text: str) -> bool:
    return not any(mark in text for mark in _NOT_WHOLE)


class _Entry:
    """One entry; lives for one check."""

    def __init__(self, rule: Entries, document: Document, heading: Heading, objects: Objects) -> None:
        self.rule, self.document, self.name, self.objects = rule, document, heading.text, objects
        later = (each.line for each in document.headings if each.line > heading.line and each.level <= 3)
        self.lines = range(heading.line, next(later, len(document.lines) + 1))
        self.tables = [table for table in document.tables if table.line in self.lines]
        self.said = [(part, document.lines[part.line - 1]) for part in document.prose if part.line in self.lines]

    @cached_property
    def record(self) -> dict[str, tuple[Cell, int]]:
        """What the record says, by property, with its line."""
        first, value, *_ = next(table.columns for table in self.tables if table.header == self.rule.record)
        return {row[first].full: (row[value], line) for row, line in _rows(self.tables, self.rule.record)}

    @cached_property
    def parameters(self) -> dict[str, tuple[str, str, str]]:
        """Place, need and what values keep to, by the name of a parameter."""
        found = {}
        for row, line in _rows(self.tables, self.rule.parameters):
            name, place, _, need, *_ = row.values()
            found[name.full.strip()] = place.full, need.full, split_row(self.document.lines[line - 1])[_KEEPS]
        return found

    def statements(self, label: str) -> Iterator[tuple[str, int]]:
        """What statements of the entry say behind the label and these words, without their citations."""
        for part, line in self.said:
            found = re.match(rf"\* \*\*\w[\w ]*:\*\* {label}(?P<says>.*?)\.?(?: \[[^\[\]]*\])?\Z", line)
            if found and part.label:
                yield found["says"], part.line

    def differs(self, what: str, wanted: str, line: int) -> Problem:
        """The problem of a line that tells something else."""
        return violation("said-differently", f"{what} of {self.name[:60]!r} is {wanted[:120]!r}", line)

    def problems(self) -> Iterator[Problem]:
        """Examples, then parameters, then what registers tell of the entry."""
        for example in examples_in(self.document, self.lines):
            yield from self._request(example) if _FIRST_LINE.match(example.first) else self._answer(example)
        yield from self._asked()
        yield from self._told_elsewhere()
        yield from self._answers()
        yield from self._examples()
        yield from self._schemes()
        yield from self._body()
        yield from self._undefined()
        yield from self._withheld()

    # Examples.

    def _request(self, example: Example) -> Iterator[Problem]:
        """The request line and the headers against method, path, base URL and parameters."""
        first = _FIRST_LINE.match(example.first)
        held, _ = self.record.get(self.rule.method, _NOWHERE)
        method, _, path = held.full.partition(" ") if held is not None else ("", "", "")
        if first is None or not path:
            return
        target = first["target"].partition("?")[0]
        own = re.fullmatch(rf"\S*?{self._pattern(path)}", target)
        if first["method"] != method or own is None:
            yield self.differs("the method and path", f"{method} {path}", example.line)
        for name, value in (own.groupdict() if own else {}).items():
            yield from self._keeps(self._names_of_path(path)[int(name[1:])], value, example.line)
        yield from self._headers(example)
        below = (each for each in self.tables if each.header == self.rule.fields and each.line > example.line)
        table = next(below, None)
        if example.body is not None and table is not None and self._is_before_answers(table):
            yield from self.objects.problems(example, table)

    def _names_of_path(self, path: str) -> list[str]:
        return re.findall(r"\{([^{}]+)\}", path)

    def _pattern(self, path: str) -> str:
        """The path as an expression, a group for each of its parameters."""
        out, parts = "", re.split(r"\{[^{}]+\}", path)
        for at, part in enumerate(parts):
            out += re.escape(part) + (rf"(?P<p{at}>[^/?#]*)" if at < len(parts) - 1 else "")
        return out

    def _keeps(self, name: str, value: str, line: int) -> Iterator[Problem]:
        told = self.parameters.get(name)
        if told is not None and value != f"{{{name}}}" and not fits(value, told[2]):
            yield self.differs(f"what {name} keeps to", told[2], line)

    def _headers(self, example: Example) -> Iterator[Problem]:
        known = {name.casefold() for name, told in self.parameters.items() if told[0] == "header"}
        for row, _ in _rows(self.document.tables, self.rule.schemes):
            known |= {each.partition(":")[0].casefold() for cell in row.values() for each in cell.spans if ":" in each}
        base = self.record[self.rule.base][0].spans if self.rule.base in self.record else ()
        hosts = {found[1] for each in base if (found := re.match(r"\w+://([^/]+)", each))}
        media = {span for says, _ in self.statements("The request body, ") for span in _NAMED.findall(says)}
        for at, (name, value) in enumerate(example.headers, example.line + 1):
            if name.casefold() == "host" and hosts and value not in hosts:
                yield self.differs("the host", ", ".join(sorted(hosts)), at)
            elif name.casefold() == "content-type" and media and value not in media:
                yield self.differs("the content type", ", ".join(sorted(media)), at)
            elif name.casefold() not in known and name.casefold() not in _OWN_HEADERS and known:
                yield self.differs("what its headers may be", ", ".join(sorted(known)), at)

    def _is_before_answers(self, table: Table) -> bool:
        answers = next((each.line for each in self.tables if each.header == self.rule.answers), 0)
        return table.line < answers

    def _answer(self, example: Example) -> Iterator[Problem]:
        """An example of an answer against the status and the object that the table of answers names."""
        rows = [_texts(row) for row, _ in _rows(self.tables, self.rule.answers)]
        status = re.match(r"HTTP/\S+ (\d\d\d)", example.first)
        own = [row for row in rows if (row[0] == status[1] if status else re.fullmatch(r"2\w\w", row[0]))]
        if status and rows and not own:
            yield self.differs("a status with an example", ", ".join(row[0] for row in rows), example.line)
        for says, _ in self.statements("Response header: "):
            name, on, *_ = (*_NAMED.findall(says), "", "")
            for at, (header, value) in enumerate(example.headers, example.line + 1):
                if header.casefold() == name.casefold() and status and on == status[1] and not fits(value, says):
                    yield self.differs(f"what {name} keeps to", says, at)
        bodies = {row[3].split(";")[0].strip() for row in own}
        table = self.objects.named.get(next(iter(bodies), "")) if len(bodies) == 1 else None
        if table is not None and example.body is not None:
            yield from self.objects.problems(example, table)

    # What statements say of parameters.

    def _asked(self) -> Iterator[Problem]:
        for label in self.rule.aspects:
            for says, line in self.statements(re.escape(f"{label[0].upper()}{label[1:]}: ")):
                for part in says.split("; ") if _is_whole(says) else ():
                    yield from self._parameter(_plain(part), part, line)

    def _parameter(self, part: str, written: str, line: int) -> Iterator[Problem]:
        found = _ASKED.fullmatch(part)
        told = self.parameters.get(found["name"]) if found else None
        if found is None or told is None or told[0] != found["where"]:
            return
        if found["told"].startswith(", "):
            need = "required" if told[1] == "yes" else "optional"
            if told[1] in ("yes", "no") and found["told"] != f", {need}":
                yield self.differs(f"the need of {found['name']}", need, line)
        elif written.count("`") > 2 and found["told"][2:] not in _parts(told[2]):
            yield self.differs(f"what {found['name']} keeps to", told[2], line)

    # What registers tell of the entry.

    def _told_elsewhere(self) -> Iterator[Problem]:
        """Each aspect of behaviour, in the entry and in the table over all operations."""
        heard: dict[str, set[str]] = {}
        for row, _ in _rows(self.document.tables, self.rule.behaviour):
            aspect, says, *_ = row.values()
            if says.full.startswith(f"{self.name}: ") and _is_whole(says.full):
                heard.setdefault(aspect.full, set()).update(_parts(says.full.removeprefix(f"{self.name}: ")))
        for label in self.rule.aspects:
            own = list(self.statements(re.escape(f"{label[0].upper()}{label[1:]}: ")))
            parts = {part for says, _ in own for part in _parts(says)}
            if own and label in heard and all(_is_whole(says) for says, _ in own) and parts != heard[label]:
                yield self.differs(label, "; ".join(sorted(heard[label])), own[0][1])

    def _answers(self) -> Iterator[Problem]:
        """Media type and code of an answer, in the entry and in the table over all operations; what is unverified."""
        rows = [(_texts(row), line) for row, line in _rows(self.tables, self.rule.answers)]
        every = [_texts(row) for row, _ in _rows(self.document.tables, self.rule.answers)]
        for (status, media, code, *_), line in rows:
            same = [tuple(one[1:3]) for one in every if one[0] == status and self._is_about(one[3])]
            if same and (media, code) not in same:
                yield self.differs(f"the answer {status}", ", ".join(same[0]), line)
        yield from self._unverified(rows)

    def _unverified(self, rows: Sequence[tuple[list[str], int]]) -> Iterator[Problem]:
        """Each unverified answer, in its row and in a statement."""
        marked = {row[0]: line for row, line in rows if _UNVERIFIED.search(row[3])}
        said = {named[1]: line for says, line in self.statements("Status ")
                if (named := re.match(r"`([^`]+)`\. Unverified: ", says))}  # fmt: skip
        for status in said.keys() - marked.keys() if rows else ():
            yield self.differs("an unverified status", ", ".join(sorted(marked)) or "none", said[status])
        for status in marked.keys() - said.keys():
            yield self.differs("a status said to be unverified", ", ".join(sorted(said)) or "none", marked[status])

    def _is_about(self, body: str) -> bool:
        """True for a body in the table over all operations whose last line names this one."""
        named = body.rpartition(";\n")[2] if ";\n" in body else ""
        return bool(_ALL.fullmatch(named)) or self.name in named.split(", ")

    def _examples(self) -> Iterator[Problem]:
        """The request example, in the entry's statement, its record and the index of examples."""
        named = {each for part, line in self.said for each in _EXAMPLE.findall(line)}
        for row, line in _rows(self.document.tables, self.rule.examples):
            example, operation, state, why, *_ = row.values()
            if operation.full != self.name:
                continue
            for each in _EXAMPLE.findall(example.full):
                if each not in named:
                    yield self.differs("its example", ", ".join(sorted(named)) or "none", line)
            held, at = self.record.get(self.rule.example, _NOWHERE)
            told = state.full.removeprefix("proposed, ").removeprefix("observed, ")
            if held is not None and _is_whole(held.full + why.full):
                said, _, reason = held.full.partition(": ")
                reason = _RUN.sub("", reason)
                if (said, _plain(reason.split("\n")[0])) != (told, _plain(why.full.split("\n")[0])):
                    yield self.differs("the request example", f"{told}: {why.full}", at)

    def _schemes(self) -> Iterator[Problem]:
        held, line = self.record.get(self.rule.scheme, _NOWHERE)
        found: set[str] = set()
        for row, _ in _rows(self.document.tables, self.rule.schemes):
            operation, scheme, *_ = row.values()
            if _ALL.fullmatch(operation.full) or self.name in (operation.full, *operation.spans):
                found |= {*scheme.spans}
        if held is not None and found and held.spans and not set(held.spans) <= found:
            yield self.differs("the authentication", ", ".join(sorted(found)), line)

    def _body(self) -> Iterator[Problem]:
        held, line = self.record.get(self.rule.body, _NOWHERE)
        for says, _ in self.statements("The request body, "):
            needed = re.search(r", is (required|optional)\Z", says)
            if held is not None and needed and held.full in ("none", "required", "optional") and held.full != needed[1]:
                yield self.differs("the request body", needed[1], line)

    def _undefined(self) -> Iterator[Problem]:
        known = set()
        for row, _ in _rows(self.document.tables, self.rule.gaps):
            _, operation, _, omitted, *_ = row.values()
            if _ALL.fullmatch(operation.full) or self.name in re.split(r", |\n", operation.full):
                known |= _parts(omitted.full)
        for says, line in self.statements("Undefined by the contract: "):
            if known and _is_whole(says) and not _parts(says) <= known:
                yield self.differs("what is undefined", ", ".join(sorted(known)), line)

    def _withheld(self) -> Iterator[Problem]:
        """A discrepancy that withholds something of an operation is about that operation."""
        about = {each: row[next(iter(row))].full for row, _ in _rows(self.document.tables, self.rule.discrepancies)
                 for each in row[next(iter(row))].ids}  # fmt: skip
        for says, line in self.statements(re.escape(self.rule.withheld)):
            for each in re.findall(r"X-[0-9a-f]{8,64}", says):
                if each in about and not about[each].rstrip().endswith((f"of {self.name}", "operations")):
                    yield self.differs(f"what {each} is about", about[each], line)
            if _is_whole(says):
                yield from self._held(says, about)

    def _held(self, says: str, about: Mapping[str, str]) -> Iterator[Problem]:
        """What is named as withheld stands nowhere in the entry as published, and the other way round."""
        asked = [each for each in self.tables if each.header == self.rule.parameters or self._is_of_request(each)]
        rows = [(_texts(row), line) for row, line in _rows(asked, self.rule.parameters)]
        rows += [(_texts(row), line) for row, line in _rows(asked, self.rule.fields)]
        answers = [(_texts(row), line) for row, line in _rows(self.tables, self.rule.answers)]
        for held in _HELD.finditer(says):
            place = about.get(held["discrepancy"], "").partition(": ")[2]
            for named in filter(None, map(_HELD_NAME.fullmatch, held["names"].split(", "))):
                name = named["name"]
                if named["body"]:
                    own = [each for each in answers if each[0][0] == name and f" {name} {each[0][1]} " in place]
                else:
                    own = [each for each in rows if each[0][0] == name and _OF_REQUEST.match(place)]
                if own and not any("withheld" in cell for row, _ in own for cell in row[1:]):
                    yield self.differs(f"what is told of {name}", "withheld", own[0][1])
        names = _NAMED.findall(says)
        for row, line in rows:
            if "withheld" in row[2:4] and not any(row[0].endswith(each) or each.endswith(row[0]) for each in names):
                yield self.differs("what is withheld", ", ".join(names), line)

    def _is_of_request(self, table: Table) -> bool:
        return table.header == self.rule.fields and self._is_before_answers(table)
