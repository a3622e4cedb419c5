"""Entry points that are no routes: named in any usual way, judged like routes, and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.core.vocabulary import EvidenceId, EvidenceType
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.security import SecurityInventory, TrustModel
from evreview.workflows.w3.access_control.entry_points import entry_routes
from evreview.workflows.w3.leads.catalogue import find_leads
from evreview.workflows.w3.trust.trust_map import UNTRACED, trust_map
from tests.workflows.w3.made import bundle

FILES = {
    "service/desk/files.py": "import subprocess\n\n\n"
    "def pack(name):\n    subprocess.run('tar cf ' + name, shell=True)\n",
    "service/desk/tool.py": "import click\nfrom desk import files\n\n\n@click.command()\ndef main(name):\n"
    "    files.pack(name)\n",
    "service/desk/worker.py": "import pickle\n\n\nclass Cases:\n"
    "    def __init__(self, link):\n        self.link = link\n\n"
    "    def made(self, body):\n        return pickle.loads(body)\n\n    def _own(self):\n        return None\n",
    "service/other/worker.py": "def made(body):\n    return body\n",
}
SOURCES = tuple(
    SourceText(item=EvidenceId(f"E{number}"), path=path, parts=("handler",), text=text)
    for number, (path, text) in enumerate(FILES.items(), 1)
)
BASE: dict[str, Any] = {
    "actors": [{"id": "user", "name": "who calls", "position": "any"}],
    "assets": [{"id": "cases", "name": "cases", "classification": "confidential"}],
    "boundaries": [{"id": "edge", "name": "edge", "outside": "any", "inside": "desk"}],
    "attacker_positions": ["user"], "identity_transitions": [], "excluded_capabilities": [],
}  # fmt: skip


def model(**entry: Any) -> TrustModel:
    way = {"id": "way", "actors": ["user"], "boundaries": ["edge"], "assets": ["cases"], **entry}
    return TrustModel.model_validate({**BASE, "entry_points": [way]})


NAMED = [
    ("desk.files.pack", "pack"),
    ("desk/files.py::pack", "pack"),
    ("desk.files:pack", "pack"),
    ("service/desk/files.py:pack", "pack"),
    ("files.pack()", "pack"),
    ("pack", "pack"),
    ("desk.tool", "main"),
    ("python -m desk.tool NAME", "main"),
    ("python desk/tool.py", "main"),
    ("desk.worker.Cases.made", "Cases.made"),
    ("desk/worker.py::Cases", "Cases.made"),
]
UNNAMED = ["worker.made_up", "made_by", "the function that packs", "desk", "python -m desk.files"]


@pytest.mark.parametrize(("name", "handler"), NAMED)
@pytest.mark.parametrize("field", ["function", "route"])
def test_a_function_is_found_by_any_usual_name(name: str, handler: str, field: str) -> None:
    (found,) = entry_routes(model(**{field: name}), SOURCES)
    assert (found.method, found.handler) == ("CALL", handler)


@pytest.mark.parametrize("name", UNNAMED)
def test_what_no_one_function_is_called_is_none(name: str) -> None:
    assert entry_routes(model(function=name), SOURCES) == ()


def test_several_of_one_name_are_not_guessed() -> None:
    alike = (
        *SOURCES,
        SourceText(item=EvidenceId("E9"), path="old/files.py", parts=("handler",), text=FILES["service/desk/files.py"]),
    )
    assert entry_routes(model(function="pack"), alike) == ()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("desk.files.pack", "command-by-string"),
        ("desk.tool", "command-by-string"),
        ("desk.worker.Cases.made", "unsafe-deserialisation"),
    ],
)
def test_whoever_calls_chooses_the_arguments(name: str, rule: str) -> None:
    routes = entry_routes(model(function=name), SOURCES)
    found = [lead for lead in find_leads(SOURCES, CodeFacts(routes=routes)) if lead.rule == rule and lead.route]
    assert [(lead.route, lead.lacks) for lead in found] == [(f"CALL {name}", ())]


def test_what_only_calls_itself_has_no_route() -> None:
    assert not [lead for lead in find_leads(SOURCES, CodeFacts(routes=())) if lead.route]


@pytest.mark.parametrize(
    ("entry", "routes"),
    [
        ({"function": "desk.files.pack"}, ["desk.files.pack"]),
        ({"function": "desk.files.pack"}, ["CALL desk.files.pack"]),
        ({"route": "desk.files.pack"}, ["desk.files.pack"]),
        ({"route": "message cases.made"}, ["message cases.made"]),
        ({"describes": "messages of the queue"}, ["way"]),
        ({"describes": "messages of the queue"}, ["*"]),
    ],
)
def test_a_control_at_such_an_entry_point_is_traced(entry: dict[str, str], routes: list[str]) -> None:
    stated = model(**entry)
    control = {"id": "C", "area": "input handling", "name": "n", "routes": routes, "boundaries": ["edge"]}
    inventory = SecurityInventory.model_validate({"controls": [control]})
    made = bundle([(EvidenceType.DATA_FLOW, stated), (EvidenceType.TEST_INVENTORY, inventory)])
    found = trust_map(Cited(stated, Citation(EvidenceId("E1"))), entry_routes(stated, SOURCES), made)
    assert UNTRACED.id not in {gap.kind for gap in found.gaps} and found.traceable


def test_a_route_that_nothing_registers_is_still_asked_for() -> None:
    stated = model(route="GET /cases")
    control = {"id": "C", "area": "input handling", "name": "n", "routes": ["GET /cases"], "boundaries": ["edge"]}
    inventory = SecurityInventory.model_validate({"controls": [control]})
    made = bundle([(EvidenceType.DATA_FLOW, stated), (EvidenceType.TEST_INVENTORY, inventory)])
    found = trust_map(Cited(stated, Citation(EvidenceId("E1"))), (), made)
    assert not found.traceable
