"""Request and response examples of a contract's operations, the message as people write it, and the table of them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pandas as pd

from evreview.contract.model import Contract, Element, ElementKind
from evreview.contract.security_requirements import TOKENS, SchemeKey, bare
from evreview.core.json_text import folded_text
from evreview.core.quoted_text import Text, plain
from evreview.core.vocabulary import Json, Tristate
from evreview.messages.admission import OpenQuestion
from evreview.messages.bodies import encode
from evreview.messages.composer import Composer, Wish
from evreview.messages.media_types import is_json, is_unwritten, stands_for
from evreview.messages.message import Body, Message, Pairs
from evreview.messages.parameter_styles import NoCodec, NotOnWire, style_of, to_pairs, to_text
from evreview.messages.routing import base_text, children_of
from evreview.redaction.placeholders import reserved_host
from evreview.redaction.redactor import Redactor
from evreview.workflows.w2.examples.scalar_values import FORMATS, NUMBERS, TEXTS
from evreview.workflows.w2.examples.valid_values import CHECKS, Case, Cases, SourcedValue
from evreview.workflows.w2.facts import Example, Label, Omitted, Part, Subject, Why, example_id

if TYPE_CHECKING:
    from pandas import DataFrame


_TRIED: Final = 8
_HARMLESS: Final = frozenset({OpenQuestion.NO_BODY, OpenQuestion.OTHER_TOKEN})
NO_SCHEMA: Final = "the contract does not say what the body holds"
NOT_WRITTEN: Final = "nothing here writes this media type"
REFUSED: Final = "the whole message is not accepted by both validators"
REPORTED: Final = "the guard reports the whole message"


class _Stop(Exception):
    """Why no example comes about."""

    def __init__(self, why: Why, reason: str, part: str = "") -> None:
        self.why, self.reason, self.part = why, reason, part
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class _Choice:
    """The value chosen for one element."""

    element: Element
    part: str
    found: SourcedValue
    case: Case | None


class Examples:
    """The examples of one contract; each schema is looked at once."""

    def __init__(self, contract: Contract, *, base_url: str = "", redactor: Redactor | None = None) -> None:
        """`base_url`: its recorded shape; at a host that is not reserved for documentation only its path is taken."""
        self._redactor = redactor or Redactor()
        self.cases = Cases(contract, self._redactor)
        self._composer = Composer(self.cases.first)
        self._base = base_of(base_url)
        self._own_base = not base_url

    def request(self, operation: Element) -> Example | Omitted:
        """The request example of an operation: its body in JSON where it may be."""
        found = self.requests(operation)
        return next((each for each in found if isinstance(each, Example)), found[0])

    def requests(self, operation: Element) -> tuple[Example | Omitted, ...]:
        """One example per media type of the request body, one without a body where none is declared."""
        body = next(iter(children_of(operation, ElementKind.BODY)), None)
        media = _by_liking(children_of(body, ElementKind.MEDIA_TYPE)) if body is not None else ()
        chains: list[tuple[Element, ...]] = [(operation, body, each) for each in media if body is not None]
        return tuple(self._made(chain, Part.REQUEST) for chain in chains or [(operation,)])

    def responses(self, operation: Element) -> tuple[Example | Omitted, ...]:
        """One example per declared response and media type."""
        chains: list[tuple[Element, ...]] = []
        for response in children_of(operation, ElementKind.RESPONSE):
            media = _by_liking(children_of(response, ElementKind.MEDIA_TYPE))
            chains += [(operation, response, each) for each in media] or [(operation, response)]
        return tuple(self._made(chain, Part.RESPONSE) for chain in chains)

    def composed(
        self, chain: tuple[Element, ...], about: Subject, label: Label, given: Mapping[int, Json]
    ) -> Example | Omitted:
        """The example of a chain from the operation down to a media type; `given` are values by element id."""
        try:
            return self._example(chain, about, label, given)
        except _Stop as stop:
            return Omitted(about=about, why=stop.why, reason=stop.reason, part=stop.part)

    def _made(self, chain: tuple[Element, ...], part: Part) -> Example | Omitted:
        return self.composed(chain, subject_of(chain, part), Label.PROPOSED, {})

    def _example(self, chain: tuple[Element, ...], about: Subject, label: Label, given: Mapping[int, Json]) -> Example:
        media = chain[-1] if chain[-1].kind is ElementKind.MEDIA_TYPE else None
        fixed = [self._choice(element, given) for element in self._parts(chain, about)]
        last = _Stop(Why.DISAGREED, REFUSED, "body")
        for body in self._bodies(media, given):
            chosen = [*fixed, *([body] if body is not None else [])]
            try:
                return self._whole(chain, about, label, chosen)
            except _Stop as stop:
                last = stop
        raise last

    def _parts(self, chain: tuple[Element, ...], about: Subject) -> Iterator[Element]:
        """What the message carries besides its body: owed parameters, or the response's headers."""
        if about.part is Part.RESPONSE:
            yield from children_of(chain[1], ElementKind.HEADER)
        # The request line of a response names its request: the path's parameters have to be there.
        for element in children_of(chain[0], ElementKind.PARAMETER):
            if element.facet("required") is True and (about.part is Part.REQUEST or element.key.startswith("path:")):
                yield element

    def _choice(self, element: Element, given: Mapping[int, Json]) -> _Choice:
        location = element.key.partition(":")[0] if element.kind is ElementKind.PARAMETER else "header"
        part = f"{location} {element.name}"
        content = next(iter(children_of(element, ElementKind.MEDIA_TYPE)), None)
        holder = content if content is not None else element
        if id(holder) in given:
            return _Choice(holder, part, SourcedValue(given[id(holder)]), None)
        if holder.value is None:
            return _Choice(holder, part, SourcedValue("example"), None)
        case = self.cases.of(holder, holder.value, flat=content is None)
        reason = ""
        for at, found in enumerate(case.values()):
            reason = "" if content is not None else _unwritable(element, location, found.value)
            if not reason:
                return _Choice(holder, part, found, case)
            if at > _TRIED:
                break
        raise _Stop(Why.NO_FORMAT if reason else case.why or Why.NOT_FOUND, reason or case.reason, part)

    def _bodies(self, media: Element | None, given: Mapping[int, Json]) -> Iterator[_Choice | None]:
        if media is None:
            yield None
            return
        kind = stands_for(media.key)
        if is_unwritten(kind):
            raise _Stop(Why.NO_FORMAT, NOT_WRITTEN, "body")
        if id(media) in given:
            yield _Choice(media, "body", SourcedValue(given[id(media)]), None)
            return
        if media.value is None:
            if is_json(kind) or "form" in kind:
                raise _Stop(Why.UNDESCRIBED, NO_SCHEMA, "body")
            yield _Choice(
                media, "body", SourcedValue("example" if kind.startswith("text/") else "<binary content>"), None
            )
            return
        case = self.cases.of(media, media.value, flat=not is_json(kind))
        form, last, some = self.cases.first.judge.body_outline(media, kind), None, False
        for at, found in enumerate(case.values()):
            try:
                encode(found.value, media, kind, form)
                some = True
                yield _Choice(media, "body", found, case)
            except NoCodec as error:
                raise _Stop(Why.NO_FORMAT, str(error), "body") from None
            except NotOnWire as error:
                last = last or error
            if at > _TRIED:
                break
        if not some:
            why = Why.NO_FORMAT if last else case.why or Why.NOT_FOUND
            raise _Stop(why, str(last or case.reason), "body")

    def _whole(self, chain: tuple[Element, ...], about: Subject, label: Label, chosen: list[_Choice]) -> Example:
        values = {id(each.element): each.found.value for each in chosen}
        try:
            message = self._composer.compose(Wish(chain=chain, values=values))
        except NotOnWire as error:
            raise _Stop(Why.NO_FORMAT, str(error)) from None
        self._accepted(message)
        made = Example(
            id=example_id(about, label),
            about=about,
            label=label,
            message=message,
            url="" if about.part is Part.RESPONSE else url_of(message, self._base, self._prefix(chain[0])),
            headers=headers_of(message),
            body=body_of(message),
            values={each.part: each.found.value for each in chosen},
            accepted_by=CHECKS,
            places={each.part: each.found.place for each in chosen if each.found.place is not None},
            remarks=tuple(_remarks(chosen)),
        )
        text = self._text(made)
        if self._redactor.clean(text) != text:
            raise _Stop(Why.GUARDED, REPORTED)
        return made

    def _accepted(self, message: Message) -> None:
        for side in (self.cases.first, self.cases.second):
            heard = side.accepts(message)
            if OpenQuestion.UNREAD in heard.open:
                raise _Stop(Why.UNREAD, OpenQuestion.UNREAD)
            if heard.accepted is Tristate.NO or not _HARMLESS.issuperset(heard.open):
                raise _Stop(Why.DISAGREED, next(iter(heard.open), REFUSED))

    def _prefix(self, operation: Element) -> str:
        """The base path that the contract puts before an operation's path, when the recorded one stands for it."""
        servers = self.cases.first.routes.servers(operation)
        return "" if self._own_base or not servers else base_text(servers[0], {})

    def _text(self, example: Example) -> str:
        """What the redactor has to see beside the path, which is the contract's own."""
        query = [f"{name}={text}" for name, text in (*example.message.query, *example.message.cookies)]
        return "\n".join([*query, *(f"{name}: {text}" for name, text in example.headers), "", example.body])


def request_example(contract: Contract, operation: Element, *, base_url: str = "") -> Example | Omitted:
    """The request example of one operation. For many operations keep an `Examples`."""
    return Examples(contract, base_url=base_url).request(operation)


def response_examples(contract: Contract, operation: Element) -> tuple[Example | Omitted, ...]:
    """The response examples of one operation, per status and media type. For many operations keep an `Examples`."""
    return Examples(contract).responses(operation)


def subject_of(chain: tuple[Element, ...], part: Part) -> Subject:
    """What the example of a chain is of."""
    response = next((element.key for element in chain if element.kind is ElementKind.RESPONSE), "")
    media = chain[-1].key if chain[-1].kind is ElementKind.MEDIA_TYPE else ""
    return Subject(chain[0].key, part, response, media)


def _by_liking(media: tuple[Element, ...]) -> list[Element]:
    """JSON first, what nobody here writes last."""
    return sorted(media, key=lambda each: (is_unwritten(stands_for(each.key)), not is_json(stands_for(each.key))))


def _unwritable(element: Element, location: str, value: Json) -> str:
    """Why a parameter's or header's style cannot carry a value, "" when it can."""
    style = style_of(element, location, element.name)
    try:
        if location in ("query", "cookie"):
            to_pairs(value, style)
        else:
            to_text(value, style)
    except NotOnWire as error:
        return str(error)
    return ""


def _remarks(chosen: list[_Choice]) -> Iterator[Text]:
    for each in chosen:
        if each.found.place is not None:
            yield ("stated by the contract: ", str(each.found.place))
        yield from each.case.remarks if each.case is not None else ()


# A message as people write it: URL, header lines, body. Credentials are placeholders, hosts are reserved names.


BASE: Final = "https://api.example.com"
_BOUNDARY: Final = "example-boundary"
_SCHEME: Final = re.compile(r"apiKey (header|query|cookie) (\S+)(?: \(.*\))?")
_TEMPLATE: Final = re.compile(r"\{[^{}]*\}")
Credential = tuple[str, str, str]
"""Where it goes (`header`, `query`, `cookie`), its name, its placeholder."""


def base_of(stated: str) -> str:
    """The base URL's shape if its host is reserved for documentation, else the same path at a reserved host."""
    parts = urlsplit(_TEMPLATE.sub("x", stated))
    host = re.sub(r":\d*\Z", "", parts.netloc.rpartition("@")[2])
    if stated and "@" not in parts.netloc and reserved_host(host):
        return stated.rstrip("/")
    path = urlsplit(stated).path if "://" in stated else ""
    return (BASE + path).rstrip("/")


def credentials_of(message: Message) -> tuple[Credential, ...]:
    """The placeholders that stand for the credentials of a request."""
    return tuple(_credentials(message.credentials))


def _credentials(presented: Mapping[str, tuple[str, ...]]) -> Iterator[Credential]:
    for scheme in presented:
        key = _SCHEME.fullmatch(scheme)
        if key is not None:
            place, name = key.groups()
            yield place, name, "<api-key>" if place != "query" else "API-KEY-PLACEHOLDER"
        elif bare(scheme) in TOKENS:
            yield "header", "authorization", "Bearer <access-token>"
        elif bare(scheme) == SchemeKey.BASIC:
            yield "header", "authorization", "Basic <credentials>"
        elif scheme.startswith("http "):
            yield "header", "authorization", "<credentials>"


def url_of(message: Message, base: str, prefix: str) -> str:
    """The URL of a request; `prefix` is the contract's own base path in `message.path`."""
    if message.route:
        return ""
    path = message.path.removeprefix(prefix) if prefix else message.path
    pairs = [*message.query, *((name, text) for place, name, text in credentials_of(message) if place == "query")]
    query = "&".join(f"{name}={text}" for name, text in pairs)
    return f"{base}{path}{'?' + query if query else ''}"


def headers_of(message: Message) -> Pairs:
    """The header lines of a message, content type and credentials included."""
    given = [] if message.is_response else list(credentials_of(message))
    cookies = [*message.cookies, *((name, text) for place, name, text in given if place == "cookie")]
    lines = [(name, text) for place, name, text in given if place == "header"]
    lines += [("content-type", _content_type(message))] if message.content_type else []
    lines += message.headers
    lines += [("cookie", "; ".join(f"{name}={text}" for name, text in cookies))] if cookies else []
    return tuple(lines)


def _content_type(message: Message) -> str:
    parts = message.body is not None and message.body.form == "multipart"
    return f"{message.content_type}; boundary={_BOUNDARY}" if parts else message.content_type


def body_of(message: Message) -> str:
    """The body as text: JSON indented, forms as sent, parts with their boundary, octets as far as they are text."""
    return "" if message.body is None else _text(message.body)


def _text(body: Body) -> str:
    match body.form:
        case "json":
            return folded_text(body.content)
        case "multipart":
            return _parts(body.content)
        case "base64":
            return base64.b64decode(str(body.content)).decode("utf-8", "replace")
        case _:
            return str(body.content)


def _parts(content: Json) -> str:
    made: list[str] = []
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping):
            continue
        octets = "base64" in part
        file = '; filename="example.bin"' if octets else ""
        text = base64.b64decode(str(part["base64"])).decode("utf-8", "replace") if octets else str(part.get("text", ""))
        headers = part.get("headers", {})
        extra = [f"{name}: {value}" for name, value in headers.items()] if isinstance(headers, Mapping) else []
        lines = [f'content-disposition: form-data; name="{part.get("name")}"{file}', *extra]
        made.append("\n".join([f"--{_BOUNDARY}", *lines, f"content-type: {part.get('content_type')}", "", text]))
    return "\n".join([*made, f"--{_BOUNDARY}--"])


# Examples as a table, and the section about them on the documentation page.


COLUMNS: Final[Mapping[str, str]] = {
    "example_id": "stable id, `EX-…`; empty for one that is omitted",
    "operation": "the contract's key of the operation",
    "part": "`request` or `response`",
    "status": "the response as the contract declares it: `200`, `4XX`, `default`; empty for a request",
    "media_type": "as declared; empty without a body",
    "label": "`proposed`, or `observed` where a recorded exchange has this shape; empty for one that is omitted",
    "body": "the body as text",
    "accepted_by": "the validators that accepted every value and the whole message",
    "remarks": "where a value stands in the contract, or why the contract's own example is not used",
    "why": "why it is omitted; empty for an example",
    "reason": "the same in words, with the part of the message that it fails on",
}
"""The columns of `examples_frame` with what they hold."""

WHYS: Final[Mapping[Why, str]] = {
    Why.UNSATISFIABLE: "it is proved that no value meets the schema",
    Why.NOT_FOUND: "none was found within the limits; whether there is one is not known",
    Why.TOO_LARGE: "the schema demands more than an example shows",
    Why.UNREAD: "a part of the schema or of the operation could not be read",
    Why.NO_FORMAT: "nothing here writes the media type, or it can't carry the value",
    Why.UNDESCRIBED: "the contract does not say what the body holds",
    Why.DISAGREED: "the two validators did not both accept a value without members that are never sent",
    Why.GUARDED: "every value found is one that the guard reports",
    Why.UNAPPROVED: "it comes from recorded traffic and nobody approved that",
    Why.OTHERWISE: "the recorded exchange is not one that the contract describes",
}
"""What the reasons mean."""


def examples_frame(found: Iterable[Example | Omitted]) -> DataFrame:
    """One row per example or omission with the columns of `COLUMNS` in that order, all of them text."""

    rows = [_shown(each) if isinstance(each, Example) else _omitted(each) for each in found]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype("string")


def _shown(example: Example) -> tuple[str, ...]:
    about = example.about
    named = (example.id, about.operation, about.part.value, about.status, about.media_type, example.label.value)
    remarks = "; ".join(map(plain, example.remarks))
    return (*named, example.body, ", ".join(example.accepted_by), remarks, "", "")


def _omitted(omitted: Omitted) -> tuple[str, ...]:
    about = omitted.about
    reason = f"{omitted.part}: {omitted.reason}" if omitted.part else omitted.reason
    named = ("", about.operation, about.part.value, about.status, about.media_type)
    return (*named, "", "", "", "", omitted.why.value, reason)


def page_lines() -> tuple[str, ...]:
    """The columns, the reasons, and which value goes with which name, as Markdown."""
    return (
        *_table(("Column", "Meaning"), ((f"`{name}`", says) for name, says in COLUMNS.items())),
        *_table(("Omitted as", "Because"), ((why.value, says) for why, says in WHYS.items())),
        *_table(("Field", "Holds", "Values, the best first"), _preferences()),
        *_table(("Format", "Values"), ((f"`{name}`", _codes(values)) for name, values in FORMATS.items())),
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"
    yield ""


def _preferences() -> Iterator[tuple[str, ...]]:
    for rule in (*TEXTS, *NUMBERS):
        field = f"{rule.id}: `{rule.example}`, not `{rule.counter_example}`"
        yield field, rule.why, _codes(rule.values)


def _codes(values: Iterable[object]) -> str:
    return ", ".join(f"`{json.dumps(value)}`" for value in values)


def is_request(example: Example | Omitted) -> bool:
    """True for the example of a request."""
    return example.about.part is Part.REQUEST
