"""What is known about playing well, in plain Python and data."""
