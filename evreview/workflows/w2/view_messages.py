"""Requests and answers of the reference: how a call is written, what answers it, and the examples of both."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from evreview.core.quoted_text import Text, UserText, counted, joined, listed, marked
from evreview.core.vocabulary import Concern
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import NOTHING, SafeMarkdown, cell, cell_code, cell_words, fence, quoted_cell
from evreview.report.statement import Statement, inferred, limited
from evreview.workflows.engine.registers import TableRow
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow, Response, is_error
from evreview.workflows.w2.examples.examples import is_request
from evreview.workflows.w2.facts import Example, Omitted, Reported, W2Facts, contract_citation
from evreview.workflows.w2.reconcile.publication import held_words, holds_request, is_partly_held
from evreview.workflows.w2.view_blocks import cites, is_inner, told, words_or
from evreview.workflows.w2.view_objects import Objects, outermost


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledExample:
    """Sentences, then one example."""

    said: tuple[SafeMarkdown, ...]
    fence: tuple[SafeMarkdown, ...] = ()


# Examples: their label, their text, or why there is none.


LEFT_OUT: Final = "it would show what a discrepancy withholds"


def label_of(facts: W2Facts, *examples: Example) -> Statement:
    """Whether examples of one text are proposed or observed, and which validators accepted them."""
    first = examples[0]
    how = " and ".join(first.accepted_by) or "no validator"
    noun = "example" if len(examples) == 1 else "examples"
    names = listed(str(each.id) for each in examples)
    words: Text = (f"{str(first.label).capitalize()} {noun} ", *names, f", accepted by {how}")
    remarks = joined(dict.fromkeys(remark for each in examples for remark in each.remarks))
    return inferred(*words, *(("; ", *remarks) if remarks else ()), ".", on=contract_citation(facts))


def request_text(example: Example) -> str:
    """The request with its whole address: request line, headers, body."""
    return _request(example, f"{example.message.method} {example.url}")


def _sent_text(example: Example) -> str:
    """The request as HTTP writes it: request line, host, headers, body."""
    url = urlsplit(example.url)
    if not url.scheme or not url.netloc:
        return request_text(example)
    path = example.url.partition(url.netloc)[2] or "/"
    return _request(example, f"{example.message.method} {path} HTTP/1.1\nHost: {url.netloc}")


def _request(example: Example, head: str) -> str:
    lines = [head, *(f"{name}: {value}" for name, value in example.headers)]
    return "\n".join(lines) + (f"\n\n{example.body}" if example.body else "")


def response_text(example: Example) -> str:
    """The response as sent: status, headers, body."""
    status = example.message.status
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in example.headers)]
    return "\n".join(lines) + (f"\n\n{example.body}" if example.body else "")


def _no_example(facts: W2Facts, each: Omitted) -> Statement:
    return limited("No example: ", *marked(each.reason), ".", on=contract_citation(facts))


# How a call is written: the request example, or its line and headers alone.


def request_shown(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[LabelledExample]:
    """The request example of an operation; where it has none, line and headers alone, and why."""
    held = holds_request(facts, entry.operation.id)
    found = [each for each in facts.examples if _is_request_of(each, entry)]
    for example in () if held else found:
        yield LabelledExample(
            said=told(bundle, (label_of(facts, example),)), fence=(fence(_sent_text(example), "http"),)
        )
    if held or not found:
        yield LabelledExample(said=told(bundle, _why_none(facts, entry)), fence=_line_and_headers(facts, entry))


def _is_request_of(example: Example, entry: Entry) -> bool:
    return example.about.operation == entry.operation.element.key and is_request(example)


def _why_none(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    on = contract_citation(facts)
    if entry.operation.id in facts.unaskable:
        why = "every request needs what is withheld; none can be written from this reference alone"
        yield limited(f"The example is left out: {why}.", on=on)
    elif holds_request(facts, entry.operation.id):
        yield limited(f"The example is left out: {LEFT_OUT}.", on=on)
    for each in _omitted(facts, entry, "", request=True):
        yield _no_example(facts, each)


_HEADER: Final = re.compile(r"[\w-]+: ")


def _line_and_headers(facts: W2Facts, entry: Entry) -> tuple[SafeMarkdown, ...]:
    """Method, path and the headers that the contract demands, with placeholders."""
    if not entry.operation.path.startswith("/") or facts.scope is None:
        return ()
    base = urlsplit(facts.scope.record.base_url or "")
    path = f"{base.path.rstrip('/')}{entry.operation.path}" if base.netloc else entry.operation.path
    lines = [f"{entry.operation.method} {path} HTTP/1.1", *([f"Host: {base.netloc}"] if base.netloc else [])]
    demanded = entry.authentication.alternatives[0] if entry.authentication.alternatives else ()
    lines += [use.placeholder for use in demanded if _HEADER.match(use.placeholder)]
    lines += [f"{row.name}: <value>" for row in entry.parameters if row.required and row.location == "header"]
    lines += [f"Content-Type: {body.media_type}" for body in (entry.body.bodies if entry.body else ())[:1]
              if body.media_type]  # fmt: skip
    return (fence("\n".join(lines), "http"),)


def example_rows(bundle: Bundle, facts: W2Facts) -> Iterator[TableRow]:
    """The request examples, what became of each, and the operations without one."""
    ran = {row.operation: row for row in facts.report if row.status == "executed" and is_sent(facts, row)}
    waits = {row.operation: row for row in facts.report if row.status == "unexecuted" and is_sent(facts, row)}
    for entry in facts.entries:
        name, on = entry.operation.id, cites(bundle, contract_citation(facts))
        held = holds_request(facts, name)
        found = [each for each in facts.examples if _is_request_of(each, entry)]
        for example in () if held else found:
            done, waiting = ran.get(name), waits.get(name)
            state = f"{example.label}, {'executed' if done else 'unexecuted'}"
            why = done.result if done else waiting.result if waiting else "step 6 was not reached"
            yield cell_code(str(example.id)), cell_code(name), cell(state), cell_words(marked(why)), on
        if held or not found:
            reasons = [each.reason for each in _omitted(facts, entry, "", request=True)]
            why = LEFT_OUT if held else "; ".join(reasons) or "step 5 was not reached"
            yield cell("none"), cell_code(name), cell("left out"), cell_words(marked(why)), on


def is_sent(facts: W2Facts, row: Reported) -> bool:
    """True for the row of a request example."""
    ids = {str(each.id) for each in facts.examples if is_request(each)}
    return any(isinstance(part, UserText) and part.value in ids for part in row.check)


def _omitted(facts: W2Facts, entry: Entry, status: str, *, request: bool) -> Iterator[Omitted]:
    for each in facts.omitted:
        same = each.about.operation == entry.operation.element.key and each.about.status == status
        if same and is_request(each) is request:
            yield each


# Answers as the contract defines them, and none else.


def answer_rows(bundle: Bundle, facts: W2Facts, entry: Entry, objects: Objects) -> tuple[TableRow, ...]:
    """Every answer of an operation, success first, withheld ones by their status alone."""
    rows: list[TableRow] = [
        (cell_code(response.status), media, code, body, cites(bundle, on))
        for response in entry.responses
        for media, code, body, on in _answers(facts, response, objects, described=not _is_shared(facts, response))
    ]
    rows += [row for row in _held_answers(bundle, facts, entry) if row[0] not in {each[0] for each in rows}]
    return tuple(rows) or _no_answers(bundle, facts, entry)


Answer = tuple[SafeMarkdown, SafeMarkdown, SafeMarkdown, tuple[Citation, ...]]


def _is_shared(facts: W2Facts, response: Response) -> bool:
    """True for an error that all operations describe alike: the list of errors has it once."""
    alike = [each for entry in facts.entries for each in entry.errors
             if (each.status, each.description) == (response.status, response.description)]  # fmt: skip
    return is_error(response.status) and 1 < len(facts.entries) == len(alike)


def _answers(facts: W2Facts, response: Response, objects: Objects, *, described: bool = True) -> Iterator[Answer]:
    said = quoted_cell(response.description) if response.description and described else SafeMarkdown("")
    ends = "; unverified (W2-F4)" * (response.claim in facts.unverified)
    named = ", ".join(f"header {cell_code(header.name)}" for header in response.headers)
    more = [part for part in (said, named) if part]
    if not response.bodies:
        held = is_partly_held(facts, response.claim)
        none = cell("withheld" if held else "none stated")
        code = none if is_error(response.status) else cell("n/a")
        first = cell(held_words(facts, response.claim) if held else "no body")
        yield none, code, SafeMarkdown(f"{'; '.join([first, *more])}{ends}"), response.citations
    for body in response.bodies:
        codes, held = response.codes_of(body), is_partly_held(facts, body.claim)
        why = "withheld" if held else "none stated" if is_error(response.status) else "n/a"
        fields = [f"some fields are {held_words(facts, body.claim)}"] if held else []
        told_of = [str(objects.said(body)), *more, *fields]
        on = (*body.citations, *(each for code in codes for each in code.citations))
        yield (
            cell_code(body.media_type or "not stated"),
            words_or(((UserText(code.value),) for code in codes), why),
            SafeMarkdown(f"{'; '.join(told_of)}{ends}"),
            on,
        )


def _held_answers(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    """The answers that the contract has and a discrepancy withholds: their status, and nothing of them."""
    for key in outermost(facts):
        for concern in (Concern.SUCCESS, Concern.ERRORS):
            status = key.removeprefix(f"{entry.operation.id} {concern} ")
            if status != key and " " not in status:
                held = cell("withheld")
                yield (
                    cell_code(status),
                    held,
                    held,
                    cell(held_words(facts, key)),
                    cites(bundle, contract_citation(facts)),
                )


def _no_answers(bundle: Bundle, facts: W2Facts, entry: Entry) -> tuple[TableRow, ...]:
    claim = f"{entry.operation.id} {Concern.ERRORS}"
    why = held_words(facts, claim) if is_partly_held(facts, claim) else "the contract defines no response"
    return ((cell(f"{NOTHING}: {why}"), *(cell("n/a"),) * 3, cites(bundle, contract_citation(facts))),)


def answer_notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What no test shows, and what is left out because it carries internals."""
    for response in entry.responses:
        inner = _internals(response)
        if inner:
            on = tuple(dict.fromkeys(each for row in inner for each in row.citations))
            says = ": members that carry internals, and examples that show them, are not published."
            yield limited("Status ", UserText(response.status), says, on=on)
        if response.claim in facts.unverified:
            yield limited("Status ", UserText(response.status), f". {UNTESTED}", on=response.citations)
    yield from _held_and_untested(facts, entry)


UNTESTED: Final = "Unverified: no retained contract test covers this response (W2-F4)."


def _held_and_untested(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """The withheld responses that no test covers; the status of one is named where its row in the table names it."""
    shown = {response.claim for response in entry.responses}
    for concern in (Concern.SUCCESS, Concern.ERRORS):
        start = f"{entry.operation.id} {concern} "
        for key in sorted(each for each in facts.unverified - shown if each.startswith(start)):
            status = key.removeprefix(start)
            named = ("Status ", UserText(status), ", withheld. ") if key in outermost(facts) else ("Withheld. ",)
            yield limited(*named, UNTESTED, on=contract_citation(facts))


def _internals(response: Response) -> tuple[FieldRow, ...]:
    """The fields of an error response that its reader is not told: names of internals."""
    if not is_error(response.status):
        return ()
    return tuple(row for body in response.bodies for row in body.fields if is_inner(row.path))


def success_examples(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[LabelledExample]:
    """The examples of the success answers of an operation."""
    for response in entry.success:
        if is_partly_held(facts, response.claim) and list(_examples(facts, entry, response)):
            says = limited("The example of ", UserText(response.status), f" is left out: {LEFT_OUT}.",
                           on=contract_citation(facts))  # fmt: skip
            yield LabelledExample(said=told(bundle, (says,)))
        else:
            for example in _examples(facts, entry, response):
                alone = len(entry.success) == 1 and _is_bare(example)
                yield _body(bundle, facts, (example,)) if alone else _example(bundle, facts, example)
        for each in _omitted(facts, entry, response.status, request=False):
            yield LabelledExample(said=told(bundle, (_no_example(facts, each),)))


def _examples(facts: W2Facts, entry: Entry, response: Response) -> Iterator[Example]:
    for example in facts.examples:
        same = example.about.operation == entry.operation.element.key and example.about.status == response.status
        if same and not is_request(example) and not _internals(response):
            yield example


def _is_bare(example: Example) -> bool:
    """True where the body says all that the row of its status does not."""
    return example.body.startswith("{") and len(example.headers) == 1


def _body(bundle: Bundle, facts: W2Facts, *alike: Sequence[Example]) -> LabelledExample:
    """Bodies alone, one below the other."""
    said = told(bundle, (label_of(facts, *examples) for examples in alike))
    return LabelledExample(said=said, fence=(fence("\n".join(examples[0].body for examples in alike), "json"),))


def _example(bundle: Bundle, facts: W2Facts, *examples: Example) -> LabelledExample:
    shown = (fence(response_text(examples[0]), "http"),)
    return LabelledExample(said=told(bundle, (label_of(facts, *examples),)), fence=shown)


# Errors over all operations: equal answers are one row.


def error_rows(bundle: Bundle, facts: W2Facts, objects: Objects) -> tuple[TableRow, ...]:
    """The error responses that the contract defines, and none else; those that several operations share once."""
    found: dict[tuple[SafeMarkdown, ...], list[tuple[str, tuple[Citation, ...]]]] = defaultdict(list)
    for entry in facts.entries:
        for response in entry.errors:
            for media, code, body, on in _answers(facts, response, objects):
                found[cell_code(response.status), media, code, body].append((entry.operation.id, on))
        for row in _held_answers(bundle, facts, entry):
            if is_error(str(row[0]).strip("`")):
                found[row[:4]].append((entry.operation.id, contract_citation(facts)))
    rows = []
    for cells, uses in sorted(found.items(), key=lambda item: str(item[0][0])):
        names = tuple(dict.fromkeys(name for name, _ in uses))
        where = counted(len(names), "operation") if len(names) > 3 else ", ".join(map(cell_code, names))
        where = f"all {len(names)} operations" if 1 < len(names) == len(facts.entries) else where
        on = tuple(each for _, cited in uses for each in cited)
        rows.append((*cells[:3], SafeMarkdown(f"{cells[3]};<br>{where}"), cites(bundle, on)))
    return tuple(rows)


def error_examples(bundle: Bundle, facts: W2Facts) -> Iterator[LabelledExample]:
    """The examples of error responses; those with one text once."""
    alike: dict[tuple[object, ...], list[Example]] = defaultdict(list)
    for entry in facts.entries:
        for response in entry.errors:
            if not is_partly_held(facts, response.claim):
                for example in _examples(facts, entry, response):
                    alike[example.label, example.accepted_by, response_text(example)].append(example)
    bare = [examples for examples in alike.values() if _is_bare(examples[0])]
    if bare:
        yield _body(bundle, facts, *bare)
    for examples in (each for each in alike.values() if each not in bare):
        yield _example(bundle, facts, *examples)
    for entry in facts.entries:
        yield from _missing_errors(bundle, facts, entry)


def _missing_errors(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[LabelledExample]:
    for response in entry.errors:
        if is_partly_held(facts, response.claim) and list(_examples(facts, entry, response)):
            about = (UserText(response.status), " of ", UserText(entry.operation.id))
            says = limited("The example of ", *about, f" is left out: {LEFT_OUT}.", on=contract_citation(facts))
            yield LabelledExample(said=told(bundle, (says,)))
        for each in _omitted(facts, entry, response.status, request=False):
            yield LabelledExample(said=told(bundle, (_no_example(facts, each),)))


def body_tables(entry: Entry, objects: Objects) -> Iterator[tuple[str, Body]]:
    """The answers whose fields need a table of their own, with what each is called."""
    for response in entry.responses:
        for body in response.bodies:
            if objects.is_listed(body):
                yield f"{response.status} {body.media_type}".strip(), body
