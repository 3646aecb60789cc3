"""Players: bots by level, strategists, and the protocol of all players."""
