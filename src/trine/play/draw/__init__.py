"""SVG pictures of scenes, drawn without any knowledge of the game."""
