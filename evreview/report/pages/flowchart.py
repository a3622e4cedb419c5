"""The Mermaid flowcharts of an artifact as SVG and as a list, for a page that runs no script.

Only the form that the artifacts have is read: boxes with one quoted label, arrows with at most one, groups, classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.report.escape import html
from evreview.report.pages.layered_picture import Picture, PictureArrow, PictureBox, picture_svg

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
class Flowchart:
    """What a flowchart shows: its boxes by their ids, each in lines of which the first is its name."""

    title: str = ""
    summary: str = ""
    boxes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    arrows: list[PictureArrow] = field(default_factory=list)


def flowchart_html(source: str) -> str | None:
    """The picture in a scroller, with all that it says as a list; None where the text is of another form."""
    found = read_flowchart(source)
    if found is None:
        return None
    layers = _layers(found)
    boxes = tuple(PictureBox(id_, name, tuple(notes), layers[id_]) for id_, (name, *notes) in found.boxes.items())
    drawn = picture_svg(
        Picture(title=found.title, description=found.summary, boxes=boxes, arrows=tuple(found.arrows)), "picture"
    )
    items = "".join(f"<li>{html(line)}</li>" for line in _told(found))
    title = html(found.title)
    return (
        f'<figure><div class="picture" tabindex="0" role="region" aria-label="Picture: {title}">{drawn}</div>\n'
        f"<details><summary>{title} as text</summary><ul>{items}</ul></details></figure>\n"
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
        into.boxes.setdefault(box["id"], tuple(map(decoded, box["label"].split(_BREAK))))
    arrow = _ARROW.fullmatch(_BOX.sub(lambda box: box["id"], line))
    if arrow is None:
        return _BOX.fullmatch(line) is not None
    says = decoded(arrow["says"] or "")
    looks = arrow["line"] == "==>", arrow["line"] == "-.->"
    into.arrows += [PictureArrow(each, arrow["target"], *looks, says) for each in arrow["sources"].split(" & ")]
    return True


def decoded(label: str) -> str:
    """A label's text: signs that are written by their numbers are signs again."""
    return _NUMBERED.sub(lambda found: chr(int(found[1])) if int(found[1]) < 0x110000 else found[0], label)


def _told(found: Flowchart) -> Iterator[str]:
    """Everything that the picture shows, line by line."""
    yield from filter(None, [found.summary])
    yield from map("; ".join, found.boxes.values())
    for each in found.arrows:
        way = f"{found.boxes[each.source][0]} → {found.boxes[each.target][0]}"
        look = ", dotted" * each.dotted or ", bold" * each.thick
        yield f"{way}{look}{f': {each.says}' if each.says else ''}"


def _layers(found: Flowchart) -> dict[str, int]:
    """The layer of each box: further right than all that leads to it, arrows that close a circle apart."""
    layers = dict.fromkeys(found.boxes, 0)
    forward = _without_circles(found.arrows)
    for _ in found.boxes:
        moved = [each for each in forward if layers[each.target] <= layers[each.source]]
        for each in moved:
            layers[each.target] = max(layers[each.target], layers[each.source] + 1)
        if not moved:
            break
    return layers


def _without_circles(arrows: Sequence[PictureArrow]) -> list[PictureArrow]:
    """The arrows in order, without those by which a box would lead to itself."""
    kept: list[PictureArrow] = []
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
