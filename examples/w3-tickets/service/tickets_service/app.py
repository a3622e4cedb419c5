"""The application: its middleware, its routers, and what it says when something fails."""

import logging
from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from tickets_service import ops, tickets

app = FastAPI(title="Tickets", version="2.3.0")
log = logging.getLogger("access")


@app.middleware("http")
async def access_log(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await call_next(request)
    log.info("%s %s %s", request.method, request.url.path, response.status_code)
    return response


@app.exception_handler(Exception)
async def failed(request: Request, error: Exception) -> JSONResponse:
    log.error("unhandled %s", type(error).__name__)
    return JSONResponse({"detail": "Something went wrong"}, status_code=500)


app.include_router(tickets.router)
app.include_router(ops.router)
