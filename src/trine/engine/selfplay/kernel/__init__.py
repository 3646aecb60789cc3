"""The loop over a game, compiled: the search of each action, the rules, what is kept."""
