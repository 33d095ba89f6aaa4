"""Models of pandas methods, one file for each family. Importing the package declares all of them."""

from . import names  # noqa: F401
