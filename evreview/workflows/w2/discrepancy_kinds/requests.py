"""Kinds of discrepancy about requests: bodies, who may call, parameters."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.workflows.w2.discrepancy_kinds.kind import (
    NUMBER,
    PLAIN,
    TEXT,
    Breaks,
    DiscrepancyKind,
    KindExample,
    body,
    fields,
    parameter,
    paths,
)

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


# Who may call.


_AUTHENTICATION = (Concern.AUTHENTICATION,)
_SCHEMES: Final[Json] = {
    "token": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "login": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://id.example.com/t", "scopes": {"read": "", "write": ""}}},
    },
}
_BEARER: Final = "bearer = HTTPBearer()\n\n\n@app.get('/orders')\ndef orders(token=Depends(bearer)):\n    return []\n"


def _scoped(*scopes: str) -> str:
    return (
        "oauth2 = OAuth2PasswordBearer(tokenUrl='token')\n\n\n"
        "def caller(security_scopes: SecurityScopes, token: str = Depends(oauth2)):\n    return token\n\n\n"
        f"@app.get('/orders')\ndef orders(user=Security(caller, scopes={list(scopes)!r})):\n    return []\n"
    )


def _case(security: Json, code: str) -> KindExample:
    return KindExample(paths=paths(security=security), code=code, schemes=_SCHEMES)


AUTHENTICATION_KINDS: Final = (
    DiscrepancyKind(
        id="unguarded",
        concerns=_AUTHENTICATION,
        compares="the security that the contract demands with code in which nothing checks the caller, where every "
        "source was read",
        why="Whoever relies on the contract takes data for protected that anybody can reach.",
        breaks=Breaks.CALLERS,
        impact="Documented callers are served; so is everybody else.",
        example=_case([{"token": []}], PLAIN),
        counter_example=_case([{"token": []}], _BEARER),
    ),
    DiscrepancyKind(
        id="guard-undocumented",
        concerns=_AUTHENTICATION,
        compares="a guard in the code with a contract that demands nothing of callers",
        why="A client that keeps to the contract sends no credentials and is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented calls, without credentials, are refused.",
        example=_case([], _BEARER),
        counter_example=_case([], PLAIN),
    ),
    DiscrepancyKind(
        id="scheme-differs",
        concerns=_AUTHENTICATION,
        compares="the scheme that a guard asks for with those of every alternative of the contract; a bearer token is "
        "one scheme on the wire, whether OAuth 2.0, OpenID Connect or plain HTTP names it",
        why="The documented credentials are not looked for.",
        breaks=Breaks.SENDERS,
        impact="Calls with the documented credentials are refused.",
        example=_case([{"key": []}], _BEARER),
        counter_example=_case([{"login": []}], _BEARER),
    ),
    DiscrepancyKind(
        id="scheme-unchecked",
        concerns=_AUTHENTICATION,
        compares="the schemes that an alternative of the contract demands together with those that the guards look "
        "for, where they look for some of them and every source was read",
        why="Whoever brings only a part of the documented credentials is let in.",
        breaks=Breaks.CALLERS,
        impact="Documented callers are served; so are callers with only a part of the credentials.",
        example=_case([{"token": [], "key": []}], _BEARER),
        counter_example=_case([{"token": []}, {"token": [], "key": []}], _BEARER),
    ),
    DiscrepancyKind(
        id="scope-undocumented",
        concerns=_AUTHENTICATION,
        compares="the constant scopes that the code demands with those of every alternative of the contract",
        why="A token with the documented scopes is refused.",
        breaks=Breaks.SENDERS,
        impact="Calls with the documented scopes are refused.",
        example=_case([{"login": ["read"]}], _scoped("read", "write")),
        counter_example=_case([{"login": ["read", "write"]}], _scoped("read", "write")),
    ),
    DiscrepancyKind(
        id="scope-unchecked",
        concerns=_AUTHENTICATION,
        compares="the scopes that the contract demands with the constant scopes that the code demands, where it "
        "demands any",
        why="A token that the contract calls too weak is taken.",
        breaks=Breaks.CALLERS,
        impact="Documented callers are served; so are callers with fewer scopes.",
        example=_case([{"login": ["read", "write"]}], _scoped("read")),
        counter_example=_case([{"login": ["read"]}], _scoped("read")),
    ),
)


# Parameters.


_PARAMETERS = (Concern.PARAMETERS,)


def _limit(schema: Json, *, required: bool = False) -> Json:
    return paths(parameters=[parameter("limit", schema, required=required)])


def _code(arguments: str) -> str:
    return f"@app.get('/orders')\ndef orders({arguments}):\n    return []\n"


PARAMETER_KINDS: Final = (
    DiscrepancyKind(
        id="parameter-undocumented",
        concerns=_PARAMETERS,
        compares="the parameters that the code reads with those that the contract has; credentials of a declared "
        "security scheme are none",
        why="The code offers something that nobody promised, and that may leave without notice.",
        breaks=Breaks.NOBODY,
        impact="No documented request changes its meaning; whoever uses the parameter relies on something unpublished.",
        expands=True,
        example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None, colour: str | None = None")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
    DiscrepancyKind(
        id="parameter-required-undocumented",
        concerns=_PARAMETERS,
        compares="the parameters that the code demands with those that the contract has",
        why="A request that keeps to the contract lacks the parameter and is refused.",
        breaks=Breaks.SENDERS,
        impact="Every documented request is refused.",
        expands=True,
        example=KindExample(paths=_limit(NUMBER), code=_code("colour: str, limit: int | None = None")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None, colour: str = 'red'")),
    ),
    DiscrepancyKind(
        id="parameter-unread",
        concerns=_PARAMETERS,
        compares="the parameters of the contract with those that the code reads, where every source was read",
        why="A client that sends the parameter is not heard.",
        breaks=Breaks.SENDERS,
        impact="Requests with the parameter are answered as if it were absent, without an error.",
        example=KindExample(paths=_limit(NUMBER), code=_code("")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
    DiscrepancyKind(
        id="parameter-elsewhere",
        concerns=_PARAMETERS,
        compares="where the contract and the code expect a parameter of one name",
        why="A value that is sent where the contract says is not found.",
        breaks=Breaks.SENDERS,
        impact="Requests carry the parameter where the code does not look.",
        example=KindExample(
            paths=paths(parameters=[parameter("colour", TEXT, "header")]), code=_code("colour: str | None = None")
        ),
        counter_example=KindExample(
            paths=paths(parameters=[parameter("colour", TEXT, "header")]),
            code=_code("colour: str | None = Header(None)"),
        ),
    ),
    DiscrepancyKind(
        id="parameter-required",
        concerns=_PARAMETERS,
        compares="whether the code demands a parameter that the contract leaves optional",
        why="A request that keeps to the contract may lack the parameter and is then refused.",
        breaks=Breaks.SENDERS,
        impact="Documented requests without the parameter are refused.",
        example=KindExample(paths=_limit(NUMBER), code=_code("limit: int")),
        counter_example=KindExample(paths=_limit(NUMBER, required=True), code=_code("limit: int")),
    ),
    DiscrepancyKind(
        id="parameter-optional",
        concerns=_PARAMETERS,
        compares="whether the code does without a parameter that the contract demands",
        why="The contract is stricter than what runs; the error that it implies never comes.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; requests without the parameter are answered instead of refused.",
        example=KindExample(paths=_limit(NUMBER, required=True), code=_code("limit: int | None = None")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
    DiscrepancyKind(
        id="parameter-narrower",
        concerns=(Concern.VALIDATION,),
        compares="the values of a parameter that the contract admits with those that the code admits, as texts on the "
        "wire: a value that every reading of the code refuses is the witness",
        why="A client that trusts the documented range is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented values are refused.",
        example=KindExample(
            paths=_limit({"type": "integer", "maximum": 500}), code=_code("limit: int = Query(20, le=100)")
        ),
        counter_example=KindExample(
            paths=_limit({"type": "integer", "maximum": 100}), code=_code("limit: int = Query(20, le=100)")
        ),
    ),
    DiscrepancyKind(
        id="parameter-wider",
        concerns=(Concern.VALIDATION,),
        compares="the same the other way round, where the code shows everything that it checks: a value that the "
        "contract refuses and the code takes is the witness",
        why="What the contract calls invalid is answered; what happens then is nowhere stated.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; undocumented values are taken as well.",
        example=KindExample(
            paths=_limit({"type": "integer", "maximum": 100}), code=_code("limit: int = Query(20, le=500)")
        ),
        counter_example=KindExample(
            paths=_limit({"type": "integer", "maximum": 500}), code=_code("limit: int = Query(20, le=500)")
        ),
    ),
    DiscrepancyKind(
        id="parameter-default-differs",
        concerns=_PARAMETERS,
        compares="the default that the contract states with the one that the code takes",
        why="A client that leaves the parameter out gets something other than documented, without an error.",
        breaks=Breaks.SENDERS,
        impact="Requests without the parameter are answered by another value than documented.",
        example=KindExample(paths=_limit({"type": "integer", "default": 10}), code=_code("limit: int = 20")),
        counter_example=KindExample(paths=_limit({"type": "integer", "default": 20}), code=_code("limit: int = 20")),
    ),
    DiscrepancyKind(
        id="parameter-default-undocumented",
        concerns=_PARAMETERS,
        compares="a default that the code takes where the contract states none; null is no default",
        why="What an absent parameter means is decided, and nobody promised it.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; the meaning of an absent parameter may change without notice.",
        expands=True,
        example=KindExample(paths=_limit(NUMBER), code=_code("limit: int = 20")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
)
