"""What frameworks do that the code does not say: one value per convention, and the words that leads go by."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event
from evreview.codefacts.model import AccessKind, Guard, Spot
from evreview.codefacts.modules import Scope, arguments, calls_in, defaults
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.vocabulary import ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """One thing that is read from code only because a framework or library is known to behave so.

    Attributes:
        id: kebab-case, never reused.
        framework: whose behaviour it is.
        says: what is taken for a fact.
        why: where that is known from.
        example, counter_example: code that it applies to, and code that looks like it and is not meant.
    """

    id: str
    framework: str
    says: str
    why: str
    example: str
    counter_example: str


DENIALS: Final[dict[str, int | None]] = {
    "OAuth2PasswordBearer": 401, "OAuth2AuthorizationCodeBearer": 401, "HTTPBasic": 401, "HTTPBearer": None,
    "HTTPDigest": None, "APIKeyHeader": None, "APIKeyQuery": None, "APIKeyCookie": None, "OAuth2": None,
    "OpenIdConnect": None,
}  # fmt: skip
"""What each of FastAPI's schemes answers without credentials; None where versions answer 401 or 403."""

SIZE_STATUSES: Final = frozenset({413, 414, 431})
RATE_STATUSES: Final = frozenset({429})
PAGES: Final = frozenset(
    {"limit", "offset", "page", "page_size", "per_page", "pagesize", "perpage", "cursor", "page_token", "pagetoken",
     "after", "before", "skip", "starting_after", "ending_before", "next_token", "size"}
)  # fmt: skip
"""Names of query parameters that page through a list; compared in lower case."""
PAGES_ALONE: Final = frozenset({"limit", "offset", "cursor", "page", "page_size", "per_page", "page_token", "skip"})
"""Those that say so without another one beside them."""

WRITING_CALLS: Final = frozenset(
    {"add", "add_all", "commit", "delete", "delete_one", "delete_many", "save", "insert", "insert_one", "insert_many",
     "update", "update_one", "update_many", "bulk_create", "bulk_update", "bulk_save_objects", "create",
     "get_or_create", "update_or_create", "merge", "upsert", "publish", "send", "send_message", "send_mail",
     "send_email", "enqueue", "produce", "emit", "delay", "apply_async", "send_task", "add_task", "post", "put",
     "patch", "write", "write_text", "write_bytes", "unlink", "rmtree", "mkdir", "put_object", "upload_file",
     "upload_fileobj", "delete_object", "executemany", "notify", "dispatch"}
)  # fmt: skip
"""Names of methods that suggest that something is written, sent or enqueued."""
WRITING_MODULES: Final = {
    "requests": frozenset({"post", "put", "patch", "delete", "request"}),
    "httpx": frozenset({"post", "put", "patch", "delete", "request"}),
    "os": frozenset({"remove", "unlink", "rename", "replace", "makedirs", "mkdir", "rmdir", "system"}),
    "shutil": frozenset({"rmtree", "move", "copy", "copyfile", "copytree"}),
    "subprocess": frozenset({"run", "call", "check_call", "check_output", "Popen"}),
}
"""Functions of known libraries that do."""
WRITING_WORDS: Final = ("send", "sendmail", "notify", "publish", "enqueue", "emit", "dispatch", "deliver", "trigger")
"""First words of functions that suggest that something leaves the service."""
STORING_WORDS: Final = (
    "store", "save", "write", "delete", "remove", "create", "insert", "upsert", "update", "upload", "charge", "refund",
    "cancel", "schedule", "persist",
)  # fmt: skip
"""First words of functions that suggest that something is kept or taken away, where the function was not supplied."""
PURE_PACKAGES: Final = frozenset(
    {"operator", "copy", "dataclasses", "typing", "functools", "itertools", "collections", "pydantic", "marshmallow",
     "attrs", "attr", "flask", "fastapi", "starlette", "aiohttp", "rest_framework", "werkzeug", "builtins"}
)  # fmt: skip
"""Packages whose functions have such names and do nothing of the kind: `send_file`, `create_model`, `replace`."""

FASTAPI: Final = (
    Convention(
        id="fastapi-success-status",
        framework="FastAPI",
        says="A handler that returns a plain value answers 200, or the decorator's `status_code`.",
        why="FastAPI's documentation of the path operation decorator; the fact's lines are the decorator's.",
        example='@app.get("/orders")\ndef list_orders(): return []',
        counter_example='@app.get("/orders")\ndef list_orders(): return JSONResponse([], status_code=202)',
    ),
    Convention(
        id="fastapi-refuses-invalid-input",
        framework="FastAPI",
        says="Where a parameter or body can be invalid, the framework answers 422 with a list under `detail`.",
        why="`request_validation_exception_handler` of FastAPI, unless the code handles `RequestValidationError`.",
        example='@app.get("/orders")\ndef list_orders(limit: int = 10): ...',
        counter_example='@app.get("/orders")\ndef list_orders(q: str = ""): ...',
    ),
    Convention(
        id="fastapi-http-exception-body",
        framework="FastAPI",
        says="A raised `HTTPException` becomes its status with its `detail` under `detail`.",
        why="`http_exception_handler` of FastAPI, unless the code handles `HTTPException`.",
        example='raise HTTPException(404, detail="no such order")',
        counter_example="raise OrderNotFound()",
    ),
    Convention(
        id="fastapi-scheme-denial",
        framework="FastAPI",
        says="A security scheme refuses requests without credentials; 401 where all versions do, else no status.",
        why="`auto_error` of FastAPI's security classes; some answered 403 before 0.122 and 401 since.",
        example="token: str = Depends(OAuth2PasswordBearer(tokenUrl='token'))",
        counter_example="token: str = Depends(OAuth2PasswordBearer(tokenUrl='token', auto_error=False))",
    ),
    Convention(
        id="fastapi-header-underscores",
        framework="FastAPI",
        says="A header parameter without alias is read under its name with hyphens.",
        why="`convert_underscores` of `Header`.",
        example="x_token: str = Header()",
        counter_example="x_token: str = Header(convert_underscores=False)",
    ),
    Convention(
        id="dependency-that-denies",
        framework="FastAPI",
        says="A dependency that answers 401 finds out who calls; one that answers 403 decides what the caller may do.",
        why="RFC 9110, sections 15.5.2 and 15.5.4.",
        example="def admin(user = Depends(current_user)):\n    if not user.admin: raise HTTPException(403)",
        counter_example="def page(limit: int = 10): return limit",
    ),
    Convention(
        id="pydantic-version-two",
        framework="pydantic",
        says="Models are read as pydantic 2 reads them: a member without default is required, null allowed or not.",
        why="pydantic 1 took such a member for optional; its last release is of 2024.",
        example="note: str | None",
        counter_example="note: str | None = None",
    ),
    Convention(
        id="pydantic-converts",
        framework="pydantic",
        says="Outside strict mode, values of other JSON types that convert are taken too; the fact says so.",
        why="pydantic's conversion table.",
        example="class Order(BaseModel):\n    count: int",
        counter_example="class Order(BaseModel, strict=True):\n    count: int",
    ),
    Convention(
        id="pydantic-set-drops-repeats",
        framework="pydantic",
        says="A set takes a list with repeated items and drops them, so unique items are not demanded.",
        why="pydantic's conversion table; its generated schema says `uniqueItems` nevertheless.",
        example="tags: set[str]",
        counter_example="tags: list[str]",
    ),
    Convention(
        id="model-sends-only-members",
        framework="FastAPI",
        says="A response model sends its declared members only, those with defaults included.",
        why="FastAPI serialises through the response model, unless `response_model_exclude_unset` and its kin are set.",
        example="@app.get('/orders', response_model=Order)",
        counter_example="@app.get('/orders', response_model=Order, response_model_exclude_unset=True)",
    ),
    Convention(
        id="starlette-head-of-get",
        framework="Starlette",
        says="A Starlette route for GET answers HEAD as well; it is not listed as an operation.",
        why="`Route` of Starlette adds HEAD.",
        example='Route("/orders", list_orders)',
        counter_example='Route("/orders", list_orders, methods=["POST"])',
    ),
)

FLASK: Final = (
    Convention(
        id="flask-refuses-other-bodies",
        framework="Flask",
        says="Reading `request.get_json()` or `request.json` may answer 415 for other media types and 400 for what is "
        "no JSON, unless the call is silent, forced (no 415) or the error is caught.",
        why="`Request.on_json_loading_failed` of Flask and werkzeug; 415 since Flask 2.1.",
        example="return jsonify(store(request.get_json()))",
        counter_example="return jsonify(store(request.get_json(silent=True)))",
    ),
    Convention(
        id="flask-sqlalchemy-or-404",
        framework="Flask-SQLAlchemy",
        says="`get_or_404`, `first_or_404` and `one_or_404` answer 404 where nothing is found.",
        why="Flask-SQLAlchemy's documentation of its session and its queries.",
        example="return jsonify(db.get_or_404(Order, 1))",
        counter_example="return jsonify(db.session.get(Order, 1))",
    ),
)

LEADS: Final = (
    Convention(
        id="call-outside-the-sources",
        framework="any",
        says="A call of what no supplied file holds may answer errors: no error is said to be unsent because of it.",
        why="Its code was not read. Calls of the standard library, of pydantic and of the frameworks are known.",
        example="from repository import find\n@app.get('/x')\ndef h(): return find()",
        counter_example="from json import loads\n@app.get('/x')\ndef h(): return loads('1')",
    ),
    Convention(
        id="hook-that-changes-statuses",
        framework="any",
        says="Where a hook around the handlers sets the status of answers, no status of its routes is decided.",
        why="What the handlers answer is not what is sent.",
        example="answer.status_code = 200",
        counter_example="answer.headers['X-Took'] = '1'",
    ),
    Convention(
        id="call-that-writes",
        framework="Python",
        says="A call whose name suggests that it writes, sends or enqueues is a lead, not a fact.",
        why="A name proves nothing; whoever reviews looks at the line.",
        example="session.commit()",
        counter_example="seen = set(); seen.add(order.id)",
    ),
    Convention(
        id="store-that-stays",
        framework="Python",
        says="A store into an object of a module, into an app's state or into members of `self` is a lead, not a fact.",
        why="A cache is stored so as well; whoever reviews looks at the line.",
        example="ORDERS[order.id] = order",
        counter_example="found = {}; found[order.id] = order",
    ),
    Convention(
        id="check-that-is-no-value-set",
        framework="any",
        says="A validator function, and a condition that leads to 400 or 422, may refuse more than the schema says: "
        "it is named with its lines, and the comparison stays open.",
        why="What a function refuses can't be told without running it.",
        example="if order.note.startswith(' '): raise HTTPException(422)",
        counter_example="if order.note.startswith(' '): log.warning('blank')",
    ),
    Convention(
        id="condition-that-is-a-value-set",
        framework="any",
        says="One plain condition before a 400 or 422, over a parameter as it was read, narrows its values.",
        why="Nothing else stands between reading and refusing; every other condition stays open.",
        example="if limit > 100: raise HTTPException(422)",
        counter_example="if limit > most(): raise HTTPException(422)",
    ),
    Convention(
        id="limit-before-refusal",
        framework="Python",
        says="A comparison with a constant that leads to 413, 414 or 431 is a limit, to 429 a rate limit.",
        why="RFC 9110 and RFC 6585 give these statuses no other meaning.",
        example="if len(order.lines) > 100: raise HTTPException(413)",
        counter_example="if len(order.lines) > 100: log.warning('long order')",
    ),
    Convention(
        id="handler-that-denies",
        framework="any",
        says="A handler whose condition looks at a header, cookie or session and leads to 401 or 403 is its own guard.",
        why="Only what a request carries beside its body tells who sends it; the fact's lines are the condition's.",
        example="if request.headers.get('X-Key') != KEY: raise HTTPException(401)",
        counter_example="if known(order) is None: raise HTTPException(401)",
    ),
    Convention(
        id="slowapi-limit",
        framework="slowapi",
        says="A decorator `limit` of a slowapi `Limiter` with a constant is a rate limit.",
        why="slowapi's documentation.",
        example='@limiter.limit("5/minute")',
        counter_example="@limiter.exempt",
    ),
    Convention(
        id="page-parameter",
        framework="HTTP",
        says="A query parameter called `limit`, `offset`, `page`, `cursor` or alike pages through the result.",
        why="Common names; the lead is marked as not certain.",
        example='@app.get("/orders")\ndef orders(limit: int = Query(20, le=100)): ...',
        counter_example='@app.get("/orders")\ndef orders(state: str = ""): ...',
    ),
    Convention(
        id="idempotency-key",
        framework="HTTP",
        says="A handler that reads the header `Idempotency-Key` has an idempotency key.",
        why="The IETF draft of that header field.",
        example='key: str = Header(alias="Idempotency-Key")',
        counter_example='key: str = Header(alias="X-Request-Id")',
    ),
)

CONVENTIONS: Final[tuple[Convention, ...]] = (*FASTAPI, *FLASK, *LEADS)


def page(conventions: tuple[Convention, ...] = CONVENTIONS) -> str:
    """The page of all conventions, in Markdown."""
    lines = [
        "# What is read from code",
        "",
        "Code facts come from syntax trees; nothing is imported or executed. Most facts stand in the code as such.",
        "The conventions below are what a fact rests on besides: behaviour of a framework that the code only implies.",
        "Whatever could not be read is named with its place in the artifact, never guessed.",
    ]
    for one in conventions:
        lines += ["", f"## `{one.id}`", "", f"{one.framework}. {one.says}", "", f"Why: {one.why}", ""]
        lines += ["Applies:", "", "```python", one.example, "```", ""]
        lines += ["Does not apply:", "", "```python", one.counter_example, "```"]
    return "\n".join(lines) + "\n"


# Calls of libraries that refuse callers by themselves, in a handler or in what runs before it. One value each.


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRule:
    """What one call refuses.

    Attributes:
        kind: as of a guard.
        package, name: where it comes from.
        optional: the argument, and its place, that lets callers without credentials pass; "" for none.
    """

    id: str
    why: str
    kind: AccessKind
    package: str
    name: str
    scheme: str = ""
    optional: tuple[str, int | None] = ("", None)
    example: str
    counter: str


CALLS: Final = (
    CallRule(
        id="flask-jwt-in-request", why="Flask-JWT-Extended demands a token", kind="authentication",
        package="flask_jwt_extended", name="verify_jwt_in_request", scheme="http bearer", optional=("optional", 0),
        example="verify_jwt_in_request()", counter="verify_jwt_in_request(optional=True)",
    ),
    CallRule(
        id="aiohttp-authorized", why="aiohttp-security demands a known caller", kind="authentication",
        package="aiohttp_security", name="check_authorized",
        example="await check_authorized(request)", counter="await authorized_userid(request)",
    ),
    CallRule(
        id="aiohttp-permitted", why="aiohttp-security demands a permission", kind="authorization",
        package="aiohttp_security", name="check_permission",
        example='await check_permission(request, "read")', counter='await permits(request, "read")',
    ),
)  # fmt: skip


def called_guards(modules: Modules, events: Iterable[Event]) -> Iterator[Guard]:
    """The guards that calls are; one that stands below a condition has it for a hole."""
    for event in events:
        if event.kind is not ast.Call or not isinstance(event.node, ast.Call):
            continue
        scope = event.frame.scope
        found = modules.called(scope, event.node)
        rule = next((one for one in CALLS if isinstance(found, External) and found.of((one.package,), one.name)), None)
        if rule is None or _is_caught(scope.node, event.node):
            continue
        left_open = admits_unauthenticated(modules, scope, event.node, rule.optional)
        if left_open is not True:
            spot = scope.spot(event.node)
            unless = (*(scope.spot(test) for test in event.tests), *left_open)
            yield Guard(name=rule.name, kind=rule.kind, spot=spot, scheme=rule.scheme, unless=unless)


def admits_unauthenticated(
    modules: Modules, scope: Scope, call: ast.Call | None, optional: tuple[str, int | None]
) -> tuple[Spot, ...] | Literal[True]:
    """True where the call lets callers without credentials pass; the argument where that can't be told."""
    name, place = optional
    given = keyword(call, name, place) if call is not None and name else None
    if given is None:
        return ()
    value = constant(modules, scope, given)
    if value is ABSENT:
        return (scope.spot(given),)
    return True if value else ()


def _is_caught(function: ast.AST, call: ast.Call) -> bool:
    """True for a call whose refusal a handler takes that raises and returns nothing."""
    return any(
        call is node
        for block in ast.walk(function)
        if isinstance(block, ast.Try) and block.handlers
        and not any(isinstance(one, ast.Raise | ast.Return) for handler in block.handlers for one in ast.walk(handler))
        for part in block.body
        for node in ast.walk(part)
    )  # fmt: skip


# Schemes of credentials that the texts in code tell: names of headers, and the words before credentials.


_WORD: Final = re.compile(r"(bearer|basic)(?:\s*|\s+\S+)", re.IGNORECASE)
"""The word by itself, before what is joined to it, or with one credential: `Bearer t`."""
_KEY: Final = re.compile(r"x-[a-z0-9-]*(?:key|token)", re.IGNORECASE)


def texts_in(node: ast.AST) -> Iterator[str]:
    """The constant texts below a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, bytes):  # names of headers in ASGI
            yield inner.value.decode("ascii", "replace")


def asked_for(events: Iterable[Event], names: Iterable[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The scheme of credentials that the texts of what runs tell, "" for none, and further ones.

    Args:
        events: what happens; the functions in which it does are searched.
        names: of headers that are taken as arguments.
    """
    nodes: dict[int, ast.AST] = {}
    for event in events:
        nodes.setdefault(id(event.frame.scope.node), event.frame.scope.node)
    texts = [*names, *(text for node in nodes.values() if _runs(node) for text in texts_in(node))]
    told = schemes_told(texts)
    return (told[0], told[1:]) if told else ("", ())


def _runs(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def headers_taken(function: Definition) -> Iterator[str]:
    """The headers that a function of FastAPI takes as arguments: `x_api_key: str = Header()`."""
    node = function.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    given = defaults(node)
    for argument in arguments(node):
        for part in (argument.annotation, given.get(argument.arg)):
            for call in calls_in(*([part] if part is not None else [])):
                if ast.unparse(call.func).rpartition(".")[2] == "Header":
                    alias = next((word.value for word in call.keywords if word.arg == "alias"), None)
                    named = alias.value if isinstance(alias, ast.Constant) else None
                    yield named if isinstance(named, str) else argument.arg.replace("_", "-")


def schemes_told(texts: Iterable[str]) -> tuple[str, ...]:
    """Every scheme that the texts tell, those of `Authorization` first; () when it is in use and nothing tells how."""
    given = tuple(texts)
    keys = [f"apiKey header {text}" for text in given if _KEY.fullmatch(text)]
    if not any(text.lower() == "authorization" for text in given):
        return tuple(dict.fromkeys(keys))
    told = challenges(given)
    return tuple(dict.fromkeys([*told, *keys])) if told else ()


def challenges(texts: Iterable[str]) -> tuple[str, ...]:
    """`http bearer` and `http basic`, where the texts hold the word that stands before such credentials."""
    found = (_WORD.fullmatch(text) for text in texts)
    return tuple(dict.fromkeys(f"http {match[1].lower()}" for match in found if match))
