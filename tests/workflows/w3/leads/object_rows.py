"""Objects by id with and without a check of their owner."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import DJANGO, DRF, FASTAPI, FLASK, aiohttp

STORE = (
    FASTAPI
    + """
from auth import current_user

class Ticket(BaseModel):
    id: int
    owner_id: int
    text: str

TICKETS: dict[int, Ticket] = {}
"""
)
_MODELS = """
from django.db import models

class Ticket(models.Model):
    owner = models.ForeignKey("auth.User", on_delete=models.CASCADE)
    text = models.TextField()
"""

OBJECT_POSITIVE = {
    "fastapi-get": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int):
    found = TICKETS.get(ticket_id)
    if found is None:
        raise HTTPException(404)
    return found
""",
    "fastapi-authenticated-only": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    return TICKETS[ticket_id]
""",
    "fastapi-principal-only-logged": STORE + """
@app.delete("/tickets/{ticket_id}")
def delete(ticket_id: int, user=Depends(current_user)):
    log.info("deleted by %s", user.id)
    TICKETS.pop(ticket_id)
""",
    "fastapi-helper": STORE + """
def load(ticket_id: int) -> Ticket:
    return TICKETS[ticket_id]

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int):
    return load(ticket_id)
""",
    "fastapi-sqlalchemy": FASTAPI + """
from sqlalchemy.orm import DeclarativeBase, Mapped

class Base(DeclarativeBase):
    pass

class Ticket(Base):
    id: Mapped[int]
    owner_id: Mapped[int]

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, db=Depends(get_db)):
    return db.get(Ticket, ticket_id)
""",
    "flask-query": FLASK + """
class Ticket:
    owner_id: int

@app.get("/tickets/<int:ticket_id>")
def ticket(ticket_id):
    return jsonify(Ticket.query.get_or_404(ticket_id))
""",
    "flask-argument": FLASK + """
TICKETS = {1: {"id": 1, "owner_id": 7}}

@app.get("/ticket")
def ticket():
    return jsonify(TICKETS[int(request.args["id"])])
""",
    "django": {"models.py": _MODELS, "urls.py": DJANGO + """
from models import Ticket

def ticket(request, pk):
    return JsonResponse({"text": get_object_or_404(Ticket, pk=pk).text})

urlpatterns = [path("tickets/<int:pk>/", ticket)]
"""},
    "drf": {"models.py": _MODELS, "urls.py": DRF + """
from models import Ticket

class TicketView(APIView):
    def get(self, request, pk):
        return Response(Ticket.objects.get(pk=pk).text)

urlpatterns = [path("tickets/<int:pk>/", TicketView.as_view())]
"""},
    "aiohttp": aiohttp("""
TICKETS = {"1": {"owner": "a"}}

async def report(request):
    return web.json_response(TICKETS[request.match_info["id"]])
""", route="/tickets/{id}"),
}  # fmt: skip

OBJECT_NEGATIVE = {
    "owner-compared": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    found = TICKETS[ticket_id]
    if found.owner_id != user.id:
        raise HTTPException(404)
    return found
""",
    "owner-in-lookup": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    return repository.find(ticket_id, owner=user.id)
""",
    "owner-checked-by-helper": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    found = TICKETS[ticket_id]
    ensure_owner(found, user)
    return found
""",
    "owner-in-dependency": STORE + """
def own_ticket(ticket_id: int, user=Depends(current_user)) -> Ticket:
    found = TICKETS[ticket_id]
    if found.owner_id != user.id:
        raise HTTPException(404)
    return found

@app.get("/tickets/{ticket_id}")
def ticket(found: Annotated[Ticket, Depends(own_ticket)], ticket_id: int):
    return TICKETS[ticket_id]
""",
    "authorized-role": STORE + """
def staff(user=Depends(current_user)):
    if user.role != "staff":
        raise HTTPException(403)
    return user

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, who=Depends(staff)):
    return TICKETS[ticket_id]
""",
    "nobody-owns-it": FASTAPI + """
class Country(BaseModel):
    code: str
    name: str

COUNTRIES: dict[str, Country] = {}

@app.get("/countries/{code}")
def country(code: str):
    return COUNTRIES[code]
""",
    "own-things-only": STORE + """
@app.get("/tickets")
def tickets(user=Depends(current_user)):
    return [one for one in TICKETS.values() if one.owner_id == user.id]
""",
    "of-the-principal": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    return user.tickets.get(ticket_id)
""",
    "django-filter": {"models.py": _MODELS, "urls.py": DJANGO + """
from models import Ticket

def ticket(request, pk):
    return JsonResponse({"text": get_object_or_404(Ticket, pk=pk, owner=request.user).text})

urlpatterns = [path("tickets/<int:pk>/", ticket)]
"""},
    "django-of-user": {"models.py": _MODELS, "urls.py": DJANGO + """
from models import Ticket

def ticket(request, pk):
    return JsonResponse({"text": request.user.tickets.get(pk=pk).text})

urlpatterns = [path("tickets/<int:pk>/", ticket)]
"""},
    "flask-current-user": FLASK + """
from flask_login import current_user

class Ticket:
    owner_id: int

@app.get("/tickets/<int:ticket_id>")
def ticket(ticket_id):
    return jsonify(Ticket.query.filter_by(id=ticket_id, owner_id=current_user.id).first_or_404())
""",
    "flask-g": FLASK + """
class Ticket:
    owner_id: int

@app.before_request
def who():
    g.user = verify(request.headers.get("Authorization"))

@app.get("/tickets/<int:ticket_id>")
def ticket(ticket_id):
    found = Ticket.query.get_or_404(ticket_id)
    if found.owner_id != g.user.id:
        abort(403)
    return jsonify(found)
""",
}  # fmt: skip
