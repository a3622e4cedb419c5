"""Members that only the service may set, and their look-alikes."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK, aiohttp

_PROFILE = (
    FASTAPI
    + """
from auth import current_user

class Profile(BaseModel):
    name: str
    role: str = "user"
"""
)
FIELD_POSITIVE = {
    "whole-model": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    return User(**profile.model_dump())
""",
    "old-pydantic": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    db.update(**profile.dict())
""",
    "by-name": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    user.role = profile.role
    return user
""",
    "setattr-loop": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    for key, value in profile.model_dump().items():
        setattr(user, key, value)
    return user
""",
    "owner-of-body": FASTAPI + """
class NewTicket(BaseModel):
    title: str
    owner_id: int

@app.post("/tickets")
def create(new: NewTicket):
    return Ticket(title=new.title, owner_id=new.owner_id)
""",
    "flask-json": FLASK + """
@app.put("/me")
def change():
    body = request.get_json()
    row = load()
    row.is_admin = body["is_admin"]
    return jsonify(row)
""",
    "aiohttp-json": aiohttp("""
async def report(request):
    body = await request.json()
    user = load()
    user.role = body["role"]
    return web.json_response({})
""", method="put"),
}  # fmt: skip

_DRF_PROFILE = """
from rest_framework import generics, permissions, serializers
from django.urls import path
from models import Profile

class ProfileSerializer(serializers.ModelSerializer):
%s
    class Meta:
        model = Profile
%s

class ProfileView(generics.RetrieveUpdateAPIView):
    serializer_class = ProfileSerializer
    permission_classes = [permissions.%s]

urlpatterns = [path("api/profile/", ProfileView.as_view())]
"""
_NAMED = '        fields = ["name", "role"]'


def _profile(meta: str = _NAMED, permission: str = "IsAuthenticated", body: str = "") -> str:
    return _DRF_PROFILE % (body, meta, permission)


FIELD_POSITIVE |= {
    "flask-setattr-loop": FLASK + """
@app.put("/me")
def change():
    data = request.get_json()
    for key, value in data.items():
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "flask-own-object-setattr": FLASK + """
@app.put("/orders/<int:order_id>")
def change(order_id):
    order = Order.query.get(order_id)
    if order.user_id != g.user.id:
        abort(404)
    for key, value in request.json.items():
        setattr(order, key, value)
    return jsonify(ok=True)
""",
    "fastapi-dict-body": FASTAPI + """
@app.put("/me")
def change(data: dict, user=Depends(current_user)):
    for key, value in data.items():
        setattr(user, key, value)
    return user
""",
    "flask-account-of-body": FLASK + """
@app.post("/signup")
def sign_up():
    user = User(**request.get_json())
    return jsonify(id=user.id)
""",
    "aiohttp-members-dict": aiohttp("""
async def report(request):
    body = await request.json()
    user = load()
    user.__dict__.update(body)
    return web.json_response({})
""", method="put"),
    "drf-listed": _profile(),
    "drf-all-of-an-account": _profile('        fields = "__all__"'),
    "drf-all-of-a-supplied-model": {"app.py": _profile('        exclude = ["id"]'), "models.py": """
from django.db import models

class Profile(models.Model):
    name = models.TextField()
    is_staff = models.BooleanField()
"""},
    "drf-everybody": _profile(permission="AllowAny"),
}  # fmt: skip

FIELD_NEGATIVE = {
    "left-out": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    return User(**profile.model_dump(exclude={"role"}))
""",
    "taken-by-name": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    return User(name=profile.name)
""",
    "included-only": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    return User(**profile.model_dump(include={"name"}))
""",
    "overwritten": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    return User(role=user.role, **profile.model_dump())
""",
    "principal-owns": FASTAPI + """
from auth import current_user

class NewTicket(BaseModel):
    title: str

@app.post("/tickets")
def create(new: NewTicket, user=Depends(current_user)):
    return Ticket(title=new.title, owner_id=user.id)
""",
    "staff-only": _PROFILE + """
def staff(user=Depends(current_user)):
    if user.role != "staff":
        raise HTTPException(403)
    return user

@app.put("/users/{user_id}")
def change(user_id: int, profile: Profile, who=Depends(staff)):
    return User(**profile.model_dump())
""",
    "checked-in-handler": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    if profile.role != user.role and not user.is_admin:
        raise HTTPException(403)
    return User(**profile.model_dump())
""",
    "no-such-member": FASTAPI + """
class Profile(BaseModel):
    name: str
    colour: str

@app.put("/me")
def change(profile: Profile):
    return User(**profile.model_dump())
""",
    "constant": FASTAPI + """
class SignUp(BaseModel):
    name: str

@app.post("/signup")
def sign_up(new: SignUp):
    return User(name=new.name, role="user", is_admin=False)
""",
    "principal-of-a-dependency": FASTAPI + """
class User(BaseModel):
    id: str
    role: str

def current(request: Request) -> User:
    claims = verified(request.headers.get("Authorization", ""))
    return User(id=claims["sub"], role=claims["role"])

class NewNote(BaseModel):
    text: str
    colour: str = "blue"

@app.post("/notes")
def make_note(body: NewNote, user: User = Depends(current)):
    return db.insert(owner_id=user.id, **body.model_dump())
""",
    "only-answered": _PROFILE + """
@app.post("/echo")
def echo(profile: Profile):
    return {"name": profile.name, "given": profile.role}
""",
}  # fmt: skip

FIELD_NEGATIVE |= {
    "keys-named": FLASK + """
@app.put("/me")
def change():
    data = request.get_json()
    for key in ("name", "locale"):
        if key in data:
            setattr(g.user, key, data[key])
    return jsonify(ok=True)
""",
    "keys-filtered": FLASK + """
@app.put("/me")
def change():
    for key, value in request.get_json().items():
        if key in ALLOWED:
            setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "keys-skipped": FLASK + """
@app.put("/me")
def change():
    for key, value in request.get_json().items():
        if key not in ALLOWED:
            continue
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "picked-first": FLASK + """
@app.put("/me")
def change():
    data = {key: value for key, value in request.get_json().items() if key in ALLOWED}
    for key, value in data.items():
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "staff-sets-any": FLASK + """
@app.put("/users/<int:user_id>")
def change(user_id):
    if not g.user.is_admin:
        abort(403)
    user = User.query.get(user_id)
    for key, value in request.get_json().items():
        setattr(user, key, value)
    return jsonify(ok=True)
""",
    "settings-from-schema": FLASK + """
@app.put("/me")
def change():
    data = ProfileSchema().load(request.get_json())
    for key, value in data.items():
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "no-account": FLASK + """
@app.post("/points")
def point():
    return jsonify(Point(**request.get_json()).norm())
""",
    "drf-read-only": _profile(_NAMED + '\n        read_only_fields = ["role"]'),
    "drf-extra": _profile(_NAMED + '\n        extra_kwargs = {"role": {"read_only": True}}'),
    "drf-declared": _profile(body="    role = serializers.CharField(read_only=True)"),
    "drf-method-field": _profile(body="    role = serializers.SerializerMethodField()"),
    "drf-validated": _profile(body="    def validate_role(self, value):\n        return checked(value)"),
    "drf-other-members": _profile('        fields = ["name", "colour"]'),
    "drf-admin": _profile(permission="IsAdminUser"),
    "drf-all-of-a-thing": _profile('        fields = "__all__"').replace("model = Profile", "model = colours.Colour"),
}  # fmt: skip
