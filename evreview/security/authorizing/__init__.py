"""Whether a written authorization covers a review: its fields, its standing, every planned action and item."""
