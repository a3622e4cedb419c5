"""What the GitHub Action does: compare or review, tell it once in a comment, and in the summary of the job.

Run as `python -m evreview.app.commands.github_action` with the environment that the runner gives. The only address that
is written to is that of the pull request's comments, below the API of the runner, with the token of the environment.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from http.client import HTTPException
from io import StringIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from evreview.app.cli import run_command
from evreview.app.commands.shell import clean, say, warn
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ExitStatus, FailOn
from evreview.report.branch_comment import branch_comment
from evreview.report.escape import code, fence

MARK: Final = "<!-- evreview comment {key} -->"
MOST_CHARACTERS: Final = 60_000
MOST_OF_SUMMARY: Final = 900_000
SUMMARY_ROWS: Final = 2_000
_NONE: Final = re.compile("0{40,64}")
_SECONDS: Final = 30
_PAGES: Final = 30
_A_PAGE: Final = 100
_NO_ANSWER: Final = "the answer is none that the interface of the code host gives"
_KEY: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")
AGAINST: Final = "Give the action the input `against` with the commit, branch or tag to compare with"
DEPTH: Final = "Give actions/checkout the option `fetch-depth: 0`, so that it fetches the history"
ANSWERED: Final[Mapping[int, str]] = {
    ExitStatus.DONE: "the review permits what was asked",
    ExitStatus.STOPPED: "the review does not permit it",
    ExitStatus.BLOCKED: "the review does not permit it",
}
"""What a review that was made says, by the exit status."""
RIGHTS: Final = "Give the job `permissions: pull-requests: write`"


# What the runner says, as values.


@frozen(kw_only=True)
class Event:
    """What started the workflow.

    Attributes:
        name: of the event.
        base: the commit that is compared with, "" where the event names none.
        is_first: True for a push with nothing before it: the first commit, or a new branch.
        comments: the address of the pull request's comments, "" where there is no pull request.
        is_fork: True for a pull request from another repository, whose token can only read.
    """

    name: str
    base: str = ""
    is_first: bool = False
    comments: str = ""
    is_fork: bool = False


def event_of(name: str, payload: Mapping[str, Any]) -> Event:
    """The event of a workflow, from its name and its file."""
    if "pull_request" in payload:
        head, base = (_text(payload, "pull_request", side, "repo", "full_name") for side in ("head", "base"))
        return Event(
            name=name,
            base=_text(payload, "pull_request", "base", "sha"),
            comments=_text(payload, "pull_request", "comments_url"),
            is_fork=head != base,
        )
    if "merge_group" in payload:
        return Event(name=name, base=_text(payload, "merge_group", "base_sha"))
    before = _text(payload, "before") if name == "push" else ""
    is_first = bool(_NONE.fullmatch(before))
    return Event(name=name, base="" if is_first else before, is_first=is_first)


def _text(payload: Mapping[str, Any], *members: str) -> str:
    """The text at a path of members, "" where there is none."""
    found: Any = payload
    for member in members:
        found = found.get(member) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else ""


@frozen(kw_only=True)
class Outcome:
    """What was found: the exit status, the text for people, and the same with all rows."""

    status: int
    comment: str
    summary: str


# The two modes. Each runs commands as a person would.


def compare(environment: Mapping[str, str], event: Event, folder: Path) -> Outcome:
    """`evreview diff --against` the base of the event, with its SARIF log beside."""
    base = environment.get("EVREVIEW_AGAINST") or event.base
    if event.name == "pull_request_target":
        told = "On `pull_request_target` HEAD is the base itself: nothing of the pull request would be compared."
        return _refused(f"{told} Use the event `pull_request`.")
    if not base and not event.is_first:
        told = f"The event {code(event.name)} names no commit to compare with."
        return _refused(told, f"{AGAINST}.")
    if not base:
        told = "There is no earlier commit to compare with: this is the first one, or a new branch."
        return Outcome(status=ExitStatus.DONE, comment=f"### evreview: nothing to compare\n\n{told}\n", summary=told)
    given = {"--fail-on": environment.get("EVREVIEW_FAIL_ON"), "--config": environment.get("EVREVIEW_CONFIG")}
    options = [f"{name}={value}" for name, value in given.items() if value]
    paths = environment.get("EVREVIEW_PATHS", "").split()
    line = ["diff", "--against", base, *options]
    document = folder / "branch.json"
    status, errors = _quietly([*line, "--format", "json", "-o", str(document), "--", *paths])
    if not document.exists():
        shallow = "[ref-unknown]" in errors or "[no-merge-base]" in errors
        return _refused(f"{code(errors.strip())}", f"{DEPTH}." if shallow else "")
    _quietly([*line, "--format", "sarif", "-o", str(folder / "evreview.sarif"), "--", *paths])
    found = json.loads(document.read_text(encoding="utf-8"))
    warnings = f"\n{fence(errors)}\n" if errors.strip() else ""
    return Outcome(
        status=status, comment=branch_comment(found) + warnings, summary=branch_comment(found, SUMMARY_ROWS) + warnings
    )


def review(environment: Mapping[str, str], event: Event, folder: Path) -> Outcome:
    """`evreview run` of a bundle, with its findings as SARIF."""
    bundle = environment.get("EVREVIEW_BUNDLE", "")
    if not bundle:
        return _refused("The mode `review` needs a bundle.", "Give the action the input `bundle`.", what="reviewed")
    told, errors = StringIO(), StringIO()
    with redirect_stdout(told), redirect_stderr(errors):
        status = run_command(["run", bundle, "-o", str(folder / "review")])
    # Standard error holds what went wrong, and else how far the run is.
    said = told.getvalue() or errors.getvalue()
    if status in ANSWERED:
        exported, problems = _quietly(["export", bundle, "--format", "sarif", "-o", str(folder / "evreview.sarif")])
        said += problems if exported else ""
    words = ANSWERED.get(status, "nothing was reviewed")
    text = f"### evreview: {words}\n\n{fence(said, 'text')}\n\nStatus {status} of `evreview run`.\n"
    return Outcome(status=status, comment=text, summary=text)


MODES: Final[Mapping[str, Callable[[Mapping[str, str], Event, Path], Outcome]]] = {"diff": compare, "review": review}


def _quietly(words: list[str]) -> tuple[int, str]:
    """The exit status of a command, and what it said on standard error."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        status = run_command(words)
    return status, errors.getvalue()


def _refused(*parts: str, what: str = "compared") -> Outcome:
    text = f"### evreview: nothing was {what}\n\n" + "\n\n".join(part for part in parts if part) + "\n"
    return Outcome(status=ExitStatus.BAD_INPUT, comment=text, summary=text)


# The comment: made once, then updated.


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token is sent to the address that was asked, and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class NotWritten(Exception):
    """Why the code host did not do it, in words of ours: an error's own may hold what was sent, as the token."""


@frozen
class Api:
    """The interface of the code host, as far as comments need it."""

    root: str
    token: str

    def holds(self, address: str) -> bool:
        """True for an address below the interface, which no other may get the token."""
        asked, own = urlsplit(address), urlsplit(self.root)
        safe = asked.scheme == "https" or asked.hostname in ("127.0.0.1", "localhost")
        below = asked.path.startswith(own.path.rstrip("/") + "/") and ".." not in asked.path
        return safe and (asked.scheme, asked.netloc) == (own.scheme, own.netloc) and below

    def ask(self, method: str, address: str, body: Mapping[str, str] | None = None) -> Any:
        """The answer as JSON.

        Raises:
            NotWritten: there is none, or it is an error.
        """
        try:
            if not self.holds(address):
                raise NotWritten("the address is not one of the interface of this runner")
            request = self._request(method, address, body)
            with urllib.request.build_opener(_NoRedirect).open(request, timeout=_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise NotWritten(_answered(error.code)) from None
        except OSError as error:
            raise NotWritten(_unreached(error)) from None
        except (ValueError, HTTPException):
            raise NotWritten(_NO_ANSWER) from None

    def _request(self, method: str, address: str, body: Mapping[str, str] | None) -> urllib.request.Request:
        return urllib.request.Request(
            address,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Accept": "application/vnd.github+json",
                "Content-Type": "application/json",
                "User-Agent": "evreview",
            },
        )


def _answered(code: int) -> str:
    advice = f". {RIGHTS}" if code in (401, 403, 404) else ". A redirection is not followed" if code < 400 else ""
    return f"the code host answered {code}{advice}"


def _unreached(error: OSError) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return f"the code host did not answer within {_SECONDS} seconds"
    known = reason.strerror if isinstance(reason, OSError) else ""
    return f"the code host can't be reached: {known or type(reason).__name__}"


def put_comment(api: Api, comments: str, text: str, mark: str, author: str) -> str:
    """`created` or `updated`: the one comment with the mark, by the author, holds the text.

    Raises:
        NotWritten: the code host does not do it.
    """
    body = {"body": f"{mark}\n{text}"}
    for known in _comments(api, comments):
        if _text(known, "body").startswith(mark) and _text(known, "user", "login") == author:
            api.ask("PATCH", _text(known, "url"), body)
            return "updated"
    api.ask("POST", comments, body)
    return "created"


def _comments(api: Api, comments: str) -> Iterator[Mapping[str, Any]]:
    for page in range(1, _PAGES + 1):
        found = api.ask("GET", f"{comments}?per_page={_A_PAGE}&page={page}")
        if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
            raise NotWritten(_NO_ANSWER)
        yield from found
        if len(found) < _A_PAGE:
            return


def _comment(environment: Mapping[str, str], event: Event, text: str) -> str:
    """What became of the comment, as a sentence for the summary; "" where none is asked for."""
    if not event.comments or environment.get("EVREVIEW_COMMENT", "true") != "true":
        return ""
    if event.is_fork:
        return "No comment was written: the token of a pull request from a fork can only read."
    token = environment.get("EVREVIEW_TOKEN", "")
    if not token:
        return "No comment was written: the action was given no token."
    if not (token.isascii() and token.isprintable()):
        return "No comment was written: the token holds signs that no request can."
    key = environment.get("EVREVIEW_COMMENT_KEY") or environment.get("EVREVIEW_MODE") or "diff"
    if not _KEY.fullmatch(key):
        return "No comment was written: `comment-key` may hold letters, digits, `.`, `_` and `-`."
    api = Api(environment.get("GITHUB_API_URL", ""), token)
    author = environment.get("EVREVIEW_COMMENT_AUTHOR") or "github-actions[bot]"
    try:
        put_comment(api, event.comments, text, MARK.format(key=key), author)
    except NotWritten as error:
        return f"No comment was written: {error}."
    return ""


def _within(text: str, most: int) -> str:
    """The text, cut at a line end where it is longer."""
    if len(text) <= most:
        return text
    return text[:most].rpartition("\n")[0] + "\n\nThe rest did not fit.\n"


# All of it.


def act(environment: Mapping[str, str]) -> int:
    """The exit status of the mode, after comment, summary and outputs were written."""
    folder = Path(environment.get("RUNNER_TEMP") or ".") / "evreview"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("branch.json", "evreview.sarif"):
        (folder / name).unlink(missing_ok=True)
    mode = MODES.get(environment.get("EVREVIEW_MODE") or "diff")
    event = _event(environment)
    outcome = _refused("`mode` is `diff` or `review`.") if mode is None else mode(environment, event, folder)
    told = _comment(environment, event, _within(outcome.comment, MOST_CHARACTERS))
    summary = _within(f"{outcome.summary}\n{told}\n" if told else outcome.summary, MOST_OF_SUMMARY)
    say(clean(summary))
    sarif = folder / "evreview.sarif"
    never = environment.get("EVREVIEW_MODE") == "review" and environment.get("EVREVIEW_FAIL_ON") == FailOn.NEVER
    status = 0 if never and outcome.status in (ExitStatus.STOPPED, ExitStatus.BLOCKED) else outcome.status
    outputs = {"status": str(status), "sarif": str(sarif) if sarif.exists() and not event.is_fork else ""}
    _append(environment.get("GITHUB_STEP_SUMMARY"), summary)
    _append(environment.get("GITHUB_OUTPUT"), "".join(f"{name}={value}\n" for name, value in outputs.items()))
    return status


def _event(environment: Mapping[str, str]) -> Event:
    name = environment.get("GITHUB_EVENT_NAME", "")
    try:
        payload = json.loads(Path(environment.get("GITHUB_EVENT_PATH", "")).read_bytes())
    except (OSError, ValueError):
        warn("evreview: the event's file can't be read; nothing is known of a pull request")
        payload = {}
    return event_of(name, payload if isinstance(payload, Mapping) else {})


def _append(file: str | None, text: str) -> None:
    if file:
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    sys.exit(act(os.environ))
