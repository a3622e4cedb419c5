"""`evreview history`: since when and until when a row stands, and the matrix, each square from its own two releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.commands.test_branch import run
from tests.repositories import git, repository

WIDE, NARROW = "[new, sent]", "[new]"


def contract(*, limit: int = 10, states: str = WIDE) -> str:
    """A service that takes a note of limited length and answers a state."""
    return f"""\
openapi: 3.0.3
info: {{title: Depot, version: "1"}}
paths:
  /notes:
    post:
      operationId: keep
      requestBody:
        content:
          application/json:
            schema: {{type: object, properties: {{note: {{type: string, maxLength: {limit}}}}}}}
      responses:
        "200":
          description: Kept.
          content:
            application/json:
              schema: {{type: object, required: [state], properties: {{state: {{type: string, enum: {states}}}}}}}
"""


# v1.1 narrows the request, v1.2 widens it again; v1.3 answers less, v1.4 answers more than v1.3 but no more than v1.0.
RELEASES = (
    {"api.yaml": contract()},
    {"api.yaml": contract(limit=5)},
    {"api.yaml": contract(limit=10)},
    {"api.yaml": contract(limit=10, states=NARROW)},
    {"api.yaml": contract(limit=10, states=WIDE)},
)
TAGS = ("v1.8", "v1.9", "v1.10", "v1.11-rc1", "v1.11")
EXPECTED = {
    "v1.8": "ynyyy",
    "v1.9": "yyyyy",
    "v1.10": "ynyyy",
    "v1.11-rc1": "nnnyn",
    "v1.11": "ynyyy",
}
"""May a client of the row's release talk to the one of the column?"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("r") / "r", RELEASES, tags=TAGS)


def told(clone: Path, *words: object) -> dict[str, Any]:
    done = run("history", clone, "--contract", "api.yaml", "--format", "json", *words)
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def test_each_square_is_what_the_two_releases_say(clone: Path) -> None:
    found = told(clone)
    assert found["schema"] == "evreview.releases/1"
    assert {name: "".join(answer[0] for answer in row.values()) for name, row in found["clients"].items()} == EXPECTED


def test_a_row_stands_until_a_release_mends_it(clone: Path) -> None:
    assert [(each["since"], each["until"], each["rule"]) for each in told(clone)["breaks"]] == [
        ("v1.9", "v1.10", "request-max-length-lowered"),
        ("v1.11", None, "response-enum-value-added"),
    ]


def test_the_rows_are_those_of_diff(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clone)
    ledger = json.loads(run("diff", "v1.8:api.yaml", "v1.9:api.yaml", "--format", "json").stdout)
    breaking = [row["id"] for row in ledger["rows"] if row["verdict"] == "breaking"]
    assert [each["id"] for each in told(clone)["breaks"] if each["since"] == "v1.9"] == breaking


def test_the_text_says_the_same_within_the_width(clone: Path) -> None:
    lines = run("history", clone, "--contract", "api.yaml").stdout.splitlines()
    assert max(map(len, lines)) <= 118
    marks = {line.split()[1]: "".join(line.split()[2:]) for line in lines[-5:]}
    assert marks == {name: row.replace("y", ".").replace("n", "x") for name, row in EXPECTED.items()}
    rows = {each["id"]: each["until"] or "stands" for each in told(clone)["breaks"]}
    assert {line.split()[2]: line.split()[1] for line in lines if " D-" in line} == rows


def test_tags_without_the_contract_are_told(tmp_path: Path) -> None:
    states = ({"x": "1"}, *RELEASES[:2])
    found = told(repository(tmp_path / "r", states, tags=("v0", "v1", "v2")))
    assert (found["releases"], found["without"]) == (["v1", "v2"], ["v0"])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--tags", "v1.8"), "history-too-short"),
        (("--tags", "w*"), "history-too-short"),
        (("--format", "html"), ""),
    ],
)
def test_what_cannot_be_told_is_refused(words: tuple[str, ...], code: str, clone: Path) -> None:
    done = run("history", clone, "--contract", "api.yaml", *words)
    assert (done.exit_code, code in done.stderr, done.stdout) == (2, True, "")


def test_every_release_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    broken = {"api.yaml": "openapi: 3.0.3\npaths: ["}
    clone = repository(tmp_path / "r", (RELEASES[0], broken, {"api.yaml": "openapi: 3.0.3\npaths: {"}), tags=TAGS[:3])
    git(clone, "tag", "v1.12", "v1.8")
    done = run("history", clone, "--contract", "api.yaml")
    assert (done.exit_code, "v1.9:api.yaml" in done.stderr, "v1.10:api.yaml" in done.stderr) == (2, True, True)


# What was accepted. Each tag's configuration speaks of what that tag brought.


def entry(name: str, expires: str) -> str:
    """One accepted difference as it stands in a list of YAML."""
    return f'- {{id: {name}, reason: "Agreed.", owner: API owner, expires: "{expires}"}}\n'


@pytest.fixture(scope="module")
def accepting(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A clone whose second release accepted its break until a day that is over, and a file that accepts another one."""
    first, last = (each["id"] for each in told(clone)["breaks"])
    known = f'[[accept]]\nid = "{first}"\nreason = "Agreed."\nowner = "API owner"\nexpires = "2020-01-31"\n'
    states = (RELEASES[0], {**RELEASES[1], ".evreview.toml": known}, *RELEASES[2:3],
              {**RELEASES[3], ".evreview.toml": "fail-on = 7\n"}, RELEASES[4])  # fmt: skip
    folder = repository(tmp_path_factory.mktemp("accepting") / "r", states, tags=TAGS)
    file = folder.parent / "accept.yaml"
    file.write_text("accept:\n" + entry(last, "2999-12-31") + entry("D-000000000000", "2999-12-31"))
    return folder, file


def test_what_was_accepted_is_told_with_its_day(accepting: tuple[Path, Path]) -> None:
    folder, file = accepting

    def states(*words: object) -> list[tuple[str, str] | None]:
        said = [each["acceptance"] for each in told(folder, *words)["breaks"]]
        return [each and (each["state"], each["expires"]) for each in said]

    assert states() == [("expired", "2020-01-31"), None]
    assert states("--accept", file) == [("expired", "2020-01-31"), ("accepted", "2999-12-31")]
    assert states("--no-config") == [None, None]


def test_the_text_tells_it_and_what_accepts_nothing(accepting: tuple[Path, Path]) -> None:
    folder, file = accepting
    done = run("history", folder, "--contract", "api.yaml", "--accept", file)
    rows = [line.split()[:5] for line in done.stdout.splitlines() if " D-" in line]
    assert [row[2:4] for row in rows] == [["expired", "2020-01-31"], ["until", "2999-12-31"]]
    told_of = [line for line in done.stderr.splitlines() if "accepted-nothing" in line]
    assert len(told_of) == 1 and "D-000000000000" in told_of[0]
    # A configuration that nobody can mend any more is told, and stops nothing.
    assert done.exit_code == 0 and "v1.11-rc1:.evreview.toml" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 118


def test_an_accept_file_that_cannot_be_read_is_refused(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("accept:\n- {id: D-1}\n")
    done = run("history", clone, "--contract", "api.yaml", "--accept", tmp_path / "a.yaml")
    assert (done.exit_code, "missing-field" in done.stderr, done.stdout) == (2, True, "")
