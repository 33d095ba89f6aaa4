"""The ways in which the suite is run, by name."""

from __future__ import annotations

from headwater.synthesis.modes import FULL, Mode

SEARCHES: dict[str, Mode] = {
    "full": FULL,
    "no-bounds": Mode(bounds=False),
    "no-repair": Mode(repair=False),
    "two-phase": Mode(two_phase=True),
    "no-concrete": Mode(concrete=False),
    "no-projection": Mode(projection=False),
}
"""The search, whole and without one of its parts each."""
SPACER = "spacer"
"""Z3's Horn solver, with the pre-filter of ``full`` given."""
BOUNDED = "bounded"
"""The quick check alone."""
PROFILE = "profile"
"""``full``, sampled for where the time goes; its times are not compared with the others."""
COMPARED = (*SEARCHES, SPACER)
MODES = (*COMPARED, BOUNDED, PROFILE)
