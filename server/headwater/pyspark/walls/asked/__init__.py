"""Which rows the driver looks at of those that it is handed."""
