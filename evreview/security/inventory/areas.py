"""What the code alone shows of one area on one route. One area is one value; what does not show is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import CodeParameter, Guard, Spot
from evreview.core.quoted_text import Part, Subject, Text, listed
from evreview.core.vocabulary import Area
from evreview.evidence.item import Citation
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import Standing
from evreview.workflows.w3.step3_inventory.routes import Seen

_RIGHTS_OF_USERS: Final = frozenset(
    {"PermissionRequiredMixin", "permission_required", "IsAdminUser", "DjangoModelPermissions",
     "DjangoObjectPermissions", "roles_required", "roles_accepted", "permissions_required", "has_permission",
     "check_permission"}
)  # fmt: skip
"""Guards of frameworks that ask for a right and let nobody in who is not signed in."""
UNSURE: Final = " under a condition, or after what it does; whether it checks every caller can't be told"
_MOST: Final = 4
"""Places cited for one cell."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What shows of one area on one route."""

    standing: Standing
    why: Text
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaRule:
    """How one area is read.

    Attributes:
        area: which.
        why: what counts as a control of it.
        read: what a route shows.
        example, counter_example: code in which a control stands, and code in which none does.
    """

    area: Area
    why: str
    read: Callable[[Seen], Reading]
    example: str
    counter_example: str


def _reading(standing: Standing, why: Sequence[Part], spots: Sequence[Spot]) -> Reading:
    return Reading(standing, tuple(why), cited(*(spot.citations for spot in spots[:_MOST])))


def _guarded(seen: Seen, kind: str, status: int) -> Reading:
    """A guard, a refusal with the status that the kind sends, an unread part that may hold one, or nothing."""
    route = seen.route
    guards = seen.guards(kind)
    if guards:
        names = list(dict.fromkeys(guard.name for guard in guards))
        return _reading(Standing.PRESENT, (*listed(names), guards[0].spot.mark), _spots(guards))
    chosen = seen.chosen(kind)
    if chosen:
        what = listed([name for _, name in chosen])
        words = (*what, " checks under a condition, or in a form that is not known; whom it lets past can't be told")
        return _reading(Standing.UNKNOWN, words, [spot for spot, _ in chosen])
    empty = [guard for guard in seen.hollow if guard.kind == kind]
    if empty:
        words = (*listed(dict.fromkeys(guard.name for guard in empty)), " asks only whether credentials are there")
        return _reading(Standing.UNKNOWN, words, _spots(empty))
    sent = [one.spot for one in route.responses if one.status == status and one.how in ("raised", "returned")]
    open_at = (*seen.late, *seen.untold.get(kind, ()))
    if sent and open_at:
        words = (f"the code answers {status}{sent[0].mark}", UNSURE)
        return _reading(Standing.UNKNOWN, words, [*sent[:1], *open_at])
    if sent:
        return _reading(Standing.PRESENT, (f"the code answers {status}{sent[0].mark}",), sent)
    if seen.hidden:
        return _reading(Standing.UNREAD, ("not read: ", Subject(seen.hidden[0].found)), [seen.hidden[0].spot])
    if kind == "authentication" and seen.idle and not seen.anonymous:
        why = "middleware finds out who calls; whether it refuses anybody can't be told without its backend"
        return _reading(Standing.UNKNOWN, (why,), seen.idle)
    unknown = seen.guards("unknown")
    if unknown:
        what = listed([guard.name for guard in unknown])
        words = (*what, " refuses callers; what it asks for can't be told")
        return _reading(Standing.UNKNOWN, words, _spots(unknown))
    if not seen.read:
        why = "no declared fact says so" if route.framework == "declared" else "its handler's code was not found"
        return _reading(Standing.UNKNOWN, (why,), [route.spot])
    return _reading(Standing.ABSENT, ("the code that was read shows no check",), [route.spot])


def _spots(guards: Sequence[Guard]) -> list[Spot]:
    return [guard.spot for guard in guards]


def _authentication(seen: Seen) -> Reading:
    found = _guarded(seen, "authentication", 401)
    rights = [one for one in seen.guards("authorization") if one.name.rpartition(".")[2] in _RIGHTS_OF_USERS]
    if found.standing is Standing.ABSENT and rights:
        names = listed(dict.fromkeys(one.name for one in rights))
        return _reading(Standing.PRESENT, ("a right of who is signed in: ", *names), _spots(rights))
    return found


def _authorization(seen: Seen) -> Reading:
    scoped = [guard for guard in seen.guards("authentication") if guard.scopes]
    if scoped and not seen.guards("authorization"):
        names = [scope for guard in scoped for scope in guard.scopes]
        return _reading(Standing.PRESENT, ("scopes ", *listed(dict.fromkeys(names))), _spots(scoped))
    unasked = [guard for guard in seen.hollow if guard.scopes]
    if unasked and not seen.guards("authorization"):
        words = (*listed(dict.fromkeys(guard.name for guard in unasked)), " names scopes that nothing looks at")
        return _reading(Standing.UNKNOWN, words, _spots(unasked))
    found = _guarded(seen, "authorization", 403)
    if found.standing is Standing.ABSENT and seen.owner:
        return _reading(Standing.PRESENT, ("callers get their own objects only",), seen.owner)
    return found


def _input(seen: Seen) -> Reading:
    route = seen.route
    free = [one for one in route.parameters if _is_free(one)]
    refused = [one.spot for one in route.responses if one.status in (400, 413, 422)]
    body = route.body
    if not route.parameters and body is None:
        if route.unread or not seen.read:
            return _reading(Standing.UNKNOWN, ("what it takes was not read whole",), [route.spot])
        return _reading(Standing.NOT_APPLICABLE, ("it takes no parameter and no body",), [route.spot])
    if body is not None and body.schema in ({}, None, True) and not refused:
        return _reading(Standing.ABSENT, ("the body is taken as it comes",), [body.spot])
    if free and not refused:
        names = listed([one.name for one in free])
        return _reading(Standing.ABSENT, ("taken as they come: ", *names), [one.spot for one in free])
    checked = [one.spot for one in route.parameters if not _is_free(one)]
    shown = [*([body.spot] if body is not None else []), *checked, *refused]
    names = listed([*(["body"] if body is not None else []), *(one.name for one in route.parameters)])
    return _reading(Standing.PRESENT, ("values are limited or refused: ", *names), shown or [route.spot])


def _is_free(parameter: CodeParameter) -> bool:
    """A text without any limit; a path parameter is limited by its segment only."""
    return parameter.schema in ({}, True, {"type": "string"}) and parameter.location in ("query", "header", "cookie")


def _secrets(seen: Seen) -> Reading:
    written = [one for one in seen.secrets if one.origin != "environment"]
    if written:
        names = listed(dict.fromkeys(one.name for one in written))
        return _reading(Standing.ABSENT, ("written in the source: ", *names), [one.spot for one in written])
    if seen.secrets:
        names = listed(dict.fromkeys(one.name for one in seen.secrets))
        return _reading(Standing.PRESENT, ("from the environment: ", *names), [one.spot for one in seen.secrets])
    why = "no name that says so refers to a secret in the code that was read; others may"
    return _reading(Standing.UNKNOWN, (why,), [seen.route.spot])


def _logging(seen: Seen) -> Reading:
    if seen.logs:
        return _reading(Standing.PRESENT, ("calls that write to a log",), seen.logs)
    if seen.hidden:
        return _reading(Standing.UNREAD, ("not read: ", Subject(seen.hidden[0].found)), [seen.hidden[0].spot])
    if seen.read:
        return _reading(Standing.ABSENT, ("the code that was read writes to no known log",), [seen.route.spot])
    return _reading(Standing.UNKNOWN, ("its handler's code was not found",), [seen.route.spot])


def _errors(seen: Seen) -> Reading:
    wide = [
        each.one for each in seen.around if each.one.kind == "error handler" and each.one.handles.strip("'\"") in _EVERY
    ]
    if wide:
        names = listed(dict.fromkeys(one.name for one in wide))
        return _reading(Standing.PRESENT, ("failures are answered by ", *names), [one.spot for one in wide])
    if not seen.read:
        return _reading(Standing.UNKNOWN, ("its handler's code was not found",), [seen.route.spot])
    why = "nothing that was read answers unexpected failures; the framework's own answer depends on its debug mode"
    return _reading(Standing.UNKNOWN, (why,), [seen.route.spot])


_EVERY: Final = frozenset({"Exception", "BaseException", "500", "HTTPStatus.INTERNAL_SERVER_ERROR"})
"""What an error handler for every unexpected failure is registered for."""

AREAS: Final = (
    AreaRule(
        area=Area.AUTHENTICATION,
        why="Something finds out who calls, or 401 is answered: on every way, by a condition of a known form. Asking "
        "whether credentials are there is not enough.",
        read=_authentication,
        example="def user(): raise HTTPException(401)\n@app.get('/a')\ndef a(who=Depends(user)): ...",
        counter_example="def user(x_key=Header('')):\n    if not x_key: raise HTTPException(401)\n"
        "@app.get('/a')\ndef a(who=Depends(user)): ...",
    ),
    AreaRule(
        area=Area.AUTHORIZATION,
        why="Something decides what the caller may do: a scope, a permission, whose an object is, or 403 is answered, "
        "on every way and by a condition of a known form.",
        read=_authorization,
        example="@app.get('/a')\ndef a(who=Depends(user)):\n    if who.role != 'admin': raise HTTPException(403)",
        counter_example="@app.get('/a')\ndef a(who=Depends(user)):\n    if who.role != 'admin': log.warning('odd')",
    ),
    AreaRule(
        area=Area.INPUT_HANDLING,
        why="Parameters and bodies are limited to values, or 400 or 422 is answered.",
        read=_input,
        example="@app.get('/a')\ndef a(limit: int = Query(ge=1, le=100)): ...",
        counter_example="@app.get('/a')\ndef a(filter: str = ''): ...",
    ),
    AreaRule(
        area=Area.SECRETS,
        why="Names of secrets that the code refers to get their values from the environment.",
        read=_secrets,
        example="API_KEY = os.environ['API_KEY']\n@app.get('/a')\ndef a(): return sign(API_KEY)",
        counter_example="key = os.environ['NAME']\n@app.get('/a')\ndef a(): return sign(key)",
    ),
    AreaRule(
        area=Area.LOGGING,
        why="The handler, what it calls, or what runs around it writes to a log.",
        read=_logging,
        example="@app.delete('/a')\ndef a(): log.info('a is gone')",
        counter_example="@app.delete('/a')\ndef a(): print('a is gone')",
    ),
    AreaRule(
        area=Area.ERROR_DISCLOSURE,
        why="A handler for every unexpected failure is registered.",
        read=_errors,
        example="@app.exception_handler(Exception)\ndef failed(r, e): ...\n@app.get('/a')\ndef a(): ...",
        counter_example="@app.exception_handler(KeyError)\ndef failed(r, e): ...\n@app.get('/a')\ndef a(): ...",
    ),
)
"""One per area; spec, W3 step 3."""
READERS: Final = {rule.area: rule.read for rule in AREAS}
ONLY_WHERE_USED: Final = frozenset({Area.SECRETS})
"""Areas in which a control that a route's code does not refer to has nothing to do there."""


def read_area(seen: Seen, area: Area) -> Reading:
    """What the code alone shows of an area on a route."""
    return READERS[area](seen)
