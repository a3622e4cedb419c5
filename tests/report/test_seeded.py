"""Seeded values of every kind through every sink of this package: none holds them, in no encoding."""

from __future__ import annotations

import base64
import io
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import pytest

from evreview.core.errors import BadInput, Problem
from evreview.core.quoted_text import UserText
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.redaction.sinks import redact_logs
from evreview.report import escape
from evreview.report.ledger_formats import render
from evreview.report.statement import observed
from evreview.report.template_environment import environment
from evreview.report.writer import write_outputs
from tests.report.fake_comparison import NoLedger

SEEDS = {
    "C-027": ("k8_signing_secret = ", "v3Lq9ZpT7wRb5YxK", ""),
    "C-028": ("postgres://orders:", "q7Rx2Lv9tB", "@db.example.com/orders"),
    "C-029": ("token is ", "gh" + "p_Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1Ki", ""),
    "C-030": ("reported by ", "ines.moreau" + "@harbourline.fr", ""),
    "C-031": ("customer_id=", "C-48213977", ""),
    "C-032": ("raised ", "org.harbour.orders.StoreException: row 17 is locked", ""),
    "C-033": ("calls https://", "ledger-7.pay.internal", "/v1"),
    "C-034": ("payload ", "${jn" + "di:ldap://attack.invalid/a}", ""),
}
FORMS: tuple[Callable[[str], str], ...] = (
    str,
    lambda v: base64.b64encode(v.encode()).decode(),
    lambda v: base64.b64encode(f"id:{v}".encode()).decode(),
    lambda v: quote(v, safe=""),
    lambda v: v.encode().hex(),
    lambda v: f"{v[: len(v) // 2]}\n  {v[len(v) // 2 :]}",
)


class Seeded:
    """A comparison that holds the value in every field that can hold evidence, in every form."""

    ledger = NoLedger()
    rows = noise = ()

    def __init__(self, value: str) -> None:
        text = " and ".join(form(value) for form in FORMS)
        self.row: dict[str, Any] = {
            "id": "D-0123456789ab", "kind": "openapi", "operation": text, "operations": [text], "address": text,
            "aspect": "defaults", "change": "changed", "element": "property", "facet": "default", "facts": {"a": text},
            "role": "response", "released": {text: [text]}, "candidate": text, "rule": "x", "verdict": "breaking",
            "why": text,
            "accepts_old_requests": "no", "emits_old_compatible": "no",
            "proof": {"status": "proved", "method": "rule", "witness": {"a": text}, "command": text, "reason": text},
            "locations": {"released": "a.yaml#/x", "candidate": f"b.yaml#/{value}"},
        }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        side = {"path": "a.yaml", "version": self.row["candidate"], "sha256": ""}
        noise = {**self.row, "reason": self.row["candidate"]}
        unread = {"place": f"a.yaml#/{self.row['candidate']}", "found": self.row["candidate"], "advice": "correct it"}
        return {
            "schema": "evreview.diff/1", "released": side, "candidate": side,
            "summary": {"rows": 1, "verdicts": {"breaking": 1, "unknown": 0}, "unread": 1, "breaking": True},
            "rows": [self.row], "noise": [noise], "unread": [unread],
        }  # fmt: skip

    @property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame([self.row])


def sinks(redactor: Redactor, value: str, folder: Path, caplog: pytest.LogCaptureFixture) -> dict[str, str]:
    """What each sink makes of the value, by the sink's name."""
    said = " and ".join(form(value) for form in FORMS)
    out: dict[str, str] = {}
    for fmt in ("table", "json", "csv", "markdown", "sarif", "github"):
        out[fmt] = str(render(Seeded(value), fmt, redactor=redactor))
    data = render(Seeded(value), "parquet", redactor=redactor)
    assert isinstance(data, bytes)
    out["parquet"] = pd.read_parquet(io.BytesIO(data)).to_csv()
    printed = escape.statement(observed("We read ", UserText(said), "."))
    (folder / "t.j2").write_text("{{ line }}\n| {{ cell }} |\n", encoding="utf-8")
    template = environment(folder).get_template("t.j2")
    out["artifact"] = redactor.clean(template.render(line=printed, cell=escape.cell(said)))
    out["html"] = escape.html(redactor.clean(said))
    out["message"] = redactor.clean_message(said)
    out["problem"] = str(redactor.clean_problem(Problem(code="x", found=said, place=said, advice=said)))
    logger = logging.getLogger("evreview.seeded")
    redact_logs(redactor, logger)
    with caplog.at_level(logging.INFO, logger=logger.name):
        logger.info("read %s", said)
    out["log"] = caplog.text
    try:
        write_outputs(folder / "out", {"a.md": Clean(said)}, redactor=redactor)
    except BadInput as fault:
        out["refusal"] = str(fault)
    return out


@pytest.mark.parametrize("number", [pytest.param(n, marks=pytest.mark.req(n)) for n in SEEDS])
def test_no_sink_holds_a_seeded_value(number: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lead, value, tail = SEEDS[number]
    redactor = Redactor.over([("E4", f"notes\n{lead}{value}{tail}\n")])
    assert redactor.findings
    made = sinks(redactor, value, tmp_path, caplog)
    assert "refusal" in made and not (tmp_path / "out").exists()
    needles = [form(value) for form in FORMS] + [value.replace("_", "\\_"), escape.html(value), escape.prose(value)]
    for sink, text in made.items():
        assert [needle for needle in needles if needle in text] == [], sink
        assert redactor.leaks(text) == (), sink
