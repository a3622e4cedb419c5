"""Synthetic examples: proposed or observed, valid by two validators, or omitted with the reason."""

from evreview.workflows.w2.facts import Example, ExampleId, Label, Omitted, Part, Subject, Why
from evreview.workflows.w2.step5_examples.examples import Examples, examples_frame, request_example, response_examples
from evreview.workflows.w2.step5_examples.observed import observed_example

__all__ = [
    "Example",
    "ExampleId",
    "Examples",
    "Label",
    "Omitted",
    "Part",
    "Subject",
    "Why",
    "examples_frame",
    "observed_example",
    "request_example",
    "response_examples",
]
