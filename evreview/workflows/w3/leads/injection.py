"""Values of the request that become code, a query, a command or an object."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import Scope, all_given, last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT, Area
from evreview.workflows.w3.access_control.request_values import RequestSource, only_value
from evreview.workflows.w3.access_control.units import CodeUnit, Hit, LeadRule, RuleInput, hit
from evreview.workflows.w3.leads.input_checks import ValueUse, keeping, use_of

_LOADS: Final = {
    "pickle": ("load", "loads", "Unpickler"), "cPickle": ("load", "loads"), "_pickle": ("load", "loads"),
    "dill": ("load", "loads"), "cloudpickle": ("load", "loads"), "marshal": ("load", "loads"), "shelve": ("open",),
    "jsonpickle": ("decode", "loads"), "joblib": ("load",), "pandas": ("read_pickle",),
}  # fmt: skip
_ORIGIN: Final[Text] = ("the code that writes what is loaded, and who else may write there",)
"""What decides about a load of what no line shows to come from a caller: an own cache, a file."""
_SAFE_LOADERS: Final = frozenset({"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"})
_UNSAFE_LOADERS: Final = frozenset({"yaml.Loader", "yaml.UnsafeLoader", "yaml.CLoader", "yaml.FullLoader"})
_NARROWING: Final = frozenset({"filter", "where", "having", "order_by", "group_by", "from_statement", "select_from"})
_EXECUTING: Final = frozenset({"execute", "executemany", "executescript", "raw", "fetch", "fetchrow", "fetchval",
                               "read_sql", "read_sql_query", "exec_driver_sql", "RawSQL"})  # fmt: skip
_ASKING: Final = frozenset({"query", "one", "all", "first", "one_or_none", "scalar", "scalars", "select", "fetch_one",
                            "fetch_all", "fetch_val", "fetchone", "fetchall", "iterate", "get_all", "get_one", "run",
                            "sql", "run_query", "execute_query"})  # fmt: skip
"""Names that other things have as well: only a text that is shown to be a statement counts."""
_SQL: Final = ("select ", "insert ", "update ", "delete ", "create ", "drop ", "alter ", "with ", "where ", " from ",
               "merge ", "truncate ", "order by", "values")  # fmt: skip
_TEXTS: Final = (ast.Constant, ast.Name)
_SHELLS: Final = frozenset({"os.system", "os.popen", "commands.getoutput", "subprocess.getoutput",
                            "subprocess.getstatusoutput", "asyncio.create_subprocess_shell"})  # fmt: skip
_RUNS: Final = frozenset({"run", "call", "check_call", "check_output", "Popen"})
_CODE: Final = frozenset({"builtins.eval", "builtins.exec", "builtins.compile", "builtins.__import__",
                          "importlib.import_module"})  # fmt: skip


def unsafe_loads(reading: RuleInput) -> Iterator[Hit]:
    """Loads of a format that makes any object, other than of what the same expression has written."""
    for unit, frame, call in reading.calls():
        found = reading.modules.called(frame.scope, call)
        if not makes_objects(reading, frame, call):
            continue
        if not isinstance(found, External) or _is_unsafe_yaml(reading, frame, call):
            found = External("ruamel.load")
        given = all_given(call)
        if any(isinstance(one, ast.Call) and last_name(one.func) in ("dump", "dumps") for one in given):
            continue
        sent = any(reading.origins.of(frame, one) for one in given)
        of = " on what the caller sends" if sent else ""
        load = hit(frame, call, unit.route, text(UserText(f"{found.package}.{found.last}"), of))
        yield load if sent else replace(load, lacks=_ORIGIN)


def makes_objects(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    """True for a load of a format that makes any object."""
    found = reading.modules.called(frame.scope, call)
    plain = isinstance(found, External) and _unsafe(reading, frame, call, found)
    return plain or _is_unsafe_yaml(reading, frame, call)


def _unsafe(reading: RuleInput, frame: Frame, call: ast.Call, found: External) -> bool:
    if found.package == "torch" and found.last == "load":
        stated = {word.arg: constant(reading.modules, frame.scope, word.value) for word in call.keywords}
        return stated.get("weights_only") is not True
    if found.package in ("yaml", "ruamel"):
        if found.last in ("unsafe_load", "unsafe_load_all", "full_load", "full_load_all"):
            return True
        if found.name in _UNSAFE_LOADERS:
            return bool(call.args)
        words = {word.arg: word.value for word in call.keywords}
        loader = words.get("Loader") or (call.args[1] if len(call.args) > 1 else None)
        where = frame.scope
        for scope, name, value in _spread(reading, frame, call):
            where, loader = (scope, value) if name == "Loader" else (where, loader)
        named = reading.modules.resolve(where, loader)
        safe = isinstance(named, External) and named.last in _SAFE_LOADERS
        own = isinstance(named, Definition) and any(
            isinstance(base, External) and base.last in _SAFE_LOADERS for base in reading.modules.ancestry(named)
        )
        return found.name in ("yaml.load", "yaml.load_all") and not safe and not own
    if found.package == "numpy" and found.last == "load":
        return any(constant(reading.modules, frame.scope, word.value) is True for word in call.keywords
                   if word.arg == "allow_pickle")  # fmt: skip
    return found.last in _LOADS.get(found.package, ())


def _spread(reading: RuleInput, frame: Frame, call: ast.Call) -> Iterator[tuple[Scope, str, ast.expr]]:
    """What `**options` of a call holds, as a literal or by `dict(…)`, over a name."""
    for word in call.keywords:
        if word.arg is not None:
            continue
        found = reading.modules.resolve(frame.scope, word.value)
        scope = found.scope if isinstance(found, Definition) else frame.scope
        match found.node if isinstance(found, Definition) else word.value:
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                yield from ((scope, str(key.value), one) for key, one in pairs if isinstance(key, ast.Constant))
            case ast.Call(func=ast.Name(id="dict"), keywords=given):
                yield from ((scope, one.arg, one.value) for one in given if one.arg)


def _is_unsafe_yaml(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    """`YAML(typ="unsafe").load(…)`."""
    if last_name(call.func) not in ("load", "load_all"):
        return False
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(made, ast.Name):
        known = only_value(frame, made)
        frame, made = known if known is not None else (frame, made)
    found = reading.modules.called(frame.scope, made) if isinstance(made, ast.Call) else None
    if not isinstance(found, External) or found.package != "ruamel" or not isinstance(made, ast.Call):
        return False
    typed = [word.value for word in made.keywords if word.arg == "typ"]
    return any(constant(reading.modules, frame.scope, one) == "unsafe" for one in typed)


def sql_by_string(reading: RuleInput) -> Iterator[Hit]:
    """Statements for a database that are put together from what the caller sends."""
    return _built(reading, _statements, "a statement for the database")


def commands_by_string(reading: RuleInput) -> Iterator[Hit]:
    """Command lines for a shell that are put together from what the caller sends."""
    return _built(reading, _commands, "a command line")


def code_from_request(reading: RuleInput) -> Iterator[Hit]:
    """Evaluation of what the caller sends."""
    return _built(reading, _evaluated, "code that is evaluated")


def templates_from_string(reading: RuleInput) -> Iterator[Hit]:
    """Templates whose own text holds what the caller sends."""
    return _built(reading, _templates, "a template's text")


Sink = Callable[[RuleInput, Frame, ast.Call], ast.expr | None]


def _built(reading: RuleInput, sink: Sink, what: str) -> Iterator[Hit]:
    found: list[tuple[Hit, ast.AST, ast.AST | None]] = []
    for unit, frame, call in reading.calls():
        given = sink(reading, frame, call)
        if given is None:
            continue
        expected = _expected(reading, unit, use_of(reading, frame, call))
        for origin in reading.origins.of(frame, given):
            if not origin.number and origin not in expected:
                name = UserText(origin.name) if origin.name else ""
                says = text(f"{what} holds what the caller sends", " as " if name else "", name)
                called = reading.modules.called(frame.scope, call)
                inner = called.node if isinstance(called, Definition) else None
                found.append((hit(frame, call, unit.route, says), frame.scope.node, inner))
                break
    at = {(one.route, id(function)) for one, function, _ in found}
    yield from (one for one, _, inner in found if inner is None or (one.route, id(inner)) not in at)


def _expected(reading: RuleInput, unit: CodeUnit, use: ValueUse) -> frozenset[RequestSource]:
    """The values that a condition compares with a fixed set of expected ones."""
    found: set[RequestSource] = set()
    for frame in unit.frames:
        for node in keeping(reading, frame, use):
            match node:
                case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[among]):
                    if not reading.origins.of(frame, among):
                        found.update(reading.origins.of(frame, left))
    return frozenset(found)


def _first(call: ast.Call) -> ast.expr | None:
    return call.args[0] if call.args and not isinstance(call.args[0], ast.Starred) else None


def _extra(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    """The part of `.extra(where=[…], select={…}, order_by=[…])` that is no constant; `params` are bound."""
    for word in call.keywords:
        if word.arg in ("where", "select", "tables", "order_by"):
            parts = word.value.values if isinstance(word.value, ast.Dict) else getattr(word.value, "elts", [word.value])
            for part in parts:
                if reading.origins.of(frame, part):
                    return part
    return None


def _statements(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    name = last_name(call.func)
    if name == "extra" and isinstance(call.func, ast.Attribute):
        return _extra(reading, frame, call)
    if name in _NARROWING:
        return next((one for part in call.args if (one := _of_text(reading, frame, part)) is not None), None)
    if name not in _EXECUTING and name not in _ASKING:
        return None
    given = _first(call)
    if given is None and name in _ASKING:
        return None
    if isinstance(given, ast.Call) and last_name(given.func) == "text":
        given = _first(given)
    if isinstance(given, ast.Name) and name in _ASKING and only_value(frame, given) is None:
        return None
    return _put_together(reading, frame, given)


def _of_text(reading: RuleInput, frame: Frame, part: ast.expr) -> ast.expr | None:
    """What `text(…)` of SQLAlchemy takes within a query, where it is no constant."""
    made = reading.modules.called(frame.scope, part) if isinstance(part, ast.Call) else None
    given = _first(part) if isinstance(part, ast.Call) else None
    named = isinstance(made, External) and made.package == "sqlalchemy" and made.last in ("text", "literal_column")
    return given if named and constant(reading.modules, frame.scope, given) is ABSENT else None


def _put_together(reading: RuleInput, frame: Frame, given: ast.expr | None) -> ast.expr | None:
    """The expression, when it is a statement's text with parts that vary; a name's or a function's own first."""
    if isinstance(given, ast.Name):
        found = only_value(frame, given)
        if found is None or found[0].scope is not frame.scope:
            return given if found is None else None
        given = found[1]
    if isinstance(given, ast.Call) and last_name(given.func) == "text":
        given = _first(given)
    if given is None:
        return None
    return given if _is_statement(reading, frame, given) or _made_by(reading, frame, given) else None


def _is_statement(reading: RuleInput, frame: Frame, given: ast.expr) -> bool:
    """True for a text with parts that vary, and with words of a statement."""
    varies = isinstance(given, ast.JoinedStr | ast.BinOp) or (
        isinstance(given, ast.Call)
        and isinstance(given.func, ast.Attribute)
        and given.func.attr in ("format", "join", "substitute", "safe_substitute")
    )
    if not varies:
        return False
    told = [constant(reading.modules, frame.scope, one) for one in ast.walk(given) if isinstance(one, _TEXTS)]
    return any(mark in f"{one.lower()} " for one in told if isinstance(one, str) for mark in _SQL)


def _made_by(reading: RuleInput, frame: Frame, given: ast.expr) -> bool:
    """True for a call of a supplied function that returns such a text."""
    made = reading.modules.called(frame.scope, given) if isinstance(given, ast.Call) else None
    scope = reading.modules.body(made) if isinstance(made, Definition) else None
    if scope is None or not isinstance(made, Definition) or isinstance(made.node, ast.ClassDef):
        return False
    values = [node.value for node in reading.nodes(made.node) if isinstance(node, ast.Return)]
    return any(value is not None and _is_statement(reading, Frame(scope), value) for value in values)


def _commands(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    found = reading.modules.called(frame.scope, call)
    if not isinstance(found, External):
        return None
    if found.name in _SHELLS:
        return _first(call)
    told = [(frame.scope, word.arg or "", word.value) for word in call.keywords]
    shell = any(name == "shell" and constant(reading.modules, scope, value) is True
                for scope, name, value in (*told, *_spread(reading, frame, call)))  # fmt: skip
    given = _first(call)
    if found.package != "subprocess" or found.last not in _RUNS:
        return None
    if isinstance(given, ast.List) and [constant(reading.modules, frame.scope, one) for one in given.elts[:2]] in [
        [name, "-c"] for name in ("sh", "bash", "/bin/sh", "/bin/bash")
    ]:
        return given
    return given if shell else None


def _evaluated(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    found = reading.modules.called(frame.scope, call)
    return _first(call) if isinstance(found, External) and found.name in _CODE else None


def _templates(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    found = reading.modules.called(frame.scope, call)
    named = isinstance(found, External) and found.name in (
        "flask.render_template_string", "jinja2.Template", "mako.template.Template", "django.template.Template",
    )  # fmt: skip
    from_string = isinstance(found, External) and found.last == "from_string" and found.package == "jinja2"
    given = _first(call)
    return given if (named or from_string) and constant(reading.modules, frame.scope, given) is ABSENT else None


# Lead rules about what becomes of values of the request.


_HEAD: Final = """
import subprocess
from flask import Flask, render_template, render_template_string, request
app = Flask(__name__)
"""

INPUT: Final = (
    LeadRule(
        id="unsafe-deserialisation",
        title="A format is loaded that can make any object",
        area=Area.INPUT_HANDLING,
        why="The documentation of these modules says not to load what is not trusted.",
        attacker="can supply what is loaded",
        impact="Whoever supplies what is loaded may decide what the service does.",
        verify="Read where the loaded bytes come from. In an isolated fixture, a synthetic harmless object of another "
        "type must be refused.",
        brief="isolated fixture, a harmless object of another type: refused",
        look=unsafe_loads,
        example="""
import pickle
from flask import Flask, request
app = Flask(__name__)

@app.post("/basket")
def basket():
    return pickle.loads(request.get_data())
""",
        counter_examples=(
            """
import yaml
from flask import Flask, request
app = Flask(__name__)

@app.post("/basket")
def basket():
    return yaml.load(request.get_data(), Loader=yaml.SafeLoader)
""",
            """
import pickle

def copied(value):
    return pickle.loads(pickle.dumps(value))
""",
        ),
    ),
    LeadRule(
        id="sql-by-string",
        title="A statement for the database is put together from what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A value that is part of the statement's text can change what the statement says.",
        attacker="can send a value of own choice",
        impact="A caller may read or change more than the statement is meant for.",
        verify="Read that every value is bound as a parameter. In an isolated fixture, a value with a single quotation "
        "mark must be found or not found like any other.",
        brief="read how values are bound; isolated fixture: a quotation mark changes nothing",
        look=sql_by_string,
        example=_HEAD
        + """
@app.get("/orders")
def orders():
    state = request.args["state"]
    return db.execute(f"SELECT * FROM orders WHERE state = '{state}'")
""",
        counter_examples=(
            _HEAD
            + """
@app.get("/orders")
def orders():
    return db.execute("SELECT * FROM orders WHERE state = ?", (request.args["state"],))
""",
            _HEAD
            + """
TABLE = "orders"

@app.get("/orders")
def orders():
    limit = int(request.args["limit"])
    return db.execute(f"SELECT * FROM {TABLE} LIMIT {limit}")
""",
        ),
    ),
    LeadRule(
        id="command-by-string",
        title="A command line is put together from what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A shell reads a value that is part of the line as more than data.",
        attacker="can send a value of own choice",
        impact="A caller may have other commands run.",
        verify="Read that the command is a list without a shell. In an isolated fixture, a value with a blank must "
        "stay one argument.",
        brief="read how it is called; isolated fixture: a value with a blank stays one argument",
        look=commands_by_string,
        example=_HEAD
        + """
@app.get("/thumbnail")
def thumbnail():
    return subprocess.run("convert " + request.args["file"], shell=True)
""",
        counter_examples=(
            _HEAD
            + """
@app.get("/thumbnail")
def thumbnail():
    return subprocess.run(["convert", request.args["file"]])
""",
        ),
    ),
    LeadRule(
        id="code-from-request",
        title="What the caller sends is evaluated as code",
        area=Area.INPUT_HANDLING,
        why="Evaluated text can do all that the service can do.",
        attacker="can send a value of own choice",
        impact="A caller may decide what the service does.",
        verify="Read that a parser of the expected values alone takes the text. In an isolated fixture, a text that is "
        "no such value must be refused.",
        brief="read who parses it; isolated fixture: a text that is no such value is refused",
        look=code_from_request,
        example=_HEAD
        + """
@app.get("/sum")
def total():
    return str(eval(request.args["of"]))
""",
        counter_examples=(
            _HEAD
            + """
import ast

@app.get("/sum")
def total():
    return str(ast.literal_eval(request.args["of"]))
""",
        ),
    ),
    LeadRule(
        id="template-from-string",
        title="A template's own text holds what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A template engine reads its template as instructions; values belong into its context.",
        attacker="can send a value of own choice",
        impact="A caller may read what the template can reach.",
        verify="Read that the value is passed as context. In an isolated fixture, a value with braces must be printed "
        "as it stands.",
        brief="isolated fixture: a value with braces is printed as it stands",
        look=templates_from_string,
        example=_HEAD
        + """
@app.get("/hello")
def hello():
    return render_template_string("Hello " + request.args["name"])
""",
        counter_examples=(
            _HEAD
            + """
@app.get("/hello")
def hello():
    return render_template("hello.html", name=request.args["name"])
""",
            _HEAD
            + """
@app.get("/hello")
def hello():
    return render_template_string("Hello {{ name }}", name=request.args["name"])
""",
        ),
    ),
)
"""Rules about input."""
