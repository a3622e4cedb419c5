"""Typed bodies are told from code and test outputs that merely hold `kind:`."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import EvidenceType
from evreview.evidence.typed_reader import read_body

CODE, RUN = EvidenceType.SOURCE_EXCERPT, EvidenceType.TEST_RECORD
TEXTS = {
    "a module with a variable": (
        CODE,
        'import re\n\nkind: str = "order"\n\n\ndef handler() -> None: ...\n',
    ),
    "a variable alone": (CODE, 'kind: str = "order"\n'),
    "a match with a literal": (CODE, "from typing import Literal\nkind: Literal['a']\nother = {\n"),
    "a docstring that quotes a body": (CODE, '"""Reads\n\nkind: source-map\n\n"""\nx = 1\n'),
    "a resource of an orchestrator": (CODE, "apiVersion: v1\nkind: Deployment\nmetadata: {name: orders}\n"),
    "code of another language": (CODE, "{\nkind: Order,\n"),
    "objects one per line": (RUN, '{"kind": "started"}\n{"kind": "finished", "checks": 3}\n'),
    "objects one per line, cut": (RUN, '{"event": 1}\n{"kind": "finis'),
    "a collection's results": (RUN, '{"collection": {"info": {"name": "Orders"}}, "run": {"executions": []}}'),
    "JUnit": (RUN, '<testsuites>\n<testsuite name="kind: x">\nkind: test-record\n</testsuite></testsuites>\n'),
    "cassette": (RUN, "interactions:\n- request: {method: GET, uri: /v1/orders}\n"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_code_and_outputs_are_text(name: str) -> None:
    assert read_body(*TEXTS[name], "x") == (None, ())


BROKEN = {
    "a source map that does not parse": (CODE, "kind: source-map\nsources: [\n"),
    "a misspelt source map": (CODE, "kind: source-mapp\nsources: []\n"),
    "a run without its output": (RUN, "kind: test-run\n"),
    "a run that does not parse": (RUN, "kind: test-run\noutput: [\n"),
    "a run of no known kind": (RUN, "kind: run\noutput: E1\n"),
    "a run in JSON that does not parse": (RUN, '{"kind": "test-run",\n "output": }'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_body_that_is_meant_and_broken_is_told(name: str) -> None:
    record, problems = read_body(*BROKEN[name], "x")
    assert record is None and problems


def test_a_typed_body_in_a_source_excerpt_is_read() -> None:
    text = "# inspected\nkind: source-map\nsources:\n- {item: E2, path: a.py, part: handler}\n"
    record, problems = read_body(CODE, text, "x")
    assert problems == () and record is not None and record.kind == "source-map"  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.ROLLOUT_RECORD])
@pytest.mark.parametrize(
    ("manifest", "problems"),
    [
        ("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: tickets}\n", 0),
        ("kind: Deployment\napiVersion: apps/v1\n", 0),
        ("apiVersion: v1\nkind: Service\n---\napiVersion: apps/v1\nkind: Deployment\n", 0),
        ("kind: Ingress\n", 1),
    ],
)
def test_a_manifest_of_another_system_is_text(kind: EvidenceType, manifest: str, problems: int) -> None:
    record, found = read_body(kind, manifest, "deploy.yaml")
    assert (record, len(found)) == (None, problems)
