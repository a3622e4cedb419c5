"""The trust map: who comes in where, over which boundaries, to which assets, and what supports each boundary."""
