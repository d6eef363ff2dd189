"""_sections.py -- keys of one call (`until`, `periods`, `from`) put into the sections of a problem by their tables.

Values that need a unit or more than a line of text are left to the reader of models: they raise NeedsText.
"""
from __future__ import annotations

import difflib
import re

import numpy as np

from . import errors
from ._library import NULL, ffi, lib, text

NAMES = {"simulate": lib.JD_SIMULATE, "orbit": lib.JD_ORBIT, "follow": lib.JD_FOLLOW, "nsm": lib.JD_NSM,
         "kernel": lib.JD_KERNEL, "sweep": lib.JD_SWEEP, "fit": lib.JD_FIT,
         "backbone": lib.JD_BACKBONE, "output": lib.JD_OUTPUT}
_PERIODS = re.compile(r"\s*([-+0-9.eE]+)\s+periods?\s*\Z")


class NeedsText(Exception):
    """The value is for the reader of models."""


def params(section: str) -> dict:
    """The table of a section by key."""
    table, found, i = lib.jd_section_types[NAMES[section]].params, {}, 0
    while table[i].key:
        found[text(table[i].key)] = table[i]
        i += 1
    return found


def unknown_key(key: str, known, what: str) -> errors.ModelError:
    """The error of a keyword that nothing takes, with the nearest one."""
    near = difflib.get_close_matches(key, list(known), 1)
    hint = f"did you mean `{near[0]}`?" if near else f"it takes {', '.join(sorted(known))}"
    return errors.ModelError("unknown-key", f"{what} takes no `{key}`", key, hint)


def _is_number(value) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))


def _real(value, kept):
    if not _is_number(value):
        raise NeedsText
    return float(value)


def _whole(value, kept):
    if not _is_number(value) or value != int(value):
        raise NeedsText
    return int(value)


def _text(value, kept):
    if not isinstance(value, str):
        raise NeedsText
    kept.append(ffi.new("char[]", value.encode()))
    return kept[-1]


def _duration(value, kept):
    if _is_number(value):
        return lib.jd_seconds(float(value))
    match = _PERIODS.match(value) if isinstance(value, str) else None
    if not match:
        raise NeedsText
    return lib.jd_periods(float(match.group(1)))


def _reals(value, kept):
    values = [value] if _is_number(value) else value
    if isinstance(values, str) or not hasattr(values, "__iter__") or not all(_is_number(v) for v in values):
        raise NeedsText
    kept.append(ffi.new("double[]", [float(v) for v in values]))
    return {"n": len(values), "value": kept[-1]}


def _texts(value, kept):
    if not hasattr(value, "__iter__"):
        raise NeedsText
    values = [value] if isinstance(value, str) else list(value)
    kept.append([_text(v, kept) for v in values])
    kept.append(ffi.new("const char *[]", kept[-1]))
    return {"n": len(values), "text": kept[-1]}


_KINDS = {lib.JD_KIND_REAL: ("double *", _real), lib.JD_KIND_INTEGER: ("int *", _whole),
          lib.JD_KIND_TEXT: ("const char **", _text), lib.JD_KIND_DURATION: ("jd_duration *", _duration),
          lib.JD_KIND_REALS: ("jd_reals *", _reals), lib.JD_KIND_TEXTS: ("jd_texts *", _texts),
          lib.JD_KIND_COUNT: ("int *", _whole)}


def _put(p, base, value, kept) -> None:
    if p.kind == lib.JD_KIND_BOOLEAN:
        if not isinstance(value, (bool, np.bool_)):
            raise NeedsText
        ffi.cast("bool *", base + p.offset)[0] = bool(value)
        return
    if p.kind == lib.JD_KIND_CHOICE:
        words, i = [], 0
        while p.choices[i]:
            words.append(text(p.choices[i]))
            i += 1
        if value not in words:
            raise NeedsText  # the reader says what may stand there
        ffi.cast("int *", base + p.offset)[0] = words.index(value)
        return
    if p.kind not in _KINDS:
        raise NeedsText
    kind, convert = _KINDS[p.kind]
    ffi.cast(kind, base + p.offset)[0] = convert(value, kept)


def apply(context, problem, section: str, keys: dict) -> None:
    """Puts the keys into the section of a problem; NeedsText before anything is changed."""
    number, table, kept = NAMES[section], params(section), []
    pointer = lib.jd_problem_section(problem, number, NULL)
    definition = ffi.new(f"jd_{section}_def *")
    size = ffi.sizeof(f"jd_{section}_def")
    ffi.memmove(definition, pointer, size)
    base = ffi.cast("char *", definition)
    for key, value in keys.items():
        _put(table[key], base, value, kept)
    context.check(lib.jd_problem_set_section(problem, number, definition))
