"""Local processes that can not reach out: namespaces, a read-only root, limits, and a watch on what they try."""
