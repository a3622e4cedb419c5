"""Facts about the code under review, by syntax tree or declared with a quote; nothing is imported or executed."""
