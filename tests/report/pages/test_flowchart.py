"""The pictures of an artifact in its page: every box and arrow is drawn and told, and no text is markup."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evreview.report.pages.flowchart import flowchart_html, read_flowchart

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
FENCE = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)
HEAD = "flowchart LR\n  accTitle: A\n  accDescr: two boxes\n"


def fences() -> list[tuple[str, str]]:
    artifacts = sorted(GOLDEN.glob("expected*/**/*.md"))
    return [(str(path.relative_to(GOLDEN)), found) for path in artifacts for found in FENCE.findall(path.read_text())]


@pytest.mark.parametrize(("name", "source"), fences(), ids=lambda value: value if len(value) < 90 else "")
def test_every_picture_of_the_artifacts_is_drawn_and_told_whole(name: str, source: str) -> None:
    found = read_flowchart(source)
    assert found is not None and found.boxes and found.arrows
    page = flowchart_html(source) or ""
    drawing = ElementTree.fromstring(re.findall(r"<svg.*</svg>", page, re.DOTALL)[0])
    assert len([each for each in drawing.iter() if each.tag.endswith("rect")]) == 1 + len(found.boxes)
    drawn = " ".join(each.text or "" for each in drawing.iter() if each.tag.endswith("text"))
    told = unescape(page.partition("<ul>")[2])
    for box in found.boxes.values():
        assert all(word in drawn for word in box[0].split()[:2])
        assert "; ".join(box) in told
    assert told.count("→") >= len(found.arrows)
    assert not re.search(r"flowchart|classDef|#\d+;|&lt;br|style=", page)


@pytest.mark.parametrize(
    ("lines", "arrows"),
    [
        ('a["x"] --> b["y"]', [("a", "b", "")]),
        (
            'a["x"]\n b["y"]\n a -->|"180 days"| b\n a & b -.-> a',
            [("a", "b", "180 days"), ("a", "a", ""), ("b", "a", "")],
        ),
        ('subgraph z["Zone"]\n a(["x"])\n b[("y")]\n c{{"z"}}\n end\n a ==> c', [("a", "c", "")]),
    ],
)
def test_boxes_and_arrows_are_read(lines: str, arrows: list[tuple[str, str, str]]) -> None:
    found = read_flowchart(HEAD + lines)
    assert found is not None
    assert [(each.source, each.target, each.says) for each in found.arrows] == arrows


@pytest.mark.parametrize(
    "source",
    [
        "",
        "sequenceDiagram\n a->>b: x",
        HEAD + 'a["x"] --> b',
        HEAD + 'a["x"]\n click a href "https://example.com"',
        HEAD + "\n".join(f'b{at}["x"]' for at in range(200)),
    ],
)
def test_what_is_of_another_form_stays_text(source: str) -> None:
    assert flowchart_html(source) is None


def test_no_text_of_the_evidence_becomes_markup() -> None:
    hostile = "#60;script#62;alert(1)#60;/script#62;#34; onload=#34;x"
    page = flowchart_html(f'{HEAD}a["{hostile}"] --> b["#9999999;&#38;<i>"]') or ""
    assert "<script" not in page and "<i>" not in page and "&lt;script&gt;" in page
    assert not re.search(r"<[^>]*onload=\"x", page)


def test_a_circle_is_drawn_back_below() -> None:
    page = flowchart_html(HEAD + 'a["x"] --> b["y"]\n b --> c["z"]\n c --> a') or ""
    *forward, back = re.findall(r'<path d="M\d+ ([\d.]+)C\d+ ([\d.]+) \d+ [\d.]+ \d+ ([\d.]+)" stroke', page)
    assert len(forward) == 2 and all(len(set(each)) == 1 for each in forward)
    assert float(back[1]) > float(back[0]) == float(back[2])
