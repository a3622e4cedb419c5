"""The proof search for containment: is every value of one set in the other? Each no comes with a value."""
