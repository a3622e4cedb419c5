"""Error codes: constants that the code writes, against the codes that the contract lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.model import CodeResponse
from evreview.contract.model import Element
from evreview.core.vocabulary import Form, Json, Polarity
from evreview.reference.reconciling.difference import Difference
from evreview.schema.view import Sub
from evreview.workflows.w2.step3_reconcile.deviation import At, Deviation
from evreview.workflows.w2.step3_reconcile.value_sets import Position

_CODE: Final = re.compile(r"[A-Za-z0-9_.:\-]{1,80}")
_MOST: Final = 200


def lists_codes(found: Difference) -> bool:
    """True when the contract lists texts where the code writes other constant texts."""
    return bool(_texts(found.contract)) and bool(_texts(found.implementation))


def error_codes(at: At, media: Element, code: CodeResponse) -> Iterator[Deviation]:
    """A deviation when the contract lists the codes of one field and the code writes only others.

    Used where nothing else is known of the body: constants with blanks are taken for messages.
    """
    if media.value is None:
        return
    listed = list(_listed(at.matched.values.of_contract(media.value, Polarity.WRITTEN), "", set()))
    written = [constant for constant in code.codes if _CODE.fullmatch(constant)]
    if len(listed) != 1 or not written:
        return
    path, position, values = listed[0]
    below = at.below(path) if path else at
    if not set(written) & set(values):
        yield Deviation(
            kind="error-code-undocumented",
            operation=at.matched.operation.id,
            concern=at.concern,
            place=below.place,
            contract=position.form,
            implementation=list[Json](written),
            witness=written[0],
            citations=at.matched.cited(position.place, code.spot),
            withholds=below.withholds,
        )


def _listed(position: Position, path: str, seen: set[tuple[int, ...]]) -> Iterator[tuple[str, Position, list[str]]]:
    """The fields whose texts the contract lists; a shared schema is looked at once."""
    if position.key in seen or len(seen) > _MOST:
        return
    seen.add(position.key)
    view = position.view
    values = [value for value in view.enum or () if isinstance(value, str)]
    if values:
        yield path, position, values
    for name, sub in view.properties.items():
        yield from _listed(position.at(sub), f"{path}.{name}" if path else name, seen)
    if isinstance(view.items, Sub):
        yield from _listed(position.at(view.items), f"{path}[]", seen)


def _texts(form: Form) -> list[str]:
    if not isinstance(form, dict):
        return []
    listed = form.get("enum")
    values = listed if isinstance(listed, list) else [form["const"]] if "const" in form else []
    return [value for value in values if isinstance(value, str)]
