"""`docs/authorization.md`: what an authorization must say, what it is compared with, and what it can't allow."""

from __future__ import annotations

from typing import Final

from evreview.evidence.records.security import Authorization
from evreview.workflows.w3.authorization import NEEDED
from evreview.workflows.w3.planned_actions import PURPOSE_RULES

COMPARED: Final = (
    ("the answer", "approved on or before `as_of`, by the role that `review.yaml` names as security owner, if any"),
    ("the date", "`as_of` lies in the period, both days included; `evreview execute` asks for the day of the run"),
    (
        "the revision",
        "a full commit or a digest, the same as `implementation_revision` and as every commit that the `integrity` of "
        "an item names",
    ),
    (
        "each item",
        "its bytes are those that its `integrity` names, and a planned action covers it. Authorizations and policies "
        "need none, nor do test records below `runs/`, where `evreview execute` keeps what a planned run left, and "
        "below `leads/`, where `evreview leads` keeps what a scanner said, if the techniques allow the intake of leads",
    ),
    ("each planned action", "its technique is allowed; active validation is permitted and has a purpose"),
    ("its paths", "inside `paths`, and outside every path that `exclusions` or `prohibited_targets` name"),
    ("its targets", "none for an inspection, `loopback` for active validation"),
    ("what it uses", "nothing: production credentials, production data and network traffic are each refused"),
    ("its purpose", "none of `prohibited_actions`, and none of the purposes below"),
    (
        "each excerpt",
        "its own file is not left out, an action on it names a path, and, once the rest may be read, the source map or "
        "its file says which planned path it is",
    ),
    ("the source map", "once the rest may be read: each path is allowed, and an action on its item names it"),
)
"""What is compared, and when it is covered."""
_AUTHORIZATION_HEAD: Final = """# Authorization of a security review

A security review (W3) reads nothing but `review.yaml` and the authorization record until that record covers it. This
page is made from `evreview/workflows/w3/authorization.py`.

Until then the other items are sealed: the bytes of each are hashed and compared with its `integrity`, and nothing more.
They are not decoded, parsed, printed or counted, and `decisions.yaml` is not opened. What is in them can't change the
outcome. `evreview check` names everything that is missing and says that the rest was not read; `evreview run` writes an
artifact that stops at step 1 with `W3-F1`.

## What must be written

An item of the type authorization record with `kind: authorization` (fields: [bundle-format.md](bundle-format.md)). Each
of these that is missing is named; an empty list does not count, except where it is an answer of its own. When active
testing is permitted, its isolated environment must be written too, and `form: written`. A record without `form` says
"not shown" there; one that was spoken or implied authorizes nothing.
"""
_PATHS: Final = """
`src/app.py` is that file, `src/*.py` files of that folder, `src/**` everything below it; an exclusion `src/vendor`
leaves out what is below it too. In a sentence, words with a slash or a star are taken as paths. Each refusal cites its
place in the authorization.

## Purposes that are refused

No authorization makes these acceptable. A phrase counts in an action's id or purpose, and in the descriptions of an
execution plan. After a word such as `without`, `whether`, `against`, `prevent` or `check for` in the same clause it
asks for the opposite and is let through. The table is closed: it refuses what is written plainly, and does not replace
a reader.
"""


def authorization_page() -> str:
    """The whole page."""
    return (
        f"{_AUTHORIZATION_HEAD}\n{_fields()}\n\n## What it is compared with\n\n{_compared()}\n{_PATHS}\n{_purposes()}\n"
    )


def _compared() -> str:
    return "\n".join(["| What | Covered when |", "| --- | --- |", *(f"| {what} | {when} |" for what, when in COMPARED)])


def _fields() -> str:
    told = {name: field.description or "" for name, field in Authorization.model_fields.items()}
    rows = [f"| `{needed.field}` | {needed.words} | {' '.join(told[needed.field].split())} |" for needed in NEEDED]
    return "\n".join(["| Field | Named as | What it says |", "| --- | --- | --- |", *rows])


def _purposes() -> str:
    rows = [
        f"| `{rule.id}` | {rule.asks_for} | {rule.why} | {rule.example} | {rule.counter_example} |"
        for rule in PURPOSE_RULES
    ]
    return "\n".join(["| Rule | Asks for | Why it is refused | Refused | Not refused |", "| --- " * 5 + "|", *rows])
