"""The control x route matrix of a security review, and what the inventory of controls lacks."""
