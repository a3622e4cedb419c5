"""A whole message as it goes over the wire: a request or a response, and how it is written as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, Literal

from evreview.contract.model import Contract, Place, ValueSet
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow, pointer
from evreview.core.vocabulary import Absent, Json
from evreview.schema.to_json_schema import Source
from evreview.schema.validators import SchemaError

BodyForm = Literal["json", "text", "form", "multipart", "base64"]
FORMS: Final[tuple[BodyForm, ...]] = ("json", "text", "form", "multipart", "base64")
Pairs = tuple[tuple[str, str], ...]


@frozen
class Body:
    """What a message carries.

    Attributes:
        form: how `content` stands for the octets: a JSON value, text, an encoded form, parts, or octets in base64.
        content: a JSON value for `json`; a list of parts, each with name, content_type, headers and text or base64,
            for `multipart`; text otherwise.
    """

    form: BodyForm
    content: Json


@frozen(kw_only=True)
class Message:
    """One request, or one response to a request.

    Attributes:
        method, path: of the request; the path with its parameters filled in and the server's base path before it.
        route: what is called where that is no path of the API: `WEBHOOK name`, or a callback below its operation.
        server: origin of the server that is called, "" where the contract names none.
        query: name and value pairs, encoded as they stand in the URL.
        headers: names in lower case, without Content-Type, Cookie and credentials.
        cookies: as `query`.
        credentials: security schemes that the caller presents, each with its scopes. Only named, never given.
        status: of a response, None for a request.
        content_type: of the body, "" without one.
        body: None when nothing is sent.
    """

    method: str
    path: str
    route: str = ""
    server: str = ""
    query: Pairs = ()
    headers: Pairs = ()
    cookies: Pairs = ()
    credentials: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    status: int | None = None
    content_type: str = ""
    body: Body | None = None

    @property
    def is_response(self) -> bool:
        return self.status is not None

    def to_json(self) -> dict[str, Json]:
        """The message as JSON; what it does not have is left out."""
        made: dict[str, Json] = {"kind": "response" if self.is_response else "request", "method": self.method}
        named: dict[str, Json] = {"path": self.path, "route": self.route, "server": self.server}
        named |= {"query": _joined(self.query, "&"), "cookies": _joined(self.cookies, "; ")}
        named |= {"status": self.status, "headers": dict(self.headers), "content_type": self.content_type}
        named["credentials"] = {scheme: list(scopes) for scheme, scopes in sorted(self.credentials.items())}
        made |= {key: value for key, value in named.items() if value not in ("", None, {})}
        if self.body is not None:
            made["body"] = {self.body.form: self.body.content}
        return made


def from_json(stated: Json) -> Message:
    """The message that `to_json` wrote.

    Raises:
        ValueError: it is not one.
    """
    if not isinstance(stated, Mapping):
        raise ValueError("a message is an object")
    status, headers, credentials = stated.get("status"), stated.get("headers", {}), stated.get("credentials", {})
    if not (status is None or (isinstance(status, int) and not isinstance(status, bool))):
        raise ValueError("status: not a number")
    if not isinstance(headers, Mapping) or not isinstance(credentials, Mapping):
        raise ValueError("headers and credentials are objects")
    return Message(
        method=_text(stated, "method"),
        path=_text(stated, "path"),
        route=_text(stated, "route"),
        server=_text(stated, "server"),
        query=_split(_text(stated, "query"), "&"),
        cookies=_split(_text(stated, "cookies"), "; "),
        headers=tuple((str(name).lower(), str(value)) for name, value in headers.items()),
        credentials={
            str(name): tuple(str(scope) for scope in scopes) if isinstance(scopes, list) else ()
            for name, scopes in credentials.items()
        },
        status=status,
        content_type=_text(stated, "content_type"),
        body=_body(stated.get("body")),
    )


def _body(stated: Json) -> Body | None:
    if stated is None:
        return None
    if not isinstance(stated, Mapping) or len(stated) != 1:
        raise ValueError("body: an object with one member")
    ((form, content),) = stated.items()
    known = next((each for each in FORMS if each == form), None)
    if known is None:
        raise ValueError(f"body: {form} is none of {', '.join(FORMS)}")
    return Body(known, content)


def _text(stated: Mapping[str, Json], key: str) -> str:
    value = stated.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key}: not a text")
    return value


def _joined(pairs: Pairs, sign: str) -> str:
    return sign.join(f"{name}={value}" for name, value in pairs)


def _split(text: str, sign: str) -> Pairs:
    found = (part.partition("=") for part in text.split(sign) if part)
    return tuple((name, value) for name, _, value in found)


# What a message breaks, and where in the contract that is demanded.


_SPELLED: Final[Mapping[str, tuple[str, ...]]] = {
    "prefixItems": ("prefixItems", "items"),
    "items": ("items", "additionalItems"),
    "exclusiveMinimum": ("exclusiveMinimum", "minimum"),
    "exclusiveMaximum": ("exclusiveMaximum", "maximum"),
}
"""How a keyword of the converted schema may be written in the document."""


@frozen
class Violation:
    """One demand that a message does not meet.

    Attributes:
        part: of the message (`body`, `query limit`, `header x-trace`, `status`, `content-type`, `path`, `security`).
        at: where inside the part, a JSON pointer.
        place: where the contract demands it.
        keyword: the demand (`required`, `type`, `media-type`, `path`, …).
        also: what stands behind a branch that no value of the part fits (`anyOf`, `oneOf`).
        by_schema: whether a validator of schemas found it; all else is found by reading the message here.
    """

    part: str
    at: str
    place: Place
    keyword: str
    also: tuple[Violation, ...] = ()
    by_schema: bool = False

    def to_json(self) -> dict[str, Json]:
        """The violation without what stands behind it."""
        return {"in": self.part, "at": self.at, "place": str(self.place), "keyword": self.keyword}

    def walk(self) -> Iterator[Violation]:
        """The violation and everything behind it."""
        yield self
        for one in self.also:
            yield from one.walk()


def placed(
    errors: Sequence[SchemaError], value: ValueSet, source: Source, contract: Contract, part: str
) -> tuple[Violation, ...]:
    """The errors of a schema check with their places in the contract.

    Args:
        errors: of the closed schema of `value`.
        value: the value set that was checked.
        source: that converted it.
        contract: that it stands in.
        part: of the message.
    """
    return tuple(
        Violation(
            part,
            pointer(error.at),
            _place(error.path, value, source, contract),
            error.keyword,
            placed(error.context, value, source, contract, part),
            by_schema=True,
        )
        for error in errors
    )


def _place(path: Sequence[str | int], value: ValueSet, source: Source, contract: Contract) -> Place:
    """Where the node of a schema path, without its keyword, is written; the nearest node above when it is nowhere."""
    at, steps = value.place, list(path[:-1])
    if len(steps) >= 2 and steps[0] == "$defs":
        at = source.place(str(steps[1])) or at
        steps = steps[2:]
    node: Json | Absent = follow(contract.documents.get(at.file), at.pointer)
    if isinstance(node, Absent):
        node = value.node
    for step in steps:
        found = next((key for key in _SPELLED.get(str(step), (str(step),)) if _has(node, key)), None)
        if found is None:
            break
        node = node[int(found)] if isinstance(node, list) else node[found]  # type: ignore[index, call-overload]
        at = at.child(found)
    return at


def _has(node: Json | Absent, key: str) -> bool:
    if isinstance(node, Mapping):
        return key in node
    return isinstance(node, list) and key.isdecimal() and int(key) < len(node)
