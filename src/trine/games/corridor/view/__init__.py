"""The views of the game for people: boards, pictures, insight, the rule book."""
