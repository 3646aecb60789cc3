"""The frame of the house in a browser: sessions, pages, sockets, safety, and what they look like.

It knows no game and no subject of the house. Importing this package loads nothing.
"""
