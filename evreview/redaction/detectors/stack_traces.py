"""Stack traces and panics of runtimes, whole and line by line."""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from evreview.redaction.detector import REST, Detector, Kind, compiled

_NEXT: Final = r"(?:\\r)?(?:\n|\\n)"
_STATES: Final = r"(?=[^\n\"]{0,300}(?:Cannot |can't |is not (?:an? |defined|iterable)|undefined|[Uu]nexpected (?!keyword argument)|of null|Maximum call|Invalid ))"


def detail(name: str, why: str, starts: tuple[str, ...], pattern: str, *texts: str) -> Detector:
    """A detector of kind `internal stack detail`; the texts are an example and a counter-example."""
    return Detector(
        id=name,
        kind=Kind.STACK_DETAIL,
        why=why,
        keywords=starts,
        starts=starts,
        expression=pattern,
        example=texts[:1],
        counter_example=texts[1:],
    )


_SENTENCE: Final = r"`|[,.;)]?[ \t]{1,3}(?:[a-z]|[A-Z][a-z])|[.)]"


def _thrown(match: re.Match[str]) -> bool:
    """True unless the class is merely named: `` `a.b.CException` ``, `~a.b.CException` of a documentation's link."""
    before = match.string[max(0, match.start() - 1) : match.start()]
    return ":" in match[0] or not (before in ("`", "~") or compiled(_SENTENCE).match(match.string, match.end()))


def _pascal(match: re.Match[str]) -> bool:
    """True for a name of .NET's; `django.utils.html.remove_tags()` is a function of another language."""
    return any(map(str.isupper, match[0].partition("(")[0]))


PYTHON: Final = (
    detail(
        "python-trace",
        "A Python traceback shows files, code and messages of the inside.",
        ("traceback (most recent",),
        rf"Traceback \(most recent call last\):(?:{_NEXT}[ \t]{{1,12}}[^\n\"\\]{{0,400}}(?:\"[^\n\"\\]{{0,300}}\"[^\n\"\\]{{0,300}})?){{0,200}}"
        rf"(?:{_NEXT}[A-Za-z_][\w.]{{2,120}}(?::(?:[^\n\"\\]|\\(?!n)){{0,400}})?)?",
        'Traceback (most recent call last):\n  File "orders/app.py", line 41, in show\n    raise Broken()\norders.Broken: no',
        "The traceback is not shown",
    ),
    detail(
        "python-frame",
        "A frame of a traceback names a file and a function.",
        ("file ",),
        r"File \\?\"[^\"\n\\]{1,300}\\?\", line \d{1,7}(?:, in [\w.<>]{1,120})?",
        'File "orders/app.py", line 41, in show',
        'File "orders.csv" has 3 rows',
    ),
    detail(
        "python-location",
        "A page of a Python framework names a file, a line and a function.",
        ("location: ",),
        r"Location: [\w./\\-]{1,300}\.py, line \d{1,7}, in [\w.<>]{1,120}",
        "Exception Location: /srv/app/views.py, line 41, in show",
        "Location: /v1/orders/17",
    ),
)

JVM: Final = (
    replace(
        detail(
            "java-frame",
            "A frame of a Java stack names a class, a method and a line.",
            ("at ",),
            r"(?:(?<![A-Za-z])|(?<=\\t))at [\w.$/@<>-]{3,300}\((?:[\w$.-]{1,120}\.(?:java|kt|scala|groovy|clj)(?::\d{1,7})?|Native Method|Unknown Source|<generated>)\)",
            "at org.harbour.orders.Store.load(Store.java:88)",
            "at least two (2) rows",
        ),
        keywords=(".java", ".kt", ".scala", ".groovy", ".clj", "(native method)", "(unknown source)", "(<generated>)"),
    ),
    replace(
        detail(
            "exception-class",
            "A fully qualified exception class and its message show the inside.",
            ("exception", "error: "),
            rf"(?<![\w.])(?:(?:[a-z_][\w]{{0,60}}\.){{2,10}}[A-Z][\w$]{{0,100}}(?:Exception\b(?::{REST})?|Error: (?=\S){REST})"
            rf"|(?:[A-Za-z_]\w{{0,60}}\.){{1,10}}[A-Z][\w$]{{0,100}}Exception(?: \(0x[0-9a-fA-F]{{8}}\))?: (?=\S){REST})",
            "org.harbour.orders.StoreException: row 17 is locked",
            "errors.OrderError",
        ),
        back=r"[\w.$]{1,300}",
        confirm=_thrown,
    ),
)

DOTNET: Final = (
    replace(
        detail(
            "dotnet-exception",
            "A .NET exception shows the inside.",
            ("system.",),
            rf"(?<![\w.])System\.(?:[A-Z]\w{{1,60}}\.){{0,6}}\w{{0,60}}Exception\b(?::{REST})?",
            "System.NullReferenceException: Object reference not set",
            "System.IO.IOException is thrown",
        ),
        confirm=_thrown,
    ),
    replace(
        detail(
            "dotnet-frame",
            "A frame of a .NET stack names a class, a method and its parameters.",
            ("at ",),
            r"(?:(?<![A-Za-z])|(?<=\\t))at (?:[\w.<>`\[\],+]{3,200}\([^()\n]{0,200}\) in [^\n\"]{1,200}:line \d{1,7}"
            r"|(?:[\w<>`+]{1,100}\.){2,12}[\w<>`|]{1,100}(?:\[[\w, ]{1,100}\])?\((?:[\w.`\[\]&<>, ]{1,100} \w{1,60}(?:, )?){0,12}\))",
            "at Harbour.Orders.Store.Load(Int32 id)",
            "look at Store.load (see below)",
        ),
        confirm=_pascal,
    ),
    detail(
        "dotnet-page",
        "An error page of ASP.NET names the application.",
        ("server error in '",),
        rf"Server Error in '[^'\n]{{1,200}}' Application{REST}",
        "Server Error in '/Orders' Application.",
        "A server error in the application is logged.",
    ),
)

NODE: Final = (
    replace(
        detail(
            "node-frame",
            "A frame of a Node stack names a file and a place.",
            ("at ",),
            r"(?:(?<![A-Za-z])|(?<=\\t))at (?:(?:async |new )?[\w.$<>\[\] ]{1,120} \()?(?:file://|node:|[A-Za-z]:\\|\.{0,2}/)?[\w@./\\-]{1,200}\.[cm]?[jt]sx?:\d{1,7}:\d{1,7}\)?"
            r"|(?:(?<![A-Za-z])|(?<=\\t))at (?:async )?[\w.$<>\[\] ]{1,120} \(node:[\w/]{1,80}:\d{1,7}:\d{1,7}\)",
            "at Store.load (src/store.js:88:13)",
            "at 10:30:15",
        ),
        keywords=("js:", "ts:", "jsx:", "tsx:", "(node:"),
    ),
    detail(
        "script-message",
        "The message of a JavaScript engine names members of the inside.",
        ("typeerror: ", "referenceerror: ", "rangeerror: ", "syntaxerror: "),
        rf"(?:Type|Reference|Range|Syntax)Error: {_STATES}{REST}",
        "TypeError: Cannot read properties of undefined (reading 'total')",
        "TypeError: quote() got an unexpected keyword argument 'weight'",
    ),
    detail(
        "browser-frame",
        "A frame of a browser's stack names a script and a place.",
        ("@http", "@file:"),
        r"(?<=[\w$>])@(?:https?|file)://[^\s\"]{1,200}\.[cm]?js:\d{1,7}:\d{1,7}",
        "load@https://orders.example.com/app.js:1:88213",
        "load@https://orders.example.com/app.js",
    ),
)

RUBY: Final = (
    replace(
        detail(
            "ruby-frame",
            "A frame of a Ruby stack names a file and a method.",
            (".rb:",),
            r"[\w./-]{1,200}\.rb:\d{1,7}:in [`'][^'\n]{1,120}'",
            "app/models/order.rb:17:in `load'",
            "order.rb: a model",
        ),
        back=r"[\w./-]{1,200}",
    ),
    detail(
        "ruby-error",
        "An exception of a Ruby library shows the inside.",
        ("activerecord::", "actionview::", "actioncontroller::", "pg::", "mysql2::", "sqlite3::", "nomethoderror"),
        rf"(?:ActiveRecord|ActionView|ActionController|PG|Mysql2|SQLite3)::[A-Z]\w{{1,60}}(?:: | \(){REST}|NoMethodError(?:: | \(){REST}",
        "ActiveRecord::RecordNotFound: Couldn't find Order",
        "PG::Connection is a class",
    ),
)

GO: Final = (
    replace(
        detail(
            "go-panic",
            "A Go panic shows goroutines, files and addresses.",
            ("goroutine ", "panic: ", ".go:"),
            rf"goroutine \d{{1,9}} \[[^\]\n]{{1,60}}\]:|panic: {REST}|[\w./@-]{{1,200}}\.go:\d{{1,7}} \+0x[0-9a-f]{{1,8}}",
            "goroutine 17 [running]:",
            "panic button",
        ),
        back=r"[\w./@-]{1,200}",
    ),
    detail(
        "go-runtime",
        "An error of the Go runtime shows indexes and addresses.",
        ("runtime error: ", "[signal sig", "panic serving "),
        rf"runtime error: {REST}|\[signal SIG{REST}|panic serving {REST}",
        "runtime error: index out of range [17] with length 3",
        "a runtime error is logged",
    ),
    replace(
        detail(
            "go-call",
            "A call in a Go stack names a function and its arguments' addresses.",
            ("(0x",),
            r"(?<![\w./])[\w./()*\[\]·-]{0,200}\.[\w()*\[\]·.-]{1,200}\(0x[0-9a-f]{1,16}(?:, (?:0x[0-9a-f]{1,16}|\.\.\.|\{)){0,12}[^)\n]{0,100}\)",
            "main.load(0x11)",
            "see (0x11)",
        ),
        back=r"[\w./()*\[\]·-]{1,200}",
    ),
)

OTHERS: Final = (
    detail(
        "php-error",
        "A PHP error names a file and a line.",
        ("php ", "in ", "#", "fatal error: ", "parse error: ", "warning: ", "notice: ", "deprecated: "),
        rf"PHP (?:Fatal|Parse|Warning|Notice|Deprecated)[^\n:]{{0,20}}:{REST}|in [\w./\\-]{{1,200}}\.php(?: on line |:)\d{{1,7}}"
        rf"|#\d{{1,3}} (?:[\w./\\-]{{1,200}}\.php\(\d{{1,7}}\):|\[internal function\]:){REST}"
        r"|(?:(?:Fatal|Parse) error|Warning|Notice|Deprecated): [^\n\"]{1,300}?\.php(?: on line |:)\d{1,7}",
        "PHP Fatal error:  Uncaught Broken in store.php:12",
        "PHP 8.3 is supported",
    ),
    detail(
        "php-page",
        "An error in a page of PHP names a function and a file.",
        ("<b>warning", "<b>fatal", "<b>notice", "<b>parse", "<b>deprecated"),
        rf"<b>(?:Warning|Fatal error|Notice|Parse error|Deprecated)</b>:{REST}",
        "<b>Warning</b>:  fopen(): failed in <b>a.php</b>",
        "<b>Warning</b>, mind the step",
    ),
    detail(
        "rust-panic",
        "A Rust panic names a file and a place.",
        ("thread '", "at ./", "at /"),
        rf"thread '[^'\n]{{1,80}}' (?:\(\d{{1,9}}\) )?panicked at {REST}|at \.?/[\w./-]{{1,200}}\.rs:\d{{1,7}}(?::\d{{1,7}})?",
        "thread 'main' panicked at src/store.rs:88:13",
        "nobody panicked at the office",
    ),
    replace(
        detail(
            "beam-error",
            "An error of Elixir or Erlang names a file and a line.",
            ("** (", ".ex:", ".exs:", "{file,"),
            rf"\*\* \([A-Z][\w.]{{2,80}}\){REST}|[\w./-]{{1,200}}\.exs?:\d{{1,7}}|\{{file,\s?\\?\"[^\"\n]{{1,200}}\\?\"\}},\s?\{{line,\d{{1,7}}\}}",
            "** (KeyError) key :id not found in: %{}",
            "** (see below)",
        ),
        back=r"[\w./-]{1,200}",
    ),
    detail(
        "perl-error",
        "A Perl error names a file and a line.",
        ("at ",),
        r"(?:(?<![A-Za-z])|(?<=\\t))at [\w./-]{1,200}\.(?:pm|pl|cgi) line \d{1,7}",
        "at lib/Store.pm line 12.",
        "at line 12",
    ),
    detail(
        "dart-frame",
        "A frame of a Dart stack names a file and a place.",
        ("(package:", "(dart:"),
        r"\((?:package|dart):[\w./-]{1,200}:\d{1,7}:\d{1,7}\)",
        "(package:orders/store.dart:88:7)",
        "(package: orders)",
    ),
    detail(
        "native-frame",
        "A frame of a native stack names an address, a function and a file.",
        ("0x",),
        rf"0x[0-9a-f]{{6,16}} in {REST}",
        "0x00007f2a3c1b9e40 in orders::load (number=17)",
        "0x11 in all",
    ),
)

TRACES: Final[tuple[Detector, ...]] = PYTHON + JVM + DOTNET + NODE + RUBY + GO + OTHERS
