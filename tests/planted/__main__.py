"""``python -m tests.planted``: plant every fault; its check must see it. Exit code 1 if one is not seen."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from unittest import mock

from headwater.edit_check.confirm import Confirmer
from headwater.engine.analysis.validation import Validator
from tests.replay import campaign_session

from . import FAMILIES, Fault, registry


def unvalidated() -> AbstractContextManager[object]:
    """Without translation validation, which would refuse a misread function before any other check sees it."""
    return mock.patch.object(Validator, "checked", lambda _, moved, verdict: verdict)


def unconfirmed() -> AbstractContextManager[object]:
    """Without the comparison of the edited text, which would refuse a wrong edit before any other check sees it."""
    return mock.patch.object(Confirmer, "check", return_value=None)


def outcome(fault: Fault) -> str:
    """``seen``, ``not seen``, ``seen without it``, or the error of the check."""
    try:
        if fault.clean and fault.seen():
            return "seen without it"
        alone = nullcontext() if fault.family == "validation" else unvalidated()
        with fault.plant(), alone, nullcontext() if fault.family == "edits" else unconfirmed():
            return "seen" if fault.seen() else "not seen"
    except Exception:
        return f"failed: {traceback.format_exc(limit=3)}"


def main() -> int:
    """Plant and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("families", nargs="*", choices=[*FAMILIES, []], help="those of these checks; all by default")
    parser.add_argument("--only", default="", help="faults whose name holds this text")
    parser.add_argument("--brief", action="store_true", help="only what every test run plants")
    parser.add_argument("--spark", action="store_true", help="also those that need Spark")
    parser.add_argument("--share", type=int, default=1, help="every n-th of them")
    given = parser.parse_args()
    found = [f for f in registry(*given.families) if given.only in str(f) and (given.spark or not f.spark)]
    counts: dict[str, Counter[str]] = {}
    with campaign_session() if given.spark else nullcontext():
        for fault in [f for f in found if f.brief or not given.brief][:: given.share]:
            start, word = time.monotonic(), outcome(fault)
            counts.setdefault(fault.family, Counter())[word.split(":")[0]] += 1
            if word != "seen":
                print(f"{word.upper()} {fault} ({time.monotonic() - start:.0f} s)", flush=True)
    print("| family | planted | seen |\n| --- | ---: | ---: |")
    for family, words in counts.items():
        print(f"| {family} | {words.total()} | {words['seen']} |")
    return 1 if any(words.total() > words["seen"] for words in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
