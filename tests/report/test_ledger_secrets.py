"""A value that is secret because of its member's name is in no format, wherever the row shows it without that name."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

from evreview.report.ledger_formats import FORMATS, render
from tests.report.fake_comparison import Fake, quiet, row, witnessed

SECRET = "q7Rx2" + "-Lv9tB!"
TOKEN = "s3cr3t" + "-value-1234567890"


def text_of(fmt: str, comparison: Fake) -> str:
    found = render(comparison, fmt)
    return pd.read_parquet(io.BytesIO(found)).to_csv() if isinstance(found, bytes) else str(found)


@pytest.mark.req("C-030")
@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize(
    ("step", "form", "secret"),
    [
        ("password", SECRET, SECRET),
        ("password", {"const": SECRET, "type": "string"}, SECRET),
        ("password[]", [SECRET], SECRET),
        ("password > anyOf(string)", {"enum": [SECRET]}, SECRET),
        ("query api_key", [TOKEN, "another"], TOKEN),
        ("header x-api-key", {"schema": {"default": TOKEN}}, TOKEN),
        ("user", {"type": "object", "properties": {"password": {"items": {"example": SECRET}}}}, SECRET),
    ],
)
def test_a_secret_by_name_is_shown_nowhere(fmt: str, step: str, form: Any, secret: str) -> None:
    address = f"POST /login > body > application/json > {step}"
    changed = row(1, "breaking", address=address, released=form, candidate="(absent)", proof=witnessed([secret]))
    noise = quiet(9, address=address, reason="annotation", released="(absent)", candidate=form)
    assert secret not in text_of(fmt, Fake((changed,), noise=[noise]))


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize(
    ("step", "form"),
    [("status", [SECRET]), ("password", {"type": "string", "format": "password"}), ("page_token", ["ascending"])],
)
def test_an_ordinary_form_stays(fmt: str, step: str, form: Any) -> None:
    shown = text_of(fmt, Fake((row(1, "breaking", address=f"POST /login > {step}", released=form),)))
    assert "[redacted: secret]" not in shown
