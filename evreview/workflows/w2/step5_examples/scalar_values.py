"""Which readable value goes with a field's name or format. One rule is one value; the first that holds is taken.

Every value is invented by convention: reserved names and addresses, fictional numbers, placeholders for secrets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evreview.core.vocabulary import Json


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
