"""The trust map: what a model has to state, which paths can be followed, and what keeps step 2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.codefacts.read import read_sources, sources_of
from evreview.core.quoted_text import plain
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.cited_records import first_of
from evreview.evidence.records.security import DeploymentRecord, SecurityInventory, TrustModel
from evreview.workflows.w3.registers import BACKING_COLUMNS, PATH_COLUMNS, TRUST_GAP_COLUMNS, trust_frames
from evreview.workflows.w3.trust.trust_map import FIELDS, MAX_PATHS, TRUST_GAP_RULES, trust_map
from tests.workflows.w3.bundles import DEPLOYED, OTHER, REVISION, TESTED, item
from tests.workflows.w3.models import MODEL, ROUTES, bundle, kinds, mapped

WITHOUT: list[tuple[str, dict[str, Any], str]] = [
    ("W3I-011", {"actors": None}, "actors"),
    ("W3I-011", {"actors": []}, "actors"),
    ("W3I-012", {"entry_points": None}, "entry-points"),
    ("W3I-013", {"identity_transitions": None}, "identity-transitions"),
    ("W3I-014", {"assets": None}, "assets"),
    ("W3I-015", {"assets": [{"id": "orders", "name": "orders"}]}, "classifications"),
    ("W3I-016", {"attacker_positions": None}, "attacker-position"),
    ("W3I-016", {"attacker_positions": []}, "attacker-position"),
    ("W3I-017", {"excluded_capabilities": None}, "excluded-capabilities"),
    ("W3I-018", {"boundaries": None}, "boundaries"),
]


def words_of(field_id: str) -> str:
    return next(field.words for field in FIELDS if field.id == field_id)


@pytest.mark.parametrize(
    ("model", "field_id"),
    [
        pytest.param(
            model, name, marks=pytest.mark.req(req, *(("W3P-003",) if name in ("assets", "boundaries") else ()))
        )
        for req, model, name in WITHOUT
    ],
)
def test_each_missing_field_is_named_and_keeps_the_step(model: dict[str, Any], field_id: str) -> None:
    found = mapped(model)
    assert words_of(field_id) in found.missing
    assert not found.traceable


@pytest.mark.req("W3S-005")
def test_a_whole_model_advances_and_empty_lists_are_answers() -> None:
    found = mapped({"excluded_capabilities": [], "identity_transitions": []})
    assert (found.missing, found.gaps, found.traceable) == ((), (), True)


@pytest.mark.req("W3S-006")
def test_without_a_model_everything_is_missing() -> None:
    found = trust_map(None, ROUTES, bundle())
    assert len(found.missing) == len(FIELDS)
    assert not found.traceable


def entry(**given: Any) -> dict[str, Any]:
    return {"entry_points": [MODEL["entry_points"][0] | given]}


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (entry(actors=["nobody"]), "dangling-id"),
        (entry(boundaries=["edge", "wall"]), "dangling-id"),
        (entry(assets=["gold"]), "dangling-id"),
        ({"attacker_positions": ["nobody"]}, "dangling-id"),
        ({"identity_transitions": [{"id": "t", "before": "a", "after": "b", "at": "wall"}]}, "dangling-id"),
        ({"assets": [*MODEL["assets"], *MODEL["assets"]]}, "repeated-id"),
        ({"revision": OTHER}, "other-revision"),
        ({"assets": [*MODEL["assets"], {"id": "key", "name": "key", "classification": "x"}]}, "unreached-asset"),
        ({"boundaries": [*MODEL["boundaries"], MODEL["boundaries"][0] | {"id": "spare"}]}, "uncrossed-boundary"),
        (entry(route=None, describes="a queue"), "unmapped-route"),
    ],
)
def test_what_is_wrong_with_a_model_is_a_gap(model: dict[str, Any], kind: str) -> None:
    decides = next(rule.decides for rule in TRUST_GAP_RULES if rule.id == kind)
    found = mapped(model)
    assert (kind, decides) in kinds(found)
    assert found.traceable is not decides


def test_a_path_is_followed_from_actor_to_asset() -> None:
    found = mapped()
    assert [(p.actor, p.entry_point, p.boundaries, p.asset, p.route, p.in_reach, p.gaps) for p in found.paths] == [
        ("caller", "read", ("edge", "token"), "orders", "GET /orders/{id}", True, ()),
        ("operator", "read", ("edge", "token"), "orders", "GET /orders/{id}", False, ()),
    ]
    assert [str(one) for one in found.paths[1].citations] == [
        "E2#/entry_points/0", "E2#/actors/1", "E2#/assets/0", "E3:L3-L7",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "routes"),
    [
        ({}, ()),
        (entry(boundaries=[]), ROUTES),
        (entry(actors=[]), ROUTES),
        (entry(assets=[]), ROUTES),
        (entry(route=None), ROUTES),
        (entry(route="GET /other"), ROUTES),
        (entry(route="POST /orders/{id}"), ROUTES),
    ],
)
def test_a_path_that_cannot_be_followed_says_why(model: dict[str, Any], routes: Any) -> None:
    found = mapped(model, routes=routes)
    assert found.paths
    assert all(path.gaps for path in found.paths)


def test_a_described_entry_point_needs_no_route() -> None:
    found = mapped(entry(route=None, describes="a queue"))
    assert [(path.route, path.gaps) for path in found.paths] == [("", ()), ("", ())]


def control(**given: Any) -> Any:
    stated = {"id": "check", "area": "authorization", "name": "check"} | given
    return item(6, TESTED, SecurityInventory.model_validate({"controls": [stated]}))


@pytest.mark.req("W3S-005")
@pytest.mark.parametrize(
    ("stated", "model", "traced"),
    [
        ({}, {}, True),
        ({"routes": ["GET /orders/{id}"], "boundaries": ["token"]}, {}, True),
        ({"routes": ["GET /other"]}, {}, False),
        ({"boundaries": ["wall"]}, {}, False),
        ({"routes": ["GET /orders/{id}"]}, entry(boundaries=[]), False),
        ({}, entry(route="GET /other"), False),
    ],
)
def test_requested_controls_need_a_path_that_can_be_followed(
    stated: dict[str, Any], model: dict[str, Any], traced: bool
) -> None:
    found = mapped(model, control(**stated))
    assert ("untraced-control", True) not in kinds(found) if traced else ("untraced-control", True) in kinds(found)
    assert found.traceable is traced


def test_more_paths_than_are_listed_keep_the_step() -> None:
    many = [f"a{number}" for number in range(50)]
    assets = [{"id": name, "name": name, "classification": "x"} for name in many]
    found = mapped({"actors": [{"id": name, "name": name} for name in many], "assets": assets,
                    "attacker_positions": ["a1"], **entry(actors=many, assets=many)})  # fmt: skip
    assert len(found.paths) == MAX_PATHS
    assert ("too-many-paths", True) in kinds(found)


IDS = st.sampled_from(["caller", "operator", "edge", "token", "orders", "read", "nobody", "[E1]"])


@given(st.lists(IDS, max_size=3), st.lists(IDS, max_size=3), st.lists(IDS, max_size=3))
def test_a_path_without_gaps_names_only_what_is_described(
    actors: list[str], boundaries: list[str], assets: list[str]
) -> None:
    found = mapped(entry(actors=actors, boundaries=boundaries, assets=assets))
    for path in found.paths:
        described = path.actor in ("caller", "operator") and path.asset == "orders"
        described = described and bool(path.boundaries) and set(path.boundaries) <= {"edge", "token"}
        assert (not path.gaps) is described


@pytest.mark.req("W3S-004")
def test_the_map_of_the_bundled_review(project: Path) -> None:
    opened = open_bundle(project / "examples" / "w3-tickets").unsealed()
    found = trust_map(first_of(opened, TrustModel), read_sources(sources_of(opened)).routes, opened)
    assert found.traceable
    assert {f"{path.actor} {path.route} {path.asset}" for path in found.paths if path.in_reach} == {
        "customer POST /v1/tickets tickets", "customer GET /v1/tickets/{ticket_id} tickets",
        "outsider GET /v1/tickets/{ticket_id}/notes notes", "customer GET /v1/tickets/{ticket_id}/notes notes",
    }  # fmt: skip
    assert {(row.id, str(row.backing)) for row in found.backings} == {
        ("proxy", "validated"), ("inner", "validated"), ("caller", "validated"), ("desk", "validated"),
    }  # fmt: skip
    assert [(row.id, str(row.backing)) for row in found.transitions] == [("token-to-principal", "validated")]
    assert kinds(found) == [("unreached-asset", False)]
    assert found.deployment is not None
    assert found.deployment.tied


def test_frames_have_their_columns() -> None:
    frames = trust_frames(mapped(entry(actors=["nobody"]) | {"excluded_capabilities": None}))
    assert {name: list(frame.columns) for name, frame in frames.items()} == {
        "paths": list(PATH_COLUMNS), "backings": list(BACKING_COLUMNS), "gaps": list(TRUST_GAP_COLUMNS),
    }  # fmt: skip
    assert frames["gaps"].loc[0, "kind"] == "missing-field"
    assert list(frames["backings"]["id"]) == ["edge", "token"]


def test_a_deployment_of_another_revision_is_named() -> None:
    record = DeploymentRecord(id="live", environment="live", revision=OTHER)
    found = mapped({}, item(8, DEPLOYED, record))
    assert kinds(found) == [("other-deployment", False)]
    assert OTHER in plain(found.gaps[0].says)


@pytest.mark.parametrize("rule", TRUST_GAP_RULES, ids=lambda rule: rule.id)
def test_gap_rules_are_told_apart(rule: Any) -> None:
    assert rule.why
    assert rule.example != rule.counter_example
    assert len({one.id for one in TRUST_GAP_RULES}) == len(TRUST_GAP_RULES)


def test_no_reviewed_revision_compares_nothing() -> None:
    found = mapped({"revision": OTHER}, implementation_revision=None)
    assert ("other-revision", True) not in kinds(found)
    assert REVISION not in plain(found.deployment.why if found.deployment else ())
