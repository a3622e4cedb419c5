"""Facts about Python source, without an import of it.

Takes source files of an item.
Gives routes, handlers, reads, answers and guards with their lines, and what was not read.
"""
