"""Knowledge of good play, in plain Python and data: strategies and solved boards."""
