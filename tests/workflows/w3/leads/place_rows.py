"""Values of the request that name a place: a file, an address, where an answer leads; and look-alikes."""

from __future__ import annotations

from typing import Final

from tests.workflows.w3.leads.value_heads import AIOHTTP, DJANGO, FAST, FLASK

FOUND: Final = {
    "file-by-request": {
        "fast-1": FAST + """
@app.get("/f")
def f(name: str):
    with open(os.path.join("/srv", name)) as h: return h.read()
""",
        "fast-2": FAST + """
@app.get("/f/{name:path}")
def f(name: str):
    return FileResponse(f"/srv/{name}")
""",
        "fast-3": FAST + """
@app.post("/f")
async def f(file: UploadFile):
    (BASE / file.filename).write_bytes(await file.read())
""",
        "fast-4": FAST + """
def load(n): return (BASE / n).read_text()
@app.get("/f")
def f(n: str): return load(n)
""",
        "fast-5": FAST + """
@app.get("/f")
def f(n: str):
    p = BASE / n
    if not p.exists(): raise HTTPException(404)
    return FileResponse(p)
""",
        "flask-6": FLASK + """
@app.get("/f")
def f(): return send_file("/srv/" + request.args.get("name"))
""",
        "flask-7": FLASK + """
@app.post("/f")
def f():
    up = request.files["f"]
    up.save(os.path.join("/srv", up.filename))
    return ""
""",
        "flask-8": FLASK + """
@app.get("/f")
def f():
    name = request.args["name"]
    os.remove(f"/srv/{name}")
    return ""
""",
        "django-9": DJANGO + """
def v(request): return FileResponse(open("/srv/" + request.GET["n"], "rb"))

urlpatterns=[path("x/", v)]
""",
        "aiohttp-10": AIOHTTP + """
async def v(request): return web.FileResponse(BASE / request.query["n"])

app=web.Application()
app.router.add_get("/x", v)
""",
    },
    "address-by-request": {
        "fast-1": FAST + """
@app.post("/h")
def f(body: dict = Body()): return requests.post(body["callback"], json={}).text
""",
        "fast-2": FAST + """
@app.get("/h")
async def f(url: str):
    async with httpx.AsyncClient() as client:
        r = await client.get(url)
    return r.text
""",
        "fast-3": FAST + """
@app.get("/h")
def f(host: str): return requests.get(f"http://{host}/status").text
""",
        "fast-4": FAST + """
@app.get("/h")
def f(url: str): return urllib.request.urlopen(url).read()
""",
        "fast-5": FAST + """
def fetch(u): return requests.get(u, timeout=3)
@app.get("/h")
def f(u: str): return fetch(u).text
""",
        "aiohttp-6": AIOHTTP + """
async def v(request):
    async with ClientSession() as s:
        async with s.get(request.query["u"]) as r: return web.Response(text=await r.text())

app=web.Application()
app.router.add_get("/x", v)
""",
    },
    "redirect-by-request": {
        "flask-1": FLASK + """
@app.get("/r")
def f(): return redirect(request.args.get("next") or "/")
""",
        "flask-2": FLASK + """
@app.get("/r")
def f():
    target = request.args.get("next", "/")
    return redirect(target)
""",
        "flask-3": FLASK + """
@app.get("/r")
def f(): return redirect("//" + request.args["host"])
""",
        "django-4": DJANGO + """
def v(request): return HttpResponseRedirect(request.GET.get("next", "/"))

urlpatterns=[path("x/", v)]
""",
        "django-5": DJANGO + """
def v(request): return redirect(request.POST["next"])

urlpatterns=[path("x/", v)]
""",
        "aiohttp-6": AIOHTTP + """
async def v(request): raise web.HTTPFound(request.query["next"])

app=web.Application()
app.router.add_get("/x", v)
""",
    },
}  # fmt: skip

SILENT: Final = {
    "file-by-request": {
        "fast-1": FAST + """
@app.get("/f")
def f(name: str):
    p = (BASE / name).resolve()
    if BASE not in p.parents: raise HTTPException(404)
    return FileResponse(p)
""",
        "fast-2": FAST + """
@app.get("/f")
def f(name: str):
    p = os.path.realpath(os.path.join("/srv", name))
    if not p.startswith("/srv/"): raise HTTPException(404)
    return open(p).read()
""",
        "fast-3": FAST + """
@app.get("/f/{number}")
def f(number: int): return FileResponse(BASE / f"{number}.pdf")
""",
        "fast-4": FAST + """
@app.get("/f")
def f(name: str):
    if os.path.commonpath([BASE, os.path.realpath(BASE / name)]) != str(BASE): raise HTTPException(400)
    return FileResponse(BASE / name)
""",
        "fast-5": FAST + """
@app.get("/f")
def f(name: str): return FileResponse(BASE / os.path.basename(name))
""",
        "fast-6": FAST + """
@app.get("/f")
def f(name: str):
    row = session.get(Report, name)
    return FileResponse(row.path)
""",
        "fast-7": FAST + """
@app.get("/f")
def f(kind: str):
    if kind not in ("a","b"): raise HTTPException(400)
    return FileResponse(BASE / kind)
""",
        "flask-8": FLASK + """
@app.post("/f")
def f():
    up = request.files["f"]
    up.save(os.path.join("/srv", secure_filename(up.filename)))
    return ""
""",
        "flask-9": FLASK + """
@app.get("/f")
def f(): return send_file(safe_join("/srv", request.args["name"]))
""",
        "flask-10": FLASK + """
@app.get("/f")
def f():
    name = request.args["name"]
    if ".." in name or name.startswith("/"): abort(400)
    return send_file("/srv/" + name)
""",
        "django-11": DJANGO + """
def v(request): return FileResponse(open("/srv/" + os.path.basename(request.GET["n"]), "rb"))

urlpatterns=[path("x/", v)]
""",
        "aiohttp-12": AIOHTTP + """
async def v(request):
    p = (BASE / request.query["n"]).resolve()
    p.relative_to(BASE)
    return web.FileResponse(p)

app=web.Application()
app.router.add_get("/x", v)
""",
    },
    "address-by-request": {
        "fast-1": FAST + """
@app.get("/h")
def f(n: str): return requests.get("https://a.example.com/x/" + n).text
""",
        "fast-2": FAST + """
@app.get("/h")
def f(n: str): return requests.get(settings.BASE + "/x/" + n).text
""",
        "fast-3": FAST + """
@app.get("/h")
def f(n: str): return requests.get(f"{BASE_URL}/x/{n}").text
""",
        "fast-4": FAST + """
@app.get("/h")
def f(url: str):
    host = urlparse(url).netloc
    if host not in ALLOWED: raise HTTPException(400)
    return requests.get(url).text
""",
        "fast-5": FAST + """
@app.get("/h")
def f(url: str):
    if not is_allowed(url): raise HTTPException(400)
    return requests.get(url).text
""",
        "fast-6": FAST + """
@app.get("/h")
def f(q: str): return requests.get("https://a.example.com/search", params={"q": q}).json()
""",
        "fast-7": FAST + """
@app.get("/h")
def f(key: str):
    return store.get(key)
""",
        "aiohttp-8": AIOHTTP + """
async def v(request):
    async with ClientSession() as s:
        async with s.get("https://a.example.com/", params={"u": request.query["u"]}) as r:
            return web.Response(text=await r.text())

app=web.Application()
app.router.add_get("/x", v)
""",
    },
    "redirect-by-request": {
        "flask-1": FLASK + """
@app.get("/r")
def f():
    target = request.args.get("next", "/")
    if urlparse(target).netloc != "": target = "/"
    return redirect(target)
""",
        "flask-2": FLASK + """
@app.get("/r")
def f():
    target = request.args.get("next", "/")
    if not target.startswith("/") or target.startswith("//"): target = "/"
    return redirect(target)
""",
        "flask-3": FLASK + """
@app.get("/r")
def f(): return redirect("/u/" + request.args["n"])
""",
        "django-4": DJANGO + """
def v(request): return redirect("page", pk=request.GET["n"])

urlpatterns=[path("x/", v)]
""",
        "django-5": DJANGO + """
def v(request): return HttpResponseRedirect("/p/%s" % request.GET["n"])

urlpatterns=[path("x/", v)]
""",
        "aiohttp-6": AIOHTTP + """
async def v(request): raise web.HTTPFound("/a")

app=web.Application()
app.router.add_get("/x", v)
""",
    },
}  # fmt: skip
