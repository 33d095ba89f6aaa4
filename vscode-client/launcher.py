"""Starts the language server that came with the extension: ``python -I launcher.py``.

Isolated mode keeps the workspace and ``PYTHONPATH`` out; what is needed is named here.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / name) for name in ("server", "shared_ir", "bundled/libs")]

if __name__ == "__main__":
    from headwater.engine.workers.search_path import restrict

    restrict()
    from headwater.lsp.start import stdio

    stdio()
