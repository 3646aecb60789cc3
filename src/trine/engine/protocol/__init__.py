"""Protocols of engines, on both sides: engines for controllers, and other engines as players.

The engine's side: `AeiEngine` and `UgiEngine` answer lines, on `engine_session` and `thinker`. The
controller's side: `players` opens a player by its specification, `AeiPlayer` and `UgiPlayer` drive
a `program`. Both sides share the notation of turns (`turn_words`) and of times (`time_limits`).
"""
