"""Names of code that read like hosts or addresses stay, and what only looks like code goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.kinds.code_names import code_names, module_names
from evreview.kinds.load import read_contract
from evreview.redaction.redactor import Redactor

MAIL = "ines.moreau" + "@harbourline.fr"


@pytest.mark.parametrize(
    "text",
    [
        r"def pool(self) -> Pool\n@pool.setter\ndef pool(self, value)",
        r"def size(self)\r\n@size.deleter",
        r"\t@route.cached",
        r"'\x0a@app.get'",
        r"\u000a@view.setter",
        r"\\n@pool.setter",
        "from shop.db.local import connect",
        "import shop.db.internal",
    ],
)
def test_code_that_looks_like_an_address_stays(text: str) -> None:
    assert Redactor().clean(text) == text
    assert not Redactor().leaks(text)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (rf"asked:\n{MAIL}", MAIL),
        (rf"\t{MAIL}", MAIL),
        ("n@harbourline.fr", "n@harbourline.fr"),
        ("Received: from ledger.pay.local by mx", "ledger.pay.local"),
        ("Received: from orders.corp.harbourline.fr by mx", "orders.corp.harbourline.fr"),
        ("import of rows from ledger.pay.internal:8443", "ledger.pay.internal"),
        ("https://ledger.pay.internal/v1", "ledger.pay.internal"),
    ],
)
def test_addresses_behind_an_escape_or_a_word_of_code_go(text: str, gone: str) -> None:
    assert gone not in Redactor().clean(text)


def test_a_spared_name_passes_whole_and_nothing_longer_does() -> None:
    redactor = Redactor.over([("a", "see ledger.pay.internal")]).sparing(["shop.pay.internal"])
    assert redactor.clean("shop.pay.internal") == "shop.pay.internal"
    for other in ("ledger.pay.internal", "eu.shop.pay.internal", "Shop.pay.internal"):
        assert "[redacted" in redactor.clean(other)
    for made in (redactor.also([("b", "x")]), redactor.apart(), redactor.knowing([("password", "q7Rx2Lv9" + "tBzW")])):
        assert made.clean("shop.pay.internal") == "shop.pay.internal"


PROTO = 'syntax = "proto3";\npackage shop.pay.internal;\nmessage Order {{ {} n = 1; }}\n'
AVRO = '{{"type": "record", "name": "Order", "namespace": "shop.pay.lan", "fields": [{{"name": "n", "type": "{}"}}]}}'
LOCAL = "class Store:\n    def open(self, path{}): ...\n"
PACKAGES = {"shop/__init__.py": "", "shop/db/__init__.py": ""}
SIDES = {
    "module.local": [{**PACKAGES, "shop/db/local.py": LOCAL.format(more)} for more in ("", ", mode")],
    "module.internal": [{**PACKAGES, "shop/db/internal.py": LOCAL.format(more)} for more in ("", ", mode")],
    "module gone": [{**PACKAGES, "shop/db/local.py": "X = 1\n"}, PACKAGES],
    "base of another library": [
        {"shop/__init__.py": f"from greenlet.kept.local import local\nclass Kept({base}): ...\n"}
        for base in ("local", "object")
    ],
    "annotation": [
        {"shop/__init__.py": f"import kept.by.local\ndef f(a: {kind}): ...\n"} for kind in ("kept.by.local", "int")
    ],
    "protobuf package": [{"order.proto": PROTO.format(kind)} for kind in ("int32", "string")],
    "avro namespace": [{"order.avsc": AVRO.format(kind)} for kind in ("string", "int")],
}


@pytest.mark.parametrize("name", SIDES)
def test_a_ledger_names_the_code_that_it_is_about(name: str, tmp_path: Path) -> None:
    folders = [tmp_path / side for side in ("old", "new")]
    for folder, files in zip(folders, SIDES[name], strict=True):
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
    out = tmp_path / "ledger.json"
    done = CliRunner().invoke(app, ["diff", *map(str, folders), "--format", "json", "-o", str(out)])
    assert done.exit_code == 0, done.output
    text = out.read_text()
    assert json.loads(text)["rows"] and "[redacted" not in text


def test_values_of_a_library_are_no_names() -> None:
    files = {"shop/__init__.py": "def f(host='ledger.pay.internal'): ...\nHOST = 'ledger.pay.lan'\n"}
    found = code_names([read_contract("", lambda name: files[name].encode(), tuple(files))])
    assert "shop.f" in found and not {"ledger.pay.internal", "ledger.pay.lan"} & found


def test_modules_are_called_from_any_folder_around_them() -> None:
    found = module_names(["src/shop/db/local.py", "shop/pay/__init__.py", "notes/ledger.pay.internal.md"])
    assert found == {"src.shop.db.local", "shop.db.local", "db.local", "shop.pay"}
