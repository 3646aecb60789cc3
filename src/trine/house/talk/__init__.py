"""Chat in games, and notes on finished games."""
