"""What data files say, in findings and in the report."""
