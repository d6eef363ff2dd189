"""_html.py -- models and results as Jupyter shows them."""
from __future__ import annotations

import html

_ROWS = 12


def cell(value) -> str:
    """A value in a cell: six digits, text escaped."""
    if isinstance(value, float) or type(value).__name__.startswith("float"):
        return f"{value:.6g}"
    return html.escape(str(value))


def rows(members: dict) -> str:
    """Two columns: names and values; lists and arrays only by their size."""
    lines = []
    for name, value in members.items():
        if hasattr(value, "shape") and getattr(value, "ndim", 0) > 0:
            value = f"array {value.shape}"
        lines.append(f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>"
                     f"<td style='text-align:left'>{cell(value)}</td></tr>")
    return "<table>" + "".join(lines) + "</table>"


def table(columns) -> str:
    """The first and the last rows of a table."""
    n, names = len(columns), list(columns)
    shown = list(range(n)) if n <= _ROWS else [*range(_ROWS // 2), None, *range(n - _ROWS // 2, n)]
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
    body = ""
    for i in shown:
        cells = ("…" for _ in names) if i is None else (cell(columns[name][i]) for name in names)
        body += "<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"
    return f"<table><tr>{head}</tr>{body}</table><small>{n} rows</small>"


def page(title: str, lines: dict, picture: str = "") -> str:
    """A title, two columns, a picture."""
    head = f"<b>{html.escape(title)}</b>" if title else ""
    return f"<div>{head}{rows(lines)}{picture}</div>"
