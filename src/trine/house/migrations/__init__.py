"""The history of the schema, one revision after the other; see `trine.store.migration`."""
