"""``python -m tests.vscode.tour``: docs/images/tour.gif, put together from the pictures that the tests took."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

IMAGES = Path(__file__).parents[2] / "docs" / "images"
FRAMES = {"possible": 2500, "proved": 2500, "hover": 4000, "quick-fix": 3000, "fixed": 4000}
"""Each picture with its milliseconds."""
WIDTH = 960
COLOURS = 64


def main() -> None:
    """Shrink the pictures to one palette, so that only what changes is stored again."""
    frames = []
    for name in FRAMES:
        with Image.open(IMAGES / f"{name}.png") as picture:
            height = picture.height * WIDTH // picture.width
            frames.append(picture.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS))
    palette = frames[2].quantize(COLOURS)
    still = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = list(FRAMES.values())
    still[0].save(IMAGES / "tour.gif", save_all=True, append_images=still[1:], duration=times, loop=0, optimize=True)


if __name__ == "__main__":
    main()
