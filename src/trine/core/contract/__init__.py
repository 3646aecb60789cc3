"""The interface of a game: all that the layers above may use.

A game is a `trine.core.contract.room.Room`, made by its package (``games/NAME/__init__.py``): its
name, its rule sets, and three values, `Rules`, `RoomView` and `Handbook`. The layers above know
nothing else of a game.
"""
