"""Whether the base URL of the scope agrees with the servers of the contract."""

from __future__ import annotations

from evreview.contract.model import Contract, Element, ElementKind
from evreview.kinds.openapi.reader import server_key
from evreview.workflows.w2.facts import Operation


def agreeing(contract: Contract, operation: Operation, base: str) -> tuple[Element, ...] | None:
    """The operation's servers that the base URL agrees with; None when the contract names no server."""
    own = [child for child in operation.element.children if child.kind is ElementKind.SERVER]
    servers = own or [child for child in contract.root.children if child.kind is ElementKind.SERVER]
    # Where no server is written, the reader adds one at `/` whose place is the document.
    written = [each for each in servers if each.place != contract.root.place or each.name != "/"]
    return tuple(each for each in written if same_base(base, each.name)) if written else None


def same_base(one: str, other: str) -> bool:
    """True when two base URLs have one shape: scheme, host and path, as far as both state them."""
    mine, theirs = _parts(one), _parts(other)
    return (
        _fits(mine[0], theirs[0])
        and _fit(mine[1].split("."), theirs[1].split("."))
        and _fit(mine[2].split("/"), theirs[2].split("/"))
    )


def _parts(url: str) -> tuple[str, str, str]:
    """Scheme, host with port, and path; what the text leaves open is one template."""
    key = server_key(url)
    head, separator, rest = key.partition("//")
    if separator and (not head or head.endswith(":")):
        host, _, path = rest.partition("/")
        return head.removesuffix(":") or "{}", host, path.strip("/")
    first, _, path = key.partition("/")
    return "{}", "{}", (path if first in ("", ".", "{}") else key).strip("/")


def _fit(mine: list[str], theirs: list[str]) -> bool:
    """True when every label fits; a template that stands alone is a whole host or nothing narrower."""
    if ["{}"] in (mine, theirs):
        return True
    return len(mine) == len(theirs) and all(map(_fits, mine, theirs))


def _fits(mine: str, theirs: str) -> bool:
    """True when two labels can be the same: a template stands for any text between what is written around it."""
    for pattern, label in ((mine, theirs), (theirs, mine)):
        before, opened, _ = pattern.partition("{}")
        after = pattern.rpartition("{}")[2]
        if opened and (not label.startswith(before) or not label.endswith(after)) and "{}" not in label:
            return False
    return mine == theirs or "{}" in mine or "{}" in theirs
