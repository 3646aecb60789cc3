"""The compiled code of Arimaa: the rules, and the heuristics of the search."""
