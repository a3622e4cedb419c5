"""URLs in one spelling: texts that RFC 3986, section 6.2, calls equivalent are one."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

_ESCAPED: Final = re.compile("%([0-9A-Fa-f]{2})")
_FOREIGN: Final = re.compile(r'[^!-~]|["<>\\^`|]')
"""What no URL holds as it is; braces are left, they stand around variables."""
_PORTS: Final = {"http": ":80", "https": ":443", "ws": ":80", "wss": ":443"}


def respelled(path: str) -> str:
    """The path without escapes of signs that need none, all others in upper case: RFC 3986, section 6.2.2."""
    return _ESCAPED.sub(_sign, path) if "%" in path else path


def _sign(found: re.Match[str]) -> str:
    sign = chr(int(found[1], 16))
    return sign if sign.isascii() and (sign.isalnum() or sign in "-._~") else found[0].upper()


def as_sent(path: str) -> str:
    """The path as a request line has it: `respelled`, and an escape for every sign that no URL holds."""
    return _FOREIGN.sub(lambda found: quote(found[0]), respelled(path))


def address(url: str) -> str:
    """An absolute or relative URL in one spelling: no default port, no dot segments, scheme and host in lower case."""
    url = respelled(url)
    head, separator, rest = url.partition("//")
    if not separator or (head and not head.endswith(":")):
        return _without_dots(url, rooted=url.startswith("/"))
    scheme = head.removesuffix(":").lower()
    host, slash, path = rest.partition("/")
    return f"{head.lower()}//{without_port(scheme, host.lower())}{slash}{_without_dots(path, rooted=True)}"


def without_port(scheme: str, host: str) -> str:
    """The host without the port that its scheme has anyway: RFC 9110, section 4.2.3."""
    return host.removesuffix(_PORTS.get(scheme, ":0"))


def with_port(scheme: str, host: str) -> str:
    """The host with the port that its scheme has anyway, itself where no scheme says one."""
    return host + _PORTS.get(scheme, "")


def _without_dots(path: str, *, rooted: bool) -> str:
    """The path without `.` and `..`: RFC 3986, section 5.2.4. What a variable stands for is no step that is known."""
    steps = path.split("/")
    if "." not in steps and ".." not in steps:
        return path
    kept: list[str] = []
    for step in steps:
        if step == ".." and kept and kept[-1] not in ("", ".."):
            if "{" in kept[-1]:
                return path
            kept.pop()
        elif step != "." and not (step == ".." and rooted):
            kept.append(step)
    return "/".join(kept)


# Which responses HTTP sends without content, whatever a contract describes.


_BARE: Final = re.compile(r"1(?:[0-9]{2}|XX)|20[45]|304")
"""RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5."""


def carries_content(status: str) -> bool:
    """True for a status, a range such as `4XX`, or `default`, with which a response may have content."""
    return _BARE.fullmatch(status) is None
