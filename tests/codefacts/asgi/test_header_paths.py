"""Which headers a FastAPI handler sets on every way to its plain answer."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import source

HEAD = """from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
app = FastAPI()
def mark(response): response.headers['Location'] = '/a'
@app.post('/orders', status_code=201)
def create(response: Response, known: bool, names: list[str]):
"""
SET = "response.headers['Location'] = '/a'"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ([SET, "return 1"], ()),
        (["if known:", f"    {SET}", "    return 1", "return 2"], ("Location",)),
        (["if known:", f"    {SET}", "return 1"], ("Location",)),
        (["if known:", f"    {SET}", "else:", f"    {SET}", "return 1"], ()),
        (["if known:", "    return JSONResponse({}, 409)", SET, "return 1"], ()),
        (["if known:", "    raise ValueError", SET, "return 1"], ()),
        (["if known:", "    return 1", SET, "return 2"], ("Location",)),
        (["try:", f"    {SET}", "except ValueError:", "    return 0", "return 1"], ("Location",)),
        (["try:", f"    {SET}", "finally:", "    print(1)", "return 1"], ()),
        (["for name in names:", f"    {SET}", "    break", "return 1"], ()),
        (["with open('a'):", f"    {SET}", "    return 1"], ()),
        (["match known:", "    case True:", f"        {SET}", "    case False:", "        return 0", "return 1"],
         ("Location",)),
        (["if known:", "    mark(response)", "return 1"], ()),
        (["if known:", f"    {SET}"], ("Location",)),
        (["if known:", f"    {SET}", "else:", "    response.status_code = 200", "return 1"], ()),
    ],
)  # fmt: skip
def test_ways_without_the_header(body: list[str], expected: tuple[str, ...]) -> None:
    text = HEAD + "".join(f"    {line}\n" for line in body)
    (found,) = read_sources((source(text),)).routes
    assert {name for each in found.responses for name in each.sometimes} == set(expected)
