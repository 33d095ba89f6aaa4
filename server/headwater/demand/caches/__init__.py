"""HW407: frames that are kept for one reader."""
