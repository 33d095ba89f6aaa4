"""Translation validation: the user's function, evaluated on sampled groups, beside the fold that was read off it."""
