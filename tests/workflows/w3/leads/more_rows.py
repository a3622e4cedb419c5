"""Further forms: found ones and look-alikes, by rule."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK
from tests.workflows.w3.leads.object_rows import STORE

FOUND = {
    "object-without-owner-check:obj-repo-class": FASTAPI
    + """
class Invoice(BaseModel):
    id: int
    customer_id: int
class Repo:
    def get(self, id: int) -> Invoice: ...
def repo() -> Repo: ...
@app.get("/invoices/{invoice_id}", response_model=Invoice)
async def invoice(invoice_id: int, repo: Repo = Depends(repo)):
    return await repo.get(invoice_id)
""",
    "object-without-owner-check:obj-sqlalchemy-select": FASTAPI
    + """
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped
class Base(DeclarativeBase): pass
class Ticket(Base):
    id: Mapped[int]
    user_id: Mapped[int]
@app.get("/tickets/{ticket_id}")
async def t(ticket_id: int, db=Depends(get_db)):
    result = await db.execute(select(Ticket).where(Ticket.id == ticket_id))
    return result.scalar_one_or_none()
""",
    "object-without-owner-check:obj-update": STORE
    + """
@app.put("/tickets/{ticket_id}")
def put(ticket_id: int, text: str, user=Depends(current_user)):
    found = TICKETS.get(ticket_id)
    if not found:
        raise HTTPException(404)
    found.text = text
    return found
""",
    "object-without-owner-check:obj-current_user-unused-param-typed": STORE
    + """
CurrentUser = Annotated[dict, Depends(current_user)]
@app.get("/tickets/{ticket_id}")
def get(ticket_id: int, current_user: CurrentUser):
    return TICKETS[ticket_id]
""",
    "privilege-field-writable:field-setattr-items": FLASK
    + """
@app.patch("/me")
def me():
    user = load()
    for k, v in request.json.items():
        setattr(user, k, v)
    return ""
""",
    "sql-by-string:sql-concat-+=": FLASK
    + """
@app.get("/x")
def x():
    q = "SELECT * FROM t WHERE 1=1"
    if request.args.get("n"):
        q += " AND n = '" + request.args["n"] + "'"
    return cursor.execute(q)
""",
    "sql-by-string:sql-in-repo": FASTAPI
    + """
class Repo:
    def find(self, name):
        return self.db.execute(f"SELECT * FROM t WHERE n = '{name}'")
def get_repo() -> Repo:
    return Repo()
@app.get("/x")
def x(name: str, repo: Repo = Depends(get_repo)):
    return repo.find(name)
""",
    "sql-by-string:sql-body": FASTAPI
    + """
class Ask(BaseModel):
    name: str
@app.post("/x")
async def x(ask: Ask):
    async with pool.acquire() as conn:
        return await conn.fetch(f"SELECT * FROM t WHERE n = '{ask.name}'")
""",
    "command-by-string:cmd-f-list-shell": FASTAPI
    + """
import subprocess
@app.post("/x")
async def x(request: Request):
    data = await request.json()
    cmd = f"ping -c 1 {data['host']}"
    return subprocess.check_output(cmd, shell=True)
""",
    "command-by-string:cmd-async": FASTAPI
    + """
import asyncio
@app.get("/x")
async def x(host: str):
    return await asyncio.create_subprocess_shell("ping " + host)
""",
    "internal-error-in-response:err-logger-and-return": FASTAPI
    + """
@app.get("/x")
def x():
    try:
        return load()
    except Exception as e:
        return JSONResponse(status_code=500, content={"error": f"{type(e).__name__}: {e}"})
""",
    "verification-disabled:jwt-unverified-options-var": """
import jwt
OPTIONS = {"verify_signature": False}
def f(t):
    return jwt.decode(t, options=OPTIONS)
""",
    "unsafe-deserialisation:pickle-cookie": FLASK
    + """
import base64, pickle
@app.get("/x")
def x():
    return str(pickle.loads(base64.b64decode(request.cookies["s"])))
""",
    "template-from-string:ssti": FLASK
    + """
from flask import render_template_string
@app.get("/x")
def x():
    name = request.args.get("name", "you")
    template = "<h1>Hello %s</h1>" % name
    return render_template_string(template)
""",
}

SILENT = {
    "object-without-owner-check:obj-scoped-session": STORE
    + """
@app.get("/tickets/{ticket_id}")
def get(ticket_id: int, user=Depends(current_user), repo=Depends(get_repo)):
    ticket = repo.get(ticket_id)
    if not can_read(user, ticket):
        raise HTTPException(404)
    return ticket
""",
    "object-without-owner-check:obj-query-then": STORE
    + """
@app.get("/tickets/{ticket_id}")
def get(ticket_id: int, request: Request):
    ticket = TICKETS[ticket_id]
    if ticket.owner_id != request.state.user.id:
        raise HTTPException(403)
    return ticket
""",
    "object-without-owner-check:obj-service-checks": STORE
    + """
def load(ticket_id, user):
    ticket = TICKETS[ticket_id]
    if ticket.owner_id != user.id:
        raise HTTPException(404)
    return ticket
@app.get("/tickets/{ticket_id}")
def get(ticket_id: int, user=Depends(current_user)):
    return load(ticket_id, user)
""",
    "privilege-field-writable:field-admin-route": FASTAPI
    + """
from auth import require_admin
class Profile(BaseModel):
    role: str
@app.put("/users/{user_id}")
def put(user_id: int, profile: Profile, admin=Depends(require_admin)):
    if not admin.is_admin:
        raise HTTPException(403)
    return User(**profile.model_dump())
""",
    "sql-by-string:sql-enum": FASTAPI
    + """
from enum import Enum
class Order(str, Enum):
    name = "name"
@app.get("/x")
def x(order: Order):
    return db.execute(f"SELECT * FROM t ORDER BY {order.value}")
""",
    "sql-by-string:sql-allowlist": FASTAPI
    + """
COLS = {"name", "id"}
@app.get("/x")
def x(order: str):
    if order not in COLS:
        raise HTTPException(400)
    return db.execute(f"SELECT * FROM t ORDER BY {order}")
""",
    "sql-by-string:sql-placeholders": FASTAPI
    + """
@app.get("/x")
def x(ids: list[int] = Query()):
    marks = ", ".join("?" for _ in ids)
    return db.execute(f"SELECT * FROM t WHERE id IN ({marks})", ids)
""",
    "sql-by-string:sql-placeholders2": FASTAPI
    + """
@app.get("/x")
def x(ids: list[str] = Query()):
    marks = ", ".join(["?"] * len(ids))
    return db.execute(f"SELECT * FROM t WHERE id IN ({marks})", ids)
""",
    "command-by-string:cmd-list-var": FASTAPI
    + """
import subprocess
@app.get("/x")
def x(host: str):
    cmd = ["ping", "-c", "1", host]
    return subprocess.run(cmd, check=True)
""",
    "internal-error-in-response:err-custom": FASTAPI
    + """
from errors import NotFound, Conflict
@app.exception_handler(Conflict)
async def c(request, exc):
    return JSONResponse({"detail": str(exc)}, status_code=409)
""",
    "privilege-field-writable:field-setattr-of-a-model": FASTAPI
    + """
class Note(BaseModel):
    text: str

@app.patch("/me")
def me(note: Note):
    row = load()
    for key, value in note.model_dump().items():
        setattr(row, key, value)
    return row
""",
}
