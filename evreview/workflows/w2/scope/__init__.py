"""What is to be published: contract, operations, revisions and base URL.

Takes the publication scope and the items that it names.
Gives operations in scope, and what is missing or does not agree.
"""
