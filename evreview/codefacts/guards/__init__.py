"""What refuses a caller: in the handler, around it, or not at all.

Takes handlers and their decorators.
Gives guards with their place, and bypasses.
"""
