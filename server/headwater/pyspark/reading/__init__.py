"""Reading a whole module into plans, once and after edits."""
