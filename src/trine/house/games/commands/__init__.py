"""The commands in a game: each a function that says what it comes to, and changes nothing.

A command is given the game, who has asked, and the moment; it returns the change, or refuses.
"""
