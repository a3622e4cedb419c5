"""Abuse cases: what an attacker in an allowed position might try at a boundary. Words, no payload; hypotheses."""
