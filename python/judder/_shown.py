"""_shown.py -- pages that Jupyter shows of models and results: facts and the command's own picture."""
from __future__ import annotations

import html
import os
import tempfile

from . import _html, errors
from ._library import lib


def _svg(result, picture: str = "page") -> str:
    """The picture as SVG, drawn by gnuplot; "" where it cannot be drawn."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        try:
            result.draw(path, picture)
        except errors.JudderError:
            return ""
        with open(path, encoding="utf-8") as file:
            text = file.read()
    return "<div>" + text[text.index("<svg"):] + "</div>"


def result(r) -> str:
    """A result: what it came to, and its picture."""
    if r._closed:
        return html.escape(repr(r))
    return _html.page(r.title or r.kind, r._facts(), _svg(r))


def model(m) -> str:
    """A model in words, with the shapes of its first modes where they take no time."""
    if m._closed:
        return html.escape(repr(m))
    try:
        words = m.check()
    except errors.JudderError as error:
        return f"<pre>{html.escape(str(error))}</pre>"
    pointer, picture = m._problem()[1].pointer, ""
    count = sum(lib.jd_structure_modes(lib.jd_problem_structure(pointer, i)) for i in range(lib.jd_problem_bodies(pointer)))
    if count <= 200:
        try:
            picture = _svg(m.modes(count=6, quiet=True), "shapes")
        except errors.JudderError:
            picture = ""
    return f"<div><pre>{html.escape(words)}</pre>{picture}</div>"
