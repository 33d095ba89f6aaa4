"""The demo behind ``make demo``: every example, found, proved, rewritten and run before and after on local Spark."""
