"""The bench of the other kinds of contract: what is measured, and that what is absent is named and left out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from bench import asyncapi, events, protobuf, run
from bench.measure import Command
from bench.pairs import Pair, available, corpus, node_script
from bench.peers import Absent
from bench.report import FULL, LEDGER

TRUE = "/bin/true"


def files(folder: Path, text: str = "{}") -> tuple[Path, Path]:
    made = folder / "released.json", folder / "candidate.json"
    for each in made:
        each.write_text(text)
    return made


def test_a_pair_is_measured_in_both_modes_and_by_its_peers(tmp_path: Path) -> None:
    sides = files(tmp_path, "x" * 300_000)
    pair = Pair("a", sides, {"peer": [TRUE]}, ("--kind", "avro"))
    commands = pair.commands()
    assert list(commands) == [LEDGER, FULL, "peer"]
    assert commands[FULL][-4:] == ["--format", "json", "--kind", "avro"]
    assert set(commands[LEDGER]) - set(commands[FULL]) == {"--no-witnesses"}
    assert pair.title == "a (JSON, 0.6 MB)"
    assert Pair("b", (tmp_path, tmp_path)).title == "b (folders, 1.2 MB)"


def test_an_absent_peer_is_named_and_left_out() -> None:
    said: list[str] = []

    def missing() -> Command:
        raise Absent("it is not installed")

    assert available({"one": missing, "two": lambda: [TRUE]}, said.append) == {"two": [TRUE]}
    assert said == ["Without one: it is not installed.\n"]


def test_without_its_contracts_a_part_is_named_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.pairs.CORPUS", tmp_path / "none")
    monkeypatch.setattr("bench.events.CORPUS", tmp_path / "none")
    monkeypatch.setattr("bench.run.in_turn", lambda commands, *_: {})
    said: list[str] = []
    bench = run.Bench(1, tmp_path, said.append)
    for part in ("protobuf", "asyncapi", "events"):
        bench.kind(part)
    assert said[:2] == [
        f"Without {part}: the corpus does not stand beside this checkout.\n" for part in ("protobuf", "asyncapi")
    ]
    assert "| 1000 fields (AVSC, 0.1 MB) | n/a |" in said[-1]


def test_every_kind_is_a_part_of_the_bench() -> None:
    assert set(run.KINDS) < set(run.PARTS)
    assert {"protobuf", "events", "asyncapi", "python", "graphql"} == set(run.KINDS)


def test_without_node_the_reason_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Absent, match="node"):
        node_script(tmp_path / "a.mjs", tmp_path, "peer", "a-package")
    with pytest.raises(Absent, match="corpus"):
        corpus("no-such-kind")


def test_a_folder_gets_what_it_imports_and_what_that_imports(tmp_path: Path) -> None:
    deps = tmp_path / "deps" / "one"
    (deps / "a").mkdir(parents=True)
    (deps / "a" / "b.proto").write_text('syntax = "proto3"; import "a/c.proto";')
    (deps / "a" / "c.proto").write_text('syntax = "proto3";')
    (deps / "a" / "d.proto").write_text('syntax = "proto3";')
    source = tmp_path / "source"
    source.mkdir()
    (source / "x.proto").write_text('syntax = "proto3"; import "a/b.proto"; import "google/protobuf/any.proto";')
    made = protobuf.whole(source, tmp_path / "target", tmp_path / "deps")
    assert sorted(file.relative_to(made).as_posix() for file in made.rglob("*.proto")) == [
        "a/b.proto",
        "a/c.proto",
        "x.proto",
    ]


def test_bufs_own_status_for_findings_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = tmp_path / "buf"
    stand_in.write_text("#!/bin/sh\nexit ${CODE}\n")
    stand_in.chmod(0o755)
    monkeypatch.setattr("bench.protobuf.sys.executable", str(tmp_path / "python"))
    command = protobuf.buf("FILE", tmp_path, tmp_path)
    codes = {code: subprocess.run(command, env={"CODE": code}, check=False).returncode for code in ("0", "1", "100")}
    assert (codes["100"], codes["1"]) == (0, 1)


def test_channels_are_repeated_under_other_addresses() -> None:
    document = {
        "channels": {"c": {"address": "x"}},
        "operations": {"o": {"action": "send", "channel": {"$ref": "#/channels/c"}}},
    }
    made = asyncapi.repeated(document)
    assert len(made["channels"]) == len(made["operations"]) == asyncapi.CHANNELS
    assert {
        made["channels"][operation["channel"]["$ref"].split("/")[-1]]["address"]
        for operation in made["operations"].values()
    } == {f"x.{at}" for at in range(asyncapi.CHANNELS)}


def test_every_tenth_field_of_the_generated_record_differs(tmp_path: Path) -> None:
    released, candidate = (json.loads(side.read_text())["fields"] for side in events.generated(tmp_path))
    assert sum(one != other for one, other in zip(released, candidate, strict=True)) == events.FIELDS // 10
