"""Worker processes: whatever goes wrong in one costs the one call."""
