"""Talk at games: chat while they run, notes when they are over."""
