"""The archive of a house: its finished public games, and the turns played from a position."""
