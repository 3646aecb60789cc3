"""People: guests and accounts, and how they are recognised."""
