"""Analysis as a service: one pure core, ``analyse``, with caching, files and worker processes wrapped around it."""
