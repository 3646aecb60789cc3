"""The compiled code of the room: the fast twin of the referee, and the heuristics of the search."""
