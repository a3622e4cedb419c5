"""Is a lead reachable, and does something else stop it.

Takes leads, proxies and controls.
Gives what challenges each lead.
"""
