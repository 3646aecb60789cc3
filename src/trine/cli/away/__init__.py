"""Programs that play at a house elsewhere, through its API."""
