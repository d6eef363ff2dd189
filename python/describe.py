"""describe.py -- writes judder/parts.py: what a model is made of, from the parameter tables of the library.

    python3 describe.py PACKAGE_DIR        (with _native.py and the library beside it)

Every law, structure, drive, start and damping becomes a function whose keywords, defaults and docstring are those of
its table, as `judder list` shows them; the keys of the sections (`simulate`, `orbit`, ...) become dictionaries of docs.
"""
import keyword
import os
import sys

HINTS = {"REAL": "Number", "INTEGER": "int", "BOOLEAN": "bool", "CHOICE": "str", "TEXT": "str", "FILE": "str",
         "REALS": "Numbers", "TEXTS": "Texts", "COUNT": "Union[int, str]", "FREQUENCY": "Union[Number, dict]",
         "DURATION": "Number", "OBJECT": "Union[Part, str, dict]", "GROUP": "dict", "POINTS": "dict",
         "SHAPES": "dict", "FORMULAS": "dict", "DRAWS": "dict", "PLACE": "Union[str, dict]", "COUNTER": "Union[str, dict, Number]",
         "MATRIX": "Any"}


def identifier(name):
    """`fe-beam` as Python can call it."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


class Tables:
    """The tables of a library."""

    def __init__(self, lib, ffi, text):
        self.lib, self.ffi, self.text = lib, ffi, text

    def listed(self, types):
        """Types of a list that ends with NULL."""
        i = 0
        while types[i]:
            yield types[i]
            i += 1

    def keys(self, params):
        """Entries of a table."""
        i = 0
        while params and params[i].key:
            yield params[i]
            i += 1

    def kind(self, p):
        return self.ffi.typeof("jd_kind").elements[p.kind][len("JD_KIND_"):]

    def default(self, p):
        """The default in words; "" where there is none to name."""
        kind = self.kind(p)
        if p.required:
            return f"required, or {identifier(self.text(p.unless))}" if p.unless else "required"
        if p.preset_text:
            return self.text(p.preset_text)
        if kind == "CHOICE":
            return self.text(p.choices[int(p.preset)])
        if kind == "BOOLEAN":
            return "yes" if p.preset else "no"
        if kind == "COUNT" and p.preset <= 0:
            return "infinite" if p.preset < 0 else "all"
        if kind == "INTEGER" and p.preset == -2:  # JD_AUTO: its doc says what it is
            return ""
        if kind in ("REAL", "INTEGER", "COUNT", "FREQUENCY", "DURATION") and p.preset == p.preset:
            return f"{p.preset:.10g}"
        return ""

    def line(self, p):
        """One line of a docstring."""
        facts = [self.text(p.unit).replace("|", " or ")] if p.unit and self.text(p.unit) not in ("", "*") else []
        if p.choices:
            facts.append(", ".join(self.text(c) for c in self.listed(p.choices)))
        if self.kind(p) == "OBJECT":
            facts.append(", ".join(self.text(t.name) for t in self.listed(p.types)))
        default = self.default(p)
        if default:
            facts.append(default if p.required else f"default {default}")
        inside = f" [{'; '.join(facts)}]" if facts else ""
        doc = self.text(p.doc) or (self.text(p.types[0].doc) if self.kind(p) == "GROUP" else "")
        return f"{identifier(self.text(p.key))}: {doc}{inside}"


def function(tables, kind, t):
    """Source of the function of one type."""
    name = tables.text(t.name)
    keys = list(tables.keys(t.params))
    keys.sort(key=lambda p: 2 if not p.required else 1 if p.unless else 0)  # stable: required ones first
    arguments, given = [], []
    either = [(tables.text(p.key), tables.text(p.unless)) for p in keys if p.required and p.unless]
    for p in keys:
        key = tables.text(p.key)
        hint = HINTS[tables.kind(p)]
        arguments.append(f"{identifier(key)}: {hint}" if p.required and not p.unless else
                         f"{identifier(key)}: Optional[{hint}] = None")
        given.append(f"{key!r}: {identifier(key)}")
    doc = "\n".join([f"{kind[0].upper()}{kind[1:]} `{name}`: {tables.text(t.doc)}.", "",
                     *("        " + tables.line(p) for p in keys)])
    doc = doc.replace("\\", "\\\\").replace('"""', "'''").rstrip()
    return (f"    @staticmethod\n    def {identifier(name)}({', '.join(arguments)}) -> Part:\n"
            f'        """{doc}\n        """\n'
            f"        return Part({name!r}, {{{', '.join(given)}}}{f', {either}' if either else ''})\n")


def dampings(tables):
    """Every damping that any structure takes."""
    seen = {}
    for t in tables.listed(tables.lib.jd_structure_types()):
        p = tables.lib.jd_type_param(t, b"damping")
        if p:
            for d in tables.listed(p.types):
                seen.setdefault(tables.text(d.name), d)
    return list(seen.values())


def main(package):
    sys.path.insert(0, os.path.dirname(os.path.abspath(package)))
    sys.dont_write_bytecode = True
    import importlib.util
    import types
    bare = types.ModuleType("judder")  # the package itself needs what is written here
    bare.__path__ = [package]
    sys.modules["judder"] = bare
    from judder._library import ffi, lib, text

    tables = Tables(lib, ffi, text)
    kinds = {"laws": ("law", list(tables.listed(lib.jd_law_types()))),
             "structures": ("structure", list(tables.listed(lib.jd_structure_types()))),
             "dampings": ("damping", dampings(tables)),
             "drives": ("drive", list(tables.listed(lib.jd_drive_types()))),
             "starts": ("start", list(tables.listed(lib.jd_start_types())))}
    out = ['"""parts.py -- made by describe.py from the parameter tables; not to be edited."""',
           "from __future__ import annotations", "", "from typing import Any, Optional, Union", "",
           "from ._part import Number, Numbers, Part, Texts", ""]
    for plural, (one, types_) in kinds.items():
        out += ["", f"class {plural}:", f'    """Every {one} there is, as a function that makes one."""', ""]
        out += [function(tables, one, t) for t in types_]
    sections = {}
    for i in range(lib.JD_SECTION_COUNT):
        t = lib.jd_section_types[i]
        sections[text(t.name)] = {text(p.key): tables.line(p).split(": ", 1)[1] for p in tables.keys(t.params)}
    contact = {text(p.key): tables.line(p).split(": ", 1)[1] for p in tables.keys(lib.jd_contact_type.params)}
    out += ["", "# Keys of the sections of a model, with what they mean.", f"SECTIONS = {sections!r}",
            f"CONTACT = {contact!r}", ""]
    target = os.path.join(package, "parts.py")
    with open(target + ".part", "w", encoding="utf-8") as file:
        file.write("\n".join(out))
    os.replace(target + ".part", target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
