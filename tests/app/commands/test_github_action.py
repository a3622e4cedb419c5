"""The GitHub Action's script on events: one comment, the summary, and a token that goes nowhere else."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from evreview.app.commands.github_action import MARK, Api, act, event_of
from evreview.core.assets import demo_bundle
from tests.app.command_line.test_printed_commands import words_of
from tests.app.commands.test_branch import run
from tests.app.commands.test_configuration import ENTRY
from tests.repositories import git

BOT = "github-actions[bot]"
ZEROS = "0" * 40


class Host(BaseHTTPRequestHandler):
    """The comments of one pull request, as the code host answers for them."""

    comments: list[dict[str, Any]]
    asked: list[tuple[str, str, str]]
    answers: tuple[int, bytes] | None = None
    redirects = ""

    def _answer(self, value: Any, status: int = 200) -> None:
        status, body = self.answers or (status, json.dumps(value).encode())
        if not status:
            self.close_connection = True
            return
        self.send_response(302 if self.redirects else status)
        if self.redirects:
            self.send_header("Location", self.redirects)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _sent(self) -> Any:
        self.asked.append((self.command, self.path.partition("?")[0], self.headers["Authorization"]))
        size = int(self.headers["Content-Length"] or 0)
        return json.loads(self.rfile.read(size)) if size else None

    def do_GET(self) -> None:
        self._sent()
        page = int(self.path.rpartition("page=")[2])
        self._answer(self.comments[(page - 1) * 100 : page * 100])

    def do_POST(self) -> None:
        self.comments.append(self._made(self._sent()["body"], BOT, len(self.comments)))
        self._answer({}, 201)

    def do_PATCH(self) -> None:
        self.comments[int(self.path.rpartition("/")[2])]["body"] = self._sent()["body"]
        self._answer({})

    def _made(self, body: str, author: str, at: int) -> dict[str, Any]:
        url = f"http://{self.headers['Host']}/api/repos/o/r/issues/comments/{at}"
        return {"body": body, "user": {"login": author}, "url": url}

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def host() -> Iterator[tuple[type[Host], str]]:
    kept: type[Host] = type("Kept", (Host,), {"comments": [], "asked": []})
    server = HTTPServer(("127.0.0.1", 0), kept)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield kept, f"http://127.0.0.1:{server.server_port}/api"
    server.shutdown()
    server.server_close()
    thread.join()


class Job:
    """One job of a workflow in a clone."""

    def __init__(self, folder: Path, api: str) -> None:
        self.folder, self.api = folder, api
        self.number = 0

    def run(self, payload: Any, event: str = "pull_request", **inputs: str) -> int:
        self.number += 1
        here = self.folder / f"job-{self.number}"
        here.mkdir(parents=True)
        if payload is not None:
            written = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
            (here / "event.json").write_bytes(written)
        self.here = here
        given = {f"EVREVIEW_{name.upper()}": value for name, value in inputs.items()}
        return act(
            {
                "GITHUB_EVENT_NAME": event,
                "GITHUB_EVENT_PATH": str(here / "event.json"),
                "GITHUB_STEP_SUMMARY": str(here / "summary.md"),
                "GITHUB_OUTPUT": str(here / "output"),
                "GITHUB_API_URL": self.api,
                "RUNNER_TEMP": str(here),
                "EVREVIEW_TOKEN": "ghs_token",
                "EVREVIEW_FAIL_ON": "breaking",
                **given,
            }
        )

    @property
    def summary(self) -> str:
        return (self.here / "summary.md").read_text()

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.here / "output").read_text().splitlines())

    def pull(self, base: str, *, fork: bool = False) -> dict[str, Any]:
        comments = f"{self.api}/repos/o/r/issues/7/comments"
        head = {"repo": {"full_name": "somebody/r" if fork else "o/r"}}
        return {
            "pull_request": {
                "base": {"sha": base, "repo": {"full_name": "o/r"}},
                "head": head,
                "comments_url": comments,
            }
        }


@pytest.fixture
def job(tmp_path: Path, host: tuple[type[Host], str]) -> Job:
    return Job(tmp_path / "runner", host[1])


def test_the_comment_is_created_once_and_then_updated(clone: Path, job: Job, host: tuple[type[Host], str]) -> None:
    kept = host[0]
    kept.comments += [{"body": f"{MARK.format(key='diff')} not ours", "user": {"login": "somebody"}, "url": "x"}] * 120
    base = git(clone, "rev-parse", "trunk")
    assert job.run(job.pull(base), paths="depots") == 5
    assert len(kept.comments) == 121
    first = kept.comments[-1]["body"]
    assert first.startswith(MARK.format(key="diff")) and "`depots/openapi.yaml`" in first
    assert job.outputs["status"] == "5" and Path(job.outputs["sarif"]).is_file()
    (clone / "notes.md").write_text("more\n")
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "more")
    assert job.run(job.pull(base), paths="depots") == 5
    assert len(kept.comments) == 121
    assert kept.comments[-1]["body"] != first and "not ours" in kept.comments[0]["body"]
    assert {token for _, _, token in kept.asked} == {"Bearer ghs_token"}
    assert {method for method, _, _ in kept.asked} == {"GET", "POST", "PATCH"}


def test_breaking_rows_stand_first_with_the_next_step(clone: Path, job: Job, host: tuple[type[Host], str]) -> None:
    job.run(job.pull(git(clone, "rev-parse", "trunk")))
    text = host[0].comments[0]["body"]
    marks = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    marks = [mark for mark in marks if mark.strip("*") in ("breaking", "unknown", "compatible")]
    assert marks and marks[0] == "**breaking**"
    assert "--show D-" in text and ".evreview.toml" in text
    # A contract that moved is said twice, and each names the other.
    assert "events/new.json" in text and "events/old.json" in text


def test_what_is_accepted_is_listed_and_does_not_fail(clone: Path, job: Job, host: tuple[type[Host], str]) -> None:
    base = git(clone, "rev-parse", "trunk")
    job.run(job.pull(base), paths="depots")
    ids = {word for word in host[0].comments[0]["body"].replace("`", " ").split() if word.startswith("D-")}
    text = "".join(f'[[accept]]\nid = "{name}"\n{ENTRY}' for name in ids)
    git(clone, "checkout", "-q", "trunk")
    (clone / ".evreview.toml").write_text(text)
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "accepted")
    git(clone, "checkout", "-q", "main")
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), paths="depots") == 0
    assert len(host[0].comments) == 1
    body = host[0].comments[0]["body"]
    assert "2 accepted" in body and "`orders team`" in body and "counts once it is merged" in body


@pytest.mark.parametrize(
    ("event", "payload", "status", "said"),
    [
        ("pull_request", "head", 0, "no contract changed"),
        ("push", {"before": ZEROS}, 0, "first one"),
        ("push", {"before": ZEROS, "merge_group": None}, 2, "`against`"),
        *((event, {}, 2, "`against`") for event in ("push", "pull_request", "merge_group", "schedule", "workflow_run")),
        *(("pull_request", {"pull_request": wrong}, 2, "`against`") for wrong in (None, [], "x", {"base": 1}, {})),
        *(("merge_group", {"merge_group": wrong}, 2, "`against`") for wrong in (None, [], {"base_sha": ["trunk"]})),
        ("schedule", {"before": ZEROS}, 2, "`against`"),
        ("push", "no JSON", 2, "`against`"),
        ("push", "absent", 2, "`against`"),
        ("merge_group", {"merge_group": {"base_sha": "trunk"}}, 5, "breaking"),
        ("merge_group", {"merge_group": {"base_sha": "HEAD"}}, 0, "no contract changed"),
        ("push", {"before": "trunk"}, 5, "breaking"),
        ("pull_request", "fork", 5, "can only read"),
        ("pull_request", {"pull_request": {"base": {"sha": "1" * 40}}}, 2, "ref-unknown"),
        ("pull_request_target", "trunk", 2, "pull_request_target"),
        ("schedule", "broken", 2, "`against`"),
    ],
)
def test_each_event_is_told(  # noqa: PLR0913  the columns of the table, and what a job needs
    event: str, payload: Any, status: int, said: str, clone: Path, job: Job, host: tuple[type[Host], str]
) -> None:
    made = {
        "head": job.pull(git(clone, "rev-parse", "HEAD")),
        "trunk": job.pull(git(clone, "rev-parse", "trunk")),
        "fork": job.pull(git(clone, "rev-parse", "trunk"), fork=True),
        "broken": [1],
        "no JSON": b"{",
        "absent": None,
    }
    found = made[payload] if isinstance(payload, str) else payload
    assert job.run(found, event) == status
    assert said in job.summary
    wrote = event == "pull_request" and payload in ("head",)
    assert bool(host[0].comments) is (wrote or event == "pull_request_target")
    assert payload != "fork" or (job.outputs["sarif"] == "" and not host[0].asked)


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch", "repository_dispatch", "pull_request", "push"])
def test_what_to_compare_with_may_be_given_at_any_event(event: str, clone: Path, job: Job) -> None:
    assert job.run({}, event, against="trunk", paths="depots") == 5
    assert job.run({}, event, against="HEAD", paths="depots") == 0
    assert job.run({}, event, against="nothing", paths="depots") == 2


def test_a_shallow_clone_is_told_what_to_set(
    clone: Path, job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{clone}", "shallow")
    base = git(clone, "rev-parse", "trunk")
    monkeypatch.chdir(tmp_path / "shallow")
    assert job.run(job.pull(base)) == 2
    assert "fetch-depth: 0" in job.summary


def test_a_contract_that_moved_does_not_fail(clone: Path, job: Job) -> None:
    paths = "events/old.json events/new.json"
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), paths=paths) == 0
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), paths="events/gone.json") == 5


@pytest.mark.parametrize("inputs", [{"comment": "false"}, {"token": ""}, {"comment_key": "--> x"}])
def test_no_comment_is_written_where_none_may_be(
    inputs: dict[str, str], clone: Path, job: Job, host: tuple[type[Host], str]
) -> None:
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), **inputs) == 5
    assert not host[0].asked and "breaking" in job.summary


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((403, b"{}"), "pull-requests: write"),
        ((404, b"{}"), "pull-requests: write"),
        ((500, b"{}"), "answered 500"),
        ((301, b"{}"), "answered 301"),
        ((200, b"<html>"), "interface of the code host"),
        ((200, b"\xff"), "interface of the code host"),
        ((200, b"null"), "interface of the code host"),
        ((200, b"[1]"), "interface of the code host"),
        ((200, b'[{"body": 1, "user": []}]'), ""),
        ((0, b""), "can't be reached"),
        ((-1, b""), "can't be reached: Connection refused"),
    ],
)
def test_why_no_comment_was_written_is_told_and_changes_no_verdict(
    answer: tuple[int, bytes], said: str, clone: Path, job: Job, host: tuple[type[Host], str]
) -> None:
    host[0].answers = answer
    if answer[0] < 0:
        job.api = "http://127.0.0.1:9/api"
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), paths="depots") == 5
    assert said in job.summary and ("No comment was written" in job.summary) is bool(said)


@pytest.mark.parametrize("token", ["ghs_secret\n", "ghs_secret\x00", "ghs_secret\u20ac", "ghs_secret"])
def test_no_reason_holds_the_token(token: str, clone: Path, job: Job, capsys: pytest.CaptureFixture[str]) -> None:
    job.api = "http://127.0.0.1:9/api"
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), paths="depots", token=token) == 5
    assert "No comment was written" in job.summary
    assert "ghs_" not in job.summary + "".join(capsys.readouterr())


def test_the_next_command_of_a_comment_means_the_commit_compared(
    clone: Path, job: Job, host: tuple[type[Host], str]
) -> None:
    head = git(clone, "rev-parse", "HEAD")
    assert job.run(job.pull(git(clone, "rev-parse", "trunk")), paths="depots") == 5
    body = host[0].comments[0]["body"]
    (command,) = re.findall(r"`(evreview diff .* --show D-[0-9a-f]{12})`", body)
    assert f"{head[:12]}:/depots/openapi.yaml" in command and f"git fetch origin {head}" in body
    told = run(*words_of(command)).stdout
    git(clone, "commit", "-q", "--allow-empty", "-m", "goes on")
    git(clone, "checkout", "-q", "trunk")
    assert run(*words_of(command)).stdout == told and told.startswith("D-")


def test_the_token_goes_to_no_other_address(clone: Path, job: Job, host: tuple[type[Host], str]) -> None:
    kept = host[0]
    other: type[Host] = type("Other", (Host,), {"comments": [], "asked": []})
    server = HTTPServer(("127.0.0.1", 0), other)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        elsewhere = f"http://127.0.0.1:{server.server_port}/api/repos/o/r/issues/7/comments"
        payload = job.pull(git(clone, "rev-parse", "trunk"))
        payload["pull_request"]["comments_url"] = elsewhere
        assert job.run(payload) == 5
        kept.redirects = elsewhere
        assert job.run(job.pull(git(clone, "rev-parse", "trunk"))) == 5
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert not other.asked and kept.asked


@pytest.mark.parametrize(
    ("address", "holds"),
    [
        ("https://api.example.test/repos/o/r/issues/1/comments", True),
        ("http://api.example.test/repos/o/r/issues/1/comments", False),
        ("https://api.example.test.evil.test/repos", False),
        ("https://api.example.test@evil.test/repos", False),
        ("https://evil.test/https://api.example.test/", False),
        ("https://api.example.test/../x", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_only_addresses_below_the_interface_are_asked(address: str, holds: bool) -> None:
    assert Api("https://api.example.test", "t").holds(address) is holds


@pytest.mark.slow
def test_a_review_is_told(clone: Path, job: Job, host: tuple[type[Host], str]) -> None:
    payload = job.pull(git(clone, "rev-parse", "trunk"))
    bundle = str(demo_bundle())
    assert job.run(payload, mode="review", bundle=bundle) == 4
    assert job.outputs["status"] == "4" and Path(job.outputs["sarif"]).is_file()
    (body,) = [each["body"] for each in host[0].comments]
    assert body.startswith(MARK.format(key="review")) and "blocked" in body
    assert job.run(payload, mode="review", bundle=bundle, fail_on="never") == 0
    for nothing in ("", str(clone / "none"), str(clone)):
        assert job.run(payload, mode="review", bundle=nothing) == 2
        assert "was reviewed" in job.summary and "permit" not in job.summary
        told = [line for line in job.summary.splitlines() if line.strip(" `")]
        assert len(told) == len(set(told)) and job.outputs["sarif"] == ""
    assert job.run(payload, mode="other") == 2


def test_words_of_contracts_are_no_mentions_and_no_markup(clone: Path, job: Job, host: tuple[type[Host], str]) -> None:
    base = git(clone, "rev-parse", "HEAD")
    text = (clone / "common" / "schemas.yaml").read_text()
    bad = "  '@team <!-- --> | `x` #1 [a](http://e.test)': {type: integer}\n"
    (clone / "common" / "schemas.yaml").write_text(text.rstrip("\n") + "\n  " + bad)
    git(clone, "commit", "-qam", "hostile @team")
    job.run(job.pull(base), paths="depots")
    body = host[0].comments[0]["body"].split("\n", 1)[1]
    outside = "".join(part for part in re.split(r"(`+)(?:.*?)\1", body) if "`" not in part)
    assert "@team" in body and "@team" not in outside and "http:" not in outside and "<!--" not in outside


def test_an_event_without_a_repository_is_a_fork() -> None:
    gone = {"pull_request": {"base": {"sha": "a", "repo": {"full_name": "o/r"}}, "head": {"repo": None}}}
    assert event_of("pull_request", gone).is_fork
