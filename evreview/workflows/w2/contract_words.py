"""What a contract says about limits, idempotency, side effects, pagination and rate limits, and how it is recognised.

OpenAPI has no keyword for these. A signal is one way in which contracts write them all the same; it only chooses what
is quoted, it never rephrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.core.vocabulary import Concern
from evreview.reference.reconciling.amounts import without_rates

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
