"""The base layer: types that all games and programs share."""
