"""The two pictures of a trust map: nothing of the evidence becomes markup, and everything has its place."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.evidence.citation import find_citations
from evreview.evidence.records.security import TrustModel
from evreview.report.escape import fence
from evreview.report.pages.layered_picture import WIDTH, lay_out
from evreview.workflows.w3.trust.trust_picture import MAX_NODES, arrows_of, boxes_of, escaped, graph_of, mermaid, svg
from tests.workflows.w3.models import MODEL, mapped

NS = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "defs", "marker", "path", "rect", "text", "g"}
ATTRIBUTES = {
    "role", "aria-labelledby", "aria-hidden", "viewBox", "width", "height", "font-family", "font-size", "font-weight",
    "fill", "id", "refX", "refY", "markerWidth", "markerHeight", "orient", "d", "x", "y", "rx", "stroke",
    "stroke-width", "stroke-dasharray", "marker-end", "textLength", "lengthAdjust",
}  # fmt: skip
LINE = re.compile(
    r"flowchart LR|  accTitle: Trust map|  accDescr: [\w ,;.]+|  subgraph \w+_zone\[\"[\w ]+\"\]|  end"
    r"|    [aebs]\d+(?:\(\[\"[^\"\n]*\"\]\)|\[\"[^\"\n]*\"\]|\{\{\"[^\"\n]*\"\}\}|\[\(\"[^\"\n]*\"\)\])"
    r"|  [aebs]\d+ (?:-->|==>|-\.->) [aebs]\d+|  classDef \w+ [\w:\- ]+|  class [aebs\d,]+ \w+"
)
LABEL = re.compile(r"(?:[\w ,/→….\-]|#\d+;|<br/>|\(empty\))*")
HOSTILE = [
    '"]; click a0 "javascript:alert(1)"', "</text></svg><script>alert(1)</script>", "]]>", "<!--", "&lt;&#60;",
    "```\n# heading\n", "%%{init: {'securityLevel': 'loose'}}%%", "end", "[E1], (E2)", "\u202egnp\u202c",
    "\x00\x1b[31m",
    "subgraph x", "a0 --> b0", "`code`", "#quot;", "' onload='x", "<br/>", "1. list", "- list", "\U0001f600", "漢" * 60,
    "x" * 500, "", " ", "\n", "|cell|", "https://host.example/x", "&", "style=x", "::icon(fa)", "\ufffe",
]  # fmt: skip
TEXTS = st.one_of(st.sampled_from([one for one in HOSTILE if one.strip()]), st.text(min_size=1).filter(str.strip))


def model_of(*texts: str) -> dict[str, Any]:
    """A model whose every text is one of these, each used as an id as well."""
    take = [text for text in texts if text.strip()] or ["x"]
    one, two, three, four = (take[place % len(take)] for place in range(4))
    return {
        "actors": [{"id": one, "name": two, "position": three}],
        "entry_points": [{"id": two, "describes": three, "actors": [one], "boundaries": [three], "assets": [four]}],
        "identity_transitions": [{"id": one, "before": two, "after": three, "at": three}],
        "assets": [{"id": four, "name": one, "classification": two}],
        "boundaries": [{"id": three, "name": four, "outside": one, "inside": two, "assumption": three}],
        "attacker_positions": [one],
        "excluded_capabilities": [],
    }


def pictures(model: dict[str, Any]) -> tuple[str, str]:
    record = TrustModel.model_validate(MODEL | model)
    found = mapped(model)
    return mermaid(record, found), svg(record, found)


def check_mermaid(text: str) -> None:
    """Every line is one that is written here, and every label holds letters, digits and entities only."""
    for line in text.split("\n"):
        assert LINE.fullmatch(line), line
        for label in re.findall(r'"([^"]*)"', line):
            assert LABEL.fullmatch(label), label
    assert str(fence(text, "mermaid")) == f"```mermaid\n{text}\n```"
    assert not [one for one in find_citations(fence(text, "mermaid")) if one.citation]


def check_svg(text: str) -> ElementTree.Element:
    """Well-formed XML of known elements and attributes only."""
    root = ElementTree.fromstring(text)
    for node in root.iter():
        assert node.tag.removeprefix(NS) in ELEMENTS
        assert set(node.attrib) <= ATTRIBUTES
        assert node.get("marker-end", "url(#trust-arrow)") == "url(#trust-arrow)"
    return root


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_stay_texts(text: str) -> None:
    flow, drawing = pictures(model_of(text, text or "x", "y"))
    check_mermaid(flow)
    check_svg(drawing)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_any_texts_stay_texts(texts: list[str]) -> None:
    flow, drawing = pictures(model_of(*texts))
    check_mermaid(flow)
    check_svg(drawing)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GET /a/{id}", "GET /a/#123;id#125;"), ('"', "#34;"), ("#1;", "#35;1#59;"), ("1. a", "1#46; a"),
        ("v1.2-b", "v1.2-b"), ("- a", "#45; a"), ("<br>", "#60;br#62;"), ("", "(empty)"), ("é", "é"),
    ],
)  # fmt: skip
def test_escaping_for_mermaid(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_what_each_picture_says() -> None:
    flow, drawing = pictures({"boundaries": [MODEL["boundaries"][0], MODEL["boundaries"][1] | {"backed_by": None}]})
    assert "a0 ==> e0" in flow
    assert "a1 --> e0" in flow
    assert "class b1 unknown" in flow
    root = check_svg(drawing)
    titles = [node.text for node in root.iter(f"{NS}title")]
    assert "actor: anyone; any network; assumed attacker position" in titles
    assert "boundary: the check; service → data; unknown" in titles
    dashes = {node.get("stroke-dasharray") for node in root.iter(f"{NS}rect")}
    assert "2 3" in dashes
    desc = root.findtext(f"{NS}desc") or ""
    assert "anyone → read → the proxy → the check → orders, in reach of the assumed attacker" in desc


def test_a_picture_is_titled_for_readers() -> None:
    root = check_svg(pictures({})[1])
    named = [root.find(f"{NS}title"), root.find(f"{NS}desc")]
    assert root.get("role") == "img"
    assert [node.get("id") for node in named if node is not None] == (root.get("aria-labelledby") or "").split()


def test_a_path_that_cannot_be_followed_is_dotted() -> None:
    record = TrustModel.model_validate(MODEL)
    assert "e0 -.-> b0" in mermaid(record, mapped(routes=()))


def test_wide_lines_are_kept_within_their_box() -> None:
    wide = "W" * 28
    root = check_svg(pictures({"actors": [{"id": "caller", "name": wide}, MODEL["actors"][1]]})[1])
    lengths = {node.text: node.get("textLength") for node in root.iter(f"{NS}text")}
    assert lengths[wide] == str(WIDTH - 18)
    assert lengths["operator"] is None


def many(count: int) -> dict[str, Any]:
    """A model with `count` of each kind, tied to each other unevenly."""
    numbers = range(count)
    return {
        "actors": [{"id": f"a{n}", "name": f"actor {n}"} for n in numbers],
        "assets": [{"id": f"s{n}", "name": f"asset {n}", "classification": "x"} for n in numbers],
        "boundaries": [
            {"id": f"b{n}", "name": f"boundary {n}", "outside": "o", "inside": "i", "assumption": "a"} for n in numbers
        ],
        "entry_points": [
            {
                "id": f"e{n}", "describes": f"way {n}", "actors": [f"a{n}", f"a{n * 7 % count}"],
                "boundaries": [f"b{n}", f"b{n * 3 % count}"][: 1 + n % 2], "assets": [f"s{n * 5 % count}"],
            }
            for n in numbers
        ],
        "attacker_positions": ["a0"],
    }  # fmt: skip


@pytest.mark.parametrize("count", [1, 5, 13])
def test_boxes_do_not_overlap_and_edges_end_at_boxes(count: int) -> None:
    model = many(count)
    graph = graph_of(TrustModel.model_validate(MODEL | model), mapped(model))
    drawing = lay_out(boxes_of(graph), arrows_of(graph))
    for place, one in enumerate(drawing.boxes):
        assert one.x + WIDTH <= drawing.width
        assert one.y - one.height / 2 >= 0
        assert one.y + one.height / 2 <= drawing.height
        for other in drawing.boxes[place + 1 :]:
            assert one.layer != other.layer or abs(one.y - other.y) >= (one.height + other.height) / 2
    known = {box.shown.id: box for box in drawing.boxes if box.shown}
    assert drawing.arrows
    for arrow, way in drawing.arrows:
        assert (way[0], way[-1]) == (known[arrow.source], known[arrow.target])
        assert [box.layer for box in way] == sorted(box.layer for box in way) or way[0].layer > way[-1].layer


def test_the_same_model_gives_the_same_picture() -> None:
    assert pictures(many(13)) == pictures(many(13))


def test_what_does_not_fit_is_counted() -> None:
    model = many(MAX_NODES)
    graph = graph_of(TrustModel.model_validate(MODEL | model), mapped(model))
    assert len(graph.nodes) == MAX_NODES
    assert graph.left_out >= 3 * MAX_NODES
    flow, drawing = pictures(model)
    assert str(graph.left_out) in flow
    assert f"{graph.left_out} boxes or steps are left out" in drawing


def test_nothing_that_the_guard_hides_is_drawn() -> None:
    secret = "hunter2" + "Zq9"
    flow, drawing = pictures({"actors": [{"id": "caller", "name": f"password = {secret}"}, MODEL["actors"][1]]})
    assert secret not in flow
    assert secret not in drawing
    record = TrustModel.model_validate(MODEL)
    cleaned = svg(record, mapped(), lambda text: text.replace("proxy", "[redacted: name]"))
    assert "proxy" not in cleaned
