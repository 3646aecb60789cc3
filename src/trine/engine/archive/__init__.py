"""Archives: many games in one folder, as Parquet; statistics, search, and turns by position."""
