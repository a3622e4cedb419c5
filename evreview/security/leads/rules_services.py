"""Lead rules about what reviewers of services look for by hand."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.step4_leads.check_then_act import checks_then_acts
from evreview.workflows.w3.step4_leads.rules_services import secrets_in_logs, weaker_siblings
from evreview.workflows.w3.step4_leads.sender_signatures import unsigned_webhooks

_HEAD: Final = """
import logging
from flask import Flask, request
app = Flask(__name__)
log = logging.getLogger(__name__)
"""
_GUARDS: Final = """
from fastapi import Depends, FastAPI, Header, HTTPException
from tokens import verify
app = FastAPI()

def signed_in(authorization: str = Header("")):
    user = verify(authorization)
    if user is None:
        raise HTTPException(401)
    return user

def staff(user=Depends(signed_in)):
    if user.role != "staff":
        raise HTTPException(403)
    return user

@app.get("/admin/users")
def users(user=Depends(staff)): return []
"""

SERVICES: Final = (
    LeadRule(
        id="secret-in-log",
        title="A log line holds a secret",
        area=Area.LOGGING,
        why="Logs are kept for long, copied and read by many; what shows who calls shows it to all of them.",
        attacker="can read the logs, or what is made of them",
        impact="Whoever reads the log may act as the caller or the service.",
        verify="Read what is written. In an isolated fixture, a synthetic mark sent as the secret must not stand in "
        "the log.",
        compensates=frozenset(),
        look=secrets_in_logs,
        example=_HEAD
        + """
@app.post("/login")
def login():
    log.info("login with %s", request.form["password"])
    return ""
""",
        counter_examples=(
            _HEAD
            + """
@app.post("/login")
def login():
    log.info("login with a password of %s characters", len(request.form["password"]))
    return ""
""",
        ),
    ),
    LeadRule(
        id="unsigned-webhook",
        title="A webhook does not look at who sends its messages",
        area=Area.AUTHENTICATION,
        why="Whoever knows the address can send what looks like the other service's message.",
        attacker="can send a request to the webhook",
        impact="A caller may have the service act on an event that never happened.",
        verify="Read where the signature is checked. In an isolated fixture, a synthetic event without a signature "
        "must be refused.",
        compensates=frozenset({"authentication", "network"}),
        look=unsigned_webhooks,
        example=_HEAD
        + """
@app.post("/webhooks/payments")
def paid():
    store.paid(request.get_json()["order"])
    return ""
""",
        counter_examples=(
            _HEAD
            + """
import hmac

@app.post("/webhooks/payments")
def paid():
    mac = hmac.new(KEY, request.get_data(), "sha256").hexdigest()
    if not hmac.compare_digest(mac, request.headers["X-Signature"]):
        return "", 401
    store.paid(request.get_json()["order"])
    return ""
""",
        ),
    ),
    LeadRule(
        id="check-then-act",
        title="A count is checked in one step and taken from in another",
        area=Area.INPUT_HANDLING,
        why="Two calls at once may both pass the check before either takes from the count.",
        attacker="can send two requests at once",
        impact="A caller may spend the same amount twice.",
        verify="Read what keeps a second call out between check and change. In an isolated fixture with synthetic "
        "data, of two calls at once for the last unit one must be refused.",
        compensates=frozenset(),
        look=checks_then_acts,
        example=_HEAD
        + """
@app.post("/coupons")
def redeem():
    coupon = store.coupon(request.form["code"])
    if coupon.remaining < 1:
        return "", 409
    coupon.remaining -= 1
    store.save(coupon)
    return ""
""",
        counter_examples=(
            _HEAD
            + """
@app.post("/coupons")
def redeem():
    coupon = store.coupon(request.form["code"], for_update=True)
    if coupon.remaining < 1:
        return "", 409
    coupon.remaining -= 1
    store.save(coupon)
    return ""
""",
        ),
    ),
    LeadRule(
        id="weaker-sibling",
        title="A route asks only who calls, though routes beside it ask for a right",
        area=Area.AUTHORIZATION,
        why="A right that neighbours ask for is often forgotten, not left out.",
        attacker="can sign in, without the right",
        impact="A caller without the right may do what the neighbours keep for those who have it.",
        verify="In an isolated fixture with synthetic data, call the route as a principal without the right; it must "
        "be refused as its neighbours refuse.",
        compensates=frozenset({"authorization"}),
        look=weaker_siblings,
        example=_GUARDS
        + """
@app.delete("/admin/users/{n}")
def remove(n: int, user=Depends(signed_in)): return store.remove(n)
""",
        counter_examples=(
            _GUARDS
            + """
@app.delete("/admin/users/{n}")
def remove(n: int, user=Depends(staff)): return store.remove(n)
""",
        ),
    ),
)
