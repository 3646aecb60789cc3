"""E-mails and push notifications: notices for people who are away."""
