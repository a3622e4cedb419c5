"""From a file of another tool to an item of a bundle, and what is refused with nothing written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evreview.evidence.bundle_reader import examine_bundle
from evreview.evidence.files import MAX_BYTES
from evreview.evidence.imports.formats import FORMATS
from evreview.evidence.item import EvidenceItem
from tests.app.commands.test_new_review import evreview, started
from tests.generated import imports_table
from tests.repositories import parcels

OPTIONS: dict[str, tuple[str, ...]] = {"codeowners": ()}
"""What each format needs beside its file."""
OWNERS = "* @parcels/all\napi/ @parcels/api-owners\nclients/shop/ @shop/web\n"


@pytest.fixture(scope="module")
def new_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle as `evreview new` writes it, with its markers."""
    folder = tmp_path_factory.mktemp("new")
    return started(folder / "review", parcels(folder / "r"))


@pytest.fixture
def bundle(new_bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(new_bundle, tmp_path / "review"))


def state(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def brought_in(bundle: Path, form: str, name: str, text: str, *words: str) -> tuple[EvidenceItem, str]:
    """The last item after an import that went well, and what was told; the bundle has no new problem then."""
    before = {(one.code, one.place) for one in examine_bundle(bundle).problems}
    file = bundle.parent / name
    file.write_text(text, encoding="utf-8")
    status, told = evreview("import", bundle, form, file, *words)
    assert status == 0, told
    found = examine_bundle(bundle)
    assert {(one.code, one.place) for one in found.problems} <= before
    assert found.draft is not None
    assert evreview("check", bundle)[0] == 2  # its markers are still there
    return list(found.draft.items.values())[-1], told


def refused(bundle: Path, form: str, file: Path, code: str, *words: str) -> str:
    """What is told of an import that is refused; nothing is written then."""
    before = state(bundle)
    status, told = evreview("import", bundle, form, file, *words)
    assert (status, f"[{code}]" in told) == (2, True), told
    assert state(bundle) == before
    return told


# What holds for every format.


def test_each_format_is_tried_here() -> None:
    assert set(OPTIONS) == set(FORMATS)


def test_the_page_shows_the_table_of_formats() -> None:
    text = (Path(__file__).parents[3] / "docs/imports.md").read_text(encoding="utf-8")
    assert imports_table() in text


@pytest.mark.parametrize("form", OPTIONS)
@pytest.mark.parametrize("content", [b"", b" \n", b"\x00\x01\x02", b"<html><body/></html>", b"[1, 2]", b"{]"])
def test_what_is_not_of_the_format_is_refused(bundle: Path, form: str, content: bytes) -> None:
    if FORMATS[form].folder:
        (file := bundle.parent / "code").mkdir()
        (file / f"x{FORMATS[form].folder}").write_bytes(content)
    else:
        (file := bundle.parent / "file").write_bytes(content)
    before = state(bundle)
    status, told = evreview("import", bundle, form, file, *OPTIONS[form])
    assert status == 2 and state(bundle) == before, told


@pytest.mark.parametrize("form", [name for name, known in FORMATS.items() if not known.folder])
def test_a_file_that_is_too_large_is_refused_unread(bundle: Path, form: str) -> None:
    file = bundle.parent / "large"
    with file.open("wb") as stream:
        stream.truncate(200_000_000)
    assert MAX_BYTES < 200_000_000
    refused(bundle, form, file, "text-too-large", *OPTIONS[form])


@pytest.mark.parametrize(("form", "code"), [("codeowner", "not-allowed"), ("", "not-allowed")])
def test_a_format_that_there_is_not_is_refused(bundle: Path, form: str, code: str) -> None:
    refused(bundle, form, bundle / "review.yaml", code)


def test_options_that_mean_nothing_are_refused(bundle: Path) -> None:
    (file := bundle.parent / "CODEOWNERS").write_text(OWNERS)
    refused(bundle, "codeowners", file, "not-allowed", "--side", "released")


def test_a_missing_file_and_a_folder_are_refused(bundle: Path) -> None:
    refused(bundle, "codeowners", bundle.parent / "none", "file-missing")
    refused(bundle, "codeowners", bundle.parent, "file-not-regular")


def test_only_a_contract_review_takes_imports(tmp_path: Path) -> None:
    evreview("new", "w3", tmp_path / "security")
    (file := tmp_path / "CODEOWNERS").write_text(OWNERS)
    refused(tmp_path / "security", "codeowners", file, "not-allowed")


# CODEOWNERS.


def test_the_contracts_team_is_filled_in_where_the_marker_stands(bundle: Path) -> None:
    item, told = brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    draft = examine_bundle(bundle).draft
    assert draft is not None and draft.request.roles is not None
    assert draft.request.roles.api_owner == "@parcels/api-owners"
    assert draft.request.roles.release_manager == "FILL-IN"
    assert "clients/shop/: @shop/web (line 3) -> client shop" in told
    assert item.content == OWNERS and draft.decisions.decisions == ()


def test_a_role_that_somebody_wrote_stays(bundle: Path) -> None:
    review = bundle / "review.yaml"
    review.write_text(review.read_text().replace("api_owner: FILL-IN", "api_owner: API guild"))
    brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    draft = examine_bundle(bundle).draft
    assert draft is not None and draft.request.roles is not None
    assert draft.request.roles.api_owner == "API guild"


def test_the_same_file_is_kept_once(bundle: Path) -> None:
    brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    before = state(bundle)
    brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    assert state(bundle) == before
