"""The typed bodies of evidence items, one file for each workflow that reads them.

Takes YAML or JSON that a person wrote.
Gives pydantic models.
"""
