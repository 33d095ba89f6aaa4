"""Loops each turn of which asks a frame for a number that one pass in front of them may ask for as well."""
