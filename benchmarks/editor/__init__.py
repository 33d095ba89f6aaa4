"""How much processor time the quick check of an editor takes after an edit."""
