"""The revisions. A released revision is never changed."""
