"""The house: many games at once, with people, ratings, tournaments and all else, by subject.

Each subject has a folder; `trine.house.app` wires them, and `trine.house.web` is the frame of their
pages and sockets, which `trine.house.site` lists.
"""
