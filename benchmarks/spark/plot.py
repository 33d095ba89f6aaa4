"""The results as a bar chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .figures import KINDS, Record, kept, saved

COLOURS = {"exact": "#0072B2", "split": "#009E73", "partial": "#D55E00"}
KEPT = "#bbbbbb"


def draw(records: Sequence[Record], path: Path) -> None:
    """One pair of bars per pipeline: rows kept, and time needed, in percent of before."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.patches import Patch
    from matplotlib.ticker import PercentFormatter

    ordered = sorted(records, key=lambda r: (-KINDS.index(r["kind"]), -saved(r)), reverse=True)
    plt.rcParams.update({"font.size": 9.5, "font.family": "DejaVu Sans"})
    figure, ax = plt.subplots(figsize=(9.5, 1.6 + 0.34 * len(ordered)))
    for place, r in enumerate(ordered):
        needed = 100 - saved(r)
        ax.barh(place + 0.19, needed, 0.38, color=COLOURS[r["kind"]], zorder=3)
        ax.barh(place - 0.19, kept(r), 0.38, color=KEPT, zorder=3)
        ax.annotate(
            f"{needed:.0f} %",
            (max(needed, 0), place + 0.19),
            (3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    ax.axvline(100, color="#555555", linewidth=1, linestyle=(0, (4, 2)), zorder=4)
    ax.annotate("before", (100, len(ordered) - 0.35), (3, 0), textcoords="offset points", fontsize=8, color="#555555")
    ax.set_yticks(range(len(ordered)), [r["pipeline"].removesuffix(":0") for r in ordered])
    ax.set_ylim(-0.6, len(ordered) - 0.1)
    ax.set_xlim(0, max(108.0, *(107 - saved(r) for r in ordered)))
    ax.xaxis.set_major_formatter(PercentFormatter())
    ax.set_xlabel("share of before: less is better")
    ax.grid(True, axis="x", color="#dddddd", linewidth=0.7, zorder=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.tick_params(axis="y", length=0)
    present = [kind for kind in KINDS if any(r["kind"] == kind for r in ordered)]
    handles = [Patch(color=COLOURS[kind], label=f"time after, {kind}") for kind in present]
    handles.append(Patch(color=KEPT, label="rows that the pre-filter keeps"))
    ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.4, -0.05), ncols=4, fontsize=8.5, frameon=False)
    rows = sorted({r["about"]["rows"] for r in ordered})
    size = f"{rows[0] / 1e6:g}" + (f" to {rows[-1] / 1e6:g}" if rows[-1] > rows[0] else "")
    ax.set_title(f"Run time after the rewrite, {size} million rows, local Spark", fontsize=11, loc="left")
    figure.savefig(path, dpi=150, bbox_inches="tight", facecolor="white")
    plt.close(figure)
