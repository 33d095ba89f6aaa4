"""The cumulative distribution of times, all modes, as a picture."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from .figures import PROVED, Found, searched, solved_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {
    "full": "#111111", "no-bounds": "#0072B2", "no-repair": "#D55E00", "two-phase": "#009E73",
    "no-concrete": "#CC79A7", "no-projection": "#E69F00", "spacer": "#7F7F7F",
}  # fmt: skip
DASHES: dict[str, tuple[float, ...]] = {
    "no-bounds": (6, 1.5), "no-repair": (4, 1.5), "two-phase": (2, 1), "no-concrete": (6, 1.5, 1, 1.5),
    "no-projection": (1, 1), "spacer": (8, 2),
}  # fmt: skip


def curves(found: Found, proved: bool) -> dict[str, tuple[list[float], int]]:
    """Mode → the times of its answers, sorted, and of how many problems: those in which some search proves a
    pre-filter, or the others."""
    pushable = {r["problem"] for m in found["searches"] for r in searched(found, m) if r["found"] in PROVED}
    wanted = PROVED if proved else ("none", "never")
    result: dict[str, tuple[list[float], int]] = {}
    for mode in found["searches"]:
        mine = [r for r in searched(found, mode) if (r["problem"] in pushable) == proved]
        result[mode] = (sorted(float(r["wall"]) for r in mine if r["found"] in wanted), len(mine))
    if proved and "spacer" in found:
        answered = [t for r in found["spacer"] if (t := solved_time(r)) is not None]
        result["spacer"] = (sorted(answered), len(pushable))
    return result


def draw(found: Found, path: Path) -> None:
    """Write the picture to ``path``."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update({"font.size": 9.5, "font.family": "DejaVu Sans", "axes.spines.top": False})
    figure, axes = plt.subplots(1, 2, figsize=(11.5, 4.8), sharex=True, sharey=True, gridspec_kw={"wspace": 0.06})
    panels = [
        (curves(found, True), "A pre-filter exists: time to the proved answer"),
        (curves(found, False), "None exists: time to the refusal"),
    ]
    every = [t for panel, _ in panels for times, _ in panel.values() for t in times] or [0.1]
    for ax, (panel, title) in zip(axes, panels, strict=True):
        _panel(ax, panel, title, (min(every) / 1.2, max(every) * 1.5))
    axes[0].set_ylabel("share of the problems answered")
    figure.suptitle(
        "Synthesis benchmark: answers over time, one problem after the other in one process", fontsize=11.5, y=0.99
    )
    figure.savefig(path, dpi=150, bbox_inches="tight", facecolor="white")
    plt.close(figure)


def _panel(ax: Axes, found: dict[str, tuple[list[float], int]], title: str, limits: tuple[float, float]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set_title(title, fontsize=10, loc="left")
    ax.set_xscale("log")
    ax.set_xlim(*limits)
    ax.set_ylim(0, 1.02)
    ax.spines["right"].set_visible(False)
    ax.grid(True, which="major", color="#dddddd", linewidth=0.7)
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if limits[1] / limits[0] < 300 else (1,)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g} s" if x >= 1 else f"{1000 * x:g} ms"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:.0%}"))
    ax.set_xlabel("wall time per problem")
    for mode in reversed(list(found)):
        _curve(ax, mode, *found[mode], limits)
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[::-1], labels[::-1], loc="lower right", fontsize=8.5, framealpha=0.95, edgecolor="#dddddd",
              handlelength=3.2)  # fmt: skip
    times, total = found["full"]
    if times and len(times) * 2 >= total:
        middle = times[(total - 1) // 2]
        ax.plot([middle], [0.5], "o", color=COLOURS["full"], markersize=5, zorder=6)
        crowded = math.log(middle / limits[0]) < 0.35 * math.log(limits[1] / limits[0])
        ax.annotate(f"full: half within {1000 * middle:.0f} ms", (middle, 0.5), (8, -12) if crowded else (-8, 6),
                    textcoords="offset points", ha="left" if crowded else "right", fontsize=8.5)  # fmt: skip


def _curve(ax: Axes, mode: str, times: list[float], total: int, limits: tuple[float, float]) -> None:
    share = [(i + 1) / total for i in range(len(times))]
    xs, ys = [limits[0], *times, limits[1]], [0.0, *share, share[-1] if share else 0.0]
    label = f"{mode} ({len(times)} of {total})"
    (line,) = ax.plot(xs, ys, drawstyle="steps-post", color=COLOURS[mode], linewidth=1.5, zorder=3, label=label)
    if mode in DASHES:
        line.set_dashes(DASHES[mode])
    else:
        line.set(linewidth=2.4, zorder=5)
