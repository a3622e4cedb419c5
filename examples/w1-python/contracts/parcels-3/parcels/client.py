"""Labels: bought with a quote, printed once."""

from .rates import Quote


class Client:
    """A connection with an account."""

    def __init__(self, key: str, timeout: float = 5.0) -> None:
        self.timeout = timeout
        self._key = key

    def label(self, quote: Quote, reference: str = "") -> str:
        """The label as ZPL."""
        return self._buy(quote, reference)

    async def track(self, number: str) -> list[str]:
        """Where a parcel was seen."""
        return await self._steps(number)

    def cancel(self, number: str) -> bool:
        """Whether the label was taken back."""
        return self._drop(number)
