"""Readable texts and numbers that a plain schema node admits, every one invented; and whether a stated one plainly is.

Invented by convention: reserved names and addresses, fictional numbers, placeholders for secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.redaction.placeholders import opaque, reserved_host, stands_in
from evreview.redaction.redactor import Redactor
from evreview.schema.boundary_values import numbers, texts

Node = dict[str, Any]
Admits = Callable[[Json, Json], bool | None]
LONGEST: Final = 4096
_FILLER: Final = "example "
_KNOWN_LENGTHS: Final = 200


def scalar_values(node: Node, name: str, admits: Admits) -> Iterator[Json]:
    """Values of one of a node's scalar types in the order of preference; distinct, and each asked for.

    Args:
        node: without references, `allOf` and unions; its `type` is one scalar.
        name: of the field, "" without one.
        admits: whether a schema admits a value.
    """
    kind = node["type"][0]
    guesses = _numbers(node, name) if kind in ("integer", "number") else _texts(node, name)
    passed: list[Json] = []
    for guess in guesses:
        if not any(guess == one for one in passed) and admits(node, guess) is True:
            passed.append(guess)
            yield guess


def _numbers(node: Node, name: str) -> Iterator[Json]:
    whole = node["type"] == ["integer"]
    liked = preferred(name, numeric=True)
    yield from (value for value in liked if not (whole and isinstance(value, float)))
    if not whole and not liked:
        yield from (1.5, 1)
    yield from (1, 2, 10, 100)
    yield from (value for value in _within(node) if not whole or isinstance(value, int))
    yield from numbers(node, {}, whole=whole)
    yield from range(3, 12)


def _within(node: Node) -> Iterator[Json]:
    """A number in the middle of both bounds, and steps up from the lower one."""
    low, high = node.get("minimum", node.get("exclusiveMinimum")), node.get("maximum", node.get("exclusiveMaximum"))
    step = node.get("multipleOf")
    if isinstance(step, (int, float)) and not isinstance(step, bool) and step > 0:
        start = -(-low // step) * step if isinstance(low, (int, float)) else step
        yield from (start, start + step)
    if isinstance(low, (int, float)) and abs(low) < 2**31:
        yield from (low, low + 1, low + 0.5)
    if isinstance(high, (int, float)) and abs(high) < 2**31:
        yield from (high, high - 1)
        if isinstance(low, (int, float)):
            yield (low + high) / 2


def _texts(node: Node, name: str) -> Iterator[Json]:
    liked = _liked(node, name)
    yield from liked
    size = _size_of(node)
    if "pattern" in node:
        yield from PLAIN
        yield from islice(texts(node, {}, LONGEST), _KNOWN_LENGTHS)
    for word in (*liked, *PLAIN):
        if isinstance(word, str):
            yield from _fitted(word, *size)
    yield from texts(node, {}, LONGEST)
    yield from (f"example-{at}" for at in range(2, 12))


def _liked(node: Node, name: str) -> Sequence[Json]:
    by_format = FORMATS.get(str(node.get("format")), ())
    return by_format or preferred(name) or _worded(name)


def _worded(name: str) -> tuple[str, ...]:
    """`example nick name` for a field whose name is made of words."""
    words = snake_case(name).replace("_", " ")
    plain = words.replace(" ", "").isalpha() and 2 < len(words) <= 24
    return (f"example {words}", "example") if plain else ("example",)


def _size_of(node: Node) -> tuple[int, int]:
    low, high = node.get("minLength", 0), node.get("maxLength", LONGEST)
    return int(low) if isinstance(low, (int, float)) else 0, int(high) if isinstance(high, (int, float)) else LONGEST


def _fitted(word: str, low: int, high: int) -> Iterator[str]:
    """The word cut or filled up to a length."""
    if len(word) > high >= 0:
        yield word[:high]
    if len(word) < low <= LONGEST:
        filled = f"{word} {_FILLER * (low // len(_FILLER) + 1)}"[:low]
        yield filled if not filled.endswith(" ") else f"{filled[:-1]}s"
        yield (word * (low // max(1, len(word)) + 1))[:low]


# Which readable value goes with a field's name or format. One rule is one value; the first that holds is taken.


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What fields of a name hold.

    Attributes:
        id: kebab-case.
        why: what the values stand for.
        names: matched against the whole words of a name in snake case, at its end.
        values: the readable ones, the best first; the schema chooses among them.
        example: a name that it speaks of.
        counter_example: one that it leaves alone.
    """

    id: str
    why: str
    names: str
    values: tuple[Json, ...]
    example: str
    counter_example: str

    def speaks_of(self, name: str) -> bool:
        """True for a name in snake case that ends in one of the words."""
        return _compiled(self.names).search(name) is not None


_EXAMPLE_UUID: Final = "00000000-0000-4000-8000-000000000001"
MOMENT: Final = "2024-01-31T12:00:00Z"
_SECONDS: Final = 1706702400

FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2024-01-31",),
    "date-time": (MOMENT,),
    "time": ("12:00:00Z",),
    "duration": ("P1D",),
    "email": ("user@example.com",),
    "idn-email": ("user@example.com",),
    "hostname": ("www.example.com",),
    "idn-hostname": ("www.example.com",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "ip": ("192.0.2.1", "2001:db8::1"),
    "cidr": ("192.0.2.0/24",),
    "uri": ("https://example.com/resource",),
    "url": ("https://example.com/resource",),
    "iri": ("https://example.com/resource",),
    "uri-reference": ("/resource",),
    "uri-template": ("https://example.com/{id}",),
    "uuid": (_EXAMPLE_UUID,),
    "json-pointer": ("/name",),
    "relative-json-pointer": ("0/name",),
    "regex": ("^example$",),
    "byte": ("ZXhhbXBsZQ==",),
    "binary": ("<binary content>",),
    "password": ("<password>",),
}
"""Values of the formats that people write."""

TEXTS: Final[tuple[Preference, ...]] = tuple(
    Preference(id=each[0], why=each[1], names=each[2], values=each[3], example=each[4], counter_example=each[5])
    for each in (
        ("page-token", "a place in a list", "cursor|page_token|next_token|starting_after|ending_before",
         ("example-cursor",), "nextPageToken", "page_size"),
        ("password", "never a password", "password|passphrase|passwd|pwd|pass", ("<password>",), "newPassword",
         "password_policy"),
        ("api-key", "never a key", "api_key|access_key|private_key|secret_key|public_key|ssh_key|certificate",
         ("<api-key>",), "x-api-key", "key"),
        ("token", "never a token", "token|jwt|bearer|authorization|assertion|session", ("<access-token>",),
         "refresh_token", "token_type"),
        ("secret", "never a secret", "secret|credentials?|signature|nonce", ("<secret>",), "client_secret",
         "secretary"),
        ("email", "an address at a reserved name", "e_?mails?(?:_address)?", ("user@example.com",), "contactEmail",
         "emailed"),
        ("phone", "a number kept free for fiction", "phones?(?:_number)?|mobile|fax|msisdn|telephone",
         ("+1 202-555-0143", "+12025550143", "202-555-0143", "2025550143"), "phone_number", "phonetic"),
        ("uuid", "an id that counts from one", "uuid|guid", (_EXAMPLE_UUID,), "requestUUID", "uuids_total"),
        ("ipv6", "an address for documentation", "ip_?v6(?:_address)?", ("2001:db8::1",), "ipv6", "ip"),
        ("ip", "an address for documentation", "ip(?:_?v4)?(?:_addr(?:ess)?)?", ("192.0.2.1",), "remote_ip", "ship"),
        ("cidr", "a net for documentation", "cidr|subnet", ("192.0.2.0/24",), "pod_cidr", "cider"),
        ("host", "a reserved name", "host(?:_?name)?|domain(?:_name)?|fqdn", ("www.example.com",), "hostName",
         "ghosted"),
        ("url", "a place at a reserved name", "ur[li]s?|href|website|homepage|link|endpoint|webhook|callback",
         ("https://example.com/resource",), "avatarUrl", "curl_options"),
        ("currency", "a code of ISO 4217", "currency(?:_code)?", ("EUR", "eur", "Euro"), "currency",
         "currency_total"),
        ("country", "a code of ISO 3166", "country(?:_code)?|nationality", ("NL", "nl", "NLD", "Netherlands"),
         "countryCode", "counter"),
        ("language", "a language tag", "lang(?:uage)?s?(?:_code)?|locales?", ("en", "en-US", "en_US"),
         "preferred_locale", "slang_word"),
        ("time-zone", "a zone of the tz database", "time_?zone|tz", ("Europe/Amsterdam", "UTC"), "timeZone", "zone"),
        ("day", "one day for all", "date|day|birthday|dob|_on", ("2024-01-31", MOMENT), "due_date", "update"),
        ("moment", "one moment for all", "_at|time|timestamp|datetime|created|updated|modified|expires|since|until"
         "|deadline", (MOMENT, "2024-01-31"), "createdAt", "format"),
        ("file", "a plain name", "file_?name|file|attachment", ("example.txt",), "fileName", "profile_kind"),
        ("path", "a plain path", "paths?|director(?:y|ies)|folder", ("example/file.txt", "/example"), "mount_path",
         "pathology"),
        ("media-type", "a common media type", "content_type|media_type|mime_?(?:type)?", ("application/json",),
         "contentType", "type"),
        ("given-name", "no person", "first_name|given_name|forename|nick_?name", ("Sample",), "firstName", "name"),
        ("family-name", "no person", "last_name|family_name|surname", ("Person",), "lastName", "name"),
        ("user-name", "no person", "user_?name|login|user|owner|author|assignee", ("sample-user",), "userName",
         "user_count"),
        ("person", "no person", "full_name|display_name|(?:customer|contact|person)_name", ("Sample Person",),
         "displayName", "name"),
        ("title", "a short text", "titles?|subject|headline|caption", ("Example title",), "title", "entitled"),
        ("name", "a short text", "names?", ("Example name", "example-name", "example"), "pet_name", "rename_all"),
        ("prose", "a short text", "descriptions?|summary|comments?|notes?|messages?|reason|details?|text|bio|about"
         "|explanation|hint|instructions", ("A short example text.",), "longDescription", "commented"),
        ("colour", "a colour", "colou?r", ("#336699", "blue"), "color", "colored"),
        ("digest", "the digest of nothing", "sha_?(?:1|256|512)?|hash|digest|checksum|md5|commit|fingerprint",
         ("0" * 40, "0" * 64, "0" * 32), "sha256", "hashtag_all"),
        ("etag", "a validator", "etag|if_match|if_none_match", ('"example"', "example"), "etag", "stage"),
        ("version", "a version", "version|release", ("1.0.0", "1.0", "v1", "1"), "api_version", "conversion_rate"),
        ("money", "an amount", "price|amount|cost|total|balance|fee|rate", ("19.99", "1999"), "unitPrice",
         "priced"),
        ("city", "an invented town", "city|town|locality", ("Exampleville",), "city", "capacity"),
        ("street", "an invented street", "street|address(?:_line)?_?[12]?|line_?[12]", ("1 Example Street",),
         "streetAddress", "addressed"),
        ("post-code", "no real code", "post(?:al)?_?code|zip(?:_?code)?", ("00000", "00000-0000"), "postalCode",
         "zipped"),
        ("region", "an invented region", "region|province|county", ("Example Region", "example-region"), "region",
         "regional"),
        ("state", "a common state", "status|state|phase", ("active", "ACTIVE"), "orderStatus", "estate"),
        ("id", "an id that says what it is", "id|ids|identifier|_ref|reference|key|slug|handle|number",
         ("example-id-1", "example", "1001", "1"), "orderId", "idle"),
        ("query", "a word to look for", "q|query|search|filter|keywords?", ("example",), "searchQuery", "queried"),
        ("code", "a code", "code", ("EXAMPLE", "example"), "errorCode", "coded"),
    )
)  # fmt: skip
"""What fields of text hold, by name."""

NUMBERS: Final[tuple[Preference, ...]] = tuple(
    Preference(id=each[0], why=each[1], names=each[2], values=each[3], example=each[4], counter_example=each[5])
    for each in (
        ("moment-number", "one moment for all, in seconds", "_at|time|timestamp|created|updated|modified|expires|date"
         "|since|until|deadline", (_SECONDS, _SECONDS * 1000), "createdAt", "timeout"),
        ("price-number", "an amount", "price|amount|cost|balance|fee|subtotal", (19.99, 1999, 100), "unitPrice",
         "priced"),
        ("page-size", "a small page", "limit|page_?size|per_page|max_results|size", (20, 10), "pageSize", "page"),
        ("offset", "the start", "offset|skip|index|position", (0, 1), "offset", "onset"),
        ("port", "a port above the privileged ones", "port", (8080,), "httpPort", "report"),
        ("year", "one year for all", "year", (2024,), "exp_year", "yearly"),
        ("month", "one month for all", "month", (1,), "exp_month", "monthly"),
        ("latitude", "the equator", "lat(?:itude)?", (0.0,), "latitude", "plate"),
        ("longitude", "the meridian", "lon(?:g|gitude)?", (0.0,), "longitude", "along"),
        ("percentage", "half", "percent(?:age)?|ratio|rate|share|progress", (50, 0.5), "taxPercent", "percentile"),
        ("status-number", "a fault of the caller", "status(?:_code)?|http_status", (400, 200), "status", "stats"),
        ("bytes", "a kilobyte", "bytes|length", (1024,), "sizeBytes", "lengthen"),
        ("seconds", "a minute", "seconds|duration|timeout|ttl|interval|delay|expires_in|max_age|retry_after", (60,),
         "ttlSeconds", "second"),
        ("id-number", "an id that counts", "id|ids|identifier|number", (1001, 1), "orderId", "idle"),
        ("count", "few", "count|quantity|qty|number_of|items|pages?|total", (2, 1), "itemCount", "counter"),
    )
)  # fmt: skip
"""What fields of numbers hold, by name."""

PLAIN: Final = ("example", "Example", "EXAMPLE", "example-1", "example_1", "example1", "1001", "1", "1.0", "A1", "a")
"""Words that are tried where neither name nor format says anything, or the schema refuses what they say."""


@lru_cache(maxsize=4096)
def preferred(name: str, *, numeric: bool = False) -> tuple[Json, ...]:
    """The readable values of a field, () when no rule speaks of its name."""
    snake = snake_case(name)
    return next((each.values for each in (NUMBERS if numeric else TEXTS) if each.speaks_of(snake)), ())


@lru_cache(maxsize=4096)
def snake_case(name: str) -> str:
    """A name as lower-case words joined by `_`: `orderID` and `order-id` become `order_id`."""
    parted = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", name[:80])
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")


@lru_cache(maxsize=256)
def _compiled(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|_|(?=_))(?:{names})\Z")


# Whether a value that a contract states was plainly invented. What is in doubt is not: own values stand instead.


_PERSONAL: Final = re.compile(
    r"(?:^|_)(?:(?:first|last|full|given|family|middle|nick|display|user|customer|contact|person|maiden)_?name|surname"
    r"|e_?mails?|phones?|mobile|fax|address(?:es)?|street|birth\w*|dob|ssn|tax_id|iban|account_number|card_number"
    r"|user|owner|author|assignee|login|password|secret|token|api_key|signature|credentials?)(?:_|\Z)"
)
_HOST: Final = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]{1,20}:)?//(?:[^/\s@]{0,64}@)?([^\s/:?#\"'<>]{1,200})")
_MAIL: Final = re.compile(r"@([\w-]+(?:\.[\w-]+)+)")
_NAME: Final = re.compile(
    r"(?i)(?<![\w.@/-])((?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|io|dev|app|co|eu|de|uk|fr|cloud|ai))(?![\w-])"
)
_ADDRESS: Final = re.compile(r"(?<![\d.])((?:\d{1,3}\.){3}\d{1,3})(?![\d.])")
_DIGITS: Final = re.compile(r"\d(?:[ .()-]?\d){6,}")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
_UUID_PATTERN: Final = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_WORDY: Final = re.compile(r"[A-Za-z]{2,30}(?:[ _.-][A-Za-z]{1,30}){1,}")
_LONGEST: Final = 400
_LARGE: Final = 1_000_000


def invented(value: Json, name: str, redactor: Redactor) -> bool:
    """True when nothing in a value is somebody's: no host, person, number or key, and the redactor reports none."""
    return all(_leaf(leaf, at) for leaf, at in _leaves(value, name)) and all(
        redactor.clean(text) == text for text in (_pair(at, leaf) for leaf, at in _leaves(value, name))
    )


def reported(name: str, value: Json, redactor: Redactor) -> bool:
    """True when the redactor takes something out of a single value in a field of a name."""
    text = _pair(name, value)
    return redactor.clean(text) != text


def _pair(name: str, value: Json) -> str:
    return f'"{name}": "{value}"' if isinstance(value, str) else f'"{name}": {value}'


def _leaves(value: Json, name: str) -> Iterator[tuple[Json, str]]:
    stack: list[tuple[Json, str]] = [(value, name)]
    while stack:
        node, at = stack.pop()
        if isinstance(node, dict):
            yield from ((key, "") for key in node)
            stack.extend((member, str(key)) for key, member in node.items())
        elif isinstance(node, list):
            stack.extend((item, at) for item in node)
        else:
            yield node, at


def _leaf(value: Json, name: str) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        return abs(value) < _LARGE
    text = str(value)
    if len(text) > _LONGEST:
        return False
    # A short text stands in for nothing: most given names have fewer than five letters.
    if _PERSONAL.search(snake_case(name)) and not (len(set(text)) > 4 and stands_in(text)):
        return False
    hosts = [*_HOST.findall(text), *_MAIL.findall(text), *_NAME.findall(text), *_ADDRESS.findall(text)]
    if not all(reserved_host(host) for host in hosts):
        return False
    if _UUID_PATTERN.search(text):
        return False
    plain = _DATE.sub("", text)
    return not _DIGITS.search(plain) and (_wordy(plain) or not opaque(plain, least=12))


def _wordy(text: str) -> bool:
    return _WORDY.fullmatch(text) is not None
