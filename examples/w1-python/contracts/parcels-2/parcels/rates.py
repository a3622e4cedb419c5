"""Quotes: what a parcel costs, by which service."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from warnings import deprecated


class Service(Enum):
    """How fast a parcel travels."""

    ECONOMY = "eco"
    EXPRESS = "exp"


@dataclass(frozen=True)
class Quote:
    """A price, binding for a day."""

    service: Service
    cents: int
    days: int | None = None


def quote(weight: int, zone: str, service: Service = Service.ECONOMY, insured: bool = False) -> Quote:
    """The price of one parcel."""
    return _ask(weight, zone, service, insured)


@deprecated("use min(quotes, key=...)")
def cheapest(quotes: Iterable[Quote]) -> Quote | None:
    """The lowest of some quotes."""
    return min(quotes, key=lambda one: one.cents, default=None)


def _ask(weight, zone, service, insured): ...
