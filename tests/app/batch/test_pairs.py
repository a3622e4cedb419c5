"""The list of a batch: what is refused, with code and place, and which pairs the tags of a clone make."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from evreview.app.batch.pairs import TaggedContracts, read_pairs, tagged_pairs
from evreview.core.errors import BadInput
from tests.repositories import CONTRACT, SCHEMAS, git, repository

HEAD = "name,released,candidate,kind\n"
BAD = {
    "empty": ("p.csv", "", [("pairs-empty", "")]),
    "no row": ("p.csv", HEAD, [("pairs-empty", "")]),
    "lacking": ("p.csv", HEAD + "a,x,,\n,x,y,\n", [("pair-incomplete", "line 2"), ("pair-incomplete", "line 3")]),
    "twice": ("p.csv", HEAD + "a,x,y,\na,x,z,\n", [("pair-twice", "line 2"), ("pair-twice", "line 3")]),
    "kind": ("p.csv", HEAD + "a,x,y,soap\n", [("kind-unknown", "line 2")]),
    "long": ("p.csv", HEAD + "a" * 201 + ",x,y,\n", [("pair-name", "line 2")]),
    "all at once": ("p.json", '[{"name": "a"}, {"name": "a", "kind": "x"}]', [
        ("pair-incomplete", "#/0"), ("pair-twice", "#/0"),
        ("pair-incomplete", "#/1"), ("pair-twice", "#/1"), ("kind-unknown", "#/1")]),
    "no list": ("p.json", '{"name": "a"}', [("pairs-format", "")]),
    "no JSON": ("p.json", "[", [("pairs-format", "")]),
    "no parquet": ("p.parquet", "PAR1", [("pairs-format", "")]),
    "binary": ("p.csv", "a\x00b", [("text-binary", "")]),
    "ending": ("p.txt", HEAD, [("pairs-format", "")]),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_list_is_refused_with_every_problem(name: str, tmp_path: Path) -> None:
    file, text, expected = BAD[name]
    (tmp_path / file).write_text(text)
    with pytest.raises(BadInput) as refused:
        read_pairs(tmp_path / file)
    assert [(problem.code, problem.place) for problem in refused.value.problems] == expected


def test_the_three_forms_of_a_list_say_the_same(tmp_path: Path) -> None:
    rows = [
        {"name": "a", "released": "old/a.json", "candidate": "s3://store/a.json", "kind": "openapi", "contract": "c"},
        {"name": "b", "released": "/abs/b.json", "candidate": "b.json", "kind": "", "contract": "c"},
    ]
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "p.csv", index=False)
    frame.to_parquet(tmp_path / "p.parquet")
    (tmp_path / "p.json").write_text(json.dumps(rows))
    read = [read_pairs(tmp_path / f"p.{ending}") for ending in ("csv", "parquet", "json")]
    assert read[0] == read[1] == read[2]
    first, second = read[0]
    assert (first.released, first.candidate) == (str(tmp_path / "old" / "a.json"), "s3://store/a.json")
    assert (second.released, second.kind, second.contract, second.position) == ("/abs/b.json", "", "c", 1)


def test_each_two_successive_versions_of_each_contract_are_a_pair(tmp_path: Path) -> None:
    first = {"api/openapi.yaml": CONTRACT, "api/schemas.yaml": SCHEMAS, "old.yaml": CONTRACT}
    clone = repository(
        tmp_path / "r",
        (first, {"old.yaml": None}, {"new.yaml": CONTRACT}, {"old.yaml": CONTRACT}),
        tags=("v1.9", "v1.10-rc1", "v1.10", "v1.11"),
    )
    git(clone, "tag", "other", "v1.9")
    found = tagged_pairs(TaggedContracts(repository=clone, contract="*.yaml", tags="v*"))
    assert {task.name for task in found if task.contract == "api/openapi.yaml"} == {
        "api/openapi.yaml v1.9..v1.10-rc1",
        "api/openapi.yaml v1.10-rc1..v1.10",
        "api/openapi.yaml v1.10..v1.11",
    }
    assert [task.name for task in found if task.contract == "old.yaml"] == ["old.yaml v1.9..v1.11"]
    assert [(task.released, task.candidate, task.position) for task in found if task.contract == "new.yaml"] == [
        ("v1.10:new.yaml", "v1.11:new.yaml", 0)
    ]


@pytest.mark.parametrize(("glob", "tags"), [("none.yaml", "v*"), ("*.yaml", "w*"), ("api/openapi.yaml", "v1.0")])
def test_a_clone_without_a_pair_is_refused(glob: str, tags: str, tmp_path: Path) -> None:
    clone = repository(tmp_path / "r", ({"api/openapi.yaml": CONTRACT}, {}))
    with pytest.raises(BadInput) as refused:
        tagged_pairs(TaggedContracts(repository=clone, contract=glob, tags=tags))
    assert [problem.code for problem in refused.value.problems] == ["pairs-empty"]


def test_a_folder_is_named_with_a_slash(tmp_path: Path) -> None:
    clone = repository(tmp_path / "r", ({"a/proto/x.proto": "x", "b/proto/y.proto": "y"}, {}))
    found = tagged_pairs(TaggedContracts(repository=clone, contract="*/proto/", tags="v*"))
    assert [task.released for task in found] == ["v1.0:a/proto/", "v1.0:b/proto/"]
