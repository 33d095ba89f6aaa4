"""``python -I -m headwater``; without ``-I`` Python itself looks into the current directory until this file runs."""

from __future__ import annotations

from headwater.cli import main

if __name__ == "__main__":
    main()
