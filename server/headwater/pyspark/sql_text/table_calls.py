"""Table functions over a table in a FROM clause: ``f(TABLE(argument) PARTITION BY k ORDER BY t)``.

Reference: functionTable in Spark's SqlBaseParser.g4. sqlglot does not read them: where it is asked whether it reads the
same clauses, each stands in the text as the name of a table of as many characters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .tokens import Part, SqlText, Tokens


@dataclass(frozen=True)
class TableCall:
    """A call. ``argument``: from where to where in the text the table or query is that it is given; ``keys``: the
    partitioning columns, none for one partition."""

    function: str
    argument: Part
    keys: tuple[str, ...]


def calls_a_table(tokens: Tokens) -> bool:
    """Whether such a call comes next."""
    name, *rest = tokens.words[tokens.at : tokens.at + 5] or [""]
    return name.isidentifier() and (rest[:3] == ["(", "TABLE", "("] or (rest[:1] == ["("] and rest[2:3] == ["=>"]))


def table_call(tokens: Tokens) -> TableCall:
    """Pass a call; LookupError if it has another form. An argument with a name is the only one there is, or Spark fails
    for want of the others."""
    function = tokens.name()
    tokens.take("(")
    if not tokens.next_is("TABLE", "("):
        tokens.name()
        tokens.take("=>")
    tokens.take("TABLE")
    argument = tokens.in_parentheses()
    keys = _partitioning(tokens)
    if tokens.next_is("ORDER", "BY"):
        tokens.skip()  # what holds for every order of the rows holds for this one
    tokens.take(")")
    return TableCall(function, argument, keys)


def _partitioning(tokens: Tokens) -> tuple[str, ...]:
    if tokens.next_is("WITH"):
        tokens.take("WITH", "SINGLE", "PARTITION")
        return ()
    tokens.take("PARTITION", "BY")
    if tokens.next_is("("):
        return tokens.names_in_parentheses()
    keys = [tokens.name()]
    while tokens.next_is(","):
        tokens.take(",")
        keys.append(tokens.name())
    return tuple(keys)


def masked(text: SqlText) -> SqlText:
    """``text`` with the name of the function, and blanks, in the place of each call."""
    tokens, found = Tokens(text), text.text
    while not tokens.done():
        start = tokens.place()
        if not calls_a_table(tokens):
            tokens.at += 1
            continue
        name = table_call(tokens).function
        found = found[:start] + name.ljust(tokens.end() - start) + found[tokens.end() :]
    return text if found == text.text else replace(text, text=found)
