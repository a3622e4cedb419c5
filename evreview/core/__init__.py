"""What every package may use: errors, enums and ids, JSON, YAML and JSON pointers, and text that is safe to show.

Takes bytes and values of unknown origin.
Gives typed values, or `BadInput` with every problem at once.
"""
