"""Programs whose driver code looks at rows in many ways, rewritten and run before and after."""
