"""Which functions may stay uninterpreted, as terms with the type of their result, and why others are refused.

A function that no entry of ``headwater.libraries`` declares ``scalar`` is refused as opaque. Such a function is pure:
the result depends on the arguments alone, and the call changes nothing. "Same on equal numbers" is stronger: 1 and
1.0, 0.0 and -0.0 give equal results; only such functions may see a number out of a pandas frame, where a NULL elsewhere
in the group turns integers into floats.
"""

from __future__ import annotations

from headwater.libraries.registry import EFFECTS
from headwater_ir.types import Type

_FUNCTIONS = [e for e in EFFECTS.values() if e.scalar is not None and e.receiver is None]
NUMERIC_CALLS: dict[str, Type] = {e.name: e.type for e in _FUNCTIONS if e.scalar == "equal"}
"""Same on equal numbers."""
TEXT_CALLS: dict[str, Type] = {e.name: e.type for e in _FUNCTIONS if e.scalar == "exact"}
"""Pure, but 1 and 1.0 print differently."""
STRING_METHODS: dict[str, Type] = {e.method: e.type for e in EFFECTS.values() if e.scalar and e.receiver == "str"}
"""Methods of ``str`` that yield scalars. ``split`` yields a list, which has no model."""
