# ruff: noqa: E501  (a row is one source on one line)
"""Objects whose id is called something else, and checks of their owner on which nothing hangs."""

from __future__ import annotations

from tests.security.leads.heads import FASTAPI

_NOTES = (
    FASTAPI
    + """
from auth import current_user
from sqlalchemy import Column, ForeignKey, Integer, String, select
from sqlalchemy.orm import declarative_base
Base = declarative_base()
class Note(Base):
    __tablename__ = "notes"
    id = Column(Integer, primary_key=True)
    owner_id = Column(String, ForeignKey("users.id"))
"""
)


def notes(body: str, path: str = "/notes/{n}", given: str = "n: int") -> str:
    """A handler over notes, whose id is called `n`."""
    return f'{_NOTES}\n@app.get("{path}")\ndef note({given}, me=Depends(current_user), s=Depends(session)):\n{body}'


POSITIVE = {
    "key-by-another-name": notes("    return s.get(Note, n)\n"),
    "key-in-a-filter": notes("    return s.query(Note).filter(Note.id == n).first()\n"),
    "key-in-a-select": notes("    return s.scalar(select(Note).where(Note.id == n))\n"),
    "key-in-the-query": notes("    return s.get(Note, note)\n", "/note", "note: int"),
    "owner-only-printed": notes(
        "    x = s.get(Note, n)\n    if x.owner_id != me.id:\n        print('odd')\n    return x\n"
    ),
    "owner-of-the-query-compared": notes(
        "    return s.query(Note).filter(Note.owner_id == owner).all()\n", "/notes", "owner: str"
    ),
}
NEGATIVE = {
    "key-by-another-name": notes("    x = s.get(Note, n)\n    if x.owner_id != me.id:\n        raise HTTPException(404)\n    return x\n"),
    "key-in-a-filter": notes("    return s.query(Note).filter(Note.id == n, Note.owner_id == me.id).first()\n"),
    "key-in-a-select": notes("    return s.scalar(select(Note).where(Note.id == n).where(Note.owner_id == me.id))\n"),
    "page-of-the-query": notes("    return s.page(Product, page)\n", "/products", "page: int"),
    "own-ones": notes("    return s.query(Note).filter(Note.owner_id == me.id).all()\n", "/notes", "page: int = 1"),
}  # fmt: skip
