"""Knowledge of good play."""
