"""Labels: bought with a quote, printed once."""

from .rates import Quote


class Client:
    """A connection with an account."""

    def __init__(self, key: str, timeout: float = 10.0) -> None:
        self.timeout = timeout
        self._key = key

    def label(self, quote: Quote, reference: str = "") -> bytes:
        """The label as PDF."""
        return self._buy(quote, reference)

    def track(self, number: str) -> list[str]:
        """Where a parcel was seen."""
        return self._steps(number)
