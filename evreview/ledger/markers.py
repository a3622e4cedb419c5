"""Names whose parameters, headers and fields mean paging, order, repeat safety or version choice: data, no logic else.

A name is compared in lower case without `-`, `_`, `[`, `]` and blanks. `FIELDS` holds only names that are never
ordinary data: a field `order` or `page` of a response is a thing, a query parameter `order` is a marker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Aspect


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PAGINATION: Final = _words(
    "page limit offset cursor perpage pagesize pagetoken pagenumber pageno next nextpage nextcursor nextpagetoken prev "
    "previouspage previouscursor prevcursor startingafter endingbefore startafter endbefore maxresults top skip "
    "continue continuationtoken marker nextmarker pagelimit pageoffset pagecursor pageafter pagebefore after before "
    "first last"
)
_PAGINATION_FIELDS: Final = _words(
    "nextpage nextcursor nextpagetoken previouspage previouscursor prevcursor prevpage pagesize perpage pagetoken "
    "hasmore totalpages totalcount pagecount nextmarker continuationtoken pageinfo nextlink nextoffset hasnextpage "
    "haspreviouspage endcursor startcursor"
)
_PAGINATION_HEADERS: Final = _words(
    "link xtotalcount xtotalpages xpage xperpage xnextpage xprevpage xnextcursor xpagination contentrange"
)
_ORDERING: Final = _words("sort order orderby sortby sortorder orderdir sortdir direction sortdirection")
_ORDERING_FIELDS: Final = _words("orderby sortby sortorder orderdir sortdir sortdirection")
_IDEMPOTENCY: Final = _words(
    "idempotencykey xidempotencykey requestid xrequestid xrequesttoken clienttoken clientrequestid "
    "clientrequesttoken paypalrequestid"
)
_IDEMPOTENCY_FIELDS: Final = _words("idempotencykey clienttoken clientrequestid clientrequesttoken")
_IDEMPOTENCY_HEADERS: Final = _words("idempotencykey xidempotencykey idempotencyreplayed")
_VERSION: Final = _words(
    "apiversion xapiversion acceptversion xversion version xgithubapiversion stripeversion notionversion "
    "xmsversion odataversion"
)
_VERSION_HEADERS: Final = _words("apiversion xapiversion xgithubapiversion stripeversion xmsversion")

# Where a name stands -> which names mark what. Anything that stands elsewhere has no marker.
PARAMETERS: Final[Mapping[Aspect, frozenset[str]]] = {
    Aspect.PAGINATION: _PAGINATION | _PAGINATION_FIELDS,
    Aspect.ORDERING: _ORDERING,
    Aspect.IDEMPOTENCY: _IDEMPOTENCY,
    Aspect.VERSION_SELECTORS: _VERSION,
}
HEADERS: Final[Mapping[Aspect, frozenset[str]]] = {
    Aspect.PAGINATION: _PAGINATION_HEADERS,
    Aspect.IDEMPOTENCY: _IDEMPOTENCY_HEADERS,
    Aspect.VERSION_SELECTORS: _VERSION_HEADERS,
}
FIELDS: Final[Mapping[Aspect, frozenset[str]]] = {
    Aspect.PAGINATION: _PAGINATION_FIELDS,
    Aspect.ORDERING: _ORDERING_FIELDS,
    Aspect.IDEMPOTENCY: _IDEMPOTENCY_FIELDS,
}

_PUNCTUATION: Final = re.compile(r"[-_\[\]\s.]")
_VERSION_SEGMENT: Final = re.compile(r"/v\d+(?:[._-]?(?:alpha|beta|rc|preview)?\d*)*(?=/|$)", re.IGNORECASE)


def plain(name: str) -> str:
    """The form in which marker names are compared."""
    return _PUNCTUATION.sub("", name).lower()


def marker(name: str, names: Mapping[Aspect, frozenset[str]]) -> Aspect | None:
    """The aspect that `name` marks in one of the three tables above, None for an ordinary name."""
    wanted = plain(name)
    return next((aspect for aspect, marked in names.items() if wanted in marked), None)


def without_version(key: str) -> tuple[str, str]:
    """An operation key without its first version segment, and that segment ("" when it has none)."""
    found = _VERSION_SEGMENT.search(key)
    if found is None:
        return key, ""
    return key[: found.start()] + key[found.end() :], found.group()
