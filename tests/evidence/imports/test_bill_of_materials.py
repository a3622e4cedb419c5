"""Bills of materials as their tools write them: what is told, what stays text, and what is refused."""

from __future__ import annotations

import json
import time

import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.imports.formats import FORMATS
from evreview.evidence.imports.model import MOST_TOLD, Imported, Supplied

# As cyclonedx-py and Trivy write it, shortened.
CYCLONEDX: dict[str, object] = {
    "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "serialNumber": "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
    "version": 1,
    "metadata": {
        "timestamp": "2026-11-30T12:00:00+00:00",
        "component": {"bom-ref": "root", "name": "parcels", "type": "application"},
    },
    "components": [
        {
            "bom-ref": "pkg:pypi/attrs@26.1.0",
            "licenses": [{"license": {"acknowledgement": "declared", "id": "MIT"}}],
            "name": "attrs",
            "purl": "pkg:pypi/attrs@26.1.0",
            "type": "library",
            "version": "26.1.0",
        },
        {
            "bom-ref": "pkg:maven/org.example/web",
            "group": "org.example",
            "name": "web",
            "type": "library",
            "licenses": [{"expression": "Apache-2.0 OR MIT"}],
            "components": [{"bom-ref": "inner", "name": "shaded", "version": "1", "type": "library", "licenses": []}],
        },
    ],
    "services": [{"bom-ref": "mail", "name": "mailer"}],
    "vulnerabilities": [
        {
            "bom-ref": "v1",
            "id": "CVE-2026-0001",
            "ratings": [{"severity": "high", "method": "CVSSv31"}, {"severity": "medium"}, {"severity": "high"}],
            "affects": [{"ref": "inner"}, {"ref": "root"}, {"ref": "mail"}],
            "analysis": {"state": "not_affected", "justification": "code_not_reachable"},
        },
        {
            "id": "GHSA-xxxx-1",
            "affects": [
                {"ref": "gone"},
                {"ref": "urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#pkg:pypi/attrs@26.1.0"},
                {"ref": "root", "versions": [{"version": "1", "status": "unaffected"}, {"version": "2"}]},
            ],
        },
        {"ratings": [{"score": 9.8}]},
    ],
}
# As spdx-tools writes it, shortened.
SPDX: dict[str, object] = {
    "SPDXID": "SPDXRef-DOCUMENT",
    "creationInfo": {"created": "2026-01-01T00:00:00Z", "creators": ["Person: Jane Doe (jane.doe@parcelmail.com)"]},
    "dataLicense": "CC0-1.0",
    "name": "env",
    "spdxVersion": "SPDX-2.3",
    "documentNamespace": "https://example.test/env",
    "packages": [
        {"SPDXID": "SPDXRef-1", "name": "attrs", "versionInfo": "26.1.0", "licenseConcluded": "NOASSERTION",
         "licenseDeclared": "MIT", "downloadLocation": "NOASSERTION"},
        {"SPDXID": "SPDXRef-2", "name": "web", "licenseConcluded": "NONE", "licenseDeclared": "NOASSERTION"},
        {"SPDXID": "SPDXRef-3", "name": "old", "versionInfo": "1"},
    ],
    "files": [{"SPDXID": "SPDXRef-4", "fileName": "./a.py"}],
}  # fmt: skip
TAGGED = """\
SPDXVersion: SPDX-2.2
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: env
# PackageName: a comment
Creator: Tool: syft-1.0

PackageName: attrs
SPDXID: SPDXRef-1
PackageVersion: 26.1.0
PackageLicenseConcluded: NOASSERTION
PackageLicenseDeclared: MIT
PackageCopyrightText: <text>(c)
PackageName: no-package
</text>
PackageComment: <text>one line</text>

PackageName: web
SPDXID: SPDXRef-2
PackageLicenseConcluded: NONE

FileName: ./a.py
SPDXID: SPDXRef-4
LicenseConcluded: MIT

PackageName: old
SPDXID: SPDXRef-3
PackageVersion: 1
"""


def made(form: str, document: object) -> Imported:
    text = document if isinstance(document, str) else json.dumps(document)
    return FORMATS[form].read(Supplied(name="bom", files={"": text.encode("utf-8", "surrogatepass")}))


def cyclonedx(**changes: object) -> dict[str, object]:
    return {key: value for key, value in {**CYCLONEDX, **changes}.items() if value is not None}


def spdx(**changes: object) -> dict[str, object]:
    return {**SPDX, **changes}


def told(imported: Imported) -> list[str]:
    """The lines about components and vulnerabilities: without the last one, which every list has."""
    *lines, last = imported.told
    assert last.startswith("no control")
    return [" ".join(line.split()) for line in lines]


@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6"])
def test_a_list_of_each_version_tells_its_gaps_and_what_it_states(version: str) -> None:
    imported = made("cyclonedx", cyclonedx(specVersion=version))
    assert told(imported) == [
        f"components 3 components (CycloneDX {version})",
        "1 without a version: org.example/web",
        "1 that no license names: shaded 1",
        "states CVE-2026-0001; severity high, medium; for shaded 1, parcels, mailer; "
        "analysis not_affected (code_not_reachable)",
        "states GHSA-xxxx-1; severity not stated; for gone, which is no component of this file, attrs 26.1.0, "
        "parcels (versions stated unaffected, affected); analysis not stated",
        "states a vulnerability without an id; severity not stated; for no component; analysis not stated",
    ]
    assert imported.record is None and imported.kept is not None and not imported.roles
    assert (imported.kept.type, imported.kept.ending) == (EvidenceType.TEST_RECORD, ".json")
    assert imported.kept.text == json.dumps(cyclonedx(specVersion=version))


@pytest.mark.parametrize(
    ("document", "version", "ending"),
    [
        (SPDX, "2.3", ".json"),
        (spdx(spdxVersion="SPDX-2.2"), "2.2", ".json"),
        (TAGGED, "2.2", ".spdx"),
        (TAGGED.replace("\n", "\r\n"), "2.2", ".spdx"),
    ],
)
def test_both_forms_of_spdx_tell_the_same(document: object, version: str, ending: str) -> None:
    imported = made("spdx", document)
    assert told(imported) == [
        f"components 3 components (SPDX {version})",
        "1 without a version: web",
        "2 that no license names: web, old 1",
    ]
    assert imported.kept is not None and imported.kept.ending == ending
    assert "jane" not in "".join(imported.told).lower()


def test_a_document_of_vulnerabilities_alone_is_taken(version: str = "1.6") -> None:
    lines = told(made("cyclonedx", cyclonedx(components=None, metadata=None, services=None)))
    assert lines[0] == f"components 0 components (CycloneDX {version})" and len(lines) == 4
    assert "shaded" not in lines[1] and "inner, which is no component" in lines[1]


HOSTILE = "x\n\x1b[2Jkept        E1\u2028no control\u202e \x9b31m"


def test_hostile_text_stays_on_its_line_and_is_cut_after_a_word() -> None:
    long = "a " * 500 + "b" * 500
    entry = {"id": HOSTILE, "ratings": [{"severity": HOSTILE}], "affects": [{"ref": HOSTILE}],
             "analysis": {"state": long, "justification": HOSTILE}}  # fmt: skip
    components = [{"name": HOSTILE, "bom-ref": "a"}, {"name": "c" * 1000, "bom-ref": "b"}]
    lines = made("cyclonedx", cyclonedx(components=components, vulnerabilities=[entry])).told
    lines += made("spdx", spdx(packages=[{"name": HOSTILE, "versionInfo": long}])).told
    assert len(lines) == 8
    assert all(line.isprintable() and len(line) < 500 for line in lines), lines
    assert "ccc" not in "".join(lines)


def test_of_many_vulnerabilities_the_first_are_told_and_the_rest_counted() -> None:
    entries = [{"id": f"CVE-{number}"} for number in range(MOST_TOLD + 7)]
    lines = told(made("cyclonedx", cyclonedx(vulnerabilities=entries)))
    assert sum(line.startswith("states") for line in lines) == MOST_TOLD and lines[-1] == "and 7 more"


NAMELESS = [{"type": "library", "version": "1"}]


@pytest.mark.parametrize(
    ("form", "document", "found"),
    [
        ("cyclonedx", "", {("import-format", "")}),
        ("cyclonedx", '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>', {("import-format", "")}),
        ("cyclonedx", SPDX, {("import-format", "")}),
        ("cyclonedx", "[]", {("import-format", "")}),
        ("cyclonedx", '{"bomFormat": "CycloneDX", "components": [{"name"', {("json-syntax", "line 1, column 50")}),
        ("cyclonedx", '{"bomFormat": "CycloneDX", "bomFormat": "CycloneDX"}', {("duplicate-key", "line 1")}),
        ("cyclonedx", cyclonedx(specVersion="1.3"), {("import-format", "#/specVersion")}),
        ("cyclonedx", cyclonedx(specVersion=1.6), {("import-format", "#/specVersion")}),
        ("cyclonedx", cyclonedx(specVersion=None), {("import-format", "#/specVersion")}),
        ("cyclonedx", cyclonedx(components=[], vulnerabilities=[]), {("import-empty", "")}),
        ("cyclonedx", cyclonedx(components=None, vulnerabilities=None), {("import-empty", "")}),
        ("cyclonedx", cyclonedx(components={}), {("bad-bom", "#/components")}),
        (
            "cyclonedx",
            cyclonedx(components=[{"name": " "}, 5, {"name": "a", "components": NAMELESS}], vulnerabilities=["x"]),
            {
                ("bad-bom", "#/components/0"),
                ("bad-bom", "#/components/1"),
                ("bad-bom", "#/components/2/components/0"),
                ("bad-bom", "#/vulnerabilities/0"),
            },
        ),
        (
            "cyclonedx",
            cyclonedx(components=[{"name": "a", "bom-ref": "mail"}, {"name": "b", "bom-ref": "root"}]),
            {("duplicate-id", "#/metadata/component"), ("duplicate-id", "#/services/0")},
        ),
        ("spdx", CYCLONEDX, {("import-format", "")}),
        ("spdx", {"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld", "@graph": []}, {("import-format", "")}),
        ("spdx", "<rdf:RDF/>", {("import-format", "")}),
        ("spdx", "PackageName: a\nSPDXVersion: SPDX-2.3\n", {("import-format", "")}),
        ("spdx", spdx(spdxVersion="SPDX-2.1"), {("import-format", "#/spdxVersion")}),
        ("spdx", spdx(packages=[]), {("import-empty", "")}),
        ("spdx", spdx(packages="a"), {("bad-bom", "#/packages")}),
        ("spdx", spdx(packages=[{"SPDXID": "SPDXRef-1"}]), {("bad-bom", "#/packages/0")}),
        ("spdx", spdx(packages=[[], SPDX]), {("bad-bom", "#/packages/0")}),
        ("spdx", spdx(packages=[{"name": "a", "SPDXID": "SPDXRef-4"}]), {("duplicate-id", "#/files/0")}),
        ("spdx", TAGGED.replace("SPDXRef-2", "SPDXRef-1"), {("duplicate-id", "#/packages/1")}),
        ("spdx", TAGGED.replace("SPDXRef-4", "SPDXRef-1"), {("duplicate-id", "#/files/0")}),
        ("spdx", TAGGED.replace("</text>", ""), {("bad-bom", "line 13")}),
        ("spdx", TAGGED.partition("PackageName: attrs")[0], {("import-empty", "")}),
    ],
)  # fmt: skip
def test_what_is_no_list_that_can_be_read_is_refused(form: str, document: object, found: set[tuple[str, str]]) -> None:
    with pytest.raises(BadInput) as refused:
        made(form, document)
    assert {(one.code, one.place) for one in refused.value.problems} == found


def test_no_list_is_dear() -> None:
    started = time.monotonic()
    many = [{"name": f"c{number}", "bom-ref": str(number)} for number in range(60_000)]
    made("cyclonedx", cyclonedx(components=many, vulnerabilities=[{"affects": [{"ref": "1"}] * 60_000}]))
    made("spdx", "SPDXVersion: SPDX-2.3\n" + "PackageName: <text>a</text>\n" * 60_000)
    with pytest.raises(BadInput):
        made("cyclonedx", '{"components": ' + '[{"components": ' * 5_000)
    assert time.monotonic() - started < 20
