"""What a message sends for each parameter, found by name: messages with many parameters are judged in one pass."""

from __future__ import annotations

from urllib.parse import unquote

from evreview.messages.message import Message, Pairs
from evreview.messages.parameter_styles import Style, claims, spreads
from evreview.messages.value_types import Outline


class Named:
    """The pairs of a query or of cookies by the names that they bear."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        self._by_start: dict[str, list[tuple[str, str]]] = {}
        for pair in pairs:
            plain = unquote(pair[0])
            self._by_name.setdefault(plain, []).append(pair)
            self._by_start.setdefault(plain.partition("[")[0], []).append(pair)

    def called(self, name: str) -> Pairs:
        """The pairs with just this name."""
        return tuple(self._by_name.get(name, ()))

    def of(self, style: Style, form: Outline, others: frozenset[str]) -> Pairs:
        """The pairs that belong to a parameter, see `claims`."""
        if style.style != "deepObject" and not spreads(style, form):
            return self.called(style.name)
        # A name with brackets starts as the parameter does, up to the first of them.
        near = self._by_start.get(style.name.partition("[")[0], ()) if style.style == "deepObject" else self._pairs
        return tuple(pair for pair in near if claims(pair[0], style, form, others))


class Sent:
    """The parts of one message that parameters speak of.

    Attributes:
        headers: by name.
        query, cookies: the pairs by name.
    """

    def __init__(self, message: Message) -> None:
        self.headers = dict(message.headers)
        self.query, self.cookies = Named(message.query), Named(message.cookies)
