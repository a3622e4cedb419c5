"""A message as people write it: URL, header lines, body. Credentials are placeholders, hosts are reserved names."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from evreview.core.vocabulary import Json
from evreview.messages.message import Body, Message, Pairs
from evreview.redaction.placeholders import reserved_host

BASE: Final = "https://api.example.com"
_BOUNDARY: Final = "example-boundary"
_BEARER: Final = ("http bearer", "oauth2", "openIdConnect")
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
        elif scheme.startswith(_BEARER):
            yield "header", "authorization", "Bearer <access-token>"
        elif scheme.startswith("http basic"):
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
            return json.dumps(body.content, indent=2, ensure_ascii=False)
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
