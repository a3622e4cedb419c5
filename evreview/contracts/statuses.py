"""Which responses HTTP sends without content, whatever a contract describes."""

from __future__ import annotations

import re
from typing import Final

_BARE: Final = re.compile(r"1(?:[0-9]{2}|XX)|20[45]|304")
"""RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5."""


def carries_content(status: str) -> bool:
    """True for a status, a range such as `4XX`, or `default`, with which a response may have content."""
    return _BARE.fullmatch(status) is None
