"""Statistics of the house's games, and of computers that play these games."""
