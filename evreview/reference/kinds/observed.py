"""Kinds of discrepancy that retained tests show."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.reference.kinds.small import NUMBER, TEXT, answer, fields, paths
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample, Seen

_BOTH = (Concern.SUCCESS, Concern.ERRORS)
_PLAIN: Final = "@app.get('/orders')\ndef orders(request: Request):\n    return load()\n"
_ID: Final = answer(fields(("id",), id=TEXT))
_OK: Final[dict[str, Json]] = {"200": _ID}
_HEADERS: Final[Json] = {"200": answer(fields(id=TEXT), headers={"X-Total": {"required": True, "schema": TEXT}})}
_NUMBERED: Final = (
    "class Order(BaseModel):\n    id: int\n\n\n@app.get('/orders')\ndef orders() -> Order:\n    return load()\n"
)
_GOOD: Final = Seen(status=200, body={"id": "a"})

KINDS: Final = (
    DiscrepancyKind(
        id="observed-status-undocumented",
        concerns=_BOTH,
        compares="the statuses that tests saw with those of the contract; where the code is seen to send it, this is "
        "noted there",
        why="It was really answered, whatever the documents say.",
        breaks=Breaks.READERS,
        impact="Clients meet a status that they were not told about.",
        expands=True,
        example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=410),)),
        counter_example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(_GOOD,)),
    ),
    DiscrepancyKind(
        id="observed-media-type-undocumented",
        concerns=_BOTH,
        compares="the media types that tests saw with those of the contract for the status",
        why="A client that decodes as documented fails.",
        breaks=Breaks.READERS,
        impact="Clients can't decode the answer as documented.",
        expands=True,
        example=KindExample(
            paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, media_type="text/html", body="<p>"),)
        ),
        counter_example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(_GOOD,)),
    ),
    DiscrepancyKind(
        id="observed-body-outside",
        concerns=_BOTH,
        compares="the bodies that tests recorded with the contract's schema; shown is which rule is broken, never the "
        "body",
        why="It was really answered, and the contract excludes it.",
        breaks=Breaks.READERS,
        impact="Clients meet values that the contract excludes.",
        example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, body={"id": 7}),)),
        counter_example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(_GOOD,)),
    ),
    DiscrepancyKind(
        id="observed-value-outside",
        concerns=_BOTH,
        compares="the value that a passed assertion expects of a field with those that the contract admits there",
        why="A test holds the service to something that the contract excludes.",
        breaks=Breaks.READERS,
        impact="Clients meet a value that the contract excludes.",
        example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, asserts="id", expects=7),)),
        counter_example=KindExample(
            paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, asserts="id", expects="a"),)
        ),
    ),
    DiscrepancyKind(
        id="observed-field-undocumented",
        concerns=_BOTH,
        compares="the field that a passed assertion names with the fields of the contract",
        why="A test relies on something that nobody promised.",
        breaks=Breaks.NOBODY,
        impact="Clients that ignore unknown fields are safe; those that refuse them break.",
        expands=True,
        example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, asserts="margin"),)),
        counter_example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, asserts="id"),)),
    ),
    DiscrepancyKind(
        id="observed-header-missing",
        concerns=(Concern.HEADERS,),
        compares="the headers that the contract demands of a response with those that a test recorded",
        why="A client that relies on the header finds nothing.",
        breaks=Breaks.READERS,
        impact="Clients that rely on the header fail.",
        example=KindExample(
            paths=paths(responses=_HEADERS),
            code="@app.get('/orders')\ndef orders(request: Request, response: Response):\n"
            "    response.headers['X-Total'] = '3'\n    return load()\n",
            seen=(Seen(status=200, body={}, headers=("date",)),),
        ),
        counter_example=KindExample(
            paths=paths(responses=_HEADERS), code=_PLAIN, seen=(Seen(status=200, body={}, headers=("x-total",)),)
        ),
    ),
    DiscrepancyKind(
        id="observed-header-undocumented",
        concerns=(Concern.HEADERS,),
        compares="the headers that a test recorded or asserts with those of the contract; what servers "
        "and the HTTP standard bring along is left out",
        why="Clients start to rely on it, and it may leave without notice.",
        breaks=Breaks.NOBODY,
        impact="Clients that keep to the contract do not look at it.",
        expands=True,
        example=KindExample(
            paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, body={"id": "a"}, headers=("x-trace",)),)
        ),
        counter_example=KindExample(
            paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, body={"id": "a"}, headers=("date",)),)
        ),
    ),
    DiscrepancyKind(
        id="observed-name-undocumented",
        concerns=tuple(Concern),
        compares="the name in a passed assertion that tells no part with every parameter, header and field of the "
        "operation",
        why="A test relies on something that nobody promised.",
        breaks=Breaks.NOBODY,
        impact="Clients that keep to the contract do not use it.",
        expands=True,
        example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(asserts="margin"),)),
        counter_example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(asserts="id"),)),
    ),
    DiscrepancyKind(
        id="observed-test-failed",
        concerns=tuple(Concern),
        compares="what a retained check holds the service to with how the check ended",
        why="The service did not do what the check demands, so the documents and the service differ, or the check is "
        "wrong.",
        breaks=Breaks.UNSHOWN,
        impact="Clients may meet what the failed check met, and not what the contract describes.",
        example=KindExample(
            paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, asserts="id", outcome="failed"),)
        ),
        counter_example=KindExample(paths=paths(responses=_OK), code=_PLAIN, seen=(Seen(status=200, asserts="id"),)),
    ),
    DiscrepancyKind(
        id="observed-not-in-code",
        concerns=_BOTH,
        compares="the statuses that tests saw with those that the code sends, where every source was read; server "
        "errors are left out",
        why="Something answers that the inspected sources do not show.",
        breaks=Breaks.UNSHOWN,
        impact="Contract and test agree; the inspected code does not explain the answer.",
        example=KindExample(
            paths=paths(responses={**_OK, "409": {"description": "conflict"}}),
            code="@app.get('/orders')\ndef orders():\n    return []\n",
            seen=(Seen(status=409, media_type=""),),
        ),
        counter_example=KindExample(
            paths=paths(responses=_OK), code="@app.get('/orders')\ndef orders():\n    return []\n", seen=(_GOOD,)
        ),
    ),
    DiscrepancyKind(
        id="sources-all-differ",
        concerns=_BOTH,
        compares="contract, code and test where each says something else of one body or media type",
        why="No two sources agree, so none of them can be taken for what holds.",
        breaks=Breaks.READERS,
        impact="Clients meet what neither contract nor code describe.",
        expands=True,
        example=KindExample(paths=paths(responses=_OK), code=_NUMBERED, seen=(Seen(status=200, body={"id": True}),)),
        counter_example=KindExample(
            paths=paths(responses={"200": answer(fields(("id",), id=NUMBER))}),
            code=_NUMBERED,
            seen=(Seen(status=200, body={"id": True}),),
        ),
    ),
)
