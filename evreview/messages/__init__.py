"""Whole HTTP messages: routed, decoded, admitted and composed.

Takes an operation of a contract and a message.
Gives whether the contract admits it, or a message that it admits.
"""
