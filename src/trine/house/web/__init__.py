"""The web framework of the house: sessions, pages, sockets, safety and appearance.

It knows no game and no subject of the house. Importing this package loads no other module.
"""
