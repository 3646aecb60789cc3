"""Small boards of pawns and walls, solved: by layers of walls, from the most walls to none."""
