"""Synthetic examples: proposed or observed, valid by two validators, or omitted with the reason."""

from evreview.reference.examples.frame import examples_frame
from evreview.reference.examples.making import Examples, request_example, response_examples
from evreview.reference.examples.model import Example, ExampleId, Label, Omitted, Part, Subject, Why
from evreview.reference.examples.observed import observed_example

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
