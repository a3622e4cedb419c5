"""Lead rules about values of the request that name a place: a file, an address, where an answer leads."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.step4_leads.destinations import (
    addresses_from_request,
    files_from_request,
    redirects_from_request,
)

_NONE: Final[frozenset[str]] = frozenset()
_FAST: Final = """
from pathlib import Path
from urllib.parse import urlparse
import httpx
from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse, RedirectResponse
app = FastAPI()
"""

PLACES: Final = (
    LeadRule(
        id="file-by-request",
        title="A file is opened by a name that the caller sends",
        area=Area.INPUT_HANDLING,
        why="A name with steps upwards, or an absolute one, leads out of the folder that is meant.",
        attacker="can send a value of own choice",
        impact="A caller may read or change other files than those that are meant.",
        verify="Read what is done with the name before the file is opened. In an isolated fixture, a name with a step "
        "upwards to a synthetic file beside the folder must be refused.",
        compensates=_NONE,
        look=files_from_request,
        example=_FAST
        + """
@app.get("/reports")
def report(name: str):
    return FileResponse(Path("/srv/reports") / name)
""",
        counter_examples=(
            _FAST
            + """
@app.get("/reports")
def report(name: str):
    place = (ROOT / name).resolve()
    if not place.is_relative_to(ROOT):
        raise HTTPException(404)
    return FileResponse(place)
""",
            _FAST
            + """
@app.get("/reports")
def report(name: str):
    return FileResponse(ROOT / Path(name).name)
""",
            """
from flask import Flask, request, send_from_directory
from werkzeug.utils import secure_filename
app = Flask(__name__)

@app.get("/reports")
def report():
    return send_from_directory("reports", request.args["name"])

@app.post("/reports")
def store():
    sent = request.files["report"]
    with open("/srv/" + secure_filename(sent.filename), "wb") as out:
        out.write(sent.read())
""",
            _FAST
            + """
NAMES = {"day", "week"}

@app.get("/reports")
def report(name: str):
    if name not in NAMES:
        raise HTTPException(404)
    return FileResponse(f"/srv/{name}.pdf")
""",
        ),
    ),
    LeadRule(
        id="address-by-request",
        title="The service calls an address that the caller sends",
        area=Area.INPUT_HANDLING,
        why="The service stands where callers do not: it reaches its own network.",
        attacker="can send a value of own choice",
        impact="A caller may have the service call what only the service reaches.",
        verify="Read which hosts are let through. In an isolated fixture, an address of a second synthetic server that "
        "is not listed must not be called.",
        compensates=_NONE,
        look=addresses_from_request,
        example=_FAST
        + """
@app.get("/preview")
def preview(url: str):
    return httpx.get(url).text
""",
        counter_examples=(
            _FAST
            + """
@app.get("/preview")
def preview(url: str):
    if urlparse(url).hostname not in HOSTS:
        raise HTTPException(400)
    return httpx.get(url).text
""",
            _FAST
            + """
@app.get("/rates")
def rates(currency: str):
    return httpx.get(f"https://rates.example.com/v1/{currency}", params={"of": currency}).json()
""",
            _FAST
            + """
@app.get("/partners/{name}")
def partner(name: str):
    return httpx.get(ADDRESSES[name]).json()
""",
        ),
    ),
    LeadRule(
        id="redirect-by-request",
        title="An answer sends its reader where the caller says",
        area=Area.INPUT_HANDLING,
        why="A link to the service that ends elsewhere lends its name to the other site.",
        attacker="can have somebody open a link to the service",
        impact="A reader of the service may end on another site without noticing.",
        verify="Read which addresses are let through. In an isolated fixture, an address of another synthetic host "
        "must not stand in the answer's location.",
        compensates=_NONE,
        look=redirects_from_request,
        example=_FAST
        + """
@app.get("/leave")
def leave(next: str = "/"):
    return RedirectResponse(next)
""",
        counter_examples=(
            _FAST
            + """
@app.get("/leave")
def leave(page: str = "start"):
    return RedirectResponse(f"/pages/{page}")
""",
            """
from django.shortcuts import redirect
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme

def leave(request):
    where = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(where, allowed_hosts={request.get_host()}):
        where = "/"
    return redirect(where)

urlpatterns = [path("leave/", leave)]
""",
            """
from flask import Flask, redirect, request, url_for
app = Flask(__name__)

@app.get("/leave")
def leave():
    return redirect(url_for("page", name=request.args["name"]))
""",
        ),
    ),
)
"""Rules about places that the caller names."""
