"""The routes of the Orders API."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from orders_service.guards import Unauthorized, caller, rate_limit
from orders_service.validators import Error, NewOrder, Order, OrderPage, Status

app = FastAPI(title="Orders API", version="1.4.0")
router = APIRouter(prefix="/v1", dependencies=[Depends(caller), Depends(rate_limit)])
ORDERS: dict[str, Order] = {}
KEYS: dict[UUID, tuple[NewOrder, str]] = {}


@app.exception_handler(Unauthorized)
def unauthorized(request: Request, error: Unauthorized) -> JSONResponse:
    return JSONResponse({"code": "unauthorized", "message": "A bearer token is needed."}, status_code=401)


@router.get("/orders", response_model=OrderPage, responses={401: {"model": Error}})
def list_orders(
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Annotated[str | None, Query(pattern="^[A-Za-z0-9_-]{8,64}$")] = None,
) -> OrderPage:
    names = sorted(ORDERS, reverse=True)
    start = names.index(cursor) + 1 if cursor in names else 0
    page = names[start : start + limit]
    more = start + limit < len(names)
    return OrderPage(items=[ORDERS[name] for name in page], nextCursor=page[-1] if more else None)


@router.post("/orders", status_code=201, response_model=Order, responses={401: {"model": Error}, 409: {"model": Error}})
def create_order(
    body: NewOrder, response: Response, idempotency_key: Annotated[UUID, Header()]
) -> Order | JSONResponse:
    if idempotency_key in KEYS:
        known, name = KEYS[idempotency_key]
        if known != body:
            return JSONResponse(
                {"code": "idempotency_key_reused", "message": "The key belongs to another order."}, status_code=409
            )
        response.headers["Location"] = f"/v1/orders/{name}"
        return ORDERS[name]
    name = f"ord_{len(ORDERS):08d}"
    order = Order(
        id=name,
        sku=body.sku,
        quantity=body.quantity,
        status=Status.PLACED,
        note=body.note,
        createdAt=datetime.now(UTC),
    )
    ORDERS[name] = order
    KEYS[idempotency_key] = (body, name)
    response.headers["Location"] = f"/v1/orders/{name}"
    return order


@router.get("/orders/{orderId}", response_model=Order, responses={401: {"model": Error}})
def get_order(order_id: Annotated[str, Path(alias="orderId", pattern="^ord_[0-9a-z]{8}$")]) -> Order:
    if order_id not in ORDERS:
        raise HTTPException(status_code=404, detail="Order not found")
    return ORDERS[order_id]


app.include_router(router)
