"""What test functions ask and assert, read from their syntax trees."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import Route, Spot
from evreview.codefacts.test_functions import TestRequest, answers, named_test, read_tests
from evreview.core.vocabulary import EvidenceId
from tests.codefacts.snippets import modules

Told = list[tuple[str, str, int | None]]


def asked(body: str, before: str = "", decorators: str = "", arguments: str = "client") -> Told:
    text = f"import pytest\n{before}\n{decorators}\ndef test_it({arguments}):\n" + "\n".join(
        f"    {line}" for line in body.splitlines()
    )
    (found,) = read_tests(modules({"tests/test_a.py": text}))
    return [(one.method, one.path, one.status) for one in found.asked]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert client.get('/a').status_code == 200", [("GET", "/a", 200)]),
        ("assert 403 == client.post('/a', json={}).status_code", [("POST", "/a", 403)]),
        ("r = client.delete('/a')\nassert r.status_code == 401", [("DELETE", "/a", 401)]),
        ("r = await client.get('/a')\nassert r.status == 404", [("GET", "/a", 404)]),
        ("r = client.get('/a')\nassert r.status_code in (401, 403)", [("GET", "/a", 401), ("GET", "/a", 403)]),
        ("r = client.get('/a')\nself.assertEqual(r.status_code, 403)", [("GET", "/a", 403)]),
        ("r = client.get('/a')\nassert (r.status_code, r.json()) == (500, {})", [("GET", "/a", 500)]),
        ("r = client.get('/a')\nassert r.status_code == 200 and r.json()", [("GET", "/a", 200)]),
        ("r = client.request('PATCH', '/a')\nassert r.status_code == 200", [("PATCH", "/a", 200)]),
        ("assert client.get(f'/a/{x}/b').status_code == 200", [("GET", "/a/{}/b", 200)]),
        ("assert client.get(PATH).status_code == OK", [("GET", "/p", 200)]),
        ("assert client.get('/a').json() == []", [("GET", "/a", None)]),
        ("client.get('/a')", [("GET", "/a", None)]),
        ("r = client.get('/a')\nassert r.status_code != 200", [("GET", "/a", None)]),
        ("r = client.get('/a')\nassert r.status_code < 400", [("GET", "/a", None)]),
        ("a = client.get('/a')\nb = client.get('/b')\nassert b.status_code == 403",
         [("GET", "/a", None), ("GET", "/b", 403)]),
        ("assert store.get('a') == 1", []),
        ("assert x.status_code == 200", []),
        ("assert client.get(unknown).status_code == 200", []),
    ],
)  # fmt: skip
def test_requests_and_statuses(body: str, expected: list[tuple[str, str, int | None]]) -> None:
    assert asked(body, before="from http import HTTPStatus\nPATH = '/p'\nOK = HTTPStatus.OK") == expected


@pytest.mark.parametrize(
    ("decorator", "arguments", "body", "expected"),
    [
        ("@pytest.mark.parametrize('path', ['/a', '/b'])", "client, path",
         "assert client.get(path).status_code == 401", {("GET", "/a", 401), ("GET", "/b", 401)}),
        ("@pytest.mark.parametrize('path,status', [('/a', 401), pytest.param('/b', 403)])", "client, path, status",
         "assert client.get(path).status_code == status",
         {("GET", "/a", 401), ("GET", "/a", 403), ("GET", "/b", 401), ("GET", "/b", 403)}),
        ("@pytest.mark.parametrize('path', PATHS)", "client, path",
         "assert client.get(path).status_code == 401", set()),
    ],
)  # fmt: skip
def test_parametrised_tests(decorator: str, arguments: str, body: str, expected: set[tuple[str, str, int]]) -> None:
    assert set(asked(body, decorators=decorator, arguments=arguments)) == expected


FILES = {
    "tests/test_a.py": "def test_x(c): ...\nclass TestIt:\n    def test_y(self): ...\n    def helper(self): ...\n",
    "tests/more/test_a.py": "def test_x(c): ...\ndef testing(c): ...\n",
}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("tests/test_a.py::test_x", "tests/test_a.py test_x"),
        ("tests.test_a::test_x", "tests/test_a.py test_x"),
        ("tests/more/test_a.py::test_x[one.py]", "tests/more/test_a.py test_x"),
        ("TestIt::test_y", "tests/test_a.py TestIt.test_y"),
        ("tests.test_a.TestIt.test_y", "tests/test_a.py TestIt.test_y"),
        ("test_x", None),
        ("test_y", None),
        ("other.test_a::test_x", None),
        ("tests/test_a.py::test_z", None),
        ("tests/test_a.py::TestIt::helper", None),
        ("", None),
    ],
)
def test_an_id_names_one_test_or_none(name: str, found: str | None) -> None:
    one = named_test(read_tests(modules(FILES)), name)
    assert (f"{one.path} {one.name}" if one else None) == found


@pytest.mark.parametrize(
    ("path", "request_", "fits"),
    [
        ("/a/{id}", ("GET", "/a/7"), True), ("/a/{id}", ("GET", "/a/{}"), True), ("/a/{id}", ("GET", "/a/7?x=1"), True),
        ("/a/{id}", ("POST", "/a/7"), False), ("/a/{id}", ("GET", "/a"), False), ("/a/b", ("GET", "/a/c"), False),
        ("/a/{id}/b", ("GET", "/a/7/c"), False), ("/", ("GET", "/"), True), ("/a/b", ("GET", "/a/{}"), True),
    ],
)  # fmt: skip
def test_which_route_takes_a_request(path: str, request_: tuple[str, str], fits: bool) -> None:
    spot = Spot(EvidenceId("E1"), 1, 1)
    route = Route(method="GET", path=path, handler="", framework="fastapi", spot=spot)
    assert answers(route, TestRequest(*request_, None)) is fits
