"""Places of the inside (`PLACES`: private hosts and addresses, file paths), and what errors of databases show."""

# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Final

from evreview.redaction.detector import REST, STOP, Detector, Kind, compiled
from evreview.redaction.detectors.stack_traces import detail
from evreview.redaction.placeholders import reserved_host

_METHOD_BEFORE: Final = r"(?i)(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|path|url|uri|route)[\"':= ]{0,4}\Z"
_PERSON: Final = r"(?i)/(?:home|users|root)/"
_LABEL: Final = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_CODE_ENDS: Final = frozenset(
    (
        *("py", "js", "ts", "rb", "go", "rs", "java", "cs", "yaml", "yml", "json", "xml", "md", "txt", "html", "proto"),
        *("so", "sh", "get", "set", "id", "name", "type"),
    )
)
_CODE_TLDS: Final = ("internal", "local", "private", "consul")
_IMPORTED: Final = r"(?:import|(from))[ \t]{1,3}\Z"


def _path(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 12) : match.start()]
    after = match.string[match.end() : match.end() + 6]
    if compiled(r"(?<![A-Za-z])(?:OLD)?PWD=\Z").search(before) and not compiled(_PERSON).match(match["value"]):
        return False  # the folder of a process, which tells nothing that its program does not
    return not compiled(_METHOD_BEFORE).search(before) and not re.match(r"[\"']?:[ \t]*(?:\n|\{|\Z)|[{<]", after)


def _address(match: re.Match[str]) -> bool:
    """A number of a section is no address, and where clouds keep their metadata is no secret."""
    before = match.string[max(0, match.start() - 60) : match.start()].lower()
    if compiled(
        r"(?:sections?|sec\.|clauses?|version|chapters?|§|#)[ -]?(?:\d[\d.]{0,20}(?:, | and | to | or |-)){0,8}\Z"
    ).search(before):
        return False
    return match["value"] != "169.254.169.254"


def _is_imported(match: re.Match[str]) -> bool:
    """True for the module of an import statement; `Received: from …` names a host."""
    before = compiled(_IMPORTED).search(match.string[max(0, match.start() - 12) : match.start()])
    after = match.string[match.end() : match.end() + 12]
    return before is not None and (before[1] is None or bool(re.match(r"[ \t]{1,3}import\b", after)))


def _host(match: re.Match[str]) -> bool:
    """A name that ends like code (`threading.local`) counts only where it stands as a host."""
    name = match["value"]
    if reserved_host(name):
        return False
    if name.lower().rsplit(".", 1)[1] not in _CODE_TLDS:
        return True
    before = match.string[max(0, match.start() - 3) : match.start()]
    after = match.string[match.end() : match.end() + 6]
    first = name.split(".")[0]
    if _is_imported(match):
        return False
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
_TLD: Final = (
    r"(?i)(?:[a-z]{2}|com|net|org|edu|gov|mil|int|biz|info|name|corp|inc|ltd|gmbh|group|global|company|bank|cloud|tech"
    r"|digital|systems|services|solutions|network|online|site|store|shop|xyz|dev|app|agency|health|energy|team|works"
    r"|google|amazon|aws|intra|intranet|internal|lan|local|test|asia|africa|berlin|london|paris|swiss|nyc|tokyo)\Z"
)
"""Top-level domains that companies' own names end with; a name of a module ends otherwise."""


def _single(match: re.Match[str]) -> bool:
    name = match["value"].partition(":")[0]
    return not compiled(_GENERIC).fullmatch(name) and any(map(str.isalpha, name))


def _corporate(match: re.Match[str]) -> bool:
    name = match["value"].partition(":")[0]
    labels = name.lower().split(".")
    if labels[0] in ("com", "org", "net", "io", "java", "javax", "self", "this") or reserved_host(name):
        return False
    if _is_imported(match):
        return False
    if labels[0] in ("internal", "intranet") and match.string[max(0, match.start() - 3) : match.start()] != "://":
        return False
    return bool(compiled(_TLD).match(labels[-1])) and name == name.lower() and labels[-1] not in _CODE_ENDS


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
        keywords=(
            ".internal",
            ".local",
            ".corp",
            ".intranet",
            ".lan",
            ".private",
            ".home.arpa",
            ".localdomain",
            ".consul",
        ),
        starts=(
            ".internal",
            ".local",
            ".corp",
            ".intranet",
            ".lan",
            ".private",
            ".home.arpa",
            ".localdomain",
            ".consul",
        ),
        back=r"[\w.-]{1,400}",
        expression=(
            rf"(?<![\w.-])(?:(?<=://)|(?<!/))(?P<value>{_LABEL}(?:\.{_LABEL}){{0,6}}\.(?:internal|local|corp|intranet|lan|private|home\.arpa|localdomain|consul))"
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
            "/builds/",
            "/workspace/",
            "/etc/",
            "/usr/local/",
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
            "/builds/",
            "/workspace/",
            "/etc/",
            "/usr/local/",
        ),
        expression=(
            r"(?:(?<=file://)|(?<![\w.:/}~-]))(?P<value>/(?:home|Users)/[\w.-]{1,60}(?:/[\w.@+-]{1,100}){1,20}|/(?:root|var/(?:www|lib|log|task|opt)|srv|usr/src|private/var|mnt)"
            r"(?:/[\w.@+-]{1,100}){1,20}|/(?:opt|app|data|builds|workspace|etc|usr/local)(?:/[\w.@+-]{1,100}){0,20}/[\w@+-]{1,80}\.(?:py|js|ts|rb|php|java|go|rs|cs|c|cpp|jar|so|"
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
        keywords=(":\\", ":/users/", ":/inetpub/", "\\\\"),
        starts=(":\\", ":/users/", ":/inetpub/", "\\\\"),
        back=r"[A-Za-z]",
        expression=(
            # Escapes of JSON behind a letter and a colon are no folders, but for names that folders have.
            r"(?<![\w])(?!(?<=\\)[nrtbf]:)(?P<value>[A-Za-z]:(?:(?=\\(?i:te?mp|tools|tests?|builds?|bin|backups?|repos?|files|reports?|releases?|fonts)\\)"
            r"|(?!(?:\\(?:[nrtbf]|u00[01][0-9a-fA-F])[\w .@+-]*)+(?![\w .@+\\-])))\\{1,2}(?:[\w .@+-]{1,80}\\{1,2}){1,20}[\w.@+-]{1,80}|[A-Za-z]:/(?i:users|inetpub)(?:/[\w.@+-]{1,80}){1,20}"
            r"|(?<![\\:])(?:\\){2,4}[A-Za-z][\w.-]{1,60}(?:\\{1,2}[\w.@$+-]{2,80}){2,20})(?!\w|\\{1,2}\w)"
        ),
        example=("C:\\Users\\ines", "\\orders\\app.cs"),
        counter_example=("a:\\b",),
    ),
)


# Errors of databases (`DATABASES`): they show tables, columns, accounts, queries and the product.


_NAME: Final = r"\\?[\"'`]?[\w.$ -]{1,100}\\?[\"'`]?"
_RELATION: Final = r"\\?\"[\w.$-]{1,100}\\?\""
_LINE: Final = rf"(?:[^\n\"\\ `]|{STOP}|\\(?![n\"])|\\?\"[\w.$ -]{{1,100}}\\?\"){{0,400}}"
"""What is said up to the end of the line or of the text around it; names in quotes belong to it."""

DATABASES: Final[tuple[Detector, ...]] = (
    detail(
        "sql-error",
        "A database error shows tables, queries and the product.",
        (
            "sqlstate",
            "sqlsyntaxerrorexception",
            "sqlexception",
            "sqlcode",
            "could not execute ",
            "bad sql grammar",
            "[sql: ",
        ),
        rf"SQLSTATE ?\[[^\]\n]{{1,20}}\]{REST}|(?:SQLSyntaxErrorException|SqlException)\b:?{REST}"
        rf"|SQLCODE[=: ]{{1,3}}-?\d{{1,6}}{REST}|could not execute (?:statement|query|batch)\b{REST}|bad SQL grammar \[{REST}|\[SQL: {REST}",
        "SQLSTATE[42S02]: Base table or view not found",
        "SQL is not exposed",
    ),
    detail(
        "postgres-error",
        "An error of PostgreSQL shows tables, columns, constraints and accounts.",
        (
            *(
                "relation ",
                "column ",
                "duplicate key ",
                "insert or update on ",
                "update or delete on ",
                "null value in ",
            ),
            *("syntax error at or near", "psqlexception", "psycopg", "pg_query()", "role ", "password authentication "),
            *("unterminated quoted", "error:  ", "fatal:  ", "detail:  "),
        ),
        rf"(?i)relation {_RELATION} (?:does not|already) exists?|column {_RELATION}(?: of relation {_RELATION})? (?:does not|already) exists?"
        rf"|duplicate key value violates unique constraint(?: {_RELATION})?|(?:insert or update|update or delete) on table {_RELATION}{_LINE}"
        rf"|null value in column {_RELATION}{_LINE}|syntax error at or near{_LINE}|PSQLException\b:?{REST}|(?<![\w./~`:-])psycopg[23]?\.(?:errors\.)?(?-i:[A-Z])\w{{1,60}}:?{_LINE}"
        rf"|pg_query\(\): {_LINE}|role {_RELATION} does not exist|password authentication failed for user{_LINE}|unterminated quoted string{_LINE}"
        rf"|(?:ERROR|FATAL):  (?=[a-z]){_LINE}|DETAIL:  (?=[A-Z]){_LINE}",
        'relation "order_rows" does not exist',
        "a relation to another order does not exist",
    ),
    detail(
        "mysql-error",
        "An error of MySQL shows tables, columns, keys and accounts.",
        (
            *(
                "you have an error in your sql",
                "table '",
                "unknown column '",
                "error 1",
                "duplicate entry '",
                "mysqlexception",
            ),
            *(
                "access denied for user '",
                "cannot add or update a child",
                "cannot delete or update a parent",
                "mysql_",
                "mysqli_",
            ),
            *("unknown table '", "unknown database '", "data too long for column '"),
        ),
        rf"(?i)You have an error in your SQL{REST}|Table '[\w.$-]{{1,120}}' (?:doesn't|already) exists?|Unknown (?:column|table|database) '[^'\n]{{1,120}}'{REST}"
        rf"|ERROR 1\d{{3}} \([0-9A-Z]{{5}}\){REST}|Duplicate entry '[^'\n]{{1,120}}'{REST}|MySqlException\b:?{REST}|Access denied for user '{REST}"
        rf"|Cannot (?:add or update a child|delete or update a parent) row{REST}|mysqli?_\w{{1,40}}\(\)(?=[: ]){REST}|Data too long for column '{REST}",
        "Unknown column 'locked_at' in 'where clause'",
        "Unknown columns are ignored",
    ),
    detail(
        "sqlserver-error",
        "An error of SQL Server, or of a driver of Microsoft's, shows objects, columns and accounts.",
        (
            *("msg ", "invalid object name '", "invalid column name '", "unclosed quotation", "incorrect syntax near"),
            *("conversion failed when", "violation of ", "login failed for user '", "[microsoft]", "microsoft ole db"),
            *("microsoft jet", "statement conflicted with", "cannot insert the value null"),
        ),
        rf"(?i)Msg \d{{1,6}}, Level \d{{1,3}}, State \d{{1,4}}{REST}|Invalid (?:object|column) name '{REST}|Unclosed quotation mark after the character string{REST}"
        rf"|Incorrect syntax near{REST}|Conversion failed when converting{REST}|Violation of (?:PRIMARY|UNIQUE) KEY constraint{REST}"
        rf"|Login failed for user '{REST}|\[Microsoft\]\[{REST}|Microsoft (?:OLE DB Provider|JET Database){REST}|statement conflicted with{REST}"
        rf"|Cannot insert the value NULL into column{REST}",
        "Invalid object name 'dbo.order_rows'.",
        "Invalid object names are refused",
    ),
    detail(
        "oracle-error",
        "An error of Oracle shows tables, procedures and the network.",
        ("ora-", "pls-", "tns-"),
        rf"(?<![A-Za-z])(?:ORA|PLS|TNS)-\d{{5}}: {_LINE}",
        "ORA-00942: table or view does not exist",
        "ORA-17 is an order",
    ),
    detail(
        "sqlite-error",
        "An error of SQLite shows tables and columns.",
        (
            "no such table: ",
            "no such column: ",
            "near ",
            "unique constraint failed",
            "not null constraint failed",
            "sqlite_",
            "sqlite3.",
        ),
        rf"(?i)no such (?:table|column): [\w.]{{1,100}}|near \\?\"[^\"\n]{{1,60}}\\?\": syntax error|(?:UNIQUE|NOT NULL) constraint failed[: ]{{1,3}}[\w.]{{1,80}}(?:, [\w.]{{1,80}}){{0,8}}"
        rf"|SQLITE_(?:ERROR|CONSTRAINT\w{{0,20}}|BUSY|LOCKED|CORRUPT|MISUSE)\b:?{REST}|sqlite3\.\w{{1,40}}Error: {REST}",
        "UNIQUE constraint failed: order_rows.id",
        "no such table in this room",
    ),
    detail(
        "store-error",
        "An error of a database shows collections, objects and the product.",
        (
            *(
                "mongoservererror",
                "duplicate key error",
                "db::exception",
                "sql compilation error",
                "error from server: code=",
            ),
            *(
                "unconfigured table",
                "wrongtype operation",
                "invalid `prisma",
                "informix error",
                "sybase message",
                "db2 sql error",
            ),
            *("dynamic sql error", "mongoerror"),
        ),
        rf"(?i)Mongo(?:Server)?Error\b:?{REST}|duplicate key error collection: [\w.]{{1,100}}{REST}|DB::Exception: {REST}|SQL compilation error{REST}"
        rf"|Error from server: code={REST}|unconfigured table {_NAME}|WRONGTYPE Operation{REST}|Invalid `prisma\.[^`\n]{{1,100}}`{REST}"
        rf"|Informix error{REST}|Sybase message{REST}|DB2 SQL Error{REST}|Dynamic SQL Error{REST}",
        "E11000 duplicate key error collection: orders.rows index: _id_",
        "SQL compilation is quick",
    ),
)
