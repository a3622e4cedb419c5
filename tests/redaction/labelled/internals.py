"""Details of the inside: traces of many runtimes, errors of databases, private hosts, paths.

For a trace the value is a line from its middle: the whole of it has to go.
"""

# ruff: noqa: E501

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import Case, Maker

TRACES: Final[dict[str, tuple[str, str]]] = {
    "java": (
        'Exception in thread "main" java.lang.IllegalStateException: row 17 is locked\n'
        "\tat com.harbour.orders.Store.load(Store.java:88)\n\tat com.harbour.orders.Api.show(Api.java:41)\n\t... 23 more\n",
        "com.harbour.orders.Store.load(Store.java:88)",
    ),
    "java, cause": (
        "Caused by: org.hibernate.exception.ConstraintViolationException: could not execute statement\n"
        "\tat org.hibernate.engine.Exec.run(Exec.java:112) ~[hibernate-core-6.4.jar:6.4]\n\t... 61 common frames omitted\n",
        "org.hibernate.engine.Exec.run(Exec.java:112)",
    ),
    "java, message": ("java.lang.NullPointerException: Cannot invoke \"Order.id()\" because \"order\" is null\n", "java.lang.NullPointerException"),
    "java, lambda": ("\tat com.harbour.Api.lambda$show$0(Api.java:55)\n\tat java.base/java.lang.Thread.run(Thread.java:833)\n", "com.harbour.Api.lambda$show$0(Api.java:55)"),
    "java, native": ("\tat java.base/jdk.internal.reflect.Direct.invoke0(Native Method)\n", "jdk.internal.reflect.Direct.invoke0(Native Method)"),
    "java, proxy": ("\tat com.harbour.Api$$SpringCGLIB$$0.show(<generated>)\n", "com.harbour.Api$$SpringCGLIB$$0.show(<generated>)"),
    "spring": ('{"error":"Internal Server Error","trace":"java.lang.IllegalStateException: locked\\n\\tat com.harbour.Store.load(Store.java:88)\\n"}', "com.harbour.Store.load(Store.java:88)"),
    "kotlin": ("kotlin.UninitializedPropertyAccessException: lateinit property store has not been initialized\n\tat com.harbour.ApiKt.main(Api.kt:9)\n", "com.harbour.ApiKt.main(Api.kt:9)"),
    "scala": ("scala.MatchError: None (of class scala.None$)\n\tat harbour.Api$.show(Api.scala:31)\n", "harbour.Api$.show(Api.scala:31)"),
    ".net": (
        "System.NullReferenceException: Object reference not set to an instance of an object.\n"
        "   at Harbour.Orders.Store.Load(Int32 id) in C:\\src\\Orders\\Store.cs:line 88\n"
        "   at Harbour.Orders.Api.Show(String name)\n",
        "Harbour.Orders.Store.Load(Int32 id)",
    ),
    ".net, no lines": ("   at Harbour.Orders.Api.Show(String name)\n   at Harbour.Program.Main(String[] args)\n", "Harbour.Orders.Api.Show(String name)"),
    ".net, inner": ("System.AggregateException: One or more errors occurred.\n ---> Npgsql.PostgresException (0x80004005): 42P01: relation \"orders\" does not exist\n", "Npgsql.PostgresException"),
    ".net, async": ("   at Harbour.Api.<ShowAsync>d__7.MoveNext()\n--- End of stack trace from previous location ---\n", "Harbour.Api.<ShowAsync>d__7.MoveNext()"),
    ".net, generic": ("   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)\n", "System.Linq.Enumerable.First[TSource](IEnumerable`1 source)"),
    "asp.net": ("Server Error in '/Orders' Application.\nDescription: An unhandled exception occurred during the execution of the current web request.\n", "Server Error in '/Orders' Application"),
    "php, fatal": ("PHP Fatal error:  Uncaught TypeError: load(): Argument #1 must be int in /var/www/app/Store.php:12\nStack trace:\n#0 /var/www/app/Api.php(41): Store->load('x')\n#1 {main}\n", "Store->load('x')"),
    "php, html": ("<b>Warning</b>:  mysqli_query(): Couldn't fetch mysqli in <b>/var/www/html/store.php</b> on line <b>12</b><br />\n", "mysqli_query()"),
    "php, notice": ("Notice: Undefined index: id in /srv/app/store.php on line 12\n", "Undefined index: id"),
    "php, bare": ("Fatal error: Uncaught Error: Call to undefined method Store::load() in /srv/app/store.php:12\n", "Store::load()"),
    "php, frames": ("#0 [internal function]: Harbour\\Api->show(Object(Request))\n#1 /srv/app/vendor/Kernel.php(128): call_user_func_array(Array)\n", "Harbour\\Api->show(Object(Request))"),
    "laravel": ("Illuminate\\Database\\QueryException: SQLSTATE[42S02]: Base table or view not found: 1146 Table 'orders.row' doesn't exist\n", "Table 'orders.row'"),
    "python": (
        'Traceback (most recent call last):\n  File "/srv/orders/app.py", line 41, in show\n    return store.load(number)\n'
        '           ^^^^^^^^^^^^^^^^^^\n  File "/srv/orders/store.py", line 12, in load\n    raise KeyError(number)\nKeyError: 17\n',
        "return store.load(number)",
    ),
    "python, chained": (
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: bad row 17\n\n'
        "During handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "b.py", line 2, in h\n    f()\norders.errors.Broken: cannot show row\n',
        "orders.errors.Broken: cannot show row",
    ),
    "python, frame": ('  File "/srv/orders/store.py", line 12, in load\n', 'File "/srv/orders/store.py", line 12'),
    "python, json": (json.dumps({"detail": 'Traceback (most recent call last):\n  File "/srv/o/app.py", line 4, in show\n    load()\nKeyError: 17'}), "line 4, in show"),
    "python, group": ('  + Exception Group Traceback (most recent call last):\n  |   File "/srv/o/app.py", line 4, in show\n  |     load()\n', "line 4, in show"),
    "django": ("DoesNotExist at /orders/17\nException Location: /srv/app/orders/views.py, line 41, in show\n", "orders/views.py, line 41"),
    "ruby": ("app/models/order.rb:17:in `load': undefined method `id' for nil:NilClass (NoMethodError)\n\tfrom app/api.rb:4:in `show'\n", "app/models/order.rb:17:in `load'"),
    "ruby 3.4": ("app/models/order.rb:17:in 'Order#load': undefined method 'id' for nil (NoMethodError)\n", "app/models/order.rb:17:in 'Order#load'"),
    "ruby, plain": ("activerecord (7.1.3) lib/active_record/core.rb:253:in `find'\n", "lib/active_record/core.rb:253"),
    "rails": ("ActiveRecord::StatementInvalid (PG::UndefinedTable: ERROR:  relation \"rows\" does not exist\n", "PG::UndefinedTable"),
    "ruby, message": ("ActiveRecord::RecordNotFound: Couldn't find Order with 'id'=17\n", "ActiveRecord::RecordNotFound"),
    "node": ("TypeError: Cannot read properties of undefined (reading 'id')\n    at Store.load (/srv/app/src/store.js:88:13)\n    at async show (/srv/app/src/api.js:41:5)\n", "at Store.load (/srv/app/src/store.js:88:13)"),
    "node, message": ("TypeError: Cannot read properties of undefined (reading 'total')\n", "Cannot read properties of undefined (reading 'total')"),
    "node, internal": ("    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n", "node:internal/process/task_queues:95:5"),
    "node, module": ("    at Object.<anonymous> (file:///srv/app/index.mjs:3:7)\n    at Module._compile (node:internal/modules/cjs/loader:1369:14)\n", "file:///srv/app/index.mjs:3:7"),
    "node, typescript": ("    at OrdersController.show (/srv/app/src/orders.controller.ts:41:20)\n", "orders.controller.ts:41:20"),
    "node, rejection": ("UnhandledPromiseRejectionWarning: Error: row 17 is locked\n    at load (store.js:8:3)\n", "at load (store.js:8:3)"),
    "browser": ("load@https://orders.example.com/static/app.3f78.js:1:88213\n", "app.3f78.js:1:88213"),
    "go, panic": ("panic: runtime error: index out of range [17] with length 3\n\ngoroutine 1 [running]:\nmain.load(0x11)\n\t/srv/orders/store.go:12 +0x1d\n", "index out of range [17]"),
    "go, call": ("goroutine 17 [IO wait]:\nharbour.example/orders/store.(*Store).Load(0xc000112000, 0x11)\n\t/src/orders/store.go:88 +0x1d\n", "(*Store).Load(0xc000112000, 0x11)"),
    "go, nil": ("runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a1f2c]\n", "invalid memory address or nil pointer dereference"),
    "go, recovered": ("http: panic serving 192.0.2.7:4413: row 17 is locked\n", "row 17 is locked"),
    "rust": ("thread 'main' panicked at src/store.rs:88:13:\nindex out of bounds: the len is 3 but the index is 17\n", "src/store.rs:88:13"),
    "rust, backtrace": ("   4: orders::store::load\n             at ./src/store.rs:88:13\n", "./src/store.rs:88:13"),
    "elixir": ("** (KeyError) key :id not found in: %{}\n    (orders 0.1.0) lib/orders/store.ex:88: Orders.Store.load/1\n", "lib/orders/store.ex:88"),
    "erlang": ("{{badmatch,[]},[{store,load,1,[{file,\"src/store.erl\"},{line,88}]}]}\n", '{file,"src/store.erl"},{line,88}'),
    "perl": ("Can't locate object method \"load\" via package \"Store\" at /srv/app/Store.pm line 12.\n", "Store.pm line 12"),
    "dart": ("#0      Store.load (package:orders/store.dart:88:7)\n", "package:orders/store.dart:88:7"),
    "c++": ("#4  0x00007f2a3c1b9e40 in orders::load (number=17) at store.cpp:88\n", "orders::load (number=17) at store.cpp:88"),
}  # fmt: skip
SQL: Final[dict[str, tuple[str, str]]] = {
    "postgres, relation": ('ERROR:  relation "order_rows" does not exist at character 15\n', "order_rows"),
    "postgres, column": ('column "locked_at" of relation "order_rows" does not exist\n', "locked_at"),
    "postgres, bare column": ('ERROR:  column "locked_at" does not exist\n', "locked_at"),
    "postgres, duplicate": ('duplicate key value violates unique constraint "order_rows_pkey"\nDETAIL:  Key (id)=(17) already exists.\n', "order_rows_pkey"),
    "postgres, foreign": ('insert or update on table "order_rows" violates foreign key constraint "rows_fk"\n', "rows_fk"),
    "postgres, null": ('null value in column "locked_at" of relation "order_rows" violates not-null constraint\n', "locked_at"),
    "postgres, syntax": ('ERROR: syntax error at or near "WHERE" at character 31\n', "syntax error at or near"),
    "postgres, php": ('Warning: pg_query(): Query failed: ERROR: unterminated quoted string at or near "\'"\n', "unterminated quoted string"),
    "postgres, login": ('FATAL:  password authentication failed for user "order_app"\n', "order_app"),
    "postgres, role": ('psql: error: FATAL:  role "order_app" does not exist\n', "order_app"),
    "psycopg": ("psycopg2.errors.UndefinedTable: relation \"order_rows\" does not exist\n", "order_rows"),
    "sqlalchemy": ("sqlalchemy.exc.ProgrammingError: (psycopg2.errors.UndefinedTable) relation\n[SQL: SELECT order_rows.id FROM order_rows]\n", "SELECT order_rows.id FROM order_rows"),
    "mysql, syntax": ("You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'row_x' at line 1\n", "row_x"),
    "mysql, table": ("Table 'orders_live.order_rows' doesn't exist\n", "orders_live.order_rows"),
    "mysql, column": ("Unknown column 'locked_at' in 'where clause'\n", "locked_at"),
    "mysql, code": ("ERROR 1064 (42000): near 'order_rows' at line 1\n", "order_rows"),
    "mysql, duplicate": ("Duplicate entry '17-x' for key 'order_rows.PRIMARY'\n", "order_rows.PRIMARY"),
    "mysql, access": ("Access denied for user 'order_app'@'192.0.2.7' (using password: YES)\n", "order_app"),
    "mysql, foreign": ("Cannot add or update a child row: a foreign key constraint fails (`orders`.`order_rows`)\n", "order_rows"),
    "mysql, php": ("mysql_fetch_array() expects parameter 1 to be resource, boolean given\n", "mysql_fetch_array()"),
    "mssql, object": ("Msg 208, Level 16, State 1, Line 1\nInvalid object name 'dbo.order_rows'.\n", "dbo.order_rows"),
    "mssql, column": ("Invalid column name 'locked_at'.\n", "locked_at"),
    "mssql, quote": ("Unclosed quotation mark after the character string 'order_x'.\n", "order_x"),
    "mssql, near": ("Incorrect syntax near 'order_x'.\n", "order_x"),
    "mssql, convert": ("Conversion failed when converting the varchar value 'order_x' to data type int.\n", "order_x"),
    "mssql, key": ("Violation of PRIMARY KEY constraint 'PK_order_rows'. Cannot insert duplicate key in object 'dbo.order_rows'.\n", "PK_order_rows"),
    "mssql, login": ("Login failed for user 'order_app'.\n", "order_app"),
    "mssql, odbc": ("[Microsoft][ODBC Driver 18 for SQL Server][SQL Server]Could not find stored procedure 'order_load'.\n", "order_load"),
    "mssql, ole": ("Microsoft OLE DB Provider for SQL Server error '80040e14'\n", "Microsoft OLE DB Provider"),
    "oracle": ("ORA-00942: table or view \"ORDERS\".\"ROWS\" does not exist\n", '"ORDERS"."ROWS"'),
    "oracle, pl": ("PLS-00201: identifier 'ORDER_LOAD' must be declared\n", "ORDER_LOAD"),
    "oracle, net": ("TNS-12541: no listener on order-db\n", "order-db"),
    "oracle, two": ("ORA-06512: at \"ORDERS.LOAD\", line 12\n", "ORDERS.LOAD"),
    "sqlite": ("sqlite3.OperationalError: no such table: order_rows\n", "order_rows"),
    "sqlite, near": ("near \"order_x\": syntax error\n", "order_x"),
    "sqlite, code": ("SQLITE_ERROR: no such column: locked_at\n", "locked_at"),
    "sqlite, unique": ("UNIQUE constraint failed: order_rows.id\n", "order_rows.id"),
    "db2": ("DB2 SQL Error: SQLCODE=-204, SQLSTATE=42704, SQLERRMC=ORDERS.ROWS, DRIVER=4.33\n", "ORDERS.ROWS"),
    "firebird": ("Dynamic SQL Error SQL error code = -204 Table unknown ORDER_ROWS\n", "ORDER_ROWS"),
    "access": ("Microsoft JET Database Engine error '80040e14' Syntax error in query expression 'id=order_x'\n", "order_x"),
    "hibernate": ("could not execute statement; SQL [n/a]; constraint [order_rows_pkey]\n", "order_rows_pkey"),
    "jdbc": ("java.sql.SQLSyntaxErrorException: Unknown table 'order_rows'\n", "order_rows"),
    "spring jdbc": ("org.springframework.jdbc.BadSqlGrammarException: PreparedStatementCallback; bad SQL grammar [select order_rows]\n", "select order_rows"),
    "pdo": ("SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry 'order_x'\n", "order_x"),
    "mongo": ("E11000 duplicate key error collection: orders.rows index: _id_ dup key: { _id: 17 }\n", "orders.rows"),
    "mongo, server": ("MongoServerError: not authorized on orders to execute command { find: \"rows\" }\n", "not authorized on orders"),
    "clickhouse": ("Code: 60. DB::Exception: Table orders.rows_x does not exist. (UNKNOWN_TABLE)\n", "orders.rows_x"),
    "snowflake": ("SQL compilation error: Object 'ORDERS.ROWS' does not exist or not authorized.\n", "ORDERS.ROWS"),
    "cassandra": ("InvalidRequest: Error from server: code=2200 [Invalid query] message=\"unconfigured table order_rows\"\n", "order_rows"),
    "redis": ("WRONGTYPE Operation against a key holding the wrong kind of value\n", "WRONGTYPE Operation"),
    "prisma": ("PrismaClientKnownRequestError: Invalid `prisma.order.findMany()` invocation: P2021\n", "prisma.order.findMany()"),
    "sequelize": ("SequelizeDatabaseError: relation \"order_rows\" does not exist\n", "order_rows"),
    "informix": ("Informix error: -206 The specified table (order_rows) is not in the database.\n", "order_rows"),
    "sybase": ("Sybase message: Incorrect syntax near the keyword 'order_x'\n", "order_x"),
}  # fmt: skip
HOSTS: Final = (
    *(
        "orders-7.{}.internal",
        "{}.svc.cluster.local",
        "vault.{}.corp",
        "printer.{}.lan",
        "{}-db.private",
        "git.{}.intranet",
    ),
    *("ip-10-83-4-17.eu-west-1.compute.internal", "wiki.corp.{}.com", "{}.internal.harbourline.fr", "nas.{}.home.arpa"),
    *("db-3.{}.localdomain", "{}.consul", "vpn.intra.{}.de"),
)
ADDRESSES: Final = ("10.83.{}.17", "192.168.{}.5", "172.20.{}.9", "100.77.{}.2", "10.83.{}.0/24", "192.168.{}.0/25")
PATHS: Final = (
    *("/home/ines{}/orders/handlers.py", "/Users/ines{}/src/orders/app.ts", "/root/orders{}/run.sh", "/srv/orders{}/app.py"),
    *("/var/www/orders{}/index.php", "/var/lib/orders{}/state.db", "/opt/orders{}/bin/start.sh", "/mnt/orders{}/in.csv"),
    *("C:\\Users\\ines{}\\orders\\app.cs", "D:\\builds\\orders{}\\Store.cs", "C:/Users/ines{}/orders/app.cs"),
    *("\\\\fs-{}\\orders\\in.csv", "file:///home/ines{}/notes.md", "/private/var/folders/ines{}/x.log", "/builds/orders{}/app/main.go"),
    *("/home/runner/work/orders{}/orders/app.py", "/usr/src/app{}/server.js", "/data/orders{}/rows.db", "/app/src/orders{}/load.py"),
    *("/etc/orders{}/secrets.conf", "/usr/local/orders{}/lib/store.rb", "/workspace/orders{}/main.go"),
)  # fmt: skip
PLACES: Final = ("see {} there\n", 'open("{}")\n', '{{"at": "{}"}}\n')


def trace_cases(seed: int) -> Iterator[Case]:
    """Every trace as it is printed, in a JSON text, and in a paragraph."""
    del seed
    for name, (text, value) in TRACES.items():
        yield Case("stack traces", name, f"We saw:\n\n{text}", value)
        yield Case("stack traces", f"{name}, in json", json.dumps({"body": text}), json.dumps(value)[1:-1])
    for name, (text, value) in SQL.items():
        yield Case("database errors", name, f"We saw:\n\n{text}", value)
        yield Case("database errors", f"{name}, in json", json.dumps({"body": text}), json.dumps(value)[1:-1])


def place_cases(seed: int) -> Iterator[Case]:
    """Hosts, addresses and paths in several places."""
    for host in HOSTS:
        make = Maker(seed, host)
        value = host.format(make.pick("pay", "ledger", "stock") + make.digits(2))
        for place in ("https://{}/v1\n", "host: {}\n", 'connect("{}", 5432)\n', "it runs on {}:8443 now\n"):
            yield Case("private places", f"{host} {place[:6]}", place.format(value), value)
    for address in ADDRESSES:
        value = address.format(Maker(seed, address).number(2, 99))
        for place in ("http://{}:8080/\n", "from {} today\n", '{{"ip": "{}"}}\n') if "/" not in address else ("from {} today\n", "cidr: {}\n"):  # fmt: skip
            yield Case("private places", f"{address} {place[:6]}", place.format(value), value)
    for path in PATHS:
        value = path.format(Maker(seed, path).number(2, 99))
        for place in PLACES:
            shown = json.dumps(value)[1:-1] if place.startswith("{") else value
            yield Case("file paths", f"{path} {place[:4]}", place.format(shown), shown)
