"""Many games in one folder, as Parquet: added, counted, found, and explored by position."""
