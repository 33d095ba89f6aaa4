"""After an edit inside a method only that is parsed and walked again, and the tree is that of the whole text."""

from __future__ import annotations

import ast
from collections import Counter
from random import Random

import pytest
from benchmarks.frontend.edits import inside_function

from headwater.pyspark.reading import handed_over
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import SourceError, read_module
from headwater.syntax.names import statement_notes
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source import notebook, top_level
from headwater.syntax.source.top_level import Parsed, parse
from headwater_ir.codec import dumps

from .edits import EDITS
from .test_incremental import HELPERS

CLASS = """\
class A(B, key=c):
    x = 1
    @d
    def f(self):
        '''Text.'''
        return f"{self.x} {self.y}"  # end

    y = f'''
      {x}'''; z = 2
    async def g(self): a; b;
    # between

    class Inner:
        def h(self):
            pass

    def last(self, n):
        if n:
            return (1,
                2)
        else:
            return f'''{
                n}'''

w = A()
"""
IN_METHODS = [
    ("self.x", "self.xx"),
    ("'''Text.'''", "'''Text.\n    More.'''"),
    ("        '''Text.'''\n", ""),
    ("'''Text.'''", "'''Text."),
    ('self.y}"  # end', 'self.y}"\n    # end\n'),
    ('self.y}"  # end', 'self.y}"; c'),
    ('self.y}"  # end', 'self.y}" \\'),
    ('self.y}"  # end', 'self.y}"\n    c = 1\n'),
    ('self.y}"  # end', 'self.y}"\nc = 1\n'),
    ('self.y}"  # end', 'self.y}"\n    def more(self):\n        pass\n'),
    ("def f(self)", "def f(self, more)"),
    ("def f(self)", "async def f(self)"),
    ("    def f(self)", "     def f(self)"),
    ("def f(self)", "class f(self)"),
    ("    @d\n    def f", "    @d\n    @e\n    def f"),
    ("    @d\n    def f", "    @dd\n    def f"),
    ("    @d\n    def f", "    def f"),
    ("a; b;", "a; b; c;"),
    ("pass", "pass\n            pass"),
    ("if n:", "if m:\n            pass\n        if n:"),
    ("2)", "2, 3)"),
    ("n}'''", "n}''';"),
    ("n}'''", "n}''' # c"),
    ("n}'''", "n}'''\n        n"),
    ("n}'''", "n}'''\n    n"),
    ("n}'''", "n}'''\nn"),
    ("n}'''", "n}"),
    ("n}'''", "n}''' ("),
    ("        else:\n", "    else:\n"),
    ("        else:\n            return f", "else:\n    return f"),
    ("        if n:", "        '''\n        if n:\n        '''\n        if n:"),
    ("            return f", "\t    return f"),
    ("return f'''", "return 'é' + f'''é"),
]


def tree(parsed: Parsed) -> tuple[str, list[tuple[int, int]]]:
    """The syntax tree with all its places, and those of the statements."""
    places = [(s.first, s.last) for s in parsed.statements or ()]
    return ast.dump(parsed.readable.tree, include_attributes=True), places


@pytest.mark.parametrize(("old", "new"), IN_METHODS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_edit_inside_a_method(old: str, new: str, end: str) -> None:
    before, after = CLASS.replace("\n", end), CLASS.replace(old, new).replace("\n", end)
    assert before != after
    parsed = parse(before)
    for text in (after, before, f"{end}{end}{before}", f"{end}{after}"):
        try:
            whole = tree(parse(text))
        except SyntaxError:
            with pytest.raises(SyntaxError):
                parse(text, parsed)
            continue
        parsed = parse(text, parsed)
        assert tree(parsed) == whole


def told(read: object, text: str) -> str:
    """All that ``read`` says of ``text``."""
    assert callable(read)
    try:
        return dumps(read(text))
    except SourceError as error:
        return str(error)


def lost(seed: int) -> bool:
    """Whether edits, most of them inside functions, lead to something else than a first reading."""
    random, text, document, parsed = Random(seed), f"{HELPERS}\n\n{CLASS}", Document(), None
    for step in range(12):
        edited = (random.random() < 0.7 and inside_function(text, random)) or random.choice(EDITS)(text, random)
        try:
            whole = tree(parse(edited))
        except (SyntaxError, ValueError):
            continue
        parsed, text = parse(edited, parsed), edited
        if tree(parsed) != whole or (step % 3 == 0 and told(document.read, text) != told(read_module, text)):
            return True
    return False


@pytest.mark.parametrize("seed", range(8))
def test_random_edits(seed: int) -> None:
    assert not lost(seed)


def _first_of(method: top_level.Statement, lines: list[str], last: int) -> ast.stmt | None:
    """What a parser would make of a method that did not look at what stands behind it."""
    try:
        inner = ast.parse("\n" * (method.first - 1) + "if 1:\n" + "".join(lines[method.first : last])).body[0]
    except SyntaxError:
        return None
    return inner.body[0] if isinstance(inner, ast.If) else None


PLANTED = {
    "a method is the first that stands there": (top_level, "_parsed_alone", _first_of),
    "statements are not moved": (top_level, "_move", lambda node, lines: None),
}


@pytest.mark.parametrize("name", PLANTED)
def test_notices_a_planted_bug(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[name])
    assert any(differs(CLASS.replace(old, new)) for old, new in IN_METHODS)


def differs(text: str) -> bool:
    """Whether a tree is another one after an edit."""
    try:
        return tree(parse(text, parse(CLASS))) != tree(parse(text))
    except SyntaxError:
        return False


def sorted_notes(noted: statement_notes.Notes) -> dict[str, object]:
    """What is noted by walking, in an order of its own."""
    found: dict[str, object] = {}
    for name in statement_notes._COLLECTED:
        value = getattr(noted, name)
        if isinstance(value, dict) and not isinstance(value, Counter):
            value = {key: sorted(map(repr, nodes)) for key, nodes in value.items()}
        found[name] = sorted(map(repr, value)) if isinstance(value, list) else value
    return found


def classes() -> list[ast.ClassDef]:
    """Classes that say all kinds of things of their file."""
    text = f"{HELPERS}\n\n{CLASS}\n\n{SPEAKING}"
    return [s for s in ast.parse(text).body if isinstance(s, ast.ClassDef)]


SPEAKING = """\
class Speaking:
    import numpy as np
    LIMITS: list = []

    def f(self, a, b=1, *c, d, e=2, **g):
        from x import y, z as w
        from util import *
        global LIMITS
        LIMITS.append(a in c)
        F.max = F.min
        spark.conf.set("spark.sql.ansi.enabled", "false")
        spark.udf.register("u", f)
        if (n := len(b)) and c["k"] + d.get("k"):
            self.x = sorted(type(n))
        exec("z = 1")

    async def g(self):
        for k in globals():
            print(b[k])
            del k

    def h(self):
        class Inner:
            x = vars()
            def i(self): return x
        for cls in (self, 1): cls()
        return "x" in globals(), map(str, c), sum(k for k in c)
"""


def test_notes_on_a_class_are_those_of_all_of_it() -> None:
    for node in classes():
        assert sorted_notes(statement_notes.notes_of(node)) == sorted_notes(statement_notes._Collector(node, ()).notes)


def test_notices_notes_that_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in statement_notes._COLLECTED:
        monkeypatch.setattr(statement_notes, "_COLLECTED", tuple(n for n in statement_notes._COLLECTED if n != name))
        alone = statement_notes._Collector
        found = [(statement_notes.notes_of(node), alone(node, ()).notes) for node in classes()]
        assert any(getattr(a, name) != getattr(b, name) for a, b in found), name
        monkeypatch.undo()


def test_of_a_class_only_the_method_is_read_that_is_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    document, texts, walked = Document(), list[str](), list[str]()
    document.read(HELPERS)
    parse_text, collect = notebook.tree_of, statement_notes._Collector.__init__

    def parsing(text: str) -> ast.Module:
        texts.append(text.strip())
        return parse_text(text)

    def collecting(self: statement_notes._Collector, statement: ast.stmt, *apart: list[ast.stmt]) -> None:
        walked.append(type(statement).__name__)
        collect(self, statement, *apart)

    monkeypatch.setattr(notebook, "tree_of", parsing)
    monkeypatch.setattr(statement_notes._Collector, "__init__", collecting)
    document.read(HELPERS.replace("m > 47", "m > 471"))
    assert [t.splitlines()[:2] for t in texts] == [["if 1:", "    def last(self, df):"]]
    assert walked == ["ClassDef", "FunctionDef"]


HANDED_OVER = """\
from pyspark.sql.functions import udf


def named(x):
    return x


class Job:
    size = udf(lambda s: len(s))

    def run(self, df):
        return df.mapInPandas(named, "k int").filter(named).rdd.map(named)

    @udf("int")
    def marked(x):
        return x

    def other(self, df):
        @udf
        def inside(x):
            return x

        return df.groupBy("k").applyInPandas(func=lambda g: g, schema="k int")
"""


def test_of_a_class_each_function_is_found_that_it_hands_over() -> None:
    found = [*handed_over._handed_over(Names(Context.of(HANDED_OVER)))]
    named = sorted(f.name if isinstance(f, ast.FunctionDef) else ast.unparse(f) for f in found)
    assert named == ["inside", "lambda g: g", "lambda s: len(s)", "marked", "named"]
