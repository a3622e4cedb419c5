"""Lead rules about what becomes of values of the request."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.step4_leads.injection import (
    code_from_request,
    commands_by_string,
    sql_by_string,
    templates_from_string,
    unsafe_loads,
)

_NONE: Final[frozenset[str]] = frozenset()
_HEAD: Final = """
import subprocess
from flask import Flask, render_template, render_template_string, request
app = Flask(__name__)
"""

INPUT: Final = (
    LeadRule(
        id="unsafe-deserialisation",
        title="A format is loaded that can make any object",
        area=Area.INPUT_HANDLING,
        why="The documentation of these modules says not to load what is not trusted.",
        attacker="can supply what is loaded",
        impact="Whoever supplies what is loaded may decide what the service does.",
        verify="Read where the loaded bytes come from. In an isolated fixture, a synthetic harmless object of another "
        "type must be refused.",
        compensates=_NONE,
        look=unsafe_loads,
        example="""
import pickle
from flask import Flask, request
app = Flask(__name__)

@app.post("/basket")
def basket():
    return pickle.loads(request.get_data())
""",
        counter_examples=(
            """
import yaml
from flask import Flask, request
app = Flask(__name__)

@app.post("/basket")
def basket():
    return yaml.load(request.get_data(), Loader=yaml.SafeLoader)
""",
            """
import pickle

def copied(value):
    return pickle.loads(pickle.dumps(value))
""",
        ),
    ),
    LeadRule(
        id="sql-by-string",
        title="A statement for the database is put together from what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A value that is part of the statement's text can change what the statement says.",
        attacker="can send a value of own choice",
        impact="A caller may read or change more than the statement is meant for.",
        verify="Read that every value is bound as a parameter. In an isolated fixture, a value with a single quotation "
        "mark must be found or not found like any other.",
        compensates=_NONE,
        look=sql_by_string,
        example=_HEAD
        + """
@app.get("/orders")
def orders():
    state = request.args["state"]
    return db.execute(f"SELECT * FROM orders WHERE state = '{state}'")
""",
        counter_examples=(
            _HEAD
            + """
@app.get("/orders")
def orders():
    return db.execute("SELECT * FROM orders WHERE state = ?", (request.args["state"],))
""",
            _HEAD
            + """
TABLE = "orders"

@app.get("/orders")
def orders():
    limit = int(request.args["limit"])
    return db.execute(f"SELECT * FROM {TABLE} LIMIT {limit}")
""",
        ),
    ),
    LeadRule(
        id="command-by-string",
        title="A command line is put together from what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A shell reads a value that is part of the line as more than data.",
        attacker="can send a value of own choice",
        impact="A caller may have other commands run.",
        verify="Read that the command is a list without a shell. In an isolated fixture, a value with a blank must "
        "stay one argument.",
        compensates=_NONE,
        look=commands_by_string,
        example=_HEAD
        + """
@app.get("/thumbnail")
def thumbnail():
    return subprocess.run("convert " + request.args["file"], shell=True)
""",
        counter_examples=(
            _HEAD
            + """
@app.get("/thumbnail")
def thumbnail():
    return subprocess.run(["convert", request.args["file"]])
""",
        ),
    ),
    LeadRule(
        id="code-from-request",
        title="What the caller sends is evaluated as code",
        area=Area.INPUT_HANDLING,
        why="Evaluated text can do all that the service can do.",
        attacker="can send a value of own choice",
        impact="A caller may decide what the service does.",
        verify="Read that a parser of the expected values alone takes the text. In an isolated fixture, a text that is "
        "no such value must be refused.",
        compensates=_NONE,
        look=code_from_request,
        example=_HEAD
        + """
@app.get("/sum")
def total():
    return str(eval(request.args["of"]))
""",
        counter_examples=(
            _HEAD
            + """
import ast

@app.get("/sum")
def total():
    return str(ast.literal_eval(request.args["of"]))
""",
        ),
    ),
    LeadRule(
        id="template-from-string",
        title="A template's own text holds what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A template engine reads its template as instructions; values belong into its context.",
        attacker="can send a value of own choice",
        impact="A caller may read what the template can reach.",
        verify="Read that the value is passed as context. In an isolated fixture, a value with braces must be printed "
        "as it stands.",
        compensates=_NONE,
        look=templates_from_string,
        example=_HEAD
        + """
@app.get("/hello")
def hello():
    return render_template_string("Hello " + request.args["name"])
""",
        counter_examples=(
            _HEAD
            + """
@app.get("/hello")
def hello():
    return render_template("hello.html", name=request.args["name"])
""",
            _HEAD
            + """
@app.get("/hello")
def hello():
    return render_template_string("Hello {{ name }}", name=request.args["name"])
""",
        ),
    ),
)
"""Rules about input."""
