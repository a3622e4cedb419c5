"""When a base URL shape agrees with a server of the contract."""

from __future__ import annotations

import pytest

from evreview.workflows.w2.scope import same_base

ALIKE = (
    ("https://{merchant}.orders.example.com", "https://{tenant}.orders.example.com/"),
    ("https://acme.orders.example.com", "https://{tenant}.orders.example.com"),
    ("https://eu-{shop}.example.com/v1", "https://{region}-acme.example.com/v1"),
    ("https://API.example.com:443/v1", "https://api.example.com/v1/"),
    ("https://api.example.com/v1", "/v1"),
    ("https://api.example.com/v1", "//api.example.com/v1"),
    ("https://api.example.com/v1", "{scheme}://api.example.com/{version}"),
    ("https://api.example.com/v1", "{base}/v1"),
    ("https://api.example.com/v1", "https://{host}/v1"),
    ("https://api.example.com/v1", "./v1"),
)
APART = (
    ("https://api.other.example.com", "https://{merchant}.orders.example.com"),
    ("https://shop.acme.orders.example.com", "https://{merchant}.orders.example.com"),
    ("http://api.example.com", "https://api.example.com"),
    ("https://api.example.com:8443", "https://api.example.com"),
    ("https://api.example.com/v1", "https://api.example.com/v2"),
    ("https://api.example.com/v1", "https://api.example.com"),
    ("https://api.example.com/v1", "/v2"),
    ("https://us-acme.example.com", "https://eu-{shop}.example.com"),
    ("https://acme-us.example.com", "https://{shop}-eu.example.com"),
    ("https://api.example.com/v1", ""),
)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_shapes_that_agree(one: str, other: str) -> None:
    assert same_base(one, other)
    assert same_base(other, one)


@pytest.mark.parametrize(("one", "other"), APART)
def test_shapes_that_differ(one: str, other: str) -> None:
    assert not same_base(one, other)
    assert not same_base(other, one)
