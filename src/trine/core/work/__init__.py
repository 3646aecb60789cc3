"""Workers, time limits, and requests to stop."""
