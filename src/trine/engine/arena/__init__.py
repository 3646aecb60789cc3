"""Players against players: matches, openings, statistics, tables."""
