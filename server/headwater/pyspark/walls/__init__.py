"""What the driver's own code looks at of the rows that it is handed."""
