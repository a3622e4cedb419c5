"""Kinds of discrepancy about request bodies."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.reference.kinds.small import NUMBER, TEXT, body, fields, paths
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample

_REQUEST_BODY = (Concern.REQUEST_BODY,)


def _post(schema: Json, media_type: str = "application/json", *, required: bool = True) -> Json:
    return paths("post", requestBody=body(schema, media_type, required=required))


def _model(*lines: str, argument: str = "order: Order") -> str:
    inside = "".join(f"    {line}\n" for line in lines)
    return f"class Order(BaseModel):\n{inside}\n\n@app.post('/orders')\ndef create({argument}):\n    return None\n"


_WITHOUT_BODY: Final = "@app.post('/orders')\ndef create():\n    return None\n"

REQUEST_BODY_KINDS: Final = (
    DiscrepancyKind(
        id="body-undocumented",
        concerns=_REQUEST_BODY,
        compares="a request body that the code reads where the contract has none",
        why="The code offers, or demands, something that nobody promised.",
        breaks=Breaks.UNSHOWN,
        impact="Documented requests carry no body; if the code demands one, they are refused.",
        expands=True,
        example=KindExample(paths=paths("post"), code=_model("sku: str")),
        counter_example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str")),
    ),
    DiscrepancyKind(
        id="body-unread",
        concerns=_REQUEST_BODY,
        compares="a request body of the contract with code that reads none, where every source was read",
        why="What a client sends is not heard.",
        breaks=Breaks.SENDERS,
        impact="Documented bodies are ignored.",
        example=KindExample(paths=_post(fields(sku=TEXT)), code=_WITHOUT_BODY),
        counter_example=KindExample(paths=paths("post"), code=_WITHOUT_BODY),
    ),
    DiscrepancyKind(
        id="body-required",
        concerns=_REQUEST_BODY,
        compares="whether the code demands a body that the contract leaves optional",
        why="A request that keeps to the contract may lack the body and is then refused.",
        breaks=Breaks.SENDERS,
        impact="Documented requests without a body are refused.",
        example=KindExample(paths=_post(fields(sku=TEXT), required=False), code=_model("sku: str | None = None")),
        counter_example=KindExample(paths=_post(fields(sku=TEXT)), code=_model("sku: str | None = None")),
    ),
    DiscrepancyKind(
        id="body-optional",
        concerns=_REQUEST_BODY,
        compares="whether the code does without a body that the contract demands",
        why="The contract is stricter than what runs.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; requests without a body are answered as well.",
        example=KindExample(
            paths=_post(fields(sku=TEXT)), code=_model("sku: str", argument="order: Order | None = None")
        ),
        counter_example=KindExample(
            paths=_post(fields(sku=TEXT), required=False),
            code=_model("sku: str", argument="order: Order | None = None"),
        ),
    ),
    DiscrepancyKind(
        id="body-media-type-differs",
        concerns=_REQUEST_BODY,
        compares="the media type that the code reads with those of the contract",
        why="Nothing that the contract describes can be sent.",
        breaks=Breaks.SENDERS,
        impact="Documented bodies are refused or misread.",
        example=KindExample(paths=_post(fields(sku=TEXT), "application/xml"), code=_model("sku: str")),
        counter_example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str")),
    ),
    DiscrepancyKind(
        id="body-media-type-unread",
        concerns=_REQUEST_BODY,
        compares="a further media type of the contract with the one that the code reads, where every source was read",
        why="One of the documented ways to send the body does not work.",
        breaks=Breaks.SENDERS,
        impact="Documented bodies of this media type are refused or misread.",
        example=KindExample(
            paths=paths(
                "post",
                requestBody={
                    "required": True,
                    "content": {"application/json": {"schema": fields(sku=TEXT)}, "application/xml": {}},
                },
            ),
            code=_model("sku: str"),
        ),
        counter_example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str")),
    ),
    DiscrepancyKind(
        id="body-field-required",
        concerns=_REQUEST_BODY,
        compares="whether the code demands a field that the contract leaves optional or does not have; a body without "
        "it that the contract admits is the witness",
        why="A body that keeps to the contract is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented bodies without the field are refused.",
        example=KindExample(paths=_post(fields(sku=TEXT)), code=_model("sku: str")),
        counter_example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str")),
    ),
    DiscrepancyKind(
        id="body-field-optional",
        concerns=_REQUEST_BODY,
        compares="whether the code does without a field that the contract demands, where it shows all that it checks",
        why="The contract is stricter than what runs.",
        breaks=Breaks.NOBODY,
        impact="Documented bodies work; bodies without the field are taken as well.",
        example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str = 'none'")),
        counter_example=KindExample(paths=_post(fields(sku=TEXT)), code=_model("sku: str = 'none'")),
    ),
    DiscrepancyKind(
        id="body-field-undocumented",
        concerns=_REQUEST_BODY,
        compares="the fields that the code reads with those that the contract has",
        why="The code offers something that nobody promised.",
        breaks=Breaks.NOBODY,
        impact="Documented bodies work; whoever sends the field relies on something unpublished.",
        expands=True,
        example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str", "gift: bool = False")),
        counter_example=KindExample(
            paths=_post(fields(("sku",), sku=TEXT, gift={"type": "boolean"})),
            code=_model("sku: str", "gift: bool = False"),
        ),
    ),
    DiscrepancyKind(
        id="body-field-unread",
        concerns=_REQUEST_BODY,
        compares="the fields of the contract with those that the code reads, where it shows all that it reads; a "
        "read-only field is none",
        why="What a client sends is not heard.",
        breaks=Breaks.SENDERS,
        impact="The field is ignored, without an error.",
        example=KindExample(paths=_post(fields(("sku",), sku=TEXT, gift=TEXT)), code=_model("sku: str")),
        counter_example=KindExample(
            paths=_post(fields(("sku",), sku=TEXT, gift={"type": "string", "readOnly": True})),
            code=_model("sku: str"),
        ),
    ),
    DiscrepancyKind(
        id="body-narrower",
        concerns=_REQUEST_BODY,
        compares="the values that the contract admits with those that the code admits, field by field: a value that "
        "the code refuses, however it reads it, is the witness",
        why="A client that trusts the documented values is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented values are refused.",
        example=KindExample(
            paths=_post(fields(("sku",), sku={"type": "string", "maxLength": 40})),
            code=_model("sku: str = Field(max_length=20)"),
        ),
        counter_example=KindExample(
            paths=_post(fields(("sku",), sku={"type": "string", "maxLength": 20})),
            code=_model("sku: str = Field(max_length=20)"),
        ),
    ),
    DiscrepancyKind(
        id="body-wider",
        concerns=_REQUEST_BODY,
        compares="the same the other way round, where the code shows everything that it checks",
        why="What the contract calls invalid is taken; what happens then is nowhere stated.",
        breaks=Breaks.NOBODY,
        impact="Documented bodies work; undocumented values are taken as well.",
        example=KindExample(
            paths=_post(fields(("quantity",), quantity={"type": "integer", "minimum": 1})),
            code=_model("quantity: int"),
        ),
        counter_example=KindExample(paths=_post(fields(("quantity",), quantity=NUMBER)), code=_model("quantity: int")),
    ),
    DiscrepancyKind(
        id="body-closed",
        concerns=_REQUEST_BODY,
        compares="a contract that lets further members in with code that refuses every member that it does not name",
        why="JSON Schema admits what it does not name; a client that adds a member keeps to the contract.",
        breaks=Breaks.SENDERS,
        impact="Bodies with a further member are refused.",
        example=KindExample(
            paths=_post(fields(("sku",), sku=TEXT)),
            code=_model("model_config = ConfigDict(extra='forbid')", "sku: str"),
        ),
        counter_example=KindExample(paths=_post(fields(("sku",), sku=TEXT)), code=_model("sku: str")),
    ),
    DiscrepancyKind(
        id="body-field-default-differs",
        concerns=_REQUEST_BODY,
        compares="the default that the contract states for a field with the one that the code takes, where both "
        "state one; null is no default",
        why="A client that leaves the field out gets something other than documented, without an error.",
        breaks=Breaks.SENDERS,
        impact="Requests without the field are taken as another value than documented.",
        example=KindExample(
            paths=_post(fields(fast={"type": "boolean", "default": False})), code=_model("fast: bool = True")
        ),
        counter_example=KindExample(
            paths=_post(fields(fast={"type": "boolean", "default": True})), code=_model("fast: bool = True")
        ),
    ),
)
