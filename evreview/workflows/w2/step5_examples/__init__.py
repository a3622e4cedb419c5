"""Step 5 of W2: examples that were observed, and proposed ones that are marked so.

Takes contract and exchanges.
Gives examples with their origin.
"""

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
