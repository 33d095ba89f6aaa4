"""What the tool makes of real PySpark: every file accounted for, the coverage ladder, the judged cases."""
