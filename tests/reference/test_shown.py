"""What the source of a test shows of a status, whatever the wrapper of its run says."""

from __future__ import annotations

import pytest

from evreview.reference.shown import TestSource, unshown
from evreview.vocab import EvidenceId

SOURCE = '''
from http import HTTPStatus
import pytest

def make(client):
    return client.post("/things", json={"quantity": 409})

def refuse(answer, status):
    assert answer.status_code == status

def test_plain(client):
    assert client.post("/things").status_code == 409

def test_member(client):
    assert client.post("/things").status_code == HTTPStatus.CONFLICT

def test_constant(client):
    assert client.post("/things").status_code == status.HTTP_409_CONFLICT

def test_one_of(client):
    assert client.post("/things").status_code in (409, 412)

def test_helper(client):
    refuse(make(client), 409)

@pytest.mark.parametrize("status", [400, 409])
def test_table(client, status):
    assert client.post("/things").status_code == status

class TestThings:
    def test_method(self):
        self.assertEqual(self.client.post("/things").status_code, 409)

def test_other(client):
    assert client.post("/things").status_code == 401

def test_not(client):
    assert client.post("/things").status_code != 409

def test_sends(client):
    assert make(client).ok

def test_says(client):
    """It is a 409."""
    client.post("/things")  # 409

def test_reads(client):
    assert client.get("/things/1").status_code == 409
'''
TESTS = (TestSource(EvidenceId("E6"), SOURCE),)


@pytest.mark.parametrize(
    ("test", "shown"),
    [
        *((name, True) for name in ("plain", "member", "constant", "one_of", "helper", "table[409]", "method")),
        *((name, False) for name in ("other", "not", "sends", "says", "reads")),
    ],
)
@pytest.mark.parametrize("written", ["tests.a::test_{}", "tests/a.py::test_{}"])
def test_a_status_is_shown_by_what_the_source_compares(test: str, shown: bool, written: str) -> None:
    assert (unshown(written.format(test), 409, "POST", TESTS) == "") is shown


def test_without_source_or_status_nothing_speaks_against_it() -> None:
    assert unshown("tests.a::test_elsewhere", 409, "POST", TESTS) == ""
    assert unshown("tests.a::test_other", None, "POST", TESTS) == ""
    assert unshown("tests.a::test_plain", 409, "POST", (TestSource(EvidenceId("E6"), "def ("),)) == ""
    assert unshown("tests.a::test_reads", 409, "GET", TESTS) == ""
