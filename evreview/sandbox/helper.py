"""[I/O] Runs inside a sandbox and nowhere else: starts a local service, sends it messages, runs tests, clears up.

It is handed to the sandbox as text and knows nothing of evreview: it reads one JSON file and writes one JSON report.
Only the standard library, and only what Python 3.9 has.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

HOST = "127.0.0.1"
READY_EVERY = 0.05
PATIENCE = 10.0


class Service:
    """The process that answers on loopback; the end of its output is kept."""

    def __init__(self, asked: dict[str, Any], limit: int) -> None:
        self.output, self.limit = b"", limit
        self.process = subprocess.Popen(
            asked["start"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, **asked["environment"]),
        )
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self.reader.start()

    def _read(self, stream: IO[bytes]) -> None:
        left = self.limit
        for data in iter(lambda: os.read(stream.fileno(), 65536), b""):
            left = shown(data, left, 2)
            self.output = (self.output + data)[-self.limit :]

    def ready(self, port: int, path: str, seconds: float) -> bool:
        """True once something answers, False when nothing does in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            answer = send(port, {"method": "GET", "path": path, "headers": []}, 0)
            if "error" not in answer:
                return True
            time.sleep(READY_EVERY)
        return False

    def end(self) -> int | None:
        """The exit status when it had ended by itself, None when it was told to end."""
        own = self.process.poll()
        if own is None:
            self.process.terminate()
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join(1)
        return own


def send(port: int, message: dict[str, Any], limit: int) -> dict[str, Any]:
    """The response to a message, or why there is none."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        body = base64.b64decode(message["body"]) if message.get("body") is not None else None
        connection.putrequest(message["method"], message["path"], skip_accept_encoding=True, skip_host=True)
        names = {name.lower() for name, _ in message["headers"]}
        for name, value in message["headers"]:
            connection.putheader(name, value)
        if "host" not in names:
            connection.putheader("Host", f"{HOST}:{port}")
        if body is not None and "content-length" not in names:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        data = response.read(limit + 1)
        return {
            "status": response.status,
            "reason": response.reason,
            "headers": response.getheaders(),
            "body": base64.b64encode(data[:limit]).decode(),
            "cut": len(data) > limit,
        }
    except (OSError, ValueError, http.client.HTTPException) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        connection.close()


def command(words: list[str], environment: dict[str, str], limit: int) -> dict[str, Any]:
    """Exit status and the end of the output of a command."""
    try:
        done = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, **environment),
        )
    except OSError as error:
        return {"exit": 127, "output": f"{words[0]}: {error.strerror}"}
    output, stream, left = b"", done.stdout, limit
    for data in iter(lambda: os.read(stream.fileno(), 65536) if stream else b"", b""):
        left = shown(data, left, 1)
        output = (output + data)[-limit:]
    status = done.wait()
    return {"exit": status if status >= 0 else 128 - status, "output": output.decode("utf-8", "replace")}


def shown(data: bytes, left: int, stream: int) -> int:
    """How much more is passed on, after what is passed on at once: a run that is ended leaves that and no report."""
    if left:
        try:
            os.write(stream, data[:left])
        except OSError:
            return 0
    return max(0, left - len(data))


def work(plan: dict[str, Any]) -> dict[str, Any]:
    """The report of a whole plan."""
    report: dict[str, Any] = {}
    limit, port, environment = plan["text_limit"], plan["port"], plan["environment"]
    service = None
    if plan.get("fixture"):
        asked = plan["fixture"]
        try:
            service = Service(asked, limit)
        except OSError as error:
            report["fixture"] = {"ready": False, "exit": 127, "output": f"{asked['start'][0]}: {error.strerror}"}
            return report
        ready = service.ready(port, asked["ready_path"], asked["seconds"])
        report["fixture"] = {"ready": ready}
    if service is None or report["fixture"]["ready"]:
        report["exchanges"] = [send(port, message, plan["body_limit"]) for message in plan["messages"]]
        if plan["tests"]:
            report["tests"] = command(plan["tests"], environment, limit)
            report["tests"]["result"] = result_file(plan["result"], plan["result_limit"])
        if plan.get("routes"):
            report["routes"] = command(plan["routes"], plan["routes_environment"], limit)
            report["routes"]["result"] = result_file(plan["routes_result"], plan["result_limit"])
        if plan["cleanup"]:
            report["cleanup"] = command(plan["cleanup"], environment, limit)
    if service is not None:
        report["fixture"]["exit"] = service.end()
        report["fixture"]["output"] = service.output.decode("utf-8", "replace")
    return report


def result_file(name: str, limit: int) -> str | None:
    """The text of the file that the tests wrote, None when they wrote none that can be taken."""
    path = Path(name)
    if not name or path.is_symlink() or not path.is_file() or path.stat().st_size > limit:
        return None
    return path.read_text(encoding="utf-8", errors="replace")


def main() -> None:
    """Read the plan that stands beside this file, and write the report to the pipe whose number is given."""
    handle = int(sys.argv[1])
    # Only this process reports: what it starts does not inherit the pipe.
    os.set_inheritable(handle, False)
    plan = json.loads(Path(__file__).with_name("plan.json").read_bytes())
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(work(plan), out)


if __name__ == "__main__":
    main()
