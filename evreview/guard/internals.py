"""Details of the inside: stack traces, database errors, private hosts and addresses, file paths."""

from __future__ import annotations

import re
from typing import Final

from evreview.guard.model import Detector, Kind, compiled
from evreview.guard.synthetic import reserved_host

_REST: Final = r"[^\n\"]{0,400}"
_NEXT: Final = r"(?:\\r)?(?:\n|\\n)"
_METHOD_BEFORE: Final = r"(?i)(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|path|url|uri|route)[\"':= ]{0,4}\Z"
_LABEL: Final = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_STARTS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "python-trace": (("traceback (most recent",), ""),
    "python-frame": (("file ",), ""),
    "java-frame": (("at ",), ""),
    "exception-class": (("exception", "error: "), r"[\w.$]{1,300}"),
    "dotnet-exception": (("system.", "at "), ""),
    "node-frame": (("at ",), ""),
    "ruby-frame": ((".rb:",), r"[\w./-]{1,200}"),
    "rust-panic": (("thread '",), ""),
    "sql-error": (
        (
            *("ora-", "sqlstate", "you have an error in your sql", "psqlexception", "sqlsyntaxerrorexception"),
            *("sqlexception", "sqlite_error", "mongoservererror", "mysqlexception", "relation ", "duplicate key "),
            *("unclosed quotation", "incorrect syntax near", "psycopg"),
        ),
        "",
    ),
}
"""Where the matches of a detector start, and what may stand before that."""
_CODE_ENDS: Final = frozenset(
    (
        *("py", "js", "ts", "rb", "go", "rs", "java", "cs", "yaml", "yml", "json", "xml", "md", "txt", "html", "proto"),
        *("so", "sh", "get", "set", "id", "name", "type"),
    )
)
_CODE_TLDS: Final = ("internal", "local", "private")


def _path(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 12) : match.start()]
    after = match.string[match.end() : match.end() + 6]
    return not compiled(_METHOD_BEFORE).search(before) and not re.match(r"[\"']?:[ \t]*(?:\n|\{|\Z)|[{<]", after)


def _address(match: re.Match[str]) -> bool:
    """A number of a section is no address."""
    before = match.string[max(0, match.start() - 12) : match.start()].lower()
    return not re.search(r"(?:sections?|sec\.|clause|version|chapter|§|#)[ -]?\Z", before)


def _host(match: re.Match[str]) -> bool:
    """A name that ends like code (`threading.local`) counts only where it stands as a host."""
    name = match["value"]
    if name.lower().rsplit(".", 1)[1] not in _CODE_TLDS:
        return True
    before = match.string[max(0, match.start() - 3) : match.start()]
    after = match.string[match.end() : match.end() + 6]
    first = name.split(".")[0]
    return (
        before.endswith(("://", "@"))
        or bool(re.match(r":\d{2,5}|/", after))
        or (name.count(".") >= 2 and first not in ("com", "org", "net", "io", "java", "javax", "self", "this"))
        or bool(re.search(r"[-\d]", first))
    )


_GENERIC: Final = (
    r"(?i)(?:my|your|the|some|any|example)?-?(?:local|remote|api|web|auth|proxy)?-?(?:localhost|example|test|invalid|host|hostname|server|servername|"
    r"domain|site|website|url|uri|address|ip|fqdn|foo|bar|baz|x|a|b|abc|www|api|tld|company|org|app|service|endpoint)\d?"
)
_TLD: Final = r"(?i)[a-z]{2,24}\Z"


def _single(match: re.Match[str]) -> bool:
    name = match["value"].partition(":")[0]
    return not compiled(_GENERIC).fullmatch(name) and any(map(str.isalpha, name))


def _corporate(match: re.Match[str]) -> bool:
    name = match["value"].partition(":")[0]
    labels = name.lower().split(".")
    if labels[0] in ("com", "org", "net", "io", "java", "javax", "self", "this") or reserved_host(name):
        return False
    if labels[0] in ("internal", "intranet") and match.string[max(0, match.start() - 3) : match.start()] != "://":
        return False
    return (
        bool(compiled(_TLD).match(labels[-1]))
        and len(labels[-1]) <= 6
        and name == name.lower()
        and labels[-1] not in _CODE_ENDS
    )


def _detail(name: str, why: str, keywords: tuple[str, ...], pattern: str, *texts: str) -> Detector:
    starts, back = _STARTS.get(name, ((), ""))
    return Detector(
        id=name,
        kind=Kind.STACK_DETAIL,
        why=why,
        keywords=keywords,
        starts=starts,
        back=back,
        expression=pattern,
        example=texts[:1],
        counter_example=texts[1:],
    )


TRACES: Final[tuple[Detector, ...]] = (
    _detail(
        "python-trace",
        "A Python traceback shows files, code and messages of the inside.",
        ("traceback (most recent",),
        rf"Traceback \(most recent call last\):(?:{_NEXT}[ \t]{{1,12}}[^\n\"\\]{{0,400}}(?:\"[^\n\"\\]{{0,300}}\"[^\n\"\\]{{0,300}})?){{0,200}}"  # noqa: E501
        rf"(?:{_NEXT}[A-Za-z_][\w.]{{2,120}}(?::{_REST})?)?",
        'Traceback (most recent call last):\n  File "orders/app.py", line 41, in show\n    raise Broken()\norders.Broken: no',  # noqa: E501
        "The traceback is not shown",
    ),
    _detail(
        "python-frame",
        "A frame of a traceback names a file and a function.",
        ("file ",),
        r"File \\?\"[^\"\n\\]{1,300}\\?\", line \d{1,7}(?:, in [\w.<>]{1,120})?",
        'File "orders/app.py", line 41, in show',
        'File "orders.csv" has 3 rows',
    ),
    _detail(
        "java-frame",
        "A frame of a Java stack names a class, a method and a line.",
        (".java", ".kt", ".scala", ".groovy", ".clj", "(native method)", "(unknown source)"),
        r"(?<![A-Za-z])at [\w.$/@<>-]{3,300}\((?:[\w$.-]{1,120}\.(?:java|kt|scala|groovy|clj)(?::\d{1,7})?|Native Method|Unknown Source)\)",  # noqa: E501
        "at org.harbour.orders.Store.load(Store.java:88)",
        "at least two (2) rows",
    ),
    _detail(
        "exception-class",
        "A fully qualified exception class and its message show the inside.",
        ("exception", "error"),
        rf"(?<![\w.])(?:[a-z_][\w]{{0,60}}\.){{2,10}}[A-Z][\w$]{{0,100}}(?:Exception\b(?::{_REST})?|Error: (?=\S){_REST})",  # noqa: E501
        "org.harbour.orders.StoreException: row 17 is locked",
        "errors.OrderError",
    ),
    _detail(
        "dotnet-exception",
        "A .NET exception or frame shows the inside.",
        ("system.", ":line "),
        rf"(?<![\w.])System\.(?:[A-Z]\w{{1,60}}\.){{0,6}}\w{{0,60}}Exception\b(?::{_REST})?"
        r"|(?<![A-Za-z])at [\w.<>`\[\],+]{3,200}\([^()\n]{0,200}\) in [^\n\"]{1,200}:line \d{1,7}",
        "System.NullReferenceException: Object reference not set",
        "System.Text.Json is a library",
    ),
    _detail(
        "node-frame",
        "A frame of a Node stack names a file and a place.",
        ("js:", "ts:", "jsx:", "tsx:", "(node:"),
        r"(?<![A-Za-z])at (?:(?:async |new )?[\w.$<>\[\] ]{1,120} \()?(?:file://|node:|[A-Za-z]:\\|\.{0,2}/)?[\w@./\\-]{1,200}\.[cm]?[jt]sx?:\d{1,7}:\d{1,7}\)?"
        r"|(?<![A-Za-z])at [\w.$<>\[\] ]{1,120} \(node:[\w/]{1,80}:\d{1,7}:\d{1,7}\)",
        "at Store.load (src/store.js:88:13)",
        "at 10:30:15",
    ),
    _detail(
        "ruby-frame",
        "A frame of a Ruby stack names a file and a method.",
        (".rb:",),
        r"[\w./-]{1,200}\.rb:\d{1,7}:in [`'][^'\n]{1,120}'",
        "app/models/order.rb:17:in `load'",
        "order.rb: a model",
    ),
    _detail(
        "go-panic",
        "A Go panic shows goroutines, files and addresses.",
        ("goroutine ", "panic: ", ".go:"),
        rf"goroutine \d{{1,9}} \[[^\]\n]{{1,60}}\]:|panic: {_REST}|[\w./@-]{{1,200}}\.go:\d{{1,7}} \+0x[0-9a-f]{{1,8}}",
        "goroutine 17 [running]:",
        "panic button",
    ),
    _detail(
        "php-error",
        "A PHP error names a file and a line.",
        ("php ", "stack trace:", " on line ", ".php("),
        rf"PHP (?:Fatal|Parse|Warning|Notice|Deprecated)[^\n:]{{0,20}}:{_REST}|in [\w./\\-]{{1,200}}\.php(?: on line |:)\d{{1,7}}"  # noqa: E501
        rf"|#\d{{1,3}} [\w./\\-]{{1,200}}\.php\(\d{{1,7}}\):{_REST}",
        "PHP Fatal error:  Uncaught Broken in store.php:12",
        "PHP 8.3 is supported",
    ),
    _detail(
        "rust-panic",
        "A Rust panic names a file and a place.",
        ("panicked at",),
        rf"thread '[^'\n]{{1,80}}' (?:\(\d{{1,9}}\) )?panicked at {_REST}",
        "thread 'main' panicked at src/store.rs:88:13",
        "nobody panicked at the office",
    ),
    _detail(
        "sql-error",
        "A database error shows tables, queries and the product.",
        (
            "sql",
            "ora-",
            "sqlstate",
            'relation "',
            "duplicate key",
            "unclosed quotation",
            "incorrect syntax",
            "mongo",
            "psycopg",
            "e11000",
        ),
        rf"ORA-\d{{5}}:{_REST}|SQLSTATE ?\[[^\]\n]{{1,20}}\]{_REST}|You have an error in your SQL syntax{_REST}"
        rf"|(?:PSQLException|SQLSyntaxErrorException|SqlException|SQLITE_ERROR|MongoServerError|MySqlException)\b:?{_REST}"
        r"|relation \\?\"[\w.]{1,100}\\?\" does not exist|duplicate key value violates unique constraint(?: \\?\"[\w.]{1,100}\\?\")?"  # noqa: E501
        r"|duplicate key error collection: [\w.]{1,100}[^\n\"]{0,100}"
        rf"|Unclosed quotation mark after the character string{_REST}|Incorrect syntax near {_REST}|psycopg2?\.errors\.\w{{1,60}}:?{_REST}",  # noqa: E501
        "ORA-00942: table or view does not exist",
        "SQL is not exposed",
    ),
)

PLACES: Final[tuple[Detector, ...]] = (
    Detector(
        id="private-address",
        kind=Kind.PRIVATE_ENDPOINT,
        why="An address of a private network shows where the service stands.",
        keywords=("10.", "192.168.", "172.", "169.254.", "100."),
        confirm=_address,
        starts=("10.", "192.168.", "172.", "169.254.", "100."),
        expression=(
            r"(?<![\w.-])(?P<value>(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}"
            r"|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2})(?::\d{2,5})?)(?![\w-]|\.\d|/\d)"
        ),
        example=("http://10.", "83.4.17", ":8443/health"),
        counter_example=("http://192.0.2.17/health",),
    ),
    Detector(
        id="private-address-6",
        kind=Kind.PRIVATE_ENDPOINT,
        why="A unique local address shows where the service stands.",
        keywords=("fd", "fc", "fe80:"),
        starts=("fd", "fc", "fe80:"),
        expression=(
            r"(?i)(?<![\w:.])(?P<value>(?:f[cd][0-9a-f]{2}|fe80):(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{1,4})(?![\w:])"
        ),
        example=("[fd3a:9c1", "e:77::42]"),
        counter_example=("[2001:db8::42]",),
    ),
    Detector(
        id="private-host",
        kind=Kind.PRIVATE_ENDPOINT,
        why="A host name that resolves only inside shows where the service stands.",
        keywords=(".internal", ".local", ".corp", ".intranet", ".lan", ".private", ".home.arpa"),
        starts=(".internal", ".local", ".corp", ".intranet", ".lan", ".private", ".home.arpa"),
        back=r"[\w.-]{1,400}",
        expression=(
            rf"(?<![\w.-])(?:(?<=://)|(?<!/))(?P<value>{_LABEL}(?:\.{_LABEL}){{0,6}}\.(?:internal|local|corp|intranet|lan|private|home\.arpa))"
            r"(?![\w(-]|\.\w)"
        ),
        example=("https://ledger-7.pay", ".int", "ernal/v1"),
        counter_example=("threading.local keeps values per thread",),
        confirm=_host,
    ),
    Detector(
        id="single-label-host",
        kind=Kind.PRIVATE_ENDPOINT,
        why="A host name without a domain resolves only inside.",
        keywords=("http://", "https://", "ws://", "wss://"),
        starts=("http://", "https://", "ws://", "wss://"),
        expression=(
            r"(?i)(?:https?|wss?)://(?P<value>[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{2,5})?)(?=[/?#\s\"'`,)>\]|]|\\[n\"]|\Z)"
        ),
        example=("http://build", "server:8080/job"),
        counter_example=("http://localhost:8080/ and http://<host>/ and https://host/",),
        confirm=_single,
    ),
    Detector(
        id="corporate-host",
        kind=Kind.PRIVATE_ENDPOINT,
        why="The name says that the host stands inside a company's network.",
        keywords=("internal", "intranet", ".corp.", ".intra."),
        starts=("internal", "intranet", ".corp.", ".intra."),
        back=r"[A-Za-z0-9.-]{1,200}",
        expression=(
            rf"(?i)(?<![\w.@-])(?:(?<=://)|(?<!/))(?P<value>(?:{_LABEL}\.){{0,4}}(?:(?:internal|intranet)(?:-[a-z0-9-]{{1,40}})?|{_LABEL}\.(?:corp|intra|internal|intranet))"
            rf"(?:\.{_LABEL}){{1,3}}(?::\d{{2,5}})?)(?![\w(-]|\.\w)"
        ),
        example=("https://orders.co", "rp.harbourline.fr/v1"),
        counter_example=("https://internal-api.example.com/v1",),
        confirm=_corporate,
    ),
    Detector(
        id="unix-path",
        kind=Kind.FILE_PATH,
        why="An absolute path names a person's or a server's folders.",
        keywords=(
            "/home/",
            "/users/",
            "/root/",
            "/var/",
            "/opt/",
            "/srv/",
            "/usr/src/",
            "/app/",
            "/private/",
            "/mnt/",
            "/data/",
        ),
        starts=(
            "/home/",
            "/users/",
            "/root/",
            "/var/",
            "/opt/",
            "/srv/",
            "/usr/src/",
            "/app/",
            "/private/",
            "/mnt/",
            "/data/",
        ),
        expression=(
            r"(?<![\w.:/}~-])(?P<value>/(?:home|Users)/[\w.-]{1,60}(?:/[\w.@+-]{1,100}){1,20}|/(?:root|var/(?:www|lib|log|task|opt)|srv|usr/src|private/var|mnt)"
            r"(?:/[\w.@+-]{1,100}){1,20}|/(?:opt|app|data)(?:/[\w.@+-]{1,100}){0,20}/[\w@+-]{1,80}\.(?:py|js|ts|rb|php|java|go|rs|cs|c|cpp|jar|so|"
            r"conf|cfg|ini|env|log|sh|pem|key|sql|db))(?![\w{])"
        ),
        example=("/home/ines/orders", "/handlers.py"),
        counter_example=("GET /home/ines/orders",),
        confirm=_path,
    ),
    Detector(
        id="windows-path",
        kind=Kind.FILE_PATH,
        why="An absolute path names a person's or a server's folders.",
        keywords=(":\\",),
        starts=(":\\",),
        back=r"[A-Za-z]",
        expression=(r"(?<![\w])(?P<value>[A-Za-z]:\\{1,2}(?:[\w .@+-]{1,80}\\{1,2}){1,20}[\w.@+-]{0,80})(?![\w\\])"),
        example=("C:\\Users\\ines", "\\orders\\app.cs"),
        counter_example=("a:\\b",),
    ),
)

INTERNALS: Final = TRACES + PLACES
