"""The numbers that the rules compare with."""

LARGE = 100
TIERS = ("gold", "silver")
