"""Values of the request that become part of a page, a record or a hash, and look-alikes."""

from __future__ import annotations

from typing import Final

from tests.workflows.w3.leads.value_heads import AIOHTTP, DJANGO, FAST, FLASK

FOUND: Final = {
    "markup-by-string": {
        "fast-1": FAST + """
@app.get("/m", response_class=HTMLResponse)
def f(q: str): return HTMLResponse(f"<p>{q}</p>")
""",
        "fast-2": FAST + """
@app.get("/m")
def f(q: str):
    page = "<html><b>" + q + "</b></html>"
    return Response(page, media_type="text/html")
""",
        "flask-3": FLASK + """
@app.get("/m")
def f(): return "<p>" + request.args["q"] + "</p>"
""",
        "flask-4": FLASK + """
@app.get("/m")
def f(): return Markup("<p>%s</p>" % request.args["q"])
""",
        "flask-5": FLASK + """
@app.get("/m")
def f(): return "<p>{}</p>".format(request.args["q"]), 200
""",
        "django-6": DJANGO + """
def v(request): return HttpResponse("<p>%s</p>" % request.GET["q"])

urlpatterns=[path("x/", v)]
""",
        "django-7": DJANGO + """
def v(request): return render(request, "a.html", {"q": mark_safe(request.GET["q"])})

urlpatterns=[path("x/", v)]
""",
        "aiohttp-8": AIOHTTP + """
async def v(request): return web.Response(text=f"<p>{request.query['q']}</p>", content_type="text/html")

app=web.Application()
app.router.add_get("/x", v)
""",
    },
    "every-member-from-request": {
        "flask-1": FLASK + """
class Item(db.Model):
    name = db.Column(db.String)
@app.post("/i")
def f():
    db.session.add(Item(**request.json)); return ""
""",
        "flask-2": FLASK + """
@app.put("/i/<int:n>")
def f(n):
    Note.query.filter_by(id=n).update(request.get_json()); return ""
""",
        "flask-3": FLASK + """
ITEMS = {}
@app.put("/i/<int:n>")
def f(n):
    ITEMS[n].update(request.get_json()); return ""
""",
        "django-4": DJANGO + """
class File(models.Model):
    name = models.CharField(max_length=3)
    state = models.CharField(max_length=3)
class S(serializers.ModelSerializer):
    class Meta:
        model = File
        fields = "__all__"
class V(viewsets.ModelViewSet):
    queryset = File.objects.all()
    serializer_class = S
from rest_framework.routers import DefaultRouter
r = DefaultRouter(); r.register("f", V)

urlpatterns=[*r.urls]
""",
    },
    "quick-password-hash": {
        "flask-1": FLASK + """
@app.post("/u")
def f():
    u = User.query.filter_by(name=request.form["n"]).first()
    if u.pw != hashlib.sha1(request.form["password"].encode()).hexdigest(): abort(401)
    return ""
""",
        "flask-2": FLASK + """
def hash_password(password): return hashlib.new("md5", password.encode()).hexdigest()
""",
        "django-3": DJANGO + """
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
def v(request): return JsonResponse({})

urlpatterns=[path("x/", v)]
""",
    },
}  # fmt: skip

SILENT: Final = {
    "markup-by-string": {
        "fast-1": FAST + """
@app.get("/m")
def f(q: str): return HTMLResponse(f"<p>{escape(q)}</p>")
""",
        "fast-2": FAST + """
@app.get("/m")
def f(q: int): return HTMLResponse(f"<p>{q}</p>")
""",
        "fast-3": FAST + """
@app.get("/m")
def f(q: str): return {"html": f"<p>{q}</p>"}
""",
        "flask-4": FLASK + """
@app.get("/m")
def f(): return "<p>" + escape(request.args["q"]) + "</p>"
""",
        "flask-5": FLASK + """
@app.get("/m")
def f(): return "<p>" + bleach.clean(request.args["q"]) + "</p>"
""",
        "flask-6": FLASK + """
@app.get("/m")
def f(): return Markup("<p>{}</p>").format(request.args["q"])
""",
        "flask-7": FLASK + """
@app.get("/m")
def f(): return "hello " + request.args["q"], 200, {"Content-Type": "text/plain"}
""",
        "django-8": DJANGO + """
def v(request): return HttpResponse(format_html("<p>{}</p>", request.GET["q"]))

urlpatterns=[path("x/", v)]
""",
        "django-9": DJANGO + """
def v(request): return HttpResponse("<p>%s</p>" % escape(request.GET["q"]))

urlpatterns=[path("x/", v)]
""",
        "django-10": DJANGO + """
def v(request): return HttpResponse("<p>%s</p>" % request.GET["q"], content_type="text/plain")

urlpatterns=[path("x/", v)]
""",
        "aiohttp-11": AIOHTTP + """
async def v(request): return web.Response(text=f"<p>{request.query['q']}</p>")

app=web.Application()
app.router.add_get("/x", v)
""",
    },
    "every-member-from-request": {
        "flask-1": FLASK + """
class Item(db.Model):
    name = db.Column(db.String)
@app.post("/i")
def f():
    db.session.add(Item(name=request.json["name"])); return ""
""",
        "flask-2": FLASK + """
@app.put("/i/<int:n>")
def f(n):
    body = {k: v for k, v in request.get_json().items() if k in ("a", "b")}
    Note.query.filter_by(id=n).update(body); return ""
""",
        "flask-3": FLASK + """
@app.put("/i/<int:n>")
def f(n):
    body = ItemSchema().load(request.get_json())
    Note.query.filter_by(id=n).update(body); return ""
""",
        "django-4": DJANGO + """
class File(models.Model):
    name = models.CharField(max_length=3)
class S(serializers.ModelSerializer):
    class Meta:
        model = File
        fields = ["name"]
class V(viewsets.ModelViewSet):
    queryset = File.objects.all()
    serializer_class = S
from rest_framework.routers import DefaultRouter
r = DefaultRouter(); r.register("f", V)

urlpatterns=[*r.urls]
""",
    },
    "quick-password-hash": {
        "flask-1": FLASK + """
@app.get("/u")
def f(): return hashlib.sha1(request.args["q"].encode()).hexdigest()
""",
        "flask-2": FLASK + """
from werkzeug.security import generate_password_hash
def h(password): return generate_password_hash(password)
""",
        "django-3": DJANGO + """
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher", "django.contrib.auth.hashers.MD5PasswordHasher"]
def v(request): return JsonResponse({})

urlpatterns=[path("x/", v)]
""",
    },
}  # fmt: skip
