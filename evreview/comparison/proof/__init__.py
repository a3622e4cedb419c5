"""Evidence for each verdict: containment of value sets, or a witness message.

Takes a classified row.
Gives proven with a witness, or unproven with the reason.
"""
