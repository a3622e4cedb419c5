"""Kinds of discrepancy about limits, rates, pages and keys that both sides state."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.reference.kinds.small import OK, TEXT, parameter, paths
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample

_PLAIN: Final = "@app.get('/orders')\ndef orders():\n    return []\n"
_LIMITED: Final = (
    "limiter = Limiter(key_func=get_remote_address)\n\n\n"
    "@app.get('/orders')\n@limiter.limit('10/minute')\ndef orders(request: Request):\n    return []\n"
)
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
_PAGED: Final = ((Concern.PAGINATION, "PageNumberPagination", 50),)


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


KINDS: Final = (
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
        example=KindExample(paths=_pages(20), code=_PLAIN, declared=_PAGED),
        counter_example=KindExample(paths=_pages(50), code=_PLAIN, declared=_PAGED),
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
