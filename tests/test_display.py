"""What a notebook shows of the objects of `import evreview as ev` by merely naming them: nothing that has to go."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pytest

import evreview as ev
from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.bundle_folder import append_decision
from evreview.redaction import sinks
from tests.golden.editing import Append, Delete, Edit, Set, Variant, build
from tests.golden.w3_variants import INVENTORY, MODEL, OWNER

EXAMPLES: Final = Path(__file__).resolve().parents[1] / "examples"
TOKEN: Final = "ghp_" + "Zk3vR8tYq2LmN7wX" + "c5Bh9JdF4sPa6GuE1oKi"
LEARNT: Final = "q7Rx2" + "Lv9tB"
"""Nothing by itself: only the item that names it a password tells."""
SAYS: Final = f"{TOKEN} and {LEARNT}"
INNER: Final = "evreview.schema"
"""Schemas; their representations tell them apart."""
DEPTH: Final = 25
EDITS: Final[dict[str, tuple[Edit, ...]]] = {
    "w1-orders": (
        Append("review.yaml", "/assumptions", SAYS),
        Set("contracts/orders-1.5.yaml", "/components/schemas/Order/description", f"password: {SAYS}"),
        Set("contracts/orders-1.5.yaml", "/info/description", f"The password: {LEARNT}"),
    ),
    "w3-tickets": (
        Append("review.yaml", "/assumptions", SAYS),
        Append("review.yaml", "/exclusions", SAYS),
        Set(MODEL, "/assets/tickets/name", SAYS),
        Set(INVENTORY, "/controls/0/name", f"{SAYS}, password: {LEARNT}"),
    ),
}

PATTERN: Final = Set("contracts/orders-1.5.yaml", "/components/schemas/Order/properties/note/pattern", f"^{SAYS}$")


def members(value: Any) -> Iterator[tuple[str, Any]]:
    """The public attributes of an object of evreview, computed ones too."""
    kind = type(value)
    names = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    names += [*getattr(kind, "model_fields", ()), *vars(value)] if hasattr(value, "__dict__") else []
    names += [name for name in dir(kind) if isinstance(getattr(kind, name, None), property | cached_property)]
    for name in dict.fromkeys(names):
        if not name.startswith(("_", "raw_", "model_")):
            yield f".{name}", getattr(value, name)


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    """What a value holds, with how it is reached."""
    if type(value).__module__.startswith("evreview"):
        yield from members(value)
    if isinstance(value, Mapping):
        yield from ((f"[{key!s:.20}]", part) for key, part in value.items())
    elif isinstance(value, tuple | list | set | frozenset):
        yield from ((f"[{at}]", part) for at, part in enumerate(value))


def telling(value: Any, path: str, seen: dict[int, Any], depth: int = 0) -> Iterator[str]:
    """Where an object of evreview, or a frame, below a value shows what was planted."""
    if id(value) in seen or depth > DEPTH or isinstance(value, str | bytes | int | float | None):
        return
    seen[id(value)] = value
    ours = type(value).__module__.startswith("evreview") and not type(value).__module__.startswith(INNER)
    if ours or isinstance(value, pd.DataFrame):
        with pd.option_context("display.max_colwidth", None, "display.max_rows", None, "display.max_columns", None):
            faces = [repr(value), str(value) if isinstance(value, pd.DataFrame) else ""]
            faces.append(value.to_html() if isinstance(value, pd.DataFrame) else "")
        yield from (f"{path}: {type(value).__name__}" for face in faces if TOKEN in face or LEARNT in face)
    for name, part in parts(value):
        yield from telling(part, path + name, seen, depth + 1)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """What another test opened must not clean what this one shows."""
    sinks._KNOWN.clear()


@pytest.fixture(params=EDITS)
def planted(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    name = str(request.param)
    variant = Variant(name=name, edits=EDITS[name], step=0, state="", exit_status=0)
    folder = build(variant, EXAMPLES / name, tmp_path / name)
    for item in ("E2", "E11") if name == "w3-tickets" else ():
        of = f"sha256:{ev.open_bundle(folder).items[EvidenceId(item)].sha256}"
        told = {"kind": "handling", "subject": item, "of": of, "role": OWNER, "instructions": SAYS}
        append_decision(folder, told | {"at": "2026-11-21T10:00:00+00:00"})
    return folder


@pytest.mark.req("C-027", "C-029")
def test_nothing_that_is_named_shows_what_has_to_go(planted: Path) -> None:
    bundle = ev.open_bundle(planted)
    assert list(telling(bundle, "bundle", {})) == []
    done = ev.review(bundle)
    assert len(done.steps) == 9
    assert list(telling(done, "review", {})) == []
    run = ev.begin(planted)
    run.advance()
    assert list(telling(run.steps, "steps", {})) == []


@pytest.mark.req("C-027")
def test_raw_words_stay_under_their_own_names(planted: Path) -> None:
    done = ev.review(planted)
    assert any(SAYS in text for text in done.bundle.request.assumptions)
    assert any(LEARNT in item.content for item in done.bundle.items.values())


@pytest.mark.req("C-027", "C-029")
def test_a_ledger_is_shown_redacted_by_what_both_files_tell(tmp_path: Path) -> None:
    released = EXAMPLES / "w1-orders" / "contracts" / "orders-1.4.yaml"
    bundle = build(
        Variant(name="one", edits=(*EDITS["w1-orders"], PATTERN), step=0, state="", exit_status=0),
        EXAMPLES / "w1-orders",
        tmp_path / "bundle",
    )
    found = ev.diff(released, bundle / "contracts" / "orders-1.5.yaml")
    raw, shown = found.raw_frame.to_csv(), found.frame.to_csv()
    assert LEARNT in raw and TOKEN in raw
    assert LEARNT not in shown and TOKEN not in shown
    assert list(found.frame.columns) == list(found.raw_frame.columns) and len(found.frame) == len(found.raw_frame)
    assert list(telling(found, "diff", {})) == []
    assert any(LEARNT in str(row.delta.candidate) and LEARNT not in repr(row) for row in found.rows)


@pytest.mark.req("C-029")
def test_the_message_of_a_refused_bundle_is_redacted(tmp_path: Path) -> None:
    edits = (Delete("review.yaml", "/as_of"), Set("review.yaml", f"/{TOKEN}", 1))
    bundle = build(
        Variant(name="one", edits=edits, step=0, state="", exit_status=0), EXAMPLES / "w1-orders", tmp_path / "bundle"
    )
    with pytest.raises(BadInput) as caught:
        ev.open_bundle(bundle)
    assert TOKEN not in str(caught.value) and len(caught.value.problems) > 1
