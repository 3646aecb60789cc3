"""Several processes of one house: the homes of games, and the messages between processes."""
