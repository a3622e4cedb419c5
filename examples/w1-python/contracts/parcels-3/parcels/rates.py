"""Quotes: what a parcel costs, by which service."""

from dataclasses import dataclass
from enum import Enum


class Service(Enum):
    """How fast a parcel travels."""

    ECONOMY = "eco"
    EXPRESS = "express"


@dataclass(frozen=True)
class Quote:
    """A price, binding for a day."""

    service: Service
    cents: int
    days: int | None = None
    currency: str = "EUR"


def quote(weight: int, zone: str, service: Service = Service.ECONOMY, *, insured: bool = False) -> Quote:
    """The price of one parcel."""
    return _ask(weight, zone, service, insured)


def _ask(weight, zone, service, insured): ...
