"""Figures for the operators."""

from fastapi import APIRouter
from tickets_service.tickets import TICKETS

router = APIRouter(prefix="/internal")


@router.get("/figures")
def figures() -> dict[str, int]:
    return {"tickets": len(TICKETS)}
