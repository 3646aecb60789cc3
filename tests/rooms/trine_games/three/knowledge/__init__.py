"""The knowledge about playing well."""
