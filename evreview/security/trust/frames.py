"""The trust map as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from evreview.core.quoted_text import plain
from evreview.evidence.item import Citation
from evreview.workflows.w3.model import BoundaryBacking, TrustMap

if TYPE_CHECKING:
    from pandas import DataFrame

PATH_COLUMNS: Final[Mapping[str, str]] = {
    "actor": "id of the actor, empty when the entry point names none",
    "entry_point": "id of the entry point",
    "route": "method and path as the code registers it, empty for none",
    "boundaries": "ids in the order crossed, separated by ` > `",
    "asset": "id of the asset, empty when the entry point names none",
    "in_reach": "`yes` when an attacker may be assumed in the actor's position",
    "gaps": "why the path can't be traced; empty for a traceable one",
    "evidence": "citations",
}
"""The columns of the frame of paths."""
BACKING_COLUMNS: Final[Mapping[str, str]] = {
    "id": "id of the boundary or identity transition",
    "what": "`boundary` or `identity transition`",
    "name": "as the model names it",
    "backing": "`validated`, `assumption` or `unknown`",
    "why": "what shows it, or what is missing",
    "evidence": "citations",
}
"""The columns of the frame of boundaries and transitions."""
GAP_COLUMNS: Final[Mapping[str, str]] = {
    "kind": "id of the rule, or `missing-field`",
    "decides": "`yes` for one that keeps step 2 from advancing",
    "says": "what, and what to supply",
    "evidence": "citations",
}
"""The columns of the frame of gaps."""


def trust_frames(found: TrustMap) -> dict[str, DataFrame]:
    """The frames `paths`, `backings` and `gaps`, with the columns above, all of them text."""
    import pandas as pd

    rows: dict[str, tuple[Mapping[str, str], list[tuple[str, ...]]]] = {
        "paths": (PATH_COLUMNS, [*_paths(found)]),
        "backings": (BACKING_COLUMNS, [*_backings("boundary", found.backings)]),
        "gaps": (GAP_COLUMNS, [*_gaps(found)]),
    }
    rows["backings"][1].extend(_backings("identity transition", found.transitions))
    return {
        name: pd.DataFrame(list(lines), columns=list(columns)).astype("string")
        for name, (columns, lines) in rows.items()
    }


def _paths(found: TrustMap) -> Iterable[tuple[str, ...]]:
    for path in found.paths:
        gaps = "; ".join(map(plain, path.gaps))
        reach = "yes" if path.in_reach else "no"
        ways = " > ".join(path.boundaries)
        yield path.actor, path.entry_point, path.route, ways, path.asset, reach, gaps, evidence(path.citations)


def _backings(what: str, rows: Iterable[BoundaryBacking]) -> Iterable[tuple[str, ...]]:
    for row in rows:
        yield row.id, what, plain(row.name), str(row.backing), plain(row.why), evidence(row.citations)


def _gaps(found: TrustMap) -> Iterable[tuple[str, ...]]:
    for words in found.missing:
        yield "missing-field", "yes", words, ""
    for gap in found.gaps:
        yield gap.kind, "yes" if gap.decides else "no", plain(gap.says), evidence(gap.citations)


def evidence(citations: Iterable[Citation]) -> str:
    """Citations as one text."""
    return ", ".join(map(str, citations))
