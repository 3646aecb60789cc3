"""Records, pictures, running games and tournaments; no search or engine is used here."""
