"""Kinds of discrepancy about responses: as the code answers, and as retained tests saw it."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.workflows.w2.discrepancy_kinds.kind import (
    NUMBER,
    SOME_JSON,
    TEXT,
    Breaks,
    DiscrepancyKind,
    KindExample,
    Seen,
    answer,
    fields,
    paths,
)

_SUCCESS = (Concern.SUCCESS,)
_ERRORS = (Concern.ERRORS,)
_BOTH = (Concern.SUCCESS, Concern.ERRORS)
_ID_PARAMETER: Final[Json] = {"name": "id", "in": "path", "required": True, "schema": TEXT}
_CODES: Final[Json] = {"type": "string", "enum": ["not_found", "gone"]}


def _order(responses: Json) -> Json:
    return paths(path="/orders/{id}", parameters=[_ID_PARAMETER], responses=responses)


def _get(*lines: str, decorator: str = "") -> str:
    inside = "".join(f"    {line}\n" for line in lines)
    return f"@app.get('/orders/{{id}}'{decorator})\ndef order(id: str):\n{inside}"


def _model(*lines: str) -> str:
    inside = "".join(f"    {line}\n" for line in lines)
    get = "@app.get('/orders/{id}')\ndef order(id: str) -> Order:\n    return load(id)\n"
    return f"class Order(BaseModel):\n{inside}\n\n{get}"


def _raising(status: int, detail: str = "'not found'") -> str:
    return _get("if id == 'x':", f"    raise HTTPException(status_code={status}, detail={detail})", "return {'id': id}")


def _json(content: str, status: int = 404) -> str:
    return _get(
        "if id == 'x':", f"    return JSONResponse(status_code={status}, content={content})", "return {'id': id}"
    )


def _several(*media_types: str) -> Json:
    return {"description": "answer", "content": {each: {"schema": TEXT} for each in media_types}}


_CODE: Final = answer(fields(("code",), code=_CODES))
_NONE: Final[Json] = {"description": "no body"}

RESPONSE_KINDS: Final = (
    DiscrepancyKind(
        id="success-undocumented",
        concerns=_SUCCESS,
        compares="the success statuses that the code sends with those of the contract, ranges and `default` included",
        why="A client that handles the documented statuses meets another one.",
        breaks=Breaks.READERS,
        impact="Clients meet a success status that they were not told about.",
        expands=True,
        example=KindExample(
            paths=_order({"200": SOME_JSON}),
            code=_get("if id == 'x':", "    return JSONResponse(status_code=202, content={})", "return {}"),
        ),
        counter_example=KindExample(
            paths=_order({"2XX": SOME_JSON}),
            code=_get("if id == 'x':", "    return JSONResponse(status_code=202, content={})", "return {}"),
        ),
    ),
    DiscrepancyKind(
        id="success-unsent",
        concerns=_SUCCESS,
        compares="the success statuses of the contract with those that the code sends, where every source was read",
        why="What the contract promises never comes.",
        breaks=Breaks.READERS,
        impact="Clients that wait for the documented status never see it.",
        example=KindExample(paths=_order({"200": SOME_JSON, "202": SOME_JSON}), code=_get("return {}")),
        counter_example=KindExample(paths=_order({"200": SOME_JSON}), code=_get("return {}")),
    ),
    DiscrepancyKind(
        id="success-status-differs",
        concerns=_SUCCESS,
        compares="one promised success status that never comes with one that comes in its place, where every source "
        "was read",
        why="A client that asks for the documented status takes success for a failure.",
        breaks=Breaks.READERS,
        impact="Clients that compare with the documented status fail on success.",
        example=KindExample(paths=_order({"201": SOME_JSON}), code=_get("return {}")),
        counter_example=KindExample(
            paths=_order({"201": SOME_JSON}), code=_get("return {}", decorator=", status_code=201")
        ),
    ),
    DiscrepancyKind(
        id="error-undocumented",
        concerns=_ERRORS,
        compares="the error statuses that the code sends with those of the contract, ranges and `default` included",
        why="A client that handles the documented errors has no branch for this one.",
        breaks=Breaks.READERS,
        impact="Clients meet an error that they were not told about.",
        expands=True,
        example=KindExample(paths=_order({"200": SOME_JSON}), code=_raising(409)),
        counter_example=KindExample(paths=_order({"200": SOME_JSON, "4XX": SOME_JSON}), code=_raising(409)),
    ),
    DiscrepancyKind(
        id="error-unsent",
        concerns=_ERRORS,
        compares="the error statuses of the contract below 500 with those that the code sends, where every source was "
        "read; statuses that servers send by themselves, and refusals of a guard, are left out",
        why="A documented failure is reported another way, or not at all.",
        breaks=Breaks.READERS,
        impact="Clients wait for an error that no inspected source sends; something before the service still may.",
        example=KindExample(paths=_order({"200": SOME_JSON, "410": SOME_JSON}), code=_get("return {}")),
        counter_example=KindExample(paths=_order({"200": SOME_JSON, "410": SOME_JSON}), code=_raising(410)),
    ),
    DiscrepancyKind(
        id="framework-validation-undocumented",
        concerns=_ERRORS,
        compares="the framework's own 422 for invalid input with a contract that has none; a promised 400 that never "
        "comes is the same deviation",
        why="Nobody wrote this answer, so nobody documented it; every invalid request meets it.",
        breaks=Breaks.READERS,
        impact="Invalid requests get an undocumented answer.",
        expands=True,
        example=KindExample(
            paths=_order({"200": SOME_JSON, "400": SOME_JSON}),
            code="@app.get('/orders/{id}')\ndef order(id: int):\n    return {}\n",
        ),
        counter_example=KindExample(
            paths=_order({"200": SOME_JSON, "422": SOME_JSON}),
            code="@app.get('/orders/{id}')\ndef order(id: int):\n    return {}\n",
        ),
    ),
    DiscrepancyKind(
        id="response-media-type-differs",
        concerns=_BOTH,
        compares="the media type that the code sends with those of the contract for the status",
        why="A client that decodes as documented fails.",
        breaks=Breaks.READERS,
        impact="Clients can't decode the answer as documented.",
        example=KindExample(paths=_order({"200": answer(TEXT)}), code=_get("return PlainTextResponse('open')")),
        counter_example=KindExample(
            paths=_order({"200": answer(TEXT, "text/plain")}),
            code=_get("return PlainTextResponse('open')"),
        ),
    ),
    DiscrepancyKind(
        id="response-media-type-unsent",
        concerns=_SUCCESS,
        compares="the media types of the contract for a success status with those that the code sends for it, where it "
        "sends one of them and every source was read",
        why="A client that asks for the documented media type gets another one.",
        breaks=Breaks.READERS,
        impact="Clients that ask for this media type can't decode the answer.",
        example=KindExample(
            paths=_order({"200": _several("text/plain", "text/csv")}), code=_get("return PlainTextResponse('open')")
        ),
        counter_example=KindExample(
            paths=_order({"200": answer(TEXT, "text/plain")}), code=_get("return PlainTextResponse('open')")
        ),
    ),
    DiscrepancyKind(
        id="response-body-undocumented",
        concerns=_BOTH,
        compares="a body that the code sends with a status for which the contract has none",
        why="The code offers something that nobody promised.",
        breaks=Breaks.NOBODY,
        impact="Clients that keep to the contract read no body; whoever does relies on something unpublished.",
        expands=True,
        example=KindExample(paths=_order({"200": _NONE}), code=_get("return {'id': 'a'}")),
        counter_example=KindExample(paths=_order({"200": answer(fields(id=TEXT))}), code=_get("return {'id': 'a'}")),
    ),
    DiscrepancyKind(
        id="response-outside",
        concerns=_BOTH,
        compares="the values that the code sends with those that the contract admits, field by field: a value that the "
        "contract refuses is the witness; a body that shares no field with the promised one is one deviation",
        why="A client that reads what is documented meets something else.",
        breaks=Breaks.READERS,
        impact="Clients meet values that the contract excludes.",
        example=KindExample(paths=_order({"200": answer(fields(("total",), total=TEXT))}), code=_model("total: int")),
        counter_example=KindExample(
            paths=_order({"200": answer(fields(("total",), total=NUMBER))}),
            code=_model("total: int"),
        ),
    ),
    DiscrepancyKind(
        id="response-field-undocumented",
        concerns=_BOTH,
        compares="the fields that the code sends with those that the contract has",
        why="Clients start to rely on it, and what was never meant to leave may leave.",
        breaks=Breaks.NOBODY,
        impact="Clients that ignore unknown fields are safe; those that refuse them break.",
        expands=True,
        example=KindExample(
            paths=_order({"200": answer(fields(("id",), id=TEXT))}),
            code=_model("id: str", "margin: int"),
        ),
        counter_example=KindExample(
            paths=_order({"200": answer(fields(("id",), id=TEXT, margin=NUMBER))}),
            code=_model("id: str", "margin: int"),
        ),
    ),
    DiscrepancyKind(
        id="response-field-missing",
        concerns=_BOTH,
        compares="the fields that the contract promises with those that the code ever sends",
        why="A client that reads the promised field finds nothing.",
        breaks=Breaks.READERS,
        impact="Clients that rely on the promised field fail.",
        example=KindExample(
            paths=_order({"200": answer(fields(("id", "total"), id=TEXT, total=NUMBER))}),
            code=_model("id: str"),
        ),
        counter_example=KindExample(paths=_order({"200": answer(fields(("id",), id=TEXT))}), code=_model("id: str")),
    ),
    DiscrepancyKind(
        id="response-field-unowed",
        concerns=_BOTH,
        compares="the fields that the contract promises with those that the code sends always; a body without the "
        "field is the witness",
        why="A client that reads the promised field finds nothing some day.",
        breaks=Breaks.READERS,
        impact="Clients that rely on the promised field fail when it is left out.",
        example=KindExample(
            paths=_order({"200": answer(fields(("id", "total"), id=TEXT, total=NUMBER))}),
            code="class Order(TypedDict, total=False):\n    id: Required[str]\n    total: int\n\n\n"
            "@app.get('/orders/{id}', response_model_exclude_unset=True)\ndef order(id: str) -> Order:\n"
            "    return load(id)\n",
        ),
        counter_example=KindExample(
            paths=_order({"200": answer(fields(("id", "total"), id=TEXT, total=NUMBER))}),
            code=_model("id: str", "total: int"),
        ),
    ),
    DiscrepancyKind(
        id="error-code-undocumented",
        concerns=_ERRORS,
        compares="constant error codes that the code writes with the codes that the contract lists",
        why="Clients decide by the code, and this one has no branch.",
        breaks=Breaks.READERS,
        impact="Clients meet an error code that the contract does not list.",
        expands=True,
        example=KindExample(paths=_order({"200": SOME_JSON, "404": _CODE}), code=_json("{'code': 'missing'}")),
        counter_example=KindExample(
            paths=_order({"200": SOME_JSON, "404": _CODE}), code=_json("{'code': 'not_found'}")
        ),
    ),
)


# What retained tests show.


_PLAIN: Final = "@app.get('/orders')\ndef orders(request: Request):\n    return load()\n"
_ID_ANSWER: Final = answer(fields(("id",), id=TEXT))
_OK: Final[dict[str, Json]] = {"200": _ID_ANSWER}
_HEADERS: Final[Json] = {"200": answer(fields(id=TEXT), headers={"X-Total": {"required": True, "schema": TEXT}})}
_NUMBERED: Final = (
    "class Order(BaseModel):\n    id: int\n\n\n@app.get('/orders')\ndef orders() -> Order:\n    return load()\n"
)
_GOOD: Final = Seen(status=200, body={"id": "a"})

OBSERVED_KINDS: Final = (
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
