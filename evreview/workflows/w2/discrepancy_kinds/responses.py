"""Kinds of discrepancy about responses: statuses, media types, bodies, error codes."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.reference.kinds.small import NUMBER, TEXT, answer, fields, paths
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample

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
_ANY: Final[Json] = {"description": "some JSON", "content": {"application/json": {}}}
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
            paths=_order({"200": _ANY}),
            code=_get("if id == 'x':", "    return JSONResponse(status_code=202, content={})", "return {}"),
        ),
        counter_example=KindExample(
            paths=_order({"2XX": _ANY}),
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
        example=KindExample(paths=_order({"200": _ANY, "202": _ANY}), code=_get("return {}")),
        counter_example=KindExample(paths=_order({"200": _ANY}), code=_get("return {}")),
    ),
    DiscrepancyKind(
        id="success-status-differs",
        concerns=_SUCCESS,
        compares="one promised success status that never comes with one that comes in its place, where every source "
        "was read",
        why="A client that asks for the documented status takes success for a failure.",
        breaks=Breaks.READERS,
        impact="Clients that compare with the documented status fail on success.",
        example=KindExample(paths=_order({"201": _ANY}), code=_get("return {}")),
        counter_example=KindExample(paths=_order({"201": _ANY}), code=_get("return {}", decorator=", status_code=201")),
    ),
    DiscrepancyKind(
        id="error-undocumented",
        concerns=_ERRORS,
        compares="the error statuses that the code sends with those of the contract, ranges and `default` included",
        why="A client that handles the documented errors has no branch for this one.",
        breaks=Breaks.READERS,
        impact="Clients meet an error that they were not told about.",
        expands=True,
        example=KindExample(paths=_order({"200": _ANY}), code=_raising(409)),
        counter_example=KindExample(paths=_order({"200": _ANY, "4XX": _ANY}), code=_raising(409)),
    ),
    DiscrepancyKind(
        id="error-unsent",
        concerns=_ERRORS,
        compares="the error statuses of the contract below 500 with those that the code sends, where every source was "
        "read; statuses that servers send by themselves, and refusals of a guard, are left out",
        why="A documented failure is reported another way, or not at all.",
        breaks=Breaks.READERS,
        impact="Clients wait for an error that no inspected source sends; something before the service still may.",
        example=KindExample(paths=_order({"200": _ANY, "410": _ANY}), code=_get("return {}")),
        counter_example=KindExample(paths=_order({"200": _ANY, "410": _ANY}), code=_raising(410)),
    ),
    DiscrepancyKind(
        id="framework-validation-undocumented",
        concerns=_ERRORS,
        compares="the framework's own 422 for invalid input with a contract that has none; a promised 400 that never "
        "comes is the same deviation",
        why="Nobody wrote this answer, so nobody documented it; every invalid request meets it.",
        breaks=Breaks.READERS,
        impact="Clients that send something invalid meet an undocumented status and the framework's own body.",
        expands=True,
        example=KindExample(
            paths=_order({"200": _ANY, "400": _ANY}),
            code="@app.get('/orders/{id}')\ndef order(id: int):\n    return {}\n",
        ),
        counter_example=KindExample(
            paths=_order({"200": _ANY, "422": _ANY}),
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
        example=KindExample(paths=_order({"200": _ANY, "404": _CODE}), code=_json("{'code': 'missing'}")),
        counter_example=KindExample(paths=_order({"200": _ANY, "404": _CODE}), code=_json("{'code': 'not_found'}")),
    ),
)
