"""Pictures of scenes: what a room shows, drawn without knowing the game."""
