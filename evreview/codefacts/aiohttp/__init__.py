"""aiohttp as facts.

Takes parsed modules.
Gives routes, middleware and guards.
"""
