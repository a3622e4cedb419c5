"""The views of a security review: trust picture, control grid, finding board, abuse cases."""
