"""A small service with its trust model, inventory and wiring, of which each test changes one part."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evreview.codefacts.model import Part, SourceText
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Area, EvidenceId, EvidenceType
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Candidates, DeploymentRecord, SecurityInventory, TrustModel
from evreview.workflows.w3.abuse_cases.lead_intake import candidate_leads
from evreview.workflows.w3.abuse_cases.sarif_import import sarif_leads
from evreview.workflows.w3.leads.catalogue import find_leads
from evreview.workflows.w3.model import Candidate, ControlCell, Inventory, Standing, TrustMap, TrustPath
from evreview.workflows.w3.triage.lead_groups import TriageInput
from evreview.workflows.w3.triage.triage import challenge
from tests.workflows.w3.made import REVISION, bundle

APP = """
from fastapi import FastAPI, Header, HTTPException
app = FastAPI()


@app.get("/internal/report")
def report(x_role: str = Header("")):
    if x_role != "admin":
        raise HTTPException(403)
    return []
""".lstrip()
ROUTE = "GET /internal/report"
PROXY = "server {\n  location / {\n    proxy_pass http://app;\n  }\n}\n"
CONTROL: dict[str, Any] = {
    "id": "C-ROLE", "area": "authorization", "name": "who reads reports", "routes": [ROUTE], "assets": ["reports"],
    "source": [{"item": "E1", "lines": "7", "quote": 'x_role != "admin"'}], "middleware": [], "deployment": [],
    "positive_tests": [], "negative_tests": [],
    "surrounding": [{"path": "deploy/proxy.conf", "item": "E2", "says": "passes on all headers"}],
}  # fmt: skip
MODEL: dict[str, Any] = {
    "actors": [{"id": "outsider", "name": "anyone", "position": "any network"}, {"id": "operator", "name": "operator"}],
    "entry_points": [{"id": "report", "route": ROUTE, "actors": ["outsider"], "boundaries": ["edge"],
                      "assets": ["reports"]}],
    "assets": [{"id": "reports", "name": "reports", "classification": "confidential"}],
    "boundaries": [{"id": "edge", "name": "edge", "outside": "any", "inside": "service"}],
    "attacker_positions": ["outsider"], "excluded_capabilities": [],
}  # fmt: skip
PATH = TrustPath(
    actor="outsider", entry_point="report", boundaries=("edge",), asset="reports", route=ROUTE, in_reach=True, gaps=(),
    citations=(Citation(EvidenceId("E3"), "#/entry_points/0"),),
)  # fmt: skip


def control(**changes: Any) -> dict[str, Any]:
    """The control with some members changed; None takes one away."""
    return {name: value for name, value in (CONTROL | changes).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a review is given.

    Attributes:
        proxy: None for wiring that was not supplied.
        more: further sources by path, from E7 on.
        own: False leaves evreview's own leads out.
        wiring: what a deployment record says, the last item.
        runs: the revision that the deployment record names.
        standing: what the matrix says of the control on the route.
    """

    app: str = APP
    proxy: str | None = PROXY
    controls: Sequence[Mapping[str, Any]] = (CONTROL,)
    paths: Sequence[TrustPath] = (PATH,)
    suspected: Sequence[Mapping[str, Any]] = ()
    sarif: Sequence[Mapping[str, Any]] = ()
    more: Mapping[str, str] = field(default_factory=dict)
    own: bool = True
    wiring: Sequence[str] = ()
    runs: str | None = None
    standing: Standing = Standing.ABSENT


def world(**changes: Any) -> TriageInput:
    """The material of one review: E1 service, E2 proxy, E3 model, E4 inventory, E5 candidates, E6 SARIF."""
    given = Setting(**changes)
    inventory = SecurityInventory.model_validate({"controls": list(given.controls)})
    model = TrustModel.model_validate(MODEL)
    candidates = Candidates.model_validate({"candidates": list(given.suspected)})
    run = {"tool": {"driver": {"name": "Semgrep"}}, "results": list(given.sarif)}
    log = json.dumps({"version": "2.1.0", "$schema": "sarif", "runs": [run]})
    deployed = DeploymentRecord(id="D", environment="production", revision=given.runs, wiring=tuple(given.wiring))
    further = list(given.more.items())
    made = bundle(
        [
            (EvidenceType.SOURCE_EXCERPT, given.app),
            (EvidenceType.CONFIGURATION_EXCERPT, given.proxy or ""),
            (EvidenceType.DATA_FLOW, model),
            (EvidenceType.TEST_INVENTORY, inventory),
            (EvidenceType.TEST_INVENTORY, candidates),
            (EvidenceType.TEST_RECORD, log),
            *((EvidenceType.SOURCE_EXCERPT, text) for _, text in further),
            (EvidenceType.ROLLOUT_RECORD, deployed),
        ],
        implementation_revision=REVISION,
    )
    sources = [_source(1, "app.py", given.app, "handler")]
    if given.proxy is not None:
        sources.append(_source(2, "deploy/proxy.conf", given.proxy, "deployment"))
    sources += [_source(number, path, text, "shared") for number, (path, text) in enumerate(further, 7)]
    code = read_sources(sources)
    cited = (Cited(candidates, Citation(EvidenceId("E5"))),)
    leads = find_leads(sources, code) if given.own else ()
    cell = ControlCell(
        control="C-ROLE", area=Area.AUTHORIZATION, route=ROUTE, standing=given.standing, why=("as read",), citations=()
    )
    return TriageInput(
        leads=(*leads, *sarif_leads(made, sources, code).leads, *candidate_leads(cited, sources, code).leads),
        code=code,
        sources=tuple(sources),
        model=Cited(model, Citation(EvidenceId("E3"))),
        trust=TrustMap(paths=tuple(given.paths), backings=(), transitions=(), missing=()),
        inventory=Cited(inventory, Citation(EvidenceId("E4"))),
        taken=Inventory(cells=(cell,), gaps=()),
        bundle=made,
        suspected=cited,
    )


def _source(number: int, path: str, text: str, part: Part) -> SourceText:
    return SourceText(item=EvidenceId(f"E{number}"), path=path, parts=(part,), text=text)


def only(material: TriageInput, kind: str = "caller-controlled-decision") -> Candidate:
    """The one candidate of a kind."""
    (found,) = [one for one in challenge(material) if one.kind == kind]
    return found


def path(**changes: Any) -> TrustPath:
    """The path with some attributes changed."""
    return replace(PATH, **changes)
