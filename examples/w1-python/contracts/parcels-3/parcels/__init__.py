"""Quotes and labels for parcels."""

from .client import Client
from .errors import ParcelError, UnknownZone
from .rates import Quote, Service, quote

__all__ = ["Client", "ParcelError", "Quote", "Service", "UnknownZone", "quote"]
