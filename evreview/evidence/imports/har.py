"""Recorded traffic of a HAR document as observations: what answers an operation, without anything that tells a person.

Of a request nothing but its operation is taken over: no cookie, credential, host, query string or body. A response's
header that holds an address is left out: a link may let its holder in, and a host tells of the inside. Headers and
bodies pass the redactor; one of which something would have to be taken out is left out whole: a body with a placeholder
in it would be judged as another one than was sent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import listed, mapping, read_json, word
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, Supplied, some, wrong_format
from evreview.evidence.test_results.http_archive import DROPPED_HEADERS, har_content, har_entries, har_headers
from evreview.evidence.test_results.model import MAX_CASES, status_of, where
from evreview.redaction.redactor import Redactor


class LeftOut(StrEnum):
    """What is not taken over of an entry that is read."""

    CREDENTIALS = "headers with cookies or credentials"
    COOKIES = "cookies"
    STRANGER = "entries of no operation"
    UNANSWERED = "entries without a status"
    ADDRESS = "headers that hold an address"
    HEADER = "headers that the redactor would change"
    BODY = "bodies that the redactor would change"
    UNREADABLE = "bodies that can't be read"


@dataclass(slots=True)
class _Reading:
    """What is known while the entries are read, and what was left out of them."""

    supplied: Supplied
    redactor: Redactor
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    strangers: dict[str, None] = field(default_factory=dict)


def read(supplied: Supplied) -> Imported:
    """The responses of operations that one of the contracts has.

    Raises:
        BadInput: the file is no HAR document, or none of its entries is of an operation.
    """
    data = parse_text(supplied.data, supplied.name) if supplied.data.strip() else None
    entries = har_entries(data)
    if not isinstance(entries, list):
        raise wrong_format(supplied, "HAR document", "Name a JSON file with log.entries")
    if len(entries) > MAX_CASES:
        found = f"{len(entries)} entries, more than {MAX_CASES}"
        raise bad_input("results-too-many", found, file=supplied.name, advice="Supply the part that the review needs")
    reading = _Reading(supplied, Redactor.over([(supplied.name, text_of(supplied.data, supplied.name))]))
    found_here = [(one, f"entry-{at}", where("log", "entries", at)) for at, one in enumerate(entries)]
    taken = [(made, place) for one, name, place in found_here if (made := _observation(mapping(one), name, reading))]
    if not taken:
        found = f"none of {len(entries)} entries is a response of an operation of either contract"
        raise bad_input("import-empty", found, file=supplied.name, advice="Supply the traffic of this API")
    observations: list[Json] = [made for made, _ in taken]
    return Imported(
        name="imports/har",
        type=EvidenceType.EXECUTION_AND_APPROVAL,
        record={"kind": "observations", "observations": observations},
        places=[(f"{supplied.name}{place}",) for _, place in taken],
        establishes=f"Responses that the HAR document with sha256:{supplied.digest} recorded, of the "
        f"{supplied.options.side} side as the importer states. Not which revision answered.",
        told=(
            f"responses   {len(taken)} of {len(entries)} entries, side {supplied.options.side}",
            *(f"left out    {count} {what}" for what, count in sorted(reading.left_out.items())),
            *([f"neither contract has {some(reading.strangers)}"] if reading.strangers else []),
        ),
    )


def _observation(entry: Mapping[str, Json], name: str, reading: _Reading) -> dict[str, Json] | None:
    """One response as a record, None for what is no response of an operation."""
    request, response = mapping(entry.get("request")), mapping(entry.get("response"))
    operation, status = _operation(request, reading), status_of(response.get("status"))
    for message in (request, response):
        names = [word(mapping(header).get("name")).lower() for header in listed(message.get("headers"))]
        reading.left_out[LeftOut.CREDENTIALS] += sum(each in DROPPED_HEADERS for each in names)
        reading.left_out[LeftOut.COOKIES] += len(listed(message.get("cookies")))
    reading.left_out += Counter()  # without what was counted as none
    if operation is None or status is None:
        reading.left_out[LeftOut.UNANSWERED if operation else LeftOut.STRANGER] += 1
        return None
    body, is_kept = _body(response, reading)
    content_type = har_content(response)[0]
    record: dict[str, Json] = {"id": name, "operation": operation, "status": status}
    if content_type and not reading.redactor.leaks(content_type):
        record["content_type"] = content_type
    headers = _headers(response, reading)
    record |= {"headers": headers} if headers else {}
    record |= {"body": body} if is_kept else {"body_recorded": False}
    stated = {"revision": word(entry.get("_revision")), "answers": reading.supplied.options.side or ""}
    return {**record, "source": "HAR recording", **{key: value for key, value in stated.items() if value}}


def _operation(request: Mapping[str, Json], reading: _Reading) -> str | None:
    """The operation that a request is of, as a contract names it; its own path may hold what tells a person."""
    method = word(request.get("method")).upper()
    try:
        path = urlsplit(word(request.get("url"))).path or "/"
    except ValueError:
        path = ""
    known = reading.supplied.reviewed.operation(f"{method} {path}") if method.isalpha() and path else None
    if known is None and method.isalpha() and path:
        reading.strangers[reading.redactor.clean(f"{method} {path}")] = None
    return known


_ADDRESSED: Final = re.compile(
    r"^(?:(?:content-)?location|refresh|link|referer|host|via|forwarded|server|alt-svc|report-to|nel|sourcemap"
    r"|reporting-endpoints|content-security-policy.*|access-control-allow-origin|x-.*(?:host|server|served|forwarded|uri"
    r"|url|backend|upstream|origin|amz|cache|node|pod|addr|ip).*)$"
)
"""Headers whose value is an address, or names a machine."""
_ADDRESS: Final = re.compile(
    r"://|^//|[?&][^\s=&?]{1,80}=|\burl\s{0,9}=|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|::[0-9a-f:]"
    r"|(?<![\w.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?![\w.+-])",
    re.IGNORECASE,
)
"""A URL, a query string, an IP address or the name of a host, in any other header."""


def _headers(response: Mapping[str, Json], reading: _Reading) -> dict[str, Json]:
    kept: dict[str, Json] = {}
    for name, value in har_headers(response):
        if _ADDRESSED.match(name.lower()) or _ADDRESS.search(value):
            reading.left_out[LeftOut.ADDRESS] += 1
        elif reading.redactor.leaks(f"{name}: {value}"):
            reading.left_out[LeftOut.HEADER] += 1
        else:
            kept[name] = value
    return kept


def _body(response: Mapping[str, Json], reading: _Reading) -> tuple[Json, bool]:
    """The body, and whether it is kept."""
    kind, text = har_content(response)
    if text is None:
        return None, False
    try:
        raw = text.encode() if isinstance(text, str) else text
        body: Json = read_json(raw, "") if "json" in kind.lower() else raw.decode()
    except (BadInput, UnicodeError):
        reading.left_out[LeftOut.UNREADABLE] += 1
        return None, False
    if reading.redactor.leaks_in(body):
        reading.left_out[LeftOut.BODY] += 1
        return None, False
    return body, True
