"""Sources of datasets: self-play and recorded games."""
