"""The faces of a reference: evidence grid, discrepancies with their dispositions, examples with their execution."""
