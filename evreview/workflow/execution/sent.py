"""An example request as the octets that are sent to a fixture."""

from __future__ import annotations

from evreview.reference.examples.model import Example
from evreview.workflow.execution.room import Outgoing


def outgoing(operation: str, example: Example) -> Outgoing:
    """The request of an example, to the fixture's own origin: the path with its query, the headers, the body."""
    message = example.message
    query = "&".join(f"{name}={value}" for name, value in message.query)
    return Outgoing(
        operation=operation,
        method=message.method,
        target=f"{message.path}?{query}" if query else message.path,
        headers=example.headers,
        body=example.body.encode() if example.body else None,
    )
