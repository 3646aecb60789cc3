"""Playing in a terminal, or over a pipe: the dialogue of a game."""
