"""Who may call what, read from the source: entry points, call graph, decisions about the caller.

Takes code facts.
Gives what steps 3 to 5 rest on.
"""
