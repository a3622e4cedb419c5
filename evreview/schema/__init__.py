"""One schema as a set of values: read alike from every dialect, compared, sampled and judged."""
