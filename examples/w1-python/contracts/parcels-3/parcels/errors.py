"""What goes wrong with parcels."""


class ParcelError(Exception):
    """Anything that goes wrong."""


class UnknownZone(ParcelError):
    """No service reaches the zone."""
