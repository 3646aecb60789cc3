"""Games in the database and in files: tables, events, records, and what belongs to a person."""
