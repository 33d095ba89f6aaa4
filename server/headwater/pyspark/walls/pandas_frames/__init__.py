"""What the driver's own code looks at of a frame of pandas that it is handed."""
