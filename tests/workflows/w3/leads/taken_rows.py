# ruff: noqa: E501  (a row is one source on one line)
"""Records that take the members that the caller names, in every spelling of it; and what picks the members."""

from __future__ import annotations

from typing import Final

_HEAD: Final = """
import json
from dataclasses import dataclass, replace
from typing import Any
from fastapi import Body, Depends, FastAPI, HTTPException, Request
from desk.auth import current_user
from desk.db import db
app = FastAPI()
ALLOWED = ("title", "text")
@dataclass
class Case:
    id: int
    owner_id: int
    title: str
    role: str = "user"
CASES: dict[int, Case] = {}
ROWS = {1: {"id": 1, "owner_id": 1, "title": "x"}}
def take(case, body):
    for key, value in body.items():
        setattr(case, key, value)
def put(case, key, value):
    setattr(case, key, value)
"""
_ROUTE: Final = "@app.patch('/cases/{number}')\nasync def change(number: int, "
_OWNED: Final = "    case = CASES[number]\n    if case.owner_id != user.id:\n        raise HTTPException(403)\n"
_OR_ADMIN: Final = _OWNED.replace("!= user.id", "!= user.id and user.role != 'admin'")
_ASKED: Final = _OWNED.replace("case.owner_id != user.id", "not owns(user, case)")


def service(
    lines: str, body: str = "body: dict, ", owned: str = _OWNED, user: str = "user=Depends(current_user)"
) -> str:
    """A handler that asks whose the case is and then runs the lines."""
    return f"{_HEAD}{_ROUTE}{body}{user}):\n{owned}{lines}    return {{}}\n"


_LOOP: Final = "    for k, v in body.items():\n        setattr(case, k, v)\n"
SUPPORTED: Final = {
    "loop": service(_LOOP),
    "loop, body marked": service(_LOOP, "body: dict[str, Any] = Body(...), "),
    "loop, body read": service("    body = await request.json()\n" + _LOOP, "request: Request, "),
    "loop, beside a query": service(_LOOP, "body: dict, note: str | None = None, "),
    "loop, owner or administrator": service(_LOOP, owned=_OR_ADMIN),
    "loop, a function asks the owner": service(_LOOP, owned=_ASKED),
    "loop, only such members": service("    for k, v in body.items():\n        if hasattr(case, k):\n            setattr(case, k, v)\n"),
    "loop, only what is given": service("    for k, v in body.items():\n        if v is not None:\n            setattr(case, k, v)\n"),
    "names alone": service("    for key in body:\n        setattr(case, key, body[key])\n"),
    "names as a list": service("    for key in list(body.keys()):\n        setattr(case, key, body.get(key))\n"),
    "nested object": service("    for k, v in body['changes'].items():\n        setattr(case, k, v)\n"),
    "one member by name": service("    setattr(case, body['field'], body['value'])\n"),
    "comprehension": service("    [setattr(case, k, v) for k, v in body.items()]\n"),
    "method of objects": service("    for k, v in body.items():\n        case.__setattr__(k, v)\n"),
    "its dictionary, by key": service("    for k, v in body.items():\n        case.__dict__[k] = v\n"),
    "its dictionary": service("    CASES[1].__dict__.update(body)\n"),
    "its variables": service("    vars(case).update(body)\n"),
    "its variables, spread": service("    vars(case).update(**body)\n"),
    "a copy": service("    CASES[number] = replace(case, **body)\n"),
    "copy of a model": service("    CASES[number] = case.model_copy(update=body)\n"),
    "copy of a model, kept": service("    kept = case.model_copy(update=body, deep=True)\n    CASES[number] = kept\n"),
    "older copy of a model": service("    CASES[number] = CASES[number].copy(update=body)\n"),
    "copy of a named tuple": service("    CASES[number] = case._replace(**body)\n"),
    "stored mapping": service("    ROWS[number].update(body)\n"),
    "stored mapping, spread": service("    row = ROWS.get(number)\n    row.update(**body)\n"),
    "query": service("    db.query(Case).filter(Case.id == number).update(body)\n"),
    "helper": service("    take(case, body)\n"),
    "helper of one member": service("    for key, value in body.items():\n        put(case, key, value)\n"),
}  # fmt: skip
HYPOTHESES: Final = {
    "copy of an unknown model": service(
        "    note = NOTES.get(number)\n    NOTES[number] = note.model_copy(update=body)\n"
    ),
    "unknown table": service("    from desk.models import Note\n    Note.objects.filter(id=number).update(**body)\n"),
    "merged": service("    ROWS[number] = {**ROWS[number], **body}\n"),
    "united": service("    ROWS[number] |= body\n"),
    "by key": service("    for key in body:\n        ROWS[number][key] = body[key]\n"),
}
_UNREAD: Final = "    from desk.cleaning import cleaned, CaseIn\n"
_SHAPED: Final = "class CaseSchema(Schema):\n    title = fields.Str()\nCASES:"
UNREAD_BETWEEN: Final = {
    "spread": service(_UNREAD + "    CASES[number] = Case(**cleaned(body))\n"),
    "over a name": service(_UNREAD + "    kept = cleaned(body)\n    CASES[number] = Case(**kept)\n"),
    "awaited": service(_UNREAD + "    kept = await cleaned(await request.json())\n    CASES[number] = Case(**kept)\n", "request: Request, "),
    "loop": service(_UNREAD + "    for k, v in cleaned(body).items():\n        setattr(case, k, v)\n"),
    "helper": service(_UNREAD + "    take(case, cleaned(body))\n"),
    "method of a schema": service(_UNREAD + "    CASES[number] = Case(**CaseIn().load(body))\n"),
    "model of another file": service(_UNREAD + "    CASES[number] = Case(**CaseIn(**body).model_dump())\n"),
    "unknown object": service("    CASES[number] = Case(**rules.kept(body))\n"),
    "table": service(_UNREAD + "    db.cases.insert_one(cleaned(body))\n"),
}  # fmt: skip
UNREAD_CHECK: Final = {
    "statement": service("    from desk.cleaning import validate\n    validate(body)\n" + _LOOP),
    "condition": service("    from desk.cleaning import is_valid\n    if not is_valid(body):\n        raise HTTPException(422)\n" + _LOOP),
    "schema of another file": service("    import jsonschema\n    from desk.shapes import CASE\n    jsonschema.validate(body, CASE)\n    vars(case).update(body)\n"),
    "unknown object": service("    rules.check(body)\n    CASES[number] = replace(case, **body)\n"),
}  # fmt: skip
SILENT: Final = {
    "copy with picked members": service("    CASES[number] = case.model_copy(update={k: body[k] for k in ALLOWED})\n"),
    "copy with one member": service("    CASES[number] = case.model_copy(update={'title': body['title']})\n"),
    "copy with a model's members": service("    CASES[number] = case.model_copy(update=CaseIn(**body).model_dump())\n").replace(
        "CASES:", "class CaseIn(BaseModel):\n    title: str\nCASES:").replace("import json", "import json\nfrom pydantic import BaseModel"),
    "copy with set members": service("    CASES[number] = case.model_copy(update=body.model_dump(exclude_unset=True))\n", "body: CaseIn, ").replace(
        "CASES:", "class CaseIn(BaseModel):\n    title: str\nCASES:").replace("import json", "import json\nfrom pydantic import BaseModel"),
    "copy of nothing of the body": service("    CASES[number] = case.model_copy(deep=True)\n"),
    "picked by what is read": service("    CASES[number] = Case(**only(body))\n").replace("CASES:", "def only(body):\n    return {'title': body['title']}\nCASES:"),
    "schema, spread": service("    CASES[number] = Case(**CaseSchema().load(body))\n").replace("CASES:", _SHAPED).replace("import json", "import json\nfrom marshmallow import Schema, fields"),
    "one member through unread code": service(_UNREAD + "    case.title = cleaned(body)['title']\n"),
    "picked after unread code": service(_UNREAD + "    CASES[number] = Case(**{k: v for k, v in cleaned(body).items() if k in ALLOWED})\n"),
    "asked after unread code": service(_UNREAD + "    for k, v in cleaned(body).items():\n        if k in ALLOWED:\n            setattr(case, k, v)\n"),
    "asked": service("    for k, v in body.items():\n        if k in ALLOWED:\n            setattr(case, k, v)\n"),
    "passed over": service("    for k, v in body.items():\n        if k not in ALLOWED:\n            continue\n        setattr(case, k, v)\n"),
    "asked before a helper": service("    for k, v in body.items():\n        if k in ALLOWED:\n            put(case, k, v)\n"),
    "refused": service("    if set(body) - set(ALLOWED):\n        raise HTTPException(400)\n" + _LOOP),
    "refused by name": service("    extra = body.keys() - set(ALLOWED)\n    if extra:\n        raise HTTPException(422)\n    vars(case).update(body)\n"),
    "refused by each": service("    if any(k not in ALLOWED for k in body):\n        raise HTTPException(400)\n    vars(case).update(body)\n"),
    "picked": service("    vars(case).update({k: body[k] for k in ('title', 'text')})\n"),
    "picked for a helper": service("    take(case, {k: body[k] for k in ALLOWED})\n"),
    "picked by a filter": service("    kept = {k: v for k, v in body.items() if k in ALLOWED}\n    ROWS[number].update(kept)\n"),
    "both": service("    for k in set(body) & set(ALLOWED):\n        setattr(case, k, body[k])\n"),
    "names of the service": service("    for k in ALLOWED:\n        put(case, k, body[k])\n"),
    "constant name": service("    setattr(case, 'title', body['title'])\n"),
    "one member, asked": service("    if body['field'] not in ALLOWED:\n        raise HTTPException(400)\n    setattr(case, body['field'], body['value'])\n"),
    "model": service("    for k, v in body.model_dump().items():\n        setattr(case, k, v)\n", "body: CaseIn, ").replace(
        "CASES:", "class CaseIn(BaseModel):\n    title: str\nCASES:").replace("import json", "import json\nfrom pydantic import BaseModel"),
    "model in the handler": service("    vars(case).update(CaseIn(**body).model_dump())\n").replace(
        "CASES:", "class CaseIn(BaseModel):\n    title: str\nCASES:").replace("import json", "import json\nfrom pydantic import BaseModel"),
    "schema": service("    vars(case).update(CaseSchema().load(body))\n").replace(
        "CASES:", "class CaseSchema(Schema):\n    title = fields.Str()\nCASES:").replace("import json", "import json\nfrom marshmallow import Schema, fields"),
    "administrators": service(_LOOP, owned="    case = CASES[number]\n    if not user.is_admin:\n        raise HTTPException(403)\n"),
    "a mapping made here": service("    out = {'a': 1}\n    out.update(**body)\n"),
    "counted": service("    seen = {}\n    for k in body:\n        seen[k] = 1\n"),
}  # fmt: skip
SIGNED: Final = """
import hashlib
import hmac
import json
from fastapi import FastAPI, HTTPException, Request
app = FastAPI()
KEY = load()
class Case:
    id: int
    role: str
CASES = {}
def good(raw, sent):
    return hmac.compare_digest(hmac.new(KEY, raw, hashlib.sha256).hexdigest(), sent)
@app.post("/webhooks/case")
async def hook(request: Request):
    raw = await request.body()
    wanted = hmac.new(KEY, raw, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(wanted, request.headers.get("X-Signature", "")):
        raise HTTPException(401)
    b = json.loads(raw)
    CASES[b["id"]] = Case(**b)
    return {}
"""
_CHECK: Final = SIGNED[SIGNED.index("    wanted") : SIGNED.index("    b = ")]
SIGNED_ALSO: Final = {
    "in the handler": SIGNED,
    "by a function": SIGNED.replace(_CHECK, "    if not good(raw, request.headers['X-Signature']):\n        raise HTTPException(401)\n"),
    "by a name": SIGNED.replace("    if not hmac", "    ok = hmac").replace(' "")):\n', ' ""))\n    if not ok:\n'),
    "by a loop": SIGNED.replace("CASES[b[\"id\"]] = Case(**b)", "vars(CASES[b[\"id\"]]).update(b)"),
}  # fmt: skip
UNSIGNED: Final = {
    "not at all": SIGNED.replace(_CHECK, ""),
    "body as a parameter": SIGNED.replace(_CHECK, "").replace("request: Request", "b: dict[str, Any]").replace(
        "    raw = await request.body()\n    b = json.loads(raw)\n", "").replace("import json", "import json\nfrom typing import Any"),
    "said to nobody": SIGNED.replace("    if not hmac", "    hmac").replace(' "")):\n        raise HTTPException(401)', ' ""))'),
}  # fmt: skip
