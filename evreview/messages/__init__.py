"""Whole requests and responses: composed around a value, judged by a contract, replayed by a second validator."""
