"""What a contract says in words about limits, idempotency, side effects, pagination and rate limits; and of a schema.

OpenAPI has no keyword for these. A signal is one way in which contracts write them all the same; it only chooses what
is quoted, it never rephrases.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evreview.core.quoted_text import Part, Text, UserText, text
from evreview.core.vocabulary import ClosedVocabulary, Concern, Form, Json
from evreview.schema.view import SchemaView, Sub

Where = Literal["sentence", "query parameter", "header parameter", "response header", "response field", "extension"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One way to state something.

    Attributes:
        where: a sentence of a description, or the name of a part.
        pattern: what it has to match, case aside.
        weak: True when the name alone may mean something else, and a list in the success response has to confirm it.
    """

    id: str
    concern: Concern
    where: Where
    why: str
    pattern: str
    example: str
    counter_example: str
    weak: bool = False

    def fits(self, text: str) -> bool:
        """True when a sentence or name gives this signal; the number of a rate is no other limit."""
        if self.where == "sentence" and self.concern is Concern.LIMITS:
            text = without_rates(text)
        return re.search(self.pattern, text, re.IGNORECASE) is not None


SIGNALS: Final = (
    Signal(
        id="limit-sentence",
        concern=Concern.LIMITS,
        where="sentence",
        why="A number with a word of limiting is a limit that callers have to keep.",
        pattern=r"(?=.*\d)\b(at most|no more than|up to|maximum|max|limit(ed to| of)|(must not|cannot) exceed)\b"
        r"|\btime-?outs?\b|\btimes out\b|\bquotas?\b",
        example="A batch holds at most 100 orders.",
        counter_example="The order's limit price.",
    ),
    Signal(
        id="limit-extension",
        concern=Concern.LIMITS,
        where="extension",
        why="An extension named after a limit states one.",
        pattern=r"^x-(?!.*rate)(.*-)?(limits?|quotas?|timeout|max)(-|$)",
        example="x-request-timeout",
        counter_example="x-rate-limit",
    ),
    Signal(
        id="rate-limit-sentence",
        concern=Concern.RATE_LIMITS,
        where="sentence",
        why="The contract speaks of how often callers may call.",
        pattern=r"\brate[- ]?limit|\bthrottl|\b(requests?|calls?|queries|invocations) ?(per|an?|/|each|every) ?"
        r"(second|minute|hour|day)\b|\btoo (often|many (calls|requests))\b"
        r"|^(?=.*\b(call(s|ed|ers?)?|requests?|clients?|invoke[ds]?|poll(s|ed|ing)?)\b)"
        r".*\b(times|once|twice) ?(per|an?|/|each|every) ?(\d+ ?)?(seconds?|minutes?|hours?|days?)\b",
        example="Clients may send 10 requests per minute.",
        counter_example="The request is rated by the carrier.",
    ),
    Signal(
        id="rate-limit-header",
        concern=Concern.RATE_LIMITS,
        where="response header",
        why="These headers tell a caller how many calls are left.",
        pattern=r"^(x-)?rate-?limit",
        example="X-RateLimit-Remaining",
        counter_example="X-Total-Count",
    ),
    Signal(
        id="rate-limit-extension",
        concern=Concern.RATE_LIMITS,
        where="extension",
        why="An extension named after a rate limit states one.",
        pattern=r"^x-.*(rate-?limit|throttl)",
        example="x-rate-limit",
        counter_example="x-rated",
    ),
    Signal(
        id="idempotency-sentence",
        concern=Concern.IDEMPOTENCY,
        where="sentence",
        why="The contract says whether a call may be repeated.",
        pattern=r"\bidempoten|\bsafe(ly)? (to |be )*retr(y|ied)\b",
        example="This operation is idempotent.",
        counter_example="Retry after a second.",
    ),
    Signal(
        id="idempotency-key",
        concern=Concern.IDEMPOTENCY,
        where="header parameter",
        why="A key of the caller's makes repetitions of one call recognisable.",
        pattern=r"^(x-)?idempoten(cy|t)",
        example="Idempotency-Key",
        counter_example="X-Request-Id",
    ),
    Signal(
        id="idempotency-extension",
        concern=Concern.IDEMPOTENCY,
        where="extension",
        why="An extension named after idempotency states it.",
        pattern=r"^x-.*idempoten",
        example="x-idempotent",
        counter_example="x-request-id",
    ),
    Signal(
        id="side-effect-sentence",
        concern=Concern.SIDE_EFFECTS,
        where="sentence",
        why="The contract says what happens besides the answer.",
        pattern=r"\bside[- ]effects?\b|\b(sends?|emits?|publishes|enqueues|triggers|schedules) (an?|the|out)\b"
        r"|\b(reserves|refunds|revokes|cancels|invalidates|notify|notifies)\b|\basynchronously\b|\bin the background\b",
        example="Sends a confirmation to the customer.",
        counter_example="Lists the triggers of a workflow.",
    ),
    Signal(
        id="side-effect-extension",
        concern=Concern.SIDE_EFFECTS,
        where="extension",
        why="An extension named after side effects states them.",
        pattern=r"^x-side-?effects?",
        example="x-side-effects",
        counter_example="x-side",
    ),
    Signal(
        id="pagination-parameter",
        concern=Concern.PAGINATION,
        where="query parameter",
        why="The name says which page of a list is asked for.",
        pattern=r"^(page|per_?page|page\[?[_-]?(size|token|number|limit|cursor|offset)\]?|cursor|offset"
        r"|starting_?after|ending_?before|next_?token|continuation_?token|marker|max_?results)$",
        example="page_token",
        counter_example="homepage",
    ),
    Signal(
        id="pagination-list-parameter",
        concern=Concern.PAGINATION,
        where="query parameter",
        why="Beside a list in the answer the name says how much of the list is asked for.",
        pattern=r"^(\$?limit|\$?top|\$?skip|first|last|after|before|continue|size|count|start)$",
        example="limit",
        counter_example="limit_price",
        weak=True,
    ),
    Signal(
        id="pagination-header",
        concern=Concern.PAGINATION,
        where="response header",
        why="These headers lead to the next page.",
        pattern=r"^(link|x-total(-count)?|x-(next-)?page(-token)?|x-per-page)$",
        example="Link",
        counter_example="Location",
    ),
    Signal(
        id="pagination-field",
        concern=Concern.PAGINATION,
        where="response field",
        why="These fields lead to the next page.",
        pattern=r"(^|\.)(next_?(page|cursor|token|page_?token)|has_?more|page_?info|total_?pages)$",
        example="next_cursor",
        counter_example="next_delivery",
    ),
    Signal(
        id="pagination-sentence",
        concern=Concern.PAGINATION,
        where="sentence",
        why="The contract says how a list is read page by page.",
        pattern=r"\bpaginat|\bnext page\b|\bpage (size|token|number)\b",
        example="Results are paginated.",
        counter_example="Shows the status page.",
    ),
)


STRUCTURES: Final = (
    ("limit-items", Concern.LIMITS, "`maxItems` in a request limits how many items one call may carry."),
    ("rate-limit-status", Concern.RATE_LIMITS, "A documented 429 says that calls may be too many."),
    ("side-effect-callback", Concern.SIDE_EFFECTS, "A callback is a request that the service sends later."),
)
"""What says the same by a keyword of OpenAPI; found by `entry_stated`."""


def signals(where: Where, text: str) -> Iterator[Signal]:
    """The signals that a name or sentence gives."""
    return (signal for signal in SIGNALS if signal.where == where and signal.fits(text))


def rate_limit_header(name: str, status: str) -> bool:
    """True for a response header about rate limits; `Retry-After` is one of them beside the status 429 only."""
    if name.lower() == "retry-after":
        return status == "429"
    return any(signal.concern is Concern.RATE_LIMITS for signal in signals("response header", name))


_ENDS: Final = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*(?=[-*|#])|\r\n\s*\r\n")


def judged(sentence: str, concern: Concern) -> bool:
    """True when a signal tells that a sentence is about a concern."""
    return any(signal.concern is concern for signal in signals("sentence", sentence))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a description, white space in one spelling."""
    return tuple(" ".join(part.split()) for part in _ENDS.split(text) if part.strip())


# Amounts that a text states: calls in a period, sizes in bytes, items on a page.


_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_RATE: Final = re.compile(
    r"\b(?P<calls>\d[\d,]{0,11})(?:\s+[a-z]{1,20}){0,2}\s*(?:/|\b(?:per|an?|each|every)\b)\s*(?P<many>\d{1,6})?\s*"
    r"(?P<unit>sec(?:ond)?|s|min(?:ute)?|m|h(?:ou)?r|h|day|d)s?\b",
    re.IGNORECASE,
)
_SIZE: Final = re.compile(
    r"\b(?P<many>\d[\d,]{0,14}(?:\.\d{1,3})?)\s?(?P<unit>bytes?|octets?|[kmg]i?b|(?:kilo|mega|giga|kibi|mebi|gibi)bytes?)\b",
    re.IGNORECASE,
)
_PAGE: Final = re.compile(
    r"\b(?P<many>\d[\d,]{0,8})\s+(?:[a-z]{1,20}\s+){0,2}(?:per|an?|(?:on|in)\s+(?:each|every|an?))\s+page\b"
    r"|\bpage\s+size\s+(?:is|of)\s+(?P<size>\d[\d,]{0,8})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Rate:
    """So many calls in so many seconds."""

    calls: int
    seconds: int

    def refuses(self, other: Rate) -> bool:
        """True when someone who keeps to the other rate meets this one's end: in one burst, or in a longer period."""
        return self.calls < other.calls or other.calls * (self.seconds // other.seconds) > self.calls


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """So many bytes; from `least` to `most` where the unit is read both ways, 1000 and 1024."""

    least: int
    most: int


def rates(text: str) -> Iterator[Rate]:
    """Every rate that a text states."""
    for found in _RATE.finditer(text):
        seconds = _SECONDS[found["unit"][0].lower()] * int(found["many"] or 1)
        calls = _whole(found["calls"])
        if calls and seconds:
            yield Rate(calls, seconds)


def without_rates(text: str) -> str:
    """The text without the rates that it states."""
    return _RATE.sub(" ", text)


def rate_of(value: Form) -> Rate | None:
    """The one rate that a fact of the code states: `10/minute`, or times in seconds, minutes, hours, days."""
    if isinstance(value, str):
        found = list(rates(value))
        return found[0] if len(found) == 1 else None
    if not isinstance(value, Mapping):
        return None
    numbers = {name: part for name, part in value.items() if isinstance(part, int) and not isinstance(part, bool)}
    seconds = sum(_SECONDS[name[0]] * part for name, part in numbers.items() if name in _PERIODS)
    calls = numbers.get("times", 0)
    return Rate(calls, seconds) if calls > 0 and seconds > 0 else None


_PERIODS: Final = frozenset({"seconds", "minutes", "hours", "days"})


def sizes(text: str) -> Iterator[Size]:
    """Every size in bytes that a text states."""
    for found in _SIZE.finditer(text):
        number, unit = float(found["many"].replace(",", "")), found["unit"].lower()
        power = {"k": 1, "m": 2, "g": 3}.get(unit[0], 0)
        binary = "i" in unit[1:3] or unit.startswith(("kibi", "mebi", "gibi"))
        plain = unit.startswith(("kilo", "mega", "giga"))
        least = 1024 if binary and not plain else 1000
        yield Size(int(number * least**power), int(number * 1024**power))


def pages(text: str) -> Iterator[int]:
    """Every number of items on a page that a text states."""
    return (_whole(found["many"] or found["size"]) for found in _PAGE.finditer(text))


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))


# A schema's type and constraints in words of ours, values as words of the subject.


_ORDER: Final = ("object", "array", "string", "number", "integer", "boolean")
_MOST: Final = 60
"""Values of one enumeration that are printed; how many more there are is said."""
_SIZES: Final = (
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "member"),
)
Read = Callable[[Sub], SchemaView]


class TypeKind(ClosedVocabulary):
    """The type of a value, as far as a gap hangs on it. STRING: any text. MAP: an object of members of any name."""

    NOT_STATED = "not stated"
    ANY = "any type"
    STRING = "string"
    MAP = "map"
    OBJECT = "object"
    OTHER = "other"


class ConstraintKind(ClosedVocabulary):
    """What a constraint limits, as far as a decision hangs on it."""

    VALUES = "values"
    MOST = "most"
    MOST_ITEMS = "most items"
    EXACT_ITEMS = "exact items"
    CLOSED = "closed"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint beside the type: its kind, and its words."""

    kind: ConstraintKind
    says: Text


NOT_STATED: Final[Text] = ("not stated",)
"""The type of a value without a schema."""


def type_kind(view: SchemaView) -> TypeKind:
    """What `type_words` says, as a kind."""
    names = _names(view)
    if view.never:
        return TypeKind.OTHER
    if names[:1] == ("object",):
        return TypeKind.MAP if not view.properties and isinstance(view.additional, Sub) else TypeKind.OBJECT
    if names == ("string",):
        plain = not isinstance(view.keywords.get("format"), str) and not (view.typed and view.null)
        return TypeKind.STRING if plain else TypeKind.OTHER
    return TypeKind.OTHER if names or view.typed or view.any_of or view.one_of else TypeKind.ANY


def _names(view: SchemaView) -> tuple[str, ...]:
    """The types, stated or shown by what is said of values."""
    stated = sorted(view.types or (), key=lambda name: _ORDER.index(name) if name in _ORDER else 9)
    if stated:
        return tuple(stated)
    if view.properties or view.required or view.patterns or isinstance(view.additional, Sub):
        return ("object",)
    return ("array",) if isinstance(view.items, Sub) or view.prefix else ()


def type_words(view: SchemaView, read: Read, depth: int = 0) -> Text:
    """The type: `string (uuid) or null`, `array of string`, `map of integer`, `any type` where none is stated."""
    if view.never:
        return ("no value",)
    parts: list[Part] = []
    for name in _names(view) or _untyped(view):
        parts += [" or ", *_one(name, view, read, depth)] if parts else _one(name, view, read, depth)
    if view.typed and view.null:
        parts += [" or null"] if view.types else ["null"]
    return tuple(parts)


def _untyped(view: SchemaView) -> tuple[str, ...]:
    if view.typed:
        return ()
    return ("one of the alternatives",) if view.any_of or view.one_of else ("any type",)


def _one(name: str, view: SchemaView, read: Read, depth: int) -> list[Part]:
    if name == "array" and isinstance(view.items, Sub):
        inner = type_words(read(view.items), read, depth + 1) if depth < 3 else text("further values")
        return ["array of ", *inner]
    if name == "object" and not view.properties and isinstance(view.additional, Sub) and depth < 3:
        return ["map of ", *type_words(read(view.additional), read, depth + 1)]
    written = view.keywords.get("format")
    if isinstance(written, str) and name in ("string", "number", "integer"):
        return [name, " (", UserText(written), ")"]
    return [name]


def constraints(view: SchemaView) -> tuple[Constraint, ...]:
    """The constraints beside the type: values, bounds, sizes, pattern, multiples, closed objects."""
    return tuple(_constraints(view))


def _constraints(view: SchemaView) -> Iterator[Constraint]:
    if view.enum is not None:
        yield Constraint(ConstraintKind.VALUES, _values("only " if len(view.enum) == 1 else "one of ", view.enum))
    both = view.minimum and view.maximum and not (view.minimum.exclusive or view.maximum.exclusive)
    if both and view.minimum and view.maximum:
        least, most_of_it = UserText(_number(view.minimum.value)), UserText(_number(view.maximum.value))
        yield Constraint(ConstraintKind.MOST, (least, " to ", most_of_it))
    if view.minimum is not None and not both:
        yield _other("more than " if view.minimum.exclusive else "at least ", UserText(_number(view.minimum.value)))
    if view.maximum is not None and not both:
        most: Text = ("less than " if view.maximum.exclusive else "at most ", UserText(_number(view.maximum.value)))
        yield Constraint(ConstraintKind.MOST, most)
    keywords = view.keywords
    for low, high, noun in _SIZES:
        yield from _size(keywords.get(low), keywords.get(high), noun, items=low == "minItems")
    if isinstance(keywords.get("pattern"), str):
        yield _other("matches ", UserText(str(keywords["pattern"])))
    if _is_number(keywords.get("multipleOf")):
        yield _other("a multiple of ", UserText(_number(keywords["multipleOf"])))
    if keywords.get("uniqueItems") is True:
        yield _other("no item twice")
    for name in ("contentEncoding", "contentMediaType"):
        if isinstance(keywords.get(name), str):
            yield _other(f"{name} ", UserText(str(keywords[name])))
    known = keywords.get("x-extensible-enum")
    if isinstance(known, list):
        yield _other(*_values("known values ", tuple(known)), "; more may come")
    if view.closed:
        yield Constraint(ConstraintKind.CLOSED, ("no further members",))


def _other(*says: Part) -> Constraint:
    return Constraint(ConstraintKind.OTHER, says)


def _size(low: Json, high: Json, noun: str, *, items: bool) -> Iterator[Constraint]:
    if _is_number(low) and low == high:
        kind = ConstraintKind.EXACT_ITEMS if items else ConstraintKind.OTHER
        yield Constraint(kind, ("exactly ", UserText(_number(low)), f" {_plural(noun, low)}"))
        return
    kind = ConstraintKind.MOST_ITEMS if items else ConstraintKind.MOST
    if _is_number(low) and _is_number(high):
        yield Constraint(kind, (UserText(_number(low)), " to ", UserText(_number(high)), f" {_plural(noun, high)}"))
    elif _is_number(low):
        yield _other("at least ", UserText(_number(low)), f" {_plural(noun, low)}")
    elif _is_number(high):
        yield Constraint(kind, ("at most ", UserText(_number(high)), f" {_plural(noun, high)}"))


def _plural(noun: str, number: Json) -> str:
    return noun if number == 1 else f"{noun}s"


def _values(lead: str, values: tuple[Json, ...]) -> Text:
    parts: list[Part] = [lead]
    for at, value in enumerate(values[:_MOST]):
        parts += [", "] * bool(at) + [UserText(value_text(value))]
    more = len(values) - _MOST
    return (*parts, f" and {more} more") if more > 0 else tuple(parts)


def value_text(value: Json) -> str:
    """A value as JSON, a text as it is."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False, default=str)


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: Json) -> str:
    return json.dumps(value, default=str)


def described(node: Json) -> str:
    """The description that a written node carries itself, "" for none."""
    found = node.get("description") if isinstance(node, Mapping) else None
    return found if isinstance(found, str) else ""
