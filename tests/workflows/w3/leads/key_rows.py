# ruff: noqa: E501  (a row is one source on one line)
"""Objects whose id is called something else, and checks of their owner on which nothing hangs."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI

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


FOUND = "    x = s.get(Note, n)\n"
ASKED = "    if x.owner_id != me.id{more}:\n        raise HTTPException(404)\n"
PLAIN = ASKED.format(more="")
CHANGED = "    x.text = 'a'\n    s.commit()\n"

POSITIVE = {
    "asked-after-the-commit": notes(FOUND + CHANGED + PLAIN + "    return x\n"),
    "asked-after-the-deletion": notes(FOUND + "    s.delete(x)\n" + PLAIN),
    "asked-for-some-ids": notes(FOUND + ASKED.format(more=" and n > 1000") + "    return x\n"),
    "asked-unless-forced": notes(
        FOUND + ASKED.format(more=" and not force") + "    return x\n", given="n: int, force: bool = False"
    ),
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
    "asked-before-the-commit": notes(FOUND + PLAIN + CHANGED + "    return x\n"),
    "asked-before-the-deletion": notes(FOUND + PLAIN + "    s.delete(x)\n"),
    "asked-after-another-commit": notes("    seen = s.get(Seen, me.id)\n    seen.at = 1\n    s.commit()\n" + FOUND + PLAIN + "    return x\n"),
    "asked-unless-it-is-public": notes(FOUND + ASKED.format(more=" and not x.public") + "    return x\n"),
    "asked-unless-by-a-right": notes(FOUND + ASKED.format(more=" and not me.is_admin") + "    return x\n"),
    "owner-compared-where-sent": notes("    if owner and owner != me.id:\n        raise HTTPException(403)\n    return s.query(Note).filter(Note.owner_id == owner).all()\n", "/notes", "owner: str = ''"),
    "key-by-another-name": notes("    x = s.get(Note, n)\n    if x.owner_id != me.id:\n        raise HTTPException(404)\n    return x\n"),
    "key-in-a-filter": notes("    return s.query(Note).filter(Note.id == n, Note.owner_id == me.id).first()\n"),
    "key-in-a-select": notes("    return s.scalar(select(Note).where(Note.id == n).where(Note.owner_id == me.id))\n"),
    "page-of-the-query": notes("    return s.page(Product, page)\n", "/products", "page: int"),
    "own-ones": notes("    return s.query(Note).filter(Note.owner_id == me.id).all()\n", "/notes", "page: int = 1"),
}  # fmt: skip
