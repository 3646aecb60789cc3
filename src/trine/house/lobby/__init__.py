"""The lobby: open seats, challenges, a new game, and the home page."""
