"""Protocols of engines, both ways: ours spoken to others, and others driven as players.

Engine's side: `aei` and `ugi` read lines and answer, on `serving` and `thinker`; `channel` is where
they write. Controller's side: `players` opens a player by its words, `aei_player` and `ugi_player`
drive a `program`. Both share how turns (`turns`) and times (`times`) are written.
"""
