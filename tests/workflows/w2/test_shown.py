"""What the source of a test shows of a status, whatever the wrapper of its run says."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w2.matrix.assertions import TestSource, unshown

SOURCE = '''
from http import HTTPStatus
import pytest

TAKEN = 409

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

def test_named(client):
    assert client.post("/things").status_code == TAKEN

def test_loop(client):
    for want in (409, 409):
        assert client.post("/things").status_code == want

def test_fails(client):
    if client.post("/things").status_code != 409:
        pytest.fail("taken")

def test_both(client):
    answer = client.post("/things")
    assert answer.status_code == 409 and answer.json()

def test_tried(client):
    try:
        assert client.post("/things").status_code == 409
    finally:
        client.close()

def test_reraised(client):
    try:
        assert client.post("/things").status_code == 409
    except AssertionError:
        raise RuntimeError("taken")

def test_mixed(client):
    assert client.post("/things").status_code in (201, 409)

def test_or(client):
    assert client.post("/things").status_code == 409 or True

def test_negated(client):
    assert not client.post("/things").status_code == 409

def test_dead(client):
    return
    assert client.post("/things").status_code == 409

def test_never(client):
    if False:
        assert client.post("/things").status_code == 409

def test_skips(client):
    pytest.skip("later")
    assert client.post("/things").status_code == 409

def test_caught(client):
    try:
        assert client.post("/things").status_code == 409
    except Exception:
        pass

def test_suppressed(client):
    with contextlib.suppress(AssertionError):
        assert client.post("/things").status_code == 409

def test_expected_to_fail(client):
    with pytest.raises(AssertionError):
        assert client.post("/things").status_code == 409

def test_branches(client):
    if client.post("/things").status_code == 409:
        print("taken")

def test_prints(client):
    client.post("/things")
    print(409)

def test_text(client):
    assert "client.post('/things').status_code == 409"

def test_reads(client):
    assert client.get("/things/1").status_code == 409
'''
TESTS = (TestSource(EvidenceId("E6"), SOURCE),)


@pytest.mark.parametrize(
    ("test", "shown"),
    [
        *((name, True) for name in ("plain", "member", "constant", "one_of", "helper", "table[409]", "method")),
        *((name, True) for name in ("named", "loop", "fails", "both", "tried", "reraised")),
        *((name, False) for name in ("other", "not", "sends", "says", "reads", "mixed", "or", "negated", "dead")),
        *((name, False) for name in ("never", "skips", "caught", "suppressed", "expected_to_fail")),
        *((name, False) for name in ("branches", "prints", "text")),
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
