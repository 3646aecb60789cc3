"""The house in a browser: pages, a socket for each game, and what they look like.

It knows no game. `trine.web.server` serves it; importing this package loads nothing.
"""
