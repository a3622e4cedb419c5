"""The day on which answers are dated: today; for the bundled example, which is invented, the day that it plays on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from evreview.core.assets import demo_bundle

if TYPE_CHECKING:
    from evreview.evidence.item import Bundle

EXAMPLE_DAY: Final = (
    "This is the bundled example, an invented review: it plays on its own day, and answers are dated so."
)


def is_example(bundle: Bundle) -> bool:
    """True for the bundled example or a copy of it, whatever was answered since: an invented review."""
    from evreview.app.api import open_bundle

    known = open_bundle(demo_bundle(bundle.workflow.lower()))
    digests = [{name: item.sha256 for name, item in each.items.items()} for each in (bundle, known)]
    return digests[0] == digests[1] and bundle.request == known.request


def example_time(bundle: Bundle) -> datetime:
    """The day of the example, after everything that was answered in it."""
    day = datetime.fromisoformat(f"{bundle.request.as_of}T12:00:00+00:00")
    return max([day, *(answer.at + timedelta(minutes=1) for answer in bundle.answers)])
