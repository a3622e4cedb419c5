"""How a contract review ends: what stands against what is asked, and what people do next.

Takes bundle, facts and step results.
Gives the points that no answer mends, and the next actions in order.
"""
