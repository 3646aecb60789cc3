"""The web framework of the house: sessions, pages, sockets, safety and appearance.

It depends on no game and no feature of the house. Importing this package loads no other module.
"""
