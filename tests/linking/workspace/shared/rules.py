"""Tests of one value."""

from .limits import LARGE, TIERS


def is_large(price):
    return price is not None and above(price)


def above(price):
    return price > LARGE


def is_served(tier):
    return tier in TIERS
