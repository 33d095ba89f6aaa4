"""How fast the front end is: cold, after an edit, and in memory."""
