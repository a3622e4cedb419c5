"""Privacy-safe usage: what counts show about one element, who may use it unlisted, and signals that may be kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, Literal

from evreview.core.vocabulary import ClientId, DeltaId
from evreview.evidence.cited_records import Cited
from evreview.evidence.contradictions import other_environment
from evreview.evidence.element_mentions import field_path, field_steps, is_suffix, names_element
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, Signal, UsageCount, UsageMetrics
from evreview.workflows.w1.facts import ClassifiedRow

_NONE: Final = re.compile(
    r"(none|no|n/?a|unknown|tbd|todo|to be (done|decided|defined)|not (yet )?(known|documented|defined)( yet)?)"
    r"( (privacy )?controls?)?",
    re.IGNORECASE,
)
"""What says of a control that there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroUse:
    """Whether evidence shows that nobody uses an element; `why` says what is lacking, or which period shows it."""

    shown: bool
    why: str
    citations: tuple[Citation, ...] = ()


def controls_lacking(metrics: UsageMetrics) -> tuple[str, ...]:
    """Which of aggregation, retention and privacy controls the metrics do not document."""
    named = (
        ("aggregation", metrics.aggregation),
        ("retention", metrics.retention),
        ("privacy controls", metrics.privacy_controls),
    )
    return tuple(name for name, value in named if not value or _NONE.fullmatch(value.strip().rstrip(".")))


def elsewhere(metrics: UsageMetrics) -> str:
    """Why the counts are not shown to be of production, "" when they are."""
    if metrics.environment is None:
        return "which environment was counted is not shown"
    if metrics.environment != "production":
        return "another environment than production was counted"
    found = other_environment(metrics.aggregation or "")
    return f"they are called counts of production, and their aggregation names `{found}`" if found else ""


def private_parts(metrics: UsageMetrics) -> tuple[str, ...]:
    """What the counts keep that counting needs not, by their own words about how they are aggregated."""
    return tuple(dict.fromkeys(fault.kind for fault in lint_text(metrics.aggregation or "")))


def usable_metrics(
    metrics: Iterable[Cited[UsageMetrics]],
) -> tuple[tuple[Cited[UsageMetrics], ...], tuple[str, ...]]:
    """The metrics of production that document all three controls and keep nothing private; a limitation for others."""
    usable, limitations = [], []
    for cited in metrics:
        lacking = controls_lacking(cited.record)
        if lacking:
            limitations.append(
                f"The usage metrics of {cited.citation} are not used: no {', no '.join(lacking)} stated."
            )
        elif where := elsewhere(cited.record):
            limitations.append(f"The usage metrics of {cited.citation} are not used: {where}.")
        elif kept := private_parts(cited.record):
            limitations.append(f"The usage metrics of {cited.citation} are not used: they keep {', '.join(kept)}.")
        else:
            usable.append(cited)
    return tuple(usable), tuple(limitations)


def zero_use(
    address: str,
    operations: Sequence[str],
    metrics: Sequence[Cited[UsageMetrics]],
    as_of: str | None = None,
    days: int | None = None,
) -> ZeroUse:
    """Whether `metrics` show that no consumer uses the element at `address`, at every operation that it reaches.

    Counts of zero over all consumers show it, for the element itself or for what encloses it, unless another count
    of the element itself in the same period or later is above zero. Counts that end after `as_of` are not used.

    With `days` the zero counts together must cover each of the last `days` days, because an old count says nothing
    about use since. The last of these days is `as_of`, or the day before it while the day of the review is not
    counted yet.

    Args:
        address, operations: the element, as the ledger addresses it.
        metrics: metrics with all controls documented (see `usable_metrics`).
        as_of: the ISO date of the review; None for no limit.
        days: how many days up to `as_of` must be counted; None asks for no particular days. At least the last day
            is asked for otherwise.
    """
    asked = None if as_of is None or days is None else (date.fromisoformat(as_of), max(days, 1))
    counts = [
        (count, cited.at(f"/counts/{place}"))
        for cited in metrics
        for place, count in enumerate(cited.record.counts)
        if _dated(count, as_of)
    ]
    found = []
    for operation in operations or (address.split(" > ")[0],):
        use = _zero_at(operation, address, counts, asked)
        if not use.shown:
            return use
        found.append(use)
    citations = dict.fromkeys(citation for use in found for citation in use.citations)
    return ZeroUse(shown=True, why="; ".join(dict.fromkeys(use.why for use in found)), citations=tuple(citations))


_Counts = Sequence[tuple[UsageCount, Citation]]


def _zero_at(operation: str, address: str, counts: _Counts, asked: tuple[date, int] | None) -> ZeroUse:
    own = [(count, at) for count, at in counts if names_element(count.element, address, operation)]
    zeros = [(count, at) for count, at in own if count.uses == 0 and count.consumers == "all"]
    if not zeros:
        known_only = any(count.uses == 0 for count, _ in own)
        lack = "the count of zero covers known consumers only" if known_only else "no count of zero over all consumers"
        return ZeroUse(shown=False, why=f"{lack} at {operation}")
    latest, at = max(zeros, key=lambda found: (found[0].until, found[0].since))
    needed = _needed(zeros, *asked) if asked else []
    since, until = (needed[0], needed[-1]) if needed else (latest.since, latest.until)
    for count, place in own:
        if count.uses > 0 and count.until >= since and _is_itself(count.element, address):
            why = f"{count.uses} uses were counted from {count.since} to {count.until}"
            return ZeroUse(shown=False, why=why, citations=(place,))
    uncounted = [day for day in needed if not any(_counts_day(count, day) for count, _ in zeros)]
    if uncounted:
        why = f"at {operation} these days are not counted: {_ranges(uncounted)}"
        return ZeroUse(shown=False, why=why, citations=(at,))
    used = [place for count, place in zeros if count.until >= since] if needed else [at]
    return ZeroUse(shown=True, why=f"no use from {since} to {until}, all consumers", citations=tuple(used))


def _needed(zeros: _Counts, as_of: date, days: int) -> list[date]:
    """The days that must be counted, in order; they end the day before `as_of` while nobody counted that day."""
    counted = any(_counts_day(count, as_of) for count, _ in zeros)
    last = as_of.toordinal() - (0 if counted else 1)
    return [date.fromordinal(day) for day in range(max(last - days, 0) + 1, last + 1)]


def _counts_day(count: UsageCount, day: date) -> bool:
    return count.since <= day <= count.until


def _ranges(days: Sequence[date]) -> str:
    """Days as ranges: `2026-11-01 to 2026-11-03, 2026-11-07`."""
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _dated(count: UsageCount, as_of: str | None) -> bool:
    limit = date.fromisoformat(as_of) if as_of else date.max
    return count.since <= count.until <= limit


def _is_itself(text: str, address: str) -> bool:
    """True when the text names the element itself, not what encloses it."""
    words = text.split(maxsplit=2)
    named = field_steps(words[2]) if len(words) == 3 else ()
    return is_suffix(text, address) or (bool(named) and named[-1:] == field_path(address)[-1:])


# What is not known about consumers: those that nobody lists, and listed ones without owner or usage.


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownConsumers:
    """Consumers that no inventory lists. There is always one such value; it closes per row, by usage evidence only.

    Attributes:
        open: True while at least one row is open, or there are no rows.
        open_deltas, closed_deltas: rows by whether usage evidence shows that no consumer uses the element.
        statement: the limitation, in a sentence.
        citations: inventories that state completeness, and the usage evidence that closes rows.
    """

    open: bool
    open_deltas: tuple[DeltaId, ...]
    closed_deltas: tuple[DeltaId, ...]
    statement: str
    citations: tuple[Citation, ...]

    def open_for(self, delta_id: DeltaId) -> bool:
        """True unless usage evidence closes this row."""
        return delta_id not in self.closed_deltas


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipGap:
    """A reason for W1-F3: an owner or use that is not known, a use that maps nothing, an unlisted client."""

    client: ClientId | None
    missing: Literal["owner", "usage", "inventory", "mapping", "entry"]
    text: str
    citation: Citation | None


def unknown_consumers(
    rows: Sequence[ClassifiedRow],
    inventories: Sequence[Cited[ClientInventory]],
    metrics: Sequence[Cited[UsageMetrics]],
    as_of: str | None = None,
    days: int | None = None,
) -> UnknownConsumers:
    """The unlisted consumers. An inventory that calls itself complete stays a statement and closes nothing.

    Args:
        rows: all rows of the comparison.
        inventories: the known clients.
        metrics: usage metrics as supplied; those without all three controls are not used.
        as_of, days: the date of the review, and how many days up to it the counts must cover (see `zero_use`).
    """
    usable, _ = usable_metrics(metrics)
    uses = [(row.delta.id, zero_use(row.delta.address, row.delta.operations, usable, as_of, days)) for row in rows]
    closed = tuple(delta_id for delta_id, use in uses if use.shown)
    complete = [cited for cited in inventories if cited.record.complete]
    citations = [cited.at("/complete") for cited in complete]
    citations += [citation for _, use in uses if use.shown for citation in use.citations]
    return UnknownConsumers(
        open=not rows or len(closed) < len(rows),
        open_deltas=tuple(delta_id for delta_id, use in uses if not use.shown),
        closed_deltas=closed,
        statement=_statement(len(rows), len(closed), bool(complete)),
        citations=tuple(dict.fromkeys(citations)),
    )


def ownership_gaps(
    inventories: Sequence[Cited[ClientInventory]], named: Mapping[ClientId, tuple[str, Citation | None]] | None = None
) -> tuple[OwnershipGap, ...]:
    """Every unknown owner and usage of a client, those listed first and in their order; W1-F3 when not empty.

    Args:
        inventories: the known clients.
        named: clients that something else names, by id: what does, and its citation; None for no evidence item.
    """
    if not inventories:
        text = "No client inventory was supplied: who uses the API, and who owns those clients, is unknown."
        return (OwnershipGap(client=None, missing="inventory", text=text, citation=None),)
    return (*_unlisted(inventories, named or {}), *_of_listed(inventories))


def _unlisted(
    inventories: Sequence[Cited[ClientInventory]], named: Mapping[ClientId, tuple[str, Citation | None]]
) -> Iterable[OwnershipGap]:
    listed = {client.id for cited in inventories for client in cited.record.clients}
    at = inventories[0].at("/clients")
    if not listed and not any(cited.record.complete for cited in inventories):
        text = "The client inventory lists no client and does not call itself complete: who uses the API is unknown."
        yield OwnershipGap(client=None, missing="inventory", text=text, citation=at)
    for client, (where, citation) in named.items():
        if client not in listed:
            text = f"Client {client} is named by {where} and listed by no inventory: its owner and use are unknown."
            yield OwnershipGap(client=client, missing="entry", text=text, citation=citation or at)


def _of_listed(inventories: Sequence[Cited[ClientInventory]]) -> tuple[OwnershipGap, ...]:
    gaps = []
    for cited in inventories:
        for place, client in enumerate(cited.record.clients):
            at = cited.at(f"/clients/{place}")
            named = ClientId(client.id)
            if client.owner_role is None:
                text = f"The owner of client {client.id} is unknown."
                gaps.append(OwnershipGap(client=named, missing="owner", text=text, citation=at))
            if client.uses is None:
                text = f"What client {client.id} uses is unknown."
                gaps.append(OwnershipGap(client=named, missing="usage", text=text, citation=at))
    return tuple(gaps)


def _statement(rows: int, closed: int, complete: bool) -> str:
    """The limitation in words; it never says that there are no unlisted consumers."""
    if rows and closed == rows:
        return "Unlisted consumers: unknown; usage evidence over all consumers shows no use of any changed element."
    stated = " The inventory calls itself complete, which is a statement and no evidence of use." if complete else ""
    partly = f" Usage evidence closes {closed} of {rows} differences." if closed else ""
    return f"Unlisted consumers: unknown; what the differences mean for them is not known.{stated}{partly}"


# Failure rates, and the refusal of signals that would keep what must not be kept.


FORMULA: Final = "failure-counter delta / attempt-counter delta * 100"

FaultKind = Literal["body", "personal-data", "internal-error"]

VOCABULARY: Final[tuple[tuple[FaultKind, str], ...]] = (
    ("body", r"\b(bod(y|ies)|payloads?)\b"),
    ("body", r"\b(full|raw|captured|sampled|logged|recorded) (requests?|responses?|messages?)\b"),
    ("personal-data", r"\bpersonal (data|information)\b"),
    ("personal-data", r"\be-?mails?\b"),
    ("personal-data", r"\b(user|customer|account|person|subscriber)[ _-]?(ids?|identifiers?|names?|numbers?)\b"),
    ("personal-data", r"\b(ip|postal|home|mail)[ _-]?address(es)?\b"),
    ("personal-data", r"\b(phone|session[ _-]?ids?|access[ _-]?tokens?|passwords?|cookies?)\b"),
    ("internal-error", r"\bstack[ _-]?traces?\b|\btracebacks?\b|\bstack frames?\b"),
    ("internal-error", r"\bexception (messages?|texts?|class(es)?|names?|details?)\b"),
    ("internal-error", r"\b(internal error|error (message|detail)|sql (text|statement|error))s?\b"),
)
"""What a signal may not need: kind of fault, and the pattern of the words that show it."""

_PATTERNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in VOCABULARY)
_DENIAL: Final = re.compile(r"^\s*(and\s+|or\s+)?(no|not|none|never|without|nothing)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalFault:
    """One reason why a signal must be redesigned: what it would keep, and which part of it says so."""

    kind: FaultKind
    where: str
    text: str


def failure_rate(failures: int, attempts: int) -> float | None:
    """The failure rate in percent from two counter deltas; None for zero attempts, which give no rate.

    Raises:
        ValueError: a delta is negative, or more failed than was attempted.
    """
    if failures < 0 or attempts < 0 or failures > attempts:
        raise ValueError(f"counter deltas must satisfy 0 <= failures <= attempts, got {failures} and {attempts}")
    return None if attempts == 0 else float(Fraction(failures * 100, attempts))


def exceeds(rate: float | None, baseline: float, margin: float) -> bool:
    """True when `rate` is above `baseline + margin`, strictly; decimal values are compared exactly. No rate: False."""
    return rate is not None and _exact(rate) - _exact(baseline) > _exact(margin)


def lint_signal(signal: Signal) -> tuple[SignalFault, ...]:
    """Why `signal` must be redesigned: every body, personal datum or internal error that it would need or keep."""
    parts = [("name", signal.name), ("numerator", signal.numerator), ("denominator", signal.denominator)]
    parts.extend(("retains", text) for text in signal.retains)
    parts.extend(("tags", text) for text in (signal.baseline.tags if signal.baseline else ()))
    return tuple(fault for where, text in parts for fault in lint_text(text, where))


def lint_text(text: str, where: str = "text") -> tuple[SignalFault, ...]:
    """What a sentence would keep that must not be kept; a clause that starts with a denial (`no bodies`) is none."""
    clauses = (clause for clause in re.split(r"[;,.]|\bbut\b", text) if not _DENIAL.match(clause))
    found = _matches(clauses)
    return tuple(SignalFault(kind=kind, where=where, text=word) for kind, word in dict.fromkeys(found))


def _matches(clauses: Iterable[str]) -> list[tuple[FaultKind, str]]:
    return [
        (kind, match.group(0))
        for clause in clauses
        for kind, pattern in _PATTERNS
        for match in [pattern.search(clause.replace("_", " "))]
        if match
    ]


def _exact(value: float) -> Fraction:
    return Fraction(str(value))
