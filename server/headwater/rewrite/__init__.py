"""From a solution to text edits that look like the user's own code."""
