"""The words of the rules about schemas, for messages: those rules were written for requests, responses and clients."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = {
    "old request": "old message",
    "old client": "old consumer",
    "a request": "a message",
    "the request": "the message",
    "a response": "a message",
    "the response": "the message",
    "A request": "A message",
    "A response": "A message",
    "Old requests": "Old messages",
    "that request": "that message",
    "the clients": "the senders",
    "A client": "A consumer",
    "told clients": "told consumers",
}
_ANY: Final = re.compile("|".join(rf"\b{re.escape(words)}" for words in _WORDS))


def of_messages(text: str) -> str:
    """A rule's text as it reads about a message of an event contract."""
    return _ANY.sub(lambda found: _WORDS[found.group()], text)
