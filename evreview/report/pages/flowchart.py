"""The Mermaid flowcharts of an artifact as SVG and as a list, for a page that runs no script.

Only the form that the artifacts have is read: boxes with one quoted label, arrows with at most one, groups, classes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap
from typing import Final

MAX_BOXES: Final = 140
MAX_ARROWS: Final = 500
_BOX: Final = re.compile(r"(?P<id>\w+)(?:\(\[|\{\{|\[\(|\[)\"(?P<label>[^\"]*)\"(?:\]\)|\}\}|\)\]|\])")
_ARROW: Final = re.compile(
    r"(?P<sources>\w+(?: & \w+)*) (?P<line>-->|==>|-\.->)(?:\|\"(?P<says>[^\"]*)\"\|)? (?P<target>\w+)"
)
_FIRST: Final = re.compile("flowchart LR")
_TITLE: Final = re.compile("accTitle: (.*)")
_SUMMARY: Final = re.compile("accDescr: (.*)")
_GROUP: Final = re.compile(r"subgraph \w+\[\"(?P<says>[^\"]*)\"\]")
_STYLING: Final = re.compile(r"end|classDef [\w:, -]+|class [\w,]+ \w+")
_NUMBERED: Final = re.compile(r"#(\d{1,7});")
_BREAK: Final = "<br/>"


@dataclass(slots=True)
class Box:
    """One box: its lines, the first one its name; where it stands once it is placed."""

    lines: tuple[str, ...]
    layer: int = 0
    x: int = 0
    y: int = 0

    @property
    def height(self) -> int:
        return LINE * len(self.drawn) + 2 * PADDING

    @property
    def drawn(self) -> list[tuple[str, str]]:
        """The lines as they fit into the box, each with its weight."""
        weights = ("bold", *("normal",) * len(self.lines))
        told = zip(self.lines, weights, strict=False)
        return [(part, weight) for line, weight in told for part in wrap(line, COLUMNS) or ["(empty)"]]


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one box to another, by their ids, with what stands on it."""

    source: str
    target: str
    line: str
    says: str


@dataclass(slots=True)
class Flowchart:
    """What a flowchart shows."""

    title: str = ""
    summary: str = ""
    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)


def flowchart_html(source: str) -> str | None:
    """The picture in a scroller, with all that it says as a list; None where the text is of another form."""
    found = read_flowchart(source)
    if found is None:
        return None
    items = "".join(f"<li>{escape(line)}</li>" for line in _told(found))
    return (
        f'<figure><div class="picture" tabindex="0" role="region" aria-label="Picture: {escape(found.title)}">'
        f"{''.join(_svg(found))}</div>\n<details><summary>{escape(found.title)} as text</summary>"
        f"<ul>{items}</ul></details></figure>\n"
    )


def read_flowchart(source: str) -> Flowchart | None:
    """The flowchart; None where a line is none of those that artifacts have, or there is too much to draw."""
    first, *lines = [line.strip() for line in source.strip().splitlines()] or [""]
    found = Flowchart()
    if not _FIRST.fullmatch(first) or not all(_taken(line, found) for line in lines):
        return None
    ends = {end for each in found.arrows for end in (each.source, each.target)}
    whole = found.title and ends <= found.boxes.keys()
    return found if whole and len(found.boxes) <= MAX_BOXES and len(found.arrows) <= MAX_ARROWS else None


def _taken(line: str, into: Flowchart) -> bool:
    """Whether a line is of the form, taken in."""
    if told := _TITLE.fullmatch(line):
        into.title = told[1]
        return True
    if told := _SUMMARY.fullmatch(line):
        into.summary = told[1]
        return True
    if _GROUP.fullmatch(line) or _STYLING.fullmatch(line):
        return True
    for box in _BOX.finditer(line):
        into.boxes.setdefault(box["id"], Box(tuple(map(decoded, box["label"].split(_BREAK)))))
    arrow = _ARROW.fullmatch(_BOX.sub(lambda box: box["id"], line))
    if arrow is None:
        return _BOX.fullmatch(line) is not None
    says = decoded(arrow["says"] or "")
    into.arrows += [Arrow(each, arrow["target"], arrow["line"], says) for each in arrow["sources"].split(" & ")]
    return True


def decoded(label: str) -> str:
    """A label's text: signs that are written by their numbers are signs again."""
    return _NUMBERED.sub(lambda found: chr(int(found[1])) if int(found[1]) < 0x110000 else found[0], label)


def _told(found: Flowchart) -> Iterator[str]:
    """Everything that the picture shows, line by line."""
    yield from filter(None, [found.summary])
    for box in found.boxes.values():
        yield "; ".join(box.lines)
    for each in found.arrows:
        way = f"{found.boxes[each.source].lines[0]} → {found.boxes[each.target].lines[0]}"
        kind = {"-.->": " (dotted)", "==>": " (bold)"}.get(each.line, "")
        yield f"{way}{kind}{f': {each.says}' if each.says else ''}"


# Where the boxes stand: a layer further right than all that leads to them, arrows that close a circle apart.


WIDTH: Final = 150
GAP: Final = 118
LINE: Final = 15
PADDING: Final = 8
BETWEEN: Final = 16
COLUMNS: Final = 19
_SMALL: Final = 12
"""Pixels of a line of what stands on an arrow."""


def _place(found: Flowchart) -> tuple[int, int]:
    """Places every box; the width and the height of the whole."""
    forward = _without_circles(found.arrows)
    for _ in found.boxes:
        moved = False
        for each in forward:
            source, target = found.boxes[each.source], found.boxes[each.target]
            if target.layer <= source.layer:
                target.layer, moved = source.layer + 1, True
        if not moved:
            break
    bottoms: dict[int, int] = {}
    for box in found.boxes.values():
        box.x = 12 + box.layer * (WIDTH + GAP)
        box.y = bottoms.get(box.layer, 12)
        bottoms[box.layer] = box.y + box.height + BETWEEN
    return 24 + (max(bottoms, default=0) + 1) * (WIDTH + GAP) - GAP, max(bottoms.values(), default=12) + 40


def _without_circles(arrows: Sequence[Arrow]) -> list[Arrow]:
    """The arrows in order, without those by which a box would lead to itself."""
    kept: list[Arrow] = []
    after: dict[str, set[str]] = {}
    for each in arrows:
        reached, rest = set[str](), [each.target]
        while rest:
            at = rest.pop()
            if at not in reached:
                reached.add(at)
                rest += after.get(at, ())
        if each.source not in reached:
            kept.append(each)
            after.setdefault(each.source, set()).add(each.target)
    return kept


def _svg(found: Flowchart) -> Iterator[str]:
    width, height = _place(found)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(f"{found.title}: {found.summary}")}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12" '
        'fill="currentColor">'
    )
    yield '<g fill="none" stroke="currentColor">'
    for each in found.arrows:
        yield _line(found.boxes[each.source], found.boxes[each.target], each, height)
    yield "</g>"
    yield from _on_arrows(found)
    for box in found.boxes.values():
        yield from _box(box)
    yield "</svg>"


def _on_arrows(found: Flowchart) -> Iterator[str]:
    """What stands on the arrows, below their heads; of several that lead to one box below each other."""
    taken: Counter[str] = Counter()
    for target, says in dict.fromkeys((each.target, each.says) for each in found.arrows if each.says):
        box = found.boxes[target]
        for line in wrap(says, COLUMNS + 2):
            taken[target] += 1
            y = box.y + box.height // 2 + 3 + _SMALL * taken[target]
            yield f'<text x="{box.x - 8}" y="{y}" text-anchor="end" font-size="11">{escape(line)}</text>'


def _line(source: Box, target: Box, arrow: Arrow, height: int) -> str:
    stroke = {"-.->": '1.2" stroke-dasharray="3 4', "==>": "2.6"}.get(arrow.line, "1.2")
    if target.layer > source.layer:
        x, y, to_x, to_y = source.x + WIDTH, source.y + source.height // 2, target.x, target.y + target.height // 2
        way = f"M{x} {y}C{x + GAP // 2} {y} {to_x - GAP // 2} {to_y} {to_x} {to_y}"
        head = f"M{to_x - 8} {to_y - 4}L{to_x} {to_y}L{to_x - 8} {to_y + 4}"
    else:
        x, y = source.x + WIDTH // 2, source.y + source.height
        to_x, to_y = target.x + WIDTH // 2, target.y + target.height
        way = f"M{x} {y}C{x} {height - 6} {to_x} {height - 6} {to_x} {to_y}"
        head = f"M{to_x - 4} {to_y + 8}L{to_x} {to_y}L{to_x + 4} {to_y + 8}"
    return f'<path d="{way}" stroke-width="{stroke}"/><path d="{head}" stroke-width="1.2"/>'


def _box(box: Box) -> Iterator[str]:
    yield (
        f'<rect x="{box.x}" y="{box.y}" width="{WIDTH}" height="{box.height}" rx="6" fill="none" class="box" '
        'stroke="currentColor" stroke-width="1.2"/>'
    )
    for number, (line, weight) in enumerate(box.drawn):
        at = box.y + PADDING + LINE * number + 11
        yield f'<text x="{box.x + 8}" y="{at}" font-weight="{weight}">{escape(line)}</text>'
