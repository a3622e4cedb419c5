"""How far a bundle may be read: a security review no further than its request and authorization, until that passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.errors import Problem
from evreview.core.quoted_text import plain
from evreview.evidence.bundle_folder import REVIEW
from evreview.evidence.item import Bundle, Citation
from evreview.security.authorization import authorization_of, authorize
from evreview.security.authorizing.fields import ISOLATED, NEEDED, WRITTEN

MISSING: Final = "authorization-missing"
REFUSED: Final = "not-authorized"


def as_authorized(bundle: Bundle) -> Bundle:
    """The bundle, read whole when it was sealed and its authorization passes.

    Raises:
        BadInput: with every problem of what had not been read before.
    """
    if bundle.sealed and authorize(bundle.request, authorization_of(bundle), bundle).passed:
        return bundle.unsealed()
    return bundle


def authorization_problems(bundle: Bundle, as_of: str = "") -> Iterator[Problem]:
    """Why a security review is not authorized, as problems of the authorization; none when it is.

    Args:
        bundle: sealed or not.
        as_of: the day for which it is asked, ISO; "" is the review's date.
    """
    request = bundle.request.model_copy(update={"as_of": as_of}) if as_of else bundle.request
    known = authorization_of(bundle)
    answer = authorize(request, known, bundle)
    fields = {needed.words: f"#/{needed.field}" for needed in NEEDED}
    fields |= {ISOLATED: "#/active_testing/environment", WRITTEN: "#/form"}
    file = _file(bundle, known.citation) if known else REVIEW
    for words in answer.missing:
        where = fields[words] if known else "#/evidence"
        yield Problem(code=MISSING, found=f"the authorization does not state: {words}", file=file, place=where)
    for refusal in answer.refusals:
        cited = refusal.citations[0]
        found = f"{refusal.about}: {plain(refusal.why)}"
        yield Problem(code=REFUSED, found=found, file=_file(bundle, cited), place=cited.locator)


def _file(bundle: Bundle, cited: Citation) -> str:
    return bundle.items[cited.id].file or f"{REVIEW} ({cited.id})"
