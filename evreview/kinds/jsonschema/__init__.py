"""JSON Schema documents as contracts of their own.

Takes schema files.
Gives a contract; its rules are those of schemas.
"""
