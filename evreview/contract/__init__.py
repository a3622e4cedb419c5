"""A contract of any kind as one tree of elements, with the place of each.

Takes the files of a contract.
Gives `Contract`, and references and citations into it.
"""
