"""Python libraries: where they are read from, what is public, what is refused with its place, and hostile archives."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.contract.model import Contract, ElementKind
from evreview.contract.source import Files
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind
from evreview.kinds.load import read_contract, read_named
from evreview.kinds.python import SPEC, metadata
from evreview.kinds.python import signatures as sig
from tests.pipeline import written

MODULE = "def f(a): ...\n"
METADATA = "Metadata-Version: 2.1\nName: lib\nVersion: 1.0\nRequires-Python: >=3.9, <4\n\nText.\n"


def library(files: dict[str, bytes]) -> Contract:
    return read_contract("", lambda name: files[name], tuple(sorted(files)))


def of(files: dict[str, str]) -> Contract:
    return library({name: text.encode() for name, text in files.items()})


def names(contract: Contract) -> set[str]:
    return {operation.key for operation in contract.operations}


def wheel(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def sdist(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return stream.getvalue()


def codes(data: bytes, name: str = "lib.whl") -> list[str]:
    with pytest.raises(BadInput) as caught:
        written(name, data)
    return [problem.code for problem in caught.value.problems]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(wheel({"lib/__init__.py": MODULE, "lib-1.0.dist-info/METADATA": METADATA}), id="wheel"),
        pytest.param(sdist({"lib-1.0/PKG-INFO": METADATA, "lib-1.0/lib/__init__.py": MODULE}), id="sdist"),
        pytest.param(sdist({"lib-1.0/PKG-INFO": METADATA, "lib-1.0/src/lib/__init__.py": MODULE}), id="sdist with src"),
    ],
)
def test_archives_are_read_alike(data: bytes) -> None:
    contract = written("E1", data)
    assert (contract.kind, contract.title, contract.release) == (ContractKind.PYTHON, "lib", "1.0")
    assert names(contract) == {"lib.f"}
    assert contract.root.facet(sig.REQUIRES_PYTHON) == "<4,>=3.9"
    assert (contract.operations[0].place.file.rpartition("lib/")[2], contract.operations[0].place.line) == (
        "__init__.py",
        1,
    )


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"lib/__init__.py": "", "lib/a.py": MODULE, "tests/test_a.py": MODULE, "setup.py": ""}, {"lib.a.f"}),
        ({"src/lib/__init__.py": MODULE, "docs/conf.py": "x = 1"}, {"lib.f"}),
        ({"one.py": MODULE, "two.py": MODULE}, {"one.f", "two.f"}),
        ({"__init__.py": "from own.a import f", "a.py": MODULE}, {"f", "a.f"}),
        ({"space/lib/__init__.py": MODULE, "setup.py": ""}, {"space.lib.f"}),
        ({"lib/__init__.py": "from .a import f", "lib/a.py": MODULE}, {"lib.f", "lib.a.f"}),
        ({"lib/__init__.py": "from ._a import f", "lib/_a.py": MODULE}, {"lib.f"}),
        ({"lib/__init__.py": "from .a import *", "lib/a.py": "__all__ = ['f']\ndef f(): ...\ndef g(): ..."},
         {"lib.f", "lib.a.f", "lib.a.g"}),
        ({"lib/__init__.py": "from . import a\n__all__ = ['f'] + a.__all__\ndef f(): ...",
          "lib/a.py": "__all__ = ['g']\ndef g(): ..."}, {"lib.f", "lib.a.g"}),
        ({"lib/__init__.py": "import os\nfrom typing import Any\ndef f(): ...\ndef _g(): ..."}, {"lib.f"}),
    ],
)  # fmt: skip
def test_what_is_public(files: dict[str, str], expected: set[str]) -> None:
    assert names(of(files)) == expected


def test_a_folder_and_a_wheel_of_one_library_are_named_alike(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text(MODULE)
    (tmp_path / "lib.whl").write_bytes(wheel({"lib/__init__.py": MODULE}))
    assert names(read_named(tmp_path / "lib.whl")[0]) == names(of({"lib/__init__.py": MODULE}))


def test_a_stub_beside_a_module_gives_its_types() -> None:
    contract = of({"lib/__init__.py": "def f(a): ...", "lib/__init__.pyi": "def f(a: int) -> str: ..."})
    assert contract.operations[0].facet(sig.RETURNS) == "str"


def test_what_cannot_be_parsed_is_a_row_and_the_rest_is_read() -> None:
    contract = of({"lib/__init__.py": MODULE, "lib/a.py": "def f(:\n", "lib/b.py": "x = '\0'"})
    assert names(contract) == {"lib.f"}
    assert [row.place.file for row in contract.unread] == ["lib/a.py", "lib/b.py"]


def test_a_single_file_that_is_no_python_is_refused_with_its_line() -> None:
    with pytest.raises(BadInput) as caught:
        written("m.py", b"def f(): ...\ndef g(:\n")
    assert [(problem.code, problem.file, problem.place) for problem in caught.value.problems] == [
        ("python-syntax", "m.py", "line 2")
    ]


def test_a_star_of_another_library_is_said() -> None:
    contract = of({"lib/__init__.py": "from numpy import *"})
    assert ["numpy" in row.found for row in contract.unread] == [True]


@pytest.mark.parametrize(
    "text",
    [
        b"openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {}\n",
        b'syntax = "proto3";\nimport "x.proto";\nmessage M {}\n',
        b"type Query { a: String }\n",
        b'{"type": "record", "name": "R", "fields": []}',
        b"asyncapi: 3.0.0\nchannels: {}\n",
    ],
)
def test_texts_of_other_kinds_are_not_claimed(text: bytes) -> None:
    assert not SPEC.recognises(Files("E1", lambda _: text))


@pytest.mark.parametrize(
    ("names", "ours"),
    [
        (("lib/__init__.py", "lib/data.json"), True),
        (("one.py",), True),
        (("pyproject.toml", "one.py", "data.yaml"), True),
        (("order.schema.json", "make.py"), False),
        (("a.proto", "b.proto", "b_pb2.py"), False),
        (("order.avsc",), False),
    ],
)
def test_folders_of_other_kinds_are_not_claimed(names: tuple[str, ...], ours: bool) -> None:
    assert SPEC.recognises(Files("", lambda _: b"", names)) is ours


@pytest.mark.parametrize("text", [b"def f(): ...\n", b"class C:\n    a = 1\n", b"from x import y\n", b"import os\n"])
def test_inline_text_is_recognised(text: bytes) -> None:
    assert SPEC.recognises(Files("E1", lambda _: text))


def test_hostile_archives_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(wheel({"../lib/__init__.py": MODULE})) == ["archive-path"]
    assert codes(sdist({"/lib/__init__.py": MODULE}), "lib.tar.gz") == ["archive-path"]
    assert codes(b"PK\x03\x04 broken") == ["archive-broken"]
    assert codes(b"\x1f\x8b broken", "lib.tar.gz") == ["archive-broken"]
    assert codes(b"") == codes(b"def f(): ...\n") == codes(bytes(range(128, 256))) == ["archive-broken"]
    assert codes(wheel({"lib/data.txt": ""})) == ["python-no-modules"]
    monkeypatch.setattr(metadata, "MAX_UNPACKED", 1_000)
    assert codes(wheel({"lib/__init__.py": "x = 1\n" * 1_000})) == ["archive-too-large"]
    assert codes(sdist({"lib/__init__.py": "x = 1\n" * 1_000}), "lib.tar.gz") == ["archive-too-large"]


def test_links_in_archives_are_left_out() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        link = tarfile.TarInfo("lib/secret.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        entry = tarfile.TarInfo("lib/__init__.py")
        entry.size = len(MODULE)
        archive.addfile(entry, io.BytesIO(MODULE.encode()))
    assert names(written("lib.tar.gz", stream.getvalue())) == {"lib.f"}


def test_nothing_is_executed(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    call = f"open({str(trap)!r}, 'w')"
    code = f"{call}\nclass M(type):\n    def __new__(*a): {call}\nclass C(metaclass=M): ...\ndef f(a={call}): ...\n"
    written("m.py", code.encode())
    assert not trap.exists()


@pytest.mark.parametrize(
    "code",
    [
        "class A(B): ...\nclass B(A): ...\n",
        "from .m import a as b\nfrom .m import b as a\n",
        "class A(A): ...\n",
        "X = 'X | None'\ndef f(a: X): ...\n",
        "from typing import Union\nX = Union['X', int]\ndef f(a: X): ...\n",
        "def f(a: " + "list[" * 60 + "int" + "]" * 60 + "): ...\n",
        "def f(a: '" + "(" * 500 + "'): ...\n",
        "class A:\n    class A:\n        class A:\n            class A: ...\n",
        "__all__ = [1, None]\n",
        "from . import *\n",
        "x: 1 + 2 = 3\n",
        "class E(1): ...\n",
        "@property\ndef f(): ...\n",
        "def f(*, a): ...\n" * 500,
    ],
)
def test_odd_code_is_read_to_an_end(code: str) -> None:
    contract = of({"lib/__init__.py": "", "lib/m.py": code})
    assert contract.root.kind is ElementKind.DOCUMENT


def test_an_empty_wheel_ends_a_comparison(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(wheel({"lib/__init__.py": MODULE}))
    (tmp_path / "b.whl").write_bytes(b"")
    done = CliRunner().invoke(app, ["diff", str(tmp_path / "a.whl"), str(tmp_path / "b.whl")])
    assert done.exit_code == 2
    assert "archive-broken" in done.output


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("__all__ = ['f']\n__all__.append('g')\n__all__.extend(['h'])\n", []),
        ("import a\n__all__ = ['f'] + a.__all__\n__all__ += ['g']\n", []),
        ("__all__ = ['f']\n__all__.extend(name for name in x)\n", ["L2"]),
        ("x = 1\n__all__ = [name for name in dir()]\n", ["L2"]),
        ("__all__ = ['f']\n__all__.remove('f')\n", ["L2"]),
    ],
)
def test_exports_that_only_running_tells_are_said(code: str, lines: list[str]) -> None:
    contract = of({"lib/__init__.py": code + "f = g = h = 1\n", "lib/a.py": "__all__ = []\n"})
    assert [row.place.pointer for row in contract.unread] == lines


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "sarif", "github"])
def test_every_format_shows_two_wheels(form: str, tmp_path: Path) -> None:
    for name, text in (("a.whl", "def f(a): ...\n"), ("b.whl", "def f(b): ...\n")):
        (tmp_path / name).write_bytes(wheel({"lib/__init__.py": text}))
    done = CliRunner().invoke(app, ["diff", str(tmp_path / "a.whl"), str(tmp_path / "b.whl"), "--format", form])
    assert done.exit_code == 0, done.output
    assert "lib.f" in done.output
