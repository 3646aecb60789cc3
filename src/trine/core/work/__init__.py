"""Work: its workers, its limits, and the request to stop it."""
