"""What the contract says, as blocks: operation, authentication, request example, success and error responses."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.artifacts.escape import NOTHING, cell, cell_code, cell_words, citations
from evreview.evidence.item import Citation
from evreview.findings.statement import Statement, inferred, limited, observed
from evreview.ledger.forms import canonical
from evreview.prose import Subject, Text, listed, marked
from evreview.reference.examples.model import Example, Omitted
from evreview.reference.model import ClaimKey, Discrepancy, Disposal
from evreview.reference.rows import Body, Entry, FieldRow, ParameterRow, Response
from evreview.vocab import MISSING, Concern, Form
from evreview.workflow.tables import Row
from evreview.workflow.w2.blocks import Block, Piece, block, joined, piece, words_or
from evreview.workflow.w2.citing import contract_citation
from evreview.workflow.w2.facts import W2Facts
from evreview.workflow.w2.making import is_request

WITHHELD = "withheld until a discrepancy is disposed of"
REQUEST: tuple[Concern, ...] = (
    Concern.REQUEST_BODY,
    Concern.PARAMETERS,
    Concern.VALIDATION,
    Concern.AUTHENTICATION,
)
"""Concerns that a request example shows."""
NAMES = {"operation ID": "Operation ID", "API version": "API version", "base URL shape": "Base URL shape"}


def operation_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The properties of each operation, then its parameters."""
    return tuple(
        block(
            entry.operation,
            piece(withholding(facts, entry), rows=_properties(facts, entry)),
            piece(rows=tuple(_parameter(row) for row in entry.parameters) or _no_parameters(facts, entry)),
        )
        for entry in facts.entries
    )


def withholding(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """That something is left out, without saying what: the register alone names the mismatch."""
    held = [each for each in facts.discrepancies if each.operation == entry.operation.id and is_held(each)]
    if held:
        says = "Claims about this operation are withheld; see the contract discrepancy register: "
        yield limited(says, *listed(each.id for each in held), ".", on=contract_citation(facts))


def is_partly_held(facts: W2Facts, claim: str) -> bool:
    """True when a discrepancy withholds the claim, a part of it, or what it is a part of."""
    return any(key == claim or key.startswith(f"{claim} ") or claim.startswith(f"{key} ") for key in facts.withheld)


def _incomplete(facts: W2Facts, body: Body) -> Iterator[Statement]:
    if is_partly_held(facts, body.claim):
        says = "Fields of this body are left out: they wait for the API owner's disposition of a discrepancy."
        yield limited(says, on=contract_citation(facts))


def is_held(each: Discrepancy) -> bool:
    """True while a discrepancy keeps its claims from being published."""
    return each.disposal is not Disposal.PUBLISH_CONTRACT


def _properties(facts: W2Facts, entry: Entry) -> Iterator[Row]:
    scope = facts.scope
    assert scope is not None
    named = {row.name: row for row in entry.properties}
    identified = named.get("operation ID")
    place = named.get("method and path")
    known = identified or place
    value: Text = identified.value if identified else ("none stated; ", Subject(entry.operation.id))
    yield cell("Operation ID"), cell_words(value), citations(known.citations if known else contract_citation(facts))
    if place:
        yield cell("Method and path"), cell_words(place.value), citations(place.citations)
    for name, key, said in (
        ("API version", "api_version", scope.record.api_version),
        ("Base URL shape", "base_url", scope.record.base_url),
    ):
        own = next((row.citations for row in entry.properties if NAMES.get(row.name) == name), ())
        yield cell(name), cell_code(said or "unknown"), citations((*own, scope.at(f"/{key}")))
    revision = (Subject(scope.record.revision or ""), ": the one immutable revision of all evidence")
    yield cell("Revision"), cell_words(revision), citations((scope.at("/revision"), *contract_citation(facts)))
    for row in entry.properties:
        if row.name not in (*NAMES, "method and path"):
            yield cell(f"{row.name[:1].upper()}{row.name[1:]}"), cell_words(row.value), citations(row.citations)
    state = _execution(facts, entry)
    yield cell("Execution"), cell_words(state[0]), citations(state[1])


def _execution(facts: W2Facts, entry: Entry) -> tuple[Text, tuple[Citation, ...]]:
    """Contract tests and request example: executed with environment and result, or unexecuted with what is missing."""
    rows = [row for row in facts.report if entry.operation.id in row.operation.split(", ")]
    done = [row for row in rows if row.status == "executed"]
    waiting = next((row for row in rows if row.status == "unexecuted"), None)
    if not rows:
        return ("unexecuted: no retained result",), contract_citation(facts)
    told: list[Text] = []
    if done:
        passed = sum(row.result == "passed" for row in done)
        told.append((f"executed: {passed} of {len(done)} retained checks passed, in ", Subject(done[0].environment)))
    if waiting is not None:
        told.append((f"request example unexecuted: {waiting.result}",))
    on = tuple(dict.fromkeys(citation for row in done or rows for citation in row.citations))
    return joined(told), on[:6]


def _parameter(row: ParameterRow) -> Row:
    told = [*row.validation]
    if row.default is not MISSING:
        told.append(("default ", Subject(form_words(row.default))))
    if row.style:
        told.append(("style ", Subject(row.style)))
    if row.description:
        told.append((Subject(row.description),))
    return (
        cell_code(row.name),
        cell(row.location),
        cell_words(row.type),
        cell("yes" if row.required else "no"),
        words_or(told, "none stated"),
        citations(row.citations),
    )


def form_words(form: Form) -> str:
    """A form as JSON, a text as it is."""
    return form if isinstance(form, str) else canonical(form).decode("utf-8", "replace")


def _no_parameters(facts: W2Facts, entry: Entry) -> tuple[Row, ...]:
    blank = cell("n/a")
    why = (
        WITHHELD if is_partly_held(facts, f"{entry.operation.id} {Concern.PARAMETERS}") else "the contract defines none"
    )
    on = next((row.citations for row in entry.properties), ())
    return ((cell(f"{NOTHING}: {why}"), blank, blank, blank, blank, citations(on)),)


def authentication_rows(facts: W2Facts) -> tuple[Row, ...]:
    """What each operation demands, with placeholders in the place of credentials."""
    return tuple(row for entry in facts.entries for row in _authentication(facts, entry))


def _authentication(facts: W2Facts, entry: Entry) -> Iterator[Row]:
    auth = entry.authentication
    name = cell_code(entry.operation.id)
    if not auth.alternatives:
        on = auth.citations or contract_citation(facts)
        yield name, cell_words(auth.says or ("not stated",)), cell("n/a"), cell("n/a"), citations(on)
    for alternative in auth.alternatives:
        if not alternative:
            yield name, cell("no credentials"), cell("n/a"), cell("n/a"), citations(auth.citations)
            continue
        yield (
            name,
            words_or(((Subject(use.name), ": ", *use.says) for use in alternative), "none"),
            words_or((listed(use.scopes) for use in alternative if use.scopes), "none"),
            words_or(((Subject(use.placeholder),) for use in alternative if use.placeholder), "none"),
            citations(citation for use in alternative for citation in use.citations),
        )


def request_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The request example of each operation, its body's fields, or why there is no example."""
    return tuple(
        block(entry.operation, *_request(facts, entry), *_request_fields(facts, entry)) for entry in facts.entries
    )


def _request_fields(facts: W2Facts, entry: Entry) -> Iterator[Piece]:
    for body in entry.body.bodies if entry.body else ():
        says = ("The request body ", Subject(body.media_type or "of no stated media type"), " has these fields.")
        yield piece((observed(*says, on=body.citations), *_incomplete(facts, body)), rows=fields(body))


def _request(facts: W2Facts, entry: Entry) -> Iterator[Piece]:
    for example in facts.examples:
        if example.about.operation == entry.operation.element.key and is_request(example):
            if _held_request(facts, entry):
                yield piece((_left_out(facts),))
            else:
                yield piece((_label(facts, example),), example=request_text(example))
    yield from _omitted(facts, entry, "", request=True)


def _held_request(facts: W2Facts, entry: Entry) -> bool:
    lead = tuple(f"{entry.operation.id} {concern}" for concern in REQUEST)
    return any(key.startswith(lead) or key == entry.operation.id for key in facts.withheld)


def _left_out(facts: W2Facts) -> Statement:
    says = "The example is left out: it would show what a discrepancy withholds."
    return limited(says, on=contract_citation(facts))


def _label(facts: W2Facts, example: Example) -> Statement:
    how = " and ".join(example.accepted_by) or "no validator"
    words: Text = (f"{str(example.label).capitalize()} example ", Subject(example.id), f", accepted by {how}")
    remarks = joined(example.remarks)
    return inferred(*words, *(("; ", *remarks) if remarks else ()), ".", on=contract_citation(facts))


def request_text(example: Example) -> str:
    """The request as sent: request line, headers, body."""
    lines = [f"{example.message.method} {example.url}", *(f"{name}: {value}" for name, value in example.headers)]
    return "\n".join(lines) + (f"\n\n{example.body}" if example.body else "")


def response_text(example: Example) -> str:
    """The response as sent: status, headers, body."""
    status = example.message.status
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in example.headers)]
    return "\n".join(lines) + (f"\n\n{example.body}" if example.body else "")


def _omitted(facts: W2Facts, entry: Entry, status: str, *, request: bool) -> Iterator[Piece]:
    for each in facts.omitted:
        same = each.about.operation == entry.operation.element.key and each.about.status == status
        if same and is_request(each) is request:
            yield piece((_no_example(facts, each),))


def _no_example(facts: W2Facts, each: Omitted) -> Statement:
    return limited("No example: ", *marked(each.reason), ".", on=contract_citation(facts))


def success_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The success responses of each operation: fields, and an example."""
    return tuple(
        block(entry.operation, *(part for response in entry.success for part in _response(facts, entry, response)))
        for entry in facts.entries
    )


def _response(facts: W2Facts, entry: Entry, response: Response) -> Iterator[Piece]:
    about: Text = ("Status ", Subject(response.status), ": ", Subject(response.description or "no description"))
    said = [observed(*about, on=response.citations), *unverified(facts, response.claim, response.citations)]
    if not response.bodies:
        yield piece(said, rows=(_no_body(facts, response),))
    for body in response.bodies:
        head = observed("Media type ", Subject(body.media_type or "not stated"), ".", on=body.citations)
        yield piece((*said, head, *_incomplete(facts, body)), rows=fields(body))
        said = []
    yield from response_examples(facts, entry, response)


def response_examples(facts: W2Facts, entry: Entry, response: Response) -> Iterator[Piece]:
    """The examples of one response, left out where they would show what is withheld."""
    for example in facts.examples:
        same = example.about.operation == entry.operation.element.key and example.about.status == response.status
        if same and not is_request(example):
            held = is_partly_held(facts, response.claim)
            shown = piece((_label(facts, example),), example=response_text(example))
            yield piece((_left_out(facts),)) if held else shown
    yield from _omitted(facts, entry, response.status, request=False)


def unverified(facts: W2Facts, key: ClaimKey, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """That no retained contract test covers a response."""
    if key in facts.unverified:
        yield limited("Unverified: no retained contract test covers this response (W2-F4).", on=on)


def _no_body(facts: W2Facts, response: Response) -> Row:
    blank = cell("n/a")
    why = WITHHELD if is_partly_held(facts, response.claim) else "the contract defines no body"
    return (cell(f"{NOTHING}: {why}"), blank, blank, blank, citations(response.citations))


def fields(body: Body) -> tuple[Row, ...]:
    """The fields of a body, the body itself first."""
    rows = (*((body.root,) if body.root else ()), *(row for row in body.fields if row is not body.root and row.path))
    return tuple(_field(row) for row in rows) or (
        (cell("None recorded: the contract states no schema"), *(cell("n/a"),) * 3, citations(body.citations)),
    )


def _field(row: FieldRow) -> Row:
    told = [*row.allowed]
    if row.default is not MISSING:
        told.append(("default ", Subject(form_words(row.default))))
    told += row.notes
    if row.description:
        told.append((Subject(row.description),))
    needed = "n/a" if row.required is None else "yes" if row.required else "no"
    return (
        cell_code(row.path) if row.path else cell("(body)"),
        cell_words(row.type),
        cell(needed),
        words_or(told, "any"),
        citations(row.citations),
    )


def error_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The error responses that the contract defines, and none else."""
    return tuple(
        block(
            entry.operation,
            piece(_error_notes(facts, entry), rows=tuple(_errors(facts, entry)) or _no_errors(facts, entry)),
            *(part for response in entry.errors for part in response_examples(facts, entry, response)),
        )
        for entry in facts.entries
    )


def _error_notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    for response in entry.errors:
        for found in unverified(facts, response.claim, response.citations):
            yield limited("Status ", Subject(response.status), ". ", *found.text, on=found.citations)


def _errors(facts: W2Facts, entry: Entry) -> Iterator[Row]:
    for response in entry.errors:
        if not response.bodies:
            says: Text = (Subject(response.description or "none stated"),)
            none = cell(WITHHELD if is_partly_held(facts, response.claim) else "none stated")
            yield cell_code(response.status), none, none, cell_words(says), citations(response.citations)
        for body in response.bodies:
            codes = response.codes_of(body)
            yield (
                cell_code(response.status),
                cell_code(body.media_type or "not stated"),
                words_or(((Subject(code.value),) for code in codes), "none stated"),
                words_or(_body_words(response, body), "none stated"),
                citations((*body.citations, *(each for code in codes for each in code.citations))),
            )


def _body_words(response: Response, body: Body) -> Iterator[Text]:
    if response.description:
        yield (Subject(response.description),)
    for row in body.fields:
        if row.path:
            yield (Subject(row.path), " (", *row.type, ", required)" if row.required else ")")


def _no_errors(facts: W2Facts, entry: Entry) -> tuple[Row, ...]:
    held = is_partly_held(facts, f"{entry.operation.id} {Concern.ERRORS}")
    why = WITHHELD if held else "the contract defines no error response"
    return ((cell(f"{NOTHING}: {why}"), *(cell("n/a"),) * 3, citations(contract_citation(facts))),)
