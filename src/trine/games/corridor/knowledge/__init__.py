"""Knowledge of how to play well, in plain Python and data."""
