"""Compiled code of Corridor: the rules, as the referee has them, and the search's heuristics."""
