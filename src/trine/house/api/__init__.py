"""The API for programs that play under an account."""
