"""Destinations and looked-up names in one line of a system-call trace."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

_ADDRESSES: Final = re.compile(
    r'sa_family=AF_INET, sin_port=htons\((?P<port4>\d+)\), sin_addr=inet_addr\("(?P<four>[^"]+)"\)'
    r'|sa_family=AF_INET6, sin6_port=htons\((?P<port6>\d+)\).{0,80}?inet_pton\(AF_INET6, "(?P<six>[^"]+)"'
)
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))")
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}
_HEADER: Final = 12
_LONGEST_LABEL: Final = 63
LOOKUP_PORT: Final = 53


@dataclass(frozen=True, slots=True)
class Destination:
    """An internet address and port that a call names."""

    address: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """True for this host itself. The unspecified address reaches it too."""
        try:
            found = ip_address(self.address.partition("%")[0])
        except ValueError:
            return False
        mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        plain = mapped or found
        return plain.is_loopback or plain.is_unspecified

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def destinations(line: str) -> tuple[Destination, ...]:
    """Every internet address of a line, in order."""
    return tuple(
        Destination(found["four"] or found["six"], int(found["port4"] or found["port6"]))
        for found in _ADDRESSES.finditer(line)
    )


def looked_up(line: str) -> tuple[str, ...]:
    """The names that name-server questions in a line's buffers ask for, each once."""
    names = (_question(_plain(text)) for text in _QUOTED.findall(line))
    return tuple(dict.fromkeys(name for name in names if name))


def _plain(text: str) -> str:
    """A C string as the trace writes it, one character for each byte."""

    def meant(found: re.Match[str]) -> str:
        if found[1] or found[2]:
            return chr(int(found[1], 8) if found[1] else int(found[2], 16))
        return _LETTERS.get(found[3], found[3])

    return _ESCAPE.sub(meant, text)


def _question(packet: str) -> str:
    """The first name that a name-server packet asks for, "" when it is none."""
    labels: list[str] = []
    at = _HEADER
    while at < len(packet):
        length = ord(packet[at])
        if length == 0:
            break
        label = packet[at + 1 : at + 1 + length]
        if length > _LONGEST_LABEL or len(label) < length or not label.isprintable():
            return ""
        labels.append(label)
        at += 1 + length
    return ".".join(labels) if at < len(packet) else ""
