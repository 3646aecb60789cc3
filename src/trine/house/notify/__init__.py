"""E-mails, and messages to devices: notices for people who are away."""
