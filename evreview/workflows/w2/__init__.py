"""The API reference: which operation is known from what, where the sources disagree, and what may be said."""
