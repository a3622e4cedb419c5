"""Quotes and labels for parcels."""

from .client import Client
from .errors import ParcelError, UnknownZone
from .rates import Quote, Service, cheapest, quote

__all__ = ["Client", "ParcelError", "Quote", "Service", "UnknownZone", "cheapest", "quote"]
