"""Where a line of a scanner or reviewer stands: the supplied file, the function around it, the routes that reach it."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from evreview.codefacts.model import SourceText, Spot
from evreview.core.vocabulary import EvidenceId
from evreview.security.leads.ids import plain_path
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Around, Reading


def source_named(sources: tuple[SourceText, ...], uri: str) -> SourceText | None:
    """The supplied file that a scanner's address means, None when none or several may be meant."""
    wanted = path_in(uri)
    if not wanted:
        return None
    exact = [source for source in sources if plain_path(source.path) == wanted]
    alike = exact or [
        source
        for source in sources
        if f"/{plain_path(source.path)}".endswith(f"/{wanted}") or f"/{wanted}".endswith(f"/{plain_path(source.path)}")
    ]
    return alike[0] if len({source.path for source in alike}) == 1 else None


def path_in(uri: str) -> str:
    """The path of a file's address, without scheme and host; "" for none."""
    try:
        split = urlsplit(uri.replace("\\", "/"))
    except ValueError:
        return ""
    return plain_path(unquote(split.path)) if split.scheme in ("", "file") or len(split.scheme) == 1 else ""


def around(reading: Reading, spot: Spot) -> Around | None:
    """The innermost function or class around the first line of a spot, None at the top of a file or outside Python."""
    for module in reading.modules.all:
        if module.source.item == spot.item and module.source.path == spot.path:
            found = [one for one in reading.definitions(module) if one.first <= spot.first <= one.last]
            return found[-1] if found else None
    return None


def named(reading: Reading, item: EvidenceId, path: str, symbol: str) -> Around | None:
    """The function or class of that qualified name in a file."""
    for module in reading.modules.all:
        if module.source.item == item and plain_path(module.source.path) == plain_path(path):
            for one in reading.definitions(module):
                if one.name == symbol:
                    return one
    return None


def routes_at(reading: Reading, spot: Spot) -> tuple[str, ...]:
    """The routes whose handler reaches the lines, in the order written; `*` for what runs around every route."""
    within = reading.reaching(spot.item, spot.path)
    found = dict.fromkeys(route for first, last, route in within if first <= spot.first <= last)
    found.pop("", None)
    return (ALL_ROUTES,) if ALL_ROUTES in found else tuple(found)


def routes_near(reading: Reading, spot: Spot) -> tuple[str, ...]:
    """The routes whose code may come to the lines, by every function that it names: for what shows nothing alone."""
    found = dict.fromkeys(routes_at(reading, spot))
    if ALL_ROUTES not in found:
        for first, last, route in reading.may_reach(spot.item, spot.path):
            if first <= spot.first <= last:
                found.setdefault(route)
    return (ALL_ROUTES,) if ALL_ROUTES in found else tuple(found)


def overlaps(one: Spot | None, other: Spot | None) -> bool:
    """True when both name lines of one item that have a line in common."""
    if one is None or other is None or one.item != other.item:
        return False
    return one.first <= other.last and other.first <= one.last
