"""Learning from games: self-play, datasets, training of nets, and the gate."""
