"""Learning from games: positions from self-play, and weights of evaluations fitted to results."""
