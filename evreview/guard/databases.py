"""Errors of databases: they show tables, columns, accounts, queries and the product."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Final

from evreview.guard.tails import REST, STOP
from evreview.redaction.detector import Detector
from evreview.redaction.detectors.stack_traces import detail

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
