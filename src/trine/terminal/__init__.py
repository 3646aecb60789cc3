"""Playing in a terminal, or over a pipe: the conversation around a game."""
