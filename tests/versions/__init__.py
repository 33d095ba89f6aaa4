"""What differs between the versions of Spark that programs may run on, measured on each."""
