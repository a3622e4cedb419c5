"""Kinds of discrepancy about headers, effects and routes (`BEHAVIOUR_KINDS`), and stated amounts (`AMOUNT_KINDS`)."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.workflows.w2.discrepancy_kinds.kind import (
    INVALID,
    OK,
    PLAIN,
    TEXT,
    Breaks,
    DiscrepancyKind,
    KindExample,
    parameter,
    paths,
)

_TOTAL: Final = (
    "@app.get('/orders')\ndef orders(response: Response):\n    response.headers['X-Total'] = '3'\n    return []\n"
)
_HEADER: Final[Json] = {"200": {"description": "done", "headers": {"X-Total": {"schema": TEXT}}}}
_REQUIRED: Final[Json] = {"200": {"description": "done", "headers": {"X-Total": {"schema": TEXT, "required": True}}}}
_SOMETIMES: Final = (
    "@app.get('/orders')\ndef orders(response: Response):\n    if ORDERS:\n"
    "        response.headers['X-Total'] = '3'\n    return []\n"
)
_LIMITED: Final = (
    "limiter = Limiter(key_func=get_remote_address)\n\n\n"
    "@app.get('/orders')\n@limiter.limit('10/minute')\ndef orders(request: Request):\n    return []\n"
)
_POST: Final = "@app.post('/orders')\ndef create():\n    return []\n"
_PAGED: Final = ((Concern.PAGINATION, "PageNumberPagination", 50),)
_MAILS: Final = ((Concern.SIDE_EFFECTS, "sends a mail", None),)


BEHAVIOUR_KINDS: Final = (
    DiscrepancyKind(
        id="header-undocumented",
        concerns=(Concern.HEADERS,),
        compares="the response headers that the code sets with those of the contract; what servers and the HTTP "
        "standard bring along is left out",
        why="Clients start to rely on it, and it may leave without notice.",
        breaks=Breaks.NOBODY,
        impact="Clients that keep to the contract do not look at it.",
        expands=True,
        example=KindExample(paths=paths(), code=_TOTAL),
        counter_example=KindExample(paths=paths(responses=_HEADER), code=_TOTAL),
    ),
    DiscrepancyKind(
        id="header-unset",
        concerns=(Concern.HEADERS,),
        compares="the response headers of the contract with those that the code sets, where every source was read",
        why="A client that reads the header finds nothing.",
        breaks=Breaks.READERS,
        impact="Clients that rely on the header fail, unless something before the service sets it.",
        example=KindExample(paths=paths(responses=_HEADER), code=PLAIN),
        counter_example=KindExample(paths=paths(responses=_HEADER), code=_TOTAL),
    ),
    DiscrepancyKind(
        id="header-sometimes-unset",
        concerns=(Concern.HEADERS,),
        compares="the response headers that the contract requires with the ways through a handler: one way to the "
        "answer sets the header, another does not",
        why="A client that reads the header finds it once and misses it another time.",
        breaks=Breaks.READERS,
        impact="Clients that rely on the header fail on some answers.",
        example=KindExample(paths=paths(responses=_REQUIRED), code=_SOMETIMES),
        counter_example=KindExample(paths=paths(responses=_REQUIRED), code=_TOTAL),
    ),
    DiscrepancyKind(
        id="limit-undocumented",
        concerns=(Concern.LIMITS,),
        compares="a limit that the code keeps with a contract that states none (no 413, no words either); a limit of a "
        "parameter's values is compared there",
        why="A request that keeps to the contract is refused when it reaches the limit.",
        breaks=Breaks.SENDERS,
        impact="Documented requests beyond the limit are refused.",
        expands=True,
        example=KindExample(
            paths=paths(),
            code="MAX_ORDERS_PER_CALL = 100\n\n\n@app.get('/orders')\ndef orders(request: Request):\n"
            "    if int(request.headers.get('content-length', 0)) > 1024:\n"
            "        raise HTTPException(status_code=413)\n    return []\n",
        ),
        counter_example=KindExample(paths=paths(), code=PLAIN),
    ),
    DiscrepancyKind(
        id="rate-limit-undocumented",
        concerns=(Concern.RATE_LIMITS,),
        compares="a rate limit in the code with a contract that states none: no 429, no header and no words about it",
        why="A client that keeps to the contract is refused when it calls too often, and was never told how often.",
        breaks=Breaks.SENDERS,
        impact="Documented calls are refused beyond the rate.",
        expands=True,
        example=KindExample(paths=paths(), code=_LIMITED),
        counter_example=KindExample(
            paths=paths(responses={**OK, **INVALID, "429": {"description": "too often"}}), code=_LIMITED
        ),
    ),
    DiscrepancyKind(
        id="idempotency-undocumented",
        concerns=(Concern.IDEMPOTENCY,),
        compares="a key for repeated requests that the code looks for with a contract that has no such parameter",
        why="Clients could repeat safely, and nobody told them.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; repeating them is as unsafe as before.",
        expands=True,
        example=KindExample(
            paths=paths("post"),
            code="@app.post('/orders')\ndef create(request: Request):\n"
            "    key = request.headers.get('Idempotency-Key')\n    return {}\n",
        ),
        counter_example=KindExample(
            paths=paths("post", parameters=[parameter("Idempotency-Key", TEXT, "header")]),
            code="@app.post('/orders')\ndef create(request: Request):\n"
            "    key = request.headers.get('Idempotency-Key')\n    return {}\n",
        ),
    ),
    DiscrepancyKind(
        id="pagination-undocumented",
        concerns=(Concern.PAGINATION,),
        compares="paging in the code with a contract that has no parameter and no header for it",
        why="A client that keeps to the contract sees the first page and takes it for all.",
        breaks=Breaks.READERS,
        impact="Clients miss what stands on further pages.",
        expands=True,
        example=KindExample(paths=paths(), code=PLAIN, declared=_PAGED),
        counter_example=KindExample(paths=paths(parameters=[parameter("page", TEXT)]), code=PLAIN, declared=_PAGED),
    ),
    DiscrepancyKind(
        id="side-effect-undocumented",
        concerns=(Concern.SIDE_EFFECTS,),
        compares="an effect that the code surely has with a contract that describes no callback; leads are left out",
        why="A client causes something that it does not know of.",
        breaks=Breaks.NOBODY,
        impact="Documented answers stay the same; something else happens besides.",
        expands=True,
        example=KindExample(paths=paths("post"), code=_POST, declared=_MAILS),
        counter_example=KindExample(paths=paths("post"), code=_POST),
    ),
    DiscrepancyKind(
        id="side-effect-on-safe-method",
        concerns=(Concern.SIDE_EFFECTS,),
        compares="an effect that the code surely has with a method that HTTP calls safe",
        why="Caches, crawlers and retries repeat such requests freely.",
        breaks=Breaks.CALLERS,
        impact="Repeating a request that is safe by its method repeats the effect.",
        expands=True,
        example=KindExample(paths=paths(), code=PLAIN, declared=_MAILS),
        counter_example=KindExample(paths=paths("post"), code=_POST, declared=_MAILS),
    ),
    DiscrepancyKind(
        id="route-undocumented",
        concerns=(Concern.SUCCESS,),
        compares="the routes at or below the path of an operation in scope with the operations of the contract",
        why="The service answers something that nobody promised.",
        breaks=Breaks.NOBODY,
        impact="Documented operations are untouched; whoever finds the route relies on something unpublished.",
        expands=True,
        example=KindExample(paths=paths(), code=PLAIN + "\n\n@app.delete('/orders')\ndef clear():\n    return None\n"),
        counter_example=KindExample(
            paths=paths(), code=PLAIN + "\n\n@app.get('/health')\ndef health():\n    return None\n"
        ),
    ),
    DiscrepancyKind(
        id="operation-unanswered",
        concerns=(Concern.SUCCESS,),
        compares="the operations in scope with the routes of the code, where it has routes and every source was read; "
        "routes whose paths end alike are named",
        why="The contract promises an operation that nothing answers.",
        breaks=Breaks.SENDERS,
        impact="Every documented request of the operation fails.",
        example=KindExample(paths=paths(), code="@app.get('/basket')\ndef basket():\n    return []\n"),
        counter_example=KindExample(paths=paths(), code=PLAIN),
    ),
    DiscrepancyKind(
        id="path-differs",
        concerns=(Concern.SUCCESS,),
        compares="the path of the route that answers an operation with the contract's, where only a slash at the end "
        "keeps them apart",
        why="Some clients do not follow the redirect, or lose body and credentials on it.",
        breaks=Breaks.SENDERS,
        impact="Documented requests are redirected or not found.",
        example=KindExample(paths=paths(), code="@app.get('/orders/')\ndef orders():\n    return []\n"),
        counter_example=KindExample(paths=paths(), code=PLAIN),
    ),
)


# Limits, rates, pages and keys that both sides state.


_SIZED: Final = (
    "@app.get('/orders')\ndef orders(request: Request):\n"
    "    if int(request.headers.get('content-length', 0)) > 1048576:\n"
    "        raise HTTPException(status_code=413)\n    return []\n"
)
_KEYED: Final = (
    "@app.post('/orders')\ndef create(request: Request):\n"
    "    key = request.headers.get('Idempotency-Key')\n    return {}\n"
)
_POSTED: Final = "@app.post('/orders')\ndef create():\n    return {}\n"


def _rated(sentence: str) -> Json:
    return paths(description=sentence, responses={**OK, "429": {"description": "too often"}})


def _sized(sentence: str) -> Json:
    return paths(description=sentence, responses={**OK, "413": {"description": "too large"}})


def _key(name: str) -> Json:
    return paths("post", parameters=[parameter(name, TEXT, "header")])


def _promise(sentence: str) -> Json:
    return paths("post", description=sentence)


def _pages(size: int) -> Json:
    return paths(parameters=[parameter("page_size", {"type": "integer", "default": size})])


AMOUNT_KINDS: Final = (
    DiscrepancyKind(
        id="rate-limit-lower",
        concerns=(Concern.RATE_LIMITS,),
        compares="the one rate that the contract's sentences or extensions state with the code's; several on one side "
        "are open",
        why="A client that calls as often as the contract says is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented calls are refused beyond the code's rate.",
        example=KindExample(paths=_rated("Clients may send 100 requests per minute."), code=_LIMITED),
        counter_example=KindExample(paths=_rated("Clients may send 10 requests per minute."), code=_LIMITED),
    ),
    DiscrepancyKind(
        id="rate-limit-higher",
        concerns=(Concern.RATE_LIMITS,),
        compares="the one rate that both sides state, where the code never refuses who keeps to the contract's",
        why="Clients start to rely on the higher rate, and it may fall without notice.",
        breaks=Breaks.NOBODY,
        impact="Documented calls work; more calls than documented do too.",
        expands=True,
        example=KindExample(paths=_rated("Clients may send 5 requests per minute."), code=_LIMITED),
        counter_example=KindExample(paths=_rated("Clients may send 600 requests per hour."), code=_LIMITED),
    ),
    DiscrepancyKind(
        id="limit-lower",
        concerns=(Concern.LIMITS,),
        compares="the one size in bytes that the contract's sentences or extensions state with the code's; a unit that "
        "is read as 1000 or 1024 counts as both",
        why="A request as large as the contract allows is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented requests beyond the code's limit are refused.",
        example=KindExample(paths=_sized("A request has at most 5 MB."), code=_SIZED),
        counter_example=KindExample(paths=_sized("A request has at most 1 MB."), code=_SIZED),
    ),
    DiscrepancyKind(
        id="limit-higher",
        concerns=(Concern.LIMITS,),
        compares="the one size in bytes that both sides state, where the code takes larger requests",
        why="Clients start to rely on the higher limit, and it may fall without notice.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; larger ones do too.",
        expands=True,
        example=KindExample(paths=_sized("A request has at most 10 kB."), code=_SIZED),
        counter_example=KindExample(paths=_sized("A request has at most 1 MiB."), code=_SIZED),
    ),
    DiscrepancyKind(
        id="page-size-differs",
        concerns=(Concern.PAGINATION,),
        compares="the number of items on a page, by a parameter's default or a sentence of the contract, with the "
        "code's",
        why="A client that takes a shorter page for the last one, or makes room for fewer items, goes wrong.",
        breaks=Breaks.READERS,
        impact="Clients get more or fewer items on a page than documented.",
        example=KindExample(paths=_pages(20), code=PLAIN, declared=_PAGED),
        counter_example=KindExample(paths=_pages(50), code=PLAIN, declared=_PAGED),
    ),
    DiscrepancyKind(
        id="idempotency-key-differs",
        concerns=(Concern.IDEMPOTENCY,),
        compares="the name of the key for repeated requests in the contract with the name that the code looks for",
        why="Who repeats a request with the documented key repeats what it does.",
        breaks=Breaks.SENDERS,
        impact="Documented repetitions are not recognised.",
        example=KindExample(paths=_key("X-Idempotency-Key"), code=_KEYED),
        counter_example=KindExample(paths=_key("Idempotency-Key"), code=_KEYED),
    ),
    DiscrepancyKind(
        id="idempotency-unkept",
        concerns=(Concern.IDEMPOTENCY,),
        compares="the key for repeated requests that a sentence of the contract names, and no parameter does, with "
        "the headers that the code reads, where every source was read",
        why="Who repeats a request in trust on the sentence repeats what it does.",
        breaks=Breaks.SENDERS,
        impact="Documented repetitions are not recognised.",
        example=KindExample(paths=_promise("Repeat a request with its Idempotency-Key."), code=_POSTED),
        counter_example=KindExample(paths=_promise("Repeat a request with its Idempotency-Key."), code=_KEYED),
    ),
)
