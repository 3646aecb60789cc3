"""The history of the schema, one revision after the other; see `trine.house.store.database`."""
