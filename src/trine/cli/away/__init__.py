"""Programs that play at a remote house through its API."""
