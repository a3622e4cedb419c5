"""Accepted differences: which rows a team has taken on knowingly, by whom, why and until when. Policy, never a fact."""
