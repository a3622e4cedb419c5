"""The order in which Python looks a member up in a class and those that it inherits from (C3).

Source: The Python 2.3 method resolution order.
"""

from __future__ import annotations


def in_order(lines: list[list[str]]) -> list[str]:
    """The lines of the bases as one; what contradicts itself is taken in the order met."""
    waiting = [list(line) for line in lines if line]
    order: list[str] = []
    while waiting:
        heads = [line[0] for line in waiting]
        head = next((name for name in heads if not any(name in line[1:] for line in waiting)), heads[0])
        order.append(head)
        waiting = [rest for line in waiting if (rest := [name for name in line if name != head])]
    return order
