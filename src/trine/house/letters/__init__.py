"""Letters and messages to devices: news for people who are not here."""
