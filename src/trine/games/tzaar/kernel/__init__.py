"""The compiled code of TZAAR: the rules, and the heuristics of the search."""
