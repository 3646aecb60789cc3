"""The room as a person sees it."""
