"""The list of rules. The docstring of each rule's module is its page of the documentation."""

from __future__ import annotations

from types import ModuleType

from . import (
    hw101_exact_pushdown,
    hw102_split_pushdown,
    hw103_partial_pushdown,
    hw104_conditional_pushdown,
    hw105_native_filter,
    hw190_possible_pushdown,
    hw201_hidden_from_source,
    hw203_dishonest_source,
    hw301_unsound_prefilter,
    hw302_constant_filter,
    hw401_unread_columns,
    hw402_first_rows,
    hw403_emptiness,
    hw404_repeated_scan,
    hw405_semi_or_anti_join,
    hw406_group_extreme,
    hw407_single_use_cache,
    hw901_not_analysed,
    hw902_unused_suppression,
)
from .rule import Rule

_MODULES: tuple[ModuleType, ...] = (
    hw101_exact_pushdown,
    hw102_split_pushdown,
    hw103_partial_pushdown,
    hw104_conditional_pushdown,
    hw105_native_filter,
    hw190_possible_pushdown,
    hw201_hidden_from_source,
    hw203_dishonest_source,
    hw301_unsound_prefilter,
    hw302_constant_filter,
    hw401_unread_columns,
    hw402_first_rows,
    hw403_emptiness,
    hw404_repeated_scan,
    hw405_semi_or_anti_join,
    hw406_group_extreme,
    hw407_single_use_cache,
    hw901_not_analysed,
    hw902_unused_suppression,
)
RULES: dict[str, Rule] = {m.RULE.code: m.RULE for m in _MODULES}


def pages() -> dict[str, str]:
    """The page of each code, in Markdown: what `docs/rules` holds."""
    return {m.RULE.code: f"# {m.RULE.code}: {m.RULE.name}\n\n{m.__doc__}" for m in _MODULES}
