"""Which control protects which route.

Takes inventory and code facts.
Gives controls by routes, and what no file says.
"""
