"""Avro schemas: what they say, how two of them are paired, and how they look as elements of a contract."""
