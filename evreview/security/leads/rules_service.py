"""Lead rules about what the service tells, keeps in its source and leaves unchecked."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.step4_leads.rules_disclosure import debug_modes, errors_sent
from evreview.workflows.w3.step4_leads.secrets_in_source import secrets_in_source
from evreview.workflows.w3.step4_leads.verification import credentials_to_any_origin, verification_off

_NONE: Final[frozenset[str]] = frozenset()
_SIGNED: Final = "Bk7q" + "Zt3vX9" + "mW2pLr8d"

SERVICE: Final = (
    LeadRule(
        id="secret-in-source",
        title="A secret is written in the source",
        area=Area.SECRETS,
        why="Whoever can read the source, its history or a build can read the secret.",
        attacker="can read the source, its history or what is built from it",
        impact="Whoever reads it may act as the service, until the secret is replaced.",
        verify="Ask the secret's owner whether it is in use, and have it replaced; nobody tries it.",
        compensates=_NONE,
        look=secrets_in_source,
        example=f"""
SESSION_SECRET = "{_SIGNED}"
""",
        counter_examples=(
            """
import os
SESSION_SECRET = os.environ["SESSION_SECRET"]
""",
            """
SESSION_SECRET = ""
PASSWORD_FIELD = "password"
""",
        ),
    ),
    LeadRule(
        id="internal-error-in-response",
        title="An answer holds what an internal error says",
        area=Area.ERROR_DISCLOSURE,
        why="Texts of other layers' exceptions name hosts, statements, paths and versions.",
        attacker="can send a request that fails",
        impact="A caller may learn about the inside of the service.",
        verify="In an isolated fixture, let the layer below fail with a synthetic mark in its text; the mark must not "
        "stand in the answer.",
        compensates=frozenset({"errors"}),
        look=errors_sent,
        example="""
from fastapi import FastAPI, HTTPException
app = FastAPI()

@app.get("/orders")
def orders():
    try:
        return load()
    except Exception as error:
        raise HTTPException(500, detail=str(error))
""",
        counter_examples=(
            """
from fastapi import FastAPI, HTTPException
app = FastAPI()

class UnknownOrder(Exception):
    pass

@app.get("/orders")
def orders():
    try:
        return load()
    except UnknownOrder as error:
        raise HTTPException(404, detail=str(error))
    except Exception as error:
        log.exception("failed: %s", error)
        raise HTTPException(500, detail="internal error")
""",
        ),
    ),
    LeadRule(
        id="debug-mode-on",
        title="The application runs in debug mode whatever its environment says",
        area=Area.ERROR_DISCLOSURE,
        why="In debug mode frameworks answer with stack traces, and some with a console.",
        attacker="can send a request that fails",
        impact="A caller may learn about the inside of the service.",
        verify="Read what the deployment sets. In an isolated fixture started as in production, a failing request must "
        "answer without a stack trace.",
        compensates=frozenset({"errors"}),
        look=debug_modes,
        example="""
from fastapi import FastAPI
app = FastAPI(debug=True)
""",
        counter_examples=(
            """
import os
from fastapi import FastAPI
app = FastAPI(debug=os.environ.get("DEBUG") == "1")
""",
        ),
    ),
    LeadRule(
        id="verification-disabled",
        title="A certificate, a signature or a token's claim is left unchecked",
        area=Area.AUTHENTICATION,
        why="What is not checked can come from anybody.",
        attacker="can send a token of own making, or stands between the service and another",
        impact="A caller may pass for somebody else, or read and change what two services exchange.",
        verify="In an isolated fixture, offer a synthetic token or certificate with a wrong signature; it must be "
        "refused.",
        compensates=_NONE,
        look=verification_off,
        example="""
import jwt

def claims(token):
    return jwt.decode(token, options={"verify_signature": False})
""",
        counter_examples=(
            """
import jwt

def claims(token, keys):
    kid = jwt.decode(token, options={"verify_signature": False})["kid"]
    return jwt.decode(token, keys[kid], algorithms=["RS256"])
""",
            """
import requests

def fetch(url):
    return requests.get(url, verify="/etc/ssl/own.pem")
""",
            """
import jwt

def claims(token, key):
    try:
        return jwt.decode(token, key, algorithms=["RS256"])
    except jwt.ExpiredSignatureError:
        return renewed(jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False}))
""",
            """
import base64
import json
from flask import Flask, request
from keys import signature_fits
app = Flask(__name__)

@app.get("/me")
def me():
    body, _, sign = request.cookies["session"].partition(".")
    if not signature_fits(body, sign):
        return "", 401
    return json.loads(base64.b64decode(body))
""",
        ),
    ),
    LeadRule(
        id="credentials-to-any-origin",
        title="Every site may act with the caller's credentials",
        area=Area.AUTHENTICATION,
        why="Browsers send credentials along where the service says that every origin may.",
        attacker="can have somebody who is signed in open a site of the attacker's",
        impact="Another site may act as its visitor.",
        verify="Read which origins are let in. In an isolated fixture, a request with another origin must get no "
        "cross-origin headers.",
        compensates=_NONE,
        look=credentials_to_any_origin,
        example="""
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)
""",
        counter_examples=(
            """
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"])
""",
        ),
    ),
)
"""Rules about the service itself."""
