"""What a filter passes on its way down, as the certificate describes it."""
