"""Players that think: bots by level, strategists, and what all players have in common."""
