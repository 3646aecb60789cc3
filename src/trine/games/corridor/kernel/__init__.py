"""All that is compiled: the fast twin of the referee, and what a search asks of the game."""
