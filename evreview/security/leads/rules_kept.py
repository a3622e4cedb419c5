"""Lead rules about what is made of values of the request: a page, a stored record, a hash."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.security.leads.hashes import quick_password_hashes
from evreview.security.leads.markup import markup_from_request
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.step4_leads.rendered_and_stored_values import members_taken

_NONE: Final[frozenset[str]] = frozenset()
_FLASK: Final = """
import hashlib
from flask import Flask, render_template, request
from markupsafe import Markup, escape
app = Flask(__name__)
"""
_NOTES: Final = """
from flask import Flask, request
from flask_sqlalchemy import SQLAlchemy
app = Flask(__name__)
db = SQLAlchemy(app)

class Note(db.Model):
    title = db.Column(db.String)
    state = db.Column(db.String)
"""

KEPT: Final = (
    LeadRule(
        id="markup-by-string",
        title="A page is put together from what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A value that becomes part of a page as it was sent can bring its own script.",
        attacker="can have somebody open a link to the service, or stores a value that others see",
        impact="A reader of the page may act as the attacker wants.",
        verify="Read that the value is escaped on its way. In an isolated fixture, a value with an angle bracket must "
        "be printed as it stands.",
        compensates=_NONE,
        look=markup_from_request,
        example=_FLASK
        + """
@app.get("/hello")
def hello():
    return f"<h1>Hello {request.args['name']}</h1>"
""",
        counter_examples=(
            _FLASK
            + """
@app.get("/hello")
def hello():
    return f"<h1>Hello {escape(request.args['name'])}</h1>"
""",
            _FLASK
            + """
@app.get("/hello")
def hello():
    return render_template("hello.html", name=request.args["name"])
""",
            _FLASK
            + """
@app.get("/hello")
def hello():
    return Markup("<h1>{}</h1>").format(request.args["name"])
""",
            """
from django.http import HttpResponse
from django.urls import path
from django.utils.html import format_html

def hello(request):
    return HttpResponse(format_html("<h1>{}</h1>", request.GET["name"]))

urlpatterns = [path("hello/", hello)]
""",
        ),
    ),
    LeadRule(
        id="every-member-from-request",
        title="A stored record takes every member that the caller names",
        area=Area.INPUT_HANDLING,
        why="A record often has members that only the service should set, or gets one later.",
        attacker="can send a request with members of own choice",
        impact="A caller may set what only the service should.",
        verify="Read which members the record has. In an isolated fixture, a member that no form shows must not be "
        "stored.",
        compensates=_NONE,
        look=members_taken,
        example=_NOTES
        + """

@app.post("/notes")
def create():
    db.session.add(Note(**request.get_json()))
    return {}, 201
""",
        counter_examples=(
            _NOTES
            + """

@app.post("/notes")
def create():
    sent = request.get_json()
    db.session.add(Note(title=sent["title"]))
    return {}, 201
""",
            """
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()

class NewNote(BaseModel):
    title: str

@app.post("/notes")
def create(new: NewNote):
    NOTES.insert_one(new.model_dump())
    return {}
""",
            """
from flask import Flask, request
app = Flask(__name__)

@app.get("/notes")
def notes():
    given = {"limit": 20}
    given.update(request.get_json())
    return search(**given)
""",
        ),
    ),
    LeadRule(
        id="quick-password-hash",
        title="A password is hashed in a way that is quick to try",
        area=Area.AUTHENTICATION,
        why="Whoever gets hold of such hashes can try many passwords in a short time.",
        attacker="can read the stored hashes",
        impact="Whoever reads the stored hashes may find passwords, and act as their owners.",
        verify="Read with which function passwords are hashed, and how stored ones are renewed; nobody tries one.",
        compensates=_NONE,
        look=quick_password_hashes,
        example=_FLASK
        + """
@app.post("/accounts")
def create():
    password = request.form["password"]
    ACCOUNTS[request.form["name"]] = hashlib.md5(password.encode()).hexdigest()
    return {}, 201
""",
        counter_examples=(
            _FLASK
            + """
@app.post("/files")
def store():
    return {"etag": hashlib.md5(request.get_data()).hexdigest()}
""",
            _FLASK
            + """
@app.post("/accounts")
def create():
    ACCOUNTS[request.form["name"]] = hashlib.scrypt(request.form["password"].encode(), salt=SALT, n=2**14, r=8, p=1)
    return {}, 201
""",
            _FLASK
            + """
def is_leaked(password):
    start = hashlib.sha1(password.encode()).hexdigest()[:5]
    return start in fetch("https://api.pwnedpasswords.com/range/" + start)
""",
        ),
    ),
)
"""Rules about what becomes of values."""
