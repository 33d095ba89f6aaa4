"""What an analysis found, and where: positions in a text, findings, texts of others made safe to look at."""
