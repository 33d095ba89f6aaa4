"""What the jobs share."""

from .groups import best_price
from .rules import is_large
