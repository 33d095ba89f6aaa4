"""Following the code of one scope, statement by statement."""
