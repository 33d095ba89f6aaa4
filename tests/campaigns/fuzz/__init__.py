"""Differential fuzzing: programs are generated as text, rewritten by the tool, and run before and after."""
