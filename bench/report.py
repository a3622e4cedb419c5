"""Measurements as Markdown: a table of times, memory and ratios, and how the cost grows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bench.measure import TIMEOUT, Measured

LEDGER, FULL, PEER = "evreview --no-witnesses", "evreview", "oasdiff"
SMALLEST = 0.02
"""Processor seconds above the start-up that a point needs to say something about growth."""

Results = Mapping[str, Measured]


def time_of(measured: Measured | None) -> str:
    """Seconds and megabytes, or why there are none."""
    if measured is None:
        return "n/a"
    if measured.status is None:
        return f"> {TIMEOUT:.0f} s"
    return f"{measured.wall:.2f} s, {measured.peak:.0f} MB" if measured.ok else f"failed (exit {measured.status})"


def ratio(ours: Measured | None, theirs: Measured | None) -> str:
    """How many times as long the peer takes, and how its peak compares: more than 1 is better for evreview."""
    if ours is None or theirs is None or not (ours.ok and theirs.ok):
        return "n/a"
    return f"{theirs.wall / ours.wall:.1f}x time, {theirs.peak / ours.peak:.1f}x memory"


def pairs_table(results: Mapping[str, Results], peers: Sequence[str] = (PEER,)) -> list[str]:
    """A line per pair: both modes of evreview, each peer, and for each peer both ratios."""
    modes = (LEDGER, FULL, *peers)
    compared = [(peer, ours) for peer in peers for ours in (LEDGER, FULL)]
    short = {LEDGER: "ledger", FULL: "full"}
    head = ("pair", *modes, *(f"{peer} / {short[ours]}" for peer, ours in compared))
    lines = [
        (name, *(time_of(found.get(each)) for each in modes),
         *(ratio(found.get(ours), found.get(peer)) for peer, ours in compared))
        for name, found in results.items()
    ]  # fmt: skip
    return table(head, lines)


def commands_table(results: Results) -> list[str]:
    """A line per command."""
    return table(("command", "median, peak"), [(name, time_of(found)) for name, found in results.items()])


def growth_table(dimension: str, points: Mapping[int, Results], floors: Mapping[str, float]) -> list[str]:
    """A line per extent, and last the exponent of each command's cost.

    Args:
        dimension: what grows.
        points: the results by extent.
        floors: the processor seconds of each command on a contract of one operation.
    """
    names = list(floors)
    lines = [(str(extent), *(time_of(found.get(name)) for name in names)) for extent, found in points.items()]
    slopes = [exponent(cost_above(points, name, floors[name])) for name in names]
    said = ("exponent", *("n/a" if slope is None else f"{slope:.2f}" for slope in slopes))
    return table((dimension, *names), [*lines, said])


def cost_above(points: Mapping[int, Results], name: str, floor: float) -> list[tuple[int, float]]:
    """Extent and processor seconds above the start-up, where there is enough of them to tell."""
    found = [(extent, results[name]) for extent, results in points.items() if name in results]
    return [(extent, each.cpu - floor) for extent, each in found if each.ok and each.cpu - floor >= SMALLEST]


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """The slope of the least-squares line through the logarithms: 1 is linear, 2 quadratic; None below two points."""
    if len({extent for extent, _ in points}) < 2:
        return None
    xs, ys = ([math.log(pair[at]) for pair in points] for at in (0, 1))
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle_x) ** 2 for x in xs)


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *lines)]
