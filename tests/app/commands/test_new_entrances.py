"""Routes that nobody is known to guard: drafted with where they stand, and one word of a person each to go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.app.commands.bundles import outlook
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from evreview.evidence.records.security import BackedBy, Boundary, TrustModel
from tests.app.commands.test_new_from_one_commit import authorized, made, record, typed
from tests.app.commands.test_new_review import evreview
from tests.repositories import repository

FLASK = {
    "desk/app.py": """\
import functools
import os
from flask import Flask, abort, jsonify, request
app = Flask(__name__)
def signed_in(view):
    @functools.wraps(view)
    def asks(*args, **kwargs):
        if request.headers.get("Authorization") != os.environ["DESK"]:
            abort(401)
        return view(*args, **kwargs)
    return asks
@app.get("/health")
def health():
    return jsonify(status="up")
@app.get("/tickets/<int:number>")
@signed_in
def show(number):
    return jsonify(number)
@app.post("/contact")
def contact():
    return "", 202
"""
}
FASTAPI = {
    "shop/guards.py": """\
from fastapi import Depends, HTTPException
from fastapi.security import HTTPBearer
bearer = HTTPBearer()
def current_user(credentials=Depends(bearer)):
    if credentials.credentials != "a":
        raise HTTPException(401)
    return credentials.credentials
""",
    "shop/main.py": """\
from fastapi import Depends, FastAPI
from shop.guards import current_user
from shop.public import router
app = FastAPI()
app.include_router(router, prefix="/public")
@app.get("/orders/{number}")
def order(number: int, user: str = Depends(current_user)):
    return {}
@app.get("/status")
def status():
    return {}
""",
    "shop/public.py": """\
from fastapi import APIRouter
router = APIRouter()
@router.get("/prices")
def prices():
    return {}
""",
}
DJANGO = {
    "clinic/urls.py": """\
from django.urls import path
from clinic import views
urlpatterns = [path("patients/<int:number>/", views.patient), path("hours/", views.hours)]
""",
    "clinic/views.py": """\
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.views.decorators.http import require_GET
@login_required
@require_GET
def patient(request, number):
    return JsonResponse({})
@require_GET
def hours(request):
    return JsonResponse({})
""",
}
OPEN = {"a/app.py": 'from flask import Flask\napp = Flask(__name__)\n@app.get("/")\ndef root():\n    return ""\n'}


@pytest.mark.parametrize(
    ("files", "points", "shown"),
    [
        (
            FLASK,
            {
                "GET /health": ("entrance-desk-app-py",),
                "GET /tickets/{number}": ("signed-in",),
                "POST /contact": ("entrance-desk-app-py",),
            },
            {"entrance-desk-app-py": ("12-14", '@app.get("/health")')},
        ),
        (
            FASTAPI,
            {
                "GET /orders/{number}": ("bearer",),
                "GET /status": ("entrance-shop-main-py",),
                "GET /public/prices": ("entrance-shop-public-py",),
            },
            {
                "entrance-shop-main-py": ("9-10", '@app.get("/status")'),
                "entrance-shop-public-py": ("3-4", '@router.get("/prices")'),
            },
        ),
        (
            DJANGO,
            {"GET /patients/{number}/": ("login-required",), "GET /hours/": ("entrance-clinic-views-py",)},
            {"entrance-clinic-views-py": ("8-10", "@require_GET")},
        ),
        (OPEN, {"GET /": ("entrance-a-app-py",)}, {"entrance-a-app-py": ("3-5", '@app.get("/")')}),
    ],
    ids=["flask", "fastapi", "django", "open"],
)
def test_routes_without_a_known_check_are_drafted_by_file(
    tmp_path: Path, files: dict[str, str], points: dict[str, tuple[str, ...]], shown: dict[str, tuple[str, str]]
) -> None:
    root = repository(tmp_path / "r", (files,), tags=("v1.0",))
    code = next(iter(files)).partition("/")[0]
    folder, told = made("w3", tmp_path / "review", root, "--at", "v1.0", "--code", code)
    model = record(folder, TrustModel)
    assert isinstance(model, TrustModel)
    assert {point.route: point.boundaries for point in model.entry_points or ()} == points
    entrances = [each for each in model.boundaries or () if each.backed_by is BackedBy.ASSUMPTION]
    assert {each.id: (each.shown_by.lines, each.shown_by.quote) for each in entrances if each.shown_by} == shown
    # What a person has to say is no value yet, and the file says so at its place.
    assert {each.assumption for each in entrances} == {"FILL-IN"} and str(len(shown)) in told
    authorized(folder, root)
    written = folder / "records/authorization.yaml"
    written.write_text(written.read_text().replace("parcels/**", f"{code}/**"))
    marked = [one.place for one in examine_bundle(folder, whole=True).problems if one.place.endswith("/assumption")]
    assert len(marked) == len(shown)


def test_one_word_for_each_entrance_leads_to_the_last_step(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", (FLASK,), tags=("v1.0",))
    folder, _ = made("w3", tmp_path / "review", root, "--at", "v1.0", "--code", "desk")
    count = authorized(folder, root)
    written = folder / "records/authorization.yaml"
    written.write_text(written.read_text().replace("parcels/**", "desk/**"))
    count += typed(
        folder / "records/trust-model.yaml",
        ("position", "any network"),
        ("classification", "internal"),
        ("attacker_positions", "[caller]"),
        ("excluded_capabilities", "[]"),
        ("assumption", "everybody may ask"),
    )
    count += typed(folder / "records/inventory.yaml", ("deployment", "[]"), ("why", "another review looks at it"))
    assert count == 15
    assert evreview("seal", folder)[0] == 0
    ahead = outlook(open_bundle(folder).unsealed())
    assert (ahead.problems, ahead.reached) == ((), True)


def test_a_check_that_nothing_tells_the_kind_of_leaves_the_route_with_an_entrance(tmp_path: Path) -> None:
    text = (
        OPEN["a/app.py"]
        .replace("def root", "@elsewhere.checked\ndef root")
        .replace("\n@app", "\nimport elsewhere\n@app")
    )
    root = repository(tmp_path / "r", ({"a/app.py": text},), tags=("v1.0",))
    folder, _ = made("w3", tmp_path / "review", root, "--at", "v1.0", "--code", "a")
    model = record(folder, TrustModel)
    assert isinstance(model, TrustModel)
    assert [each.id for each in model.boundaries or () if isinstance(each, Boundary)] == ["entrance-a-app-py"]
    found = examine_bundle(folder, whole=True).draft
    assert found is not None and found.of_type(EvidenceType.DATA_FLOW)
