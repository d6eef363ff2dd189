"""model.py -- Model: a file, keywords or matrices; every number by its path; every verb of the command.

A model is a text and a list of changes (path, value), as the command takes with `--set`; the library reads both. Numbers
set later go straight into the problem in memory. Every computation works on a copy of its own: results do not change
when the model does, and threads may use one model.
"""
from __future__ import annotations

import os
import threading
from typing import Any, Dict, List, Optional, Union

import numpy as np

from . import _handles, _part, _targets, errors
from ._arrays import finite
from ._handles import Context, Handle
from ._library import NULL, ffi, lib, text
from ._matrices import Matrix
from ._part import Number, Part, Raw, Writer
from ._verbs import Verbs


class Model(Verbs):
    """A structure, its contacts and drives, and what to compute of it.

    units="SI": bare numbers are SI and may stand beside texts with units ("3 kN"). Without it numbers are in any
    consistent system, or all of them carry units.
    """

    def __init__(self, units: Optional[str] = None, title: str = ""):
        self._name, self._folder, self._base = "model", "", "judder: 1\n"
        self._sets: Dict[str, str] = {}
        self._arrays: Dict[str, Any] = {}
        self._built: Optional[tuple] = None  # context and problem
        self._lock = threading.RLock()
        self._closed = False
        self._own: tuple = ()  # files that hold the model itself
        if units not in (None, "SI"):
            raise errors.ModelError("wrong-type", f"units can only be 'SI', not {units!r}", "units",
                                    "leave it out for numbers in units of your own")
        if units:
            self._sets["units"] = "SI"
        if title:
            self._change("title", title)

    # ---- parts

    def body(self, name: str = "", structure: Union[Part, str, None] = None, *, M=None, K=None, C=None,
             **keys: Any) -> "Model":
        """Adds a structure, or replaces that of the same name.

        name: "" for the only body of a model, else new and without a dot
        structure: jd.structures.fe_beam(...), or the name of one with its keys as keywords
        M, K, C: mass, stiffness and damping matrices of numpy or scipy.sparse instead, with
                 modes=, damping=, points={"tip": 146}: row 146, counted from 1
        """
        path = "bodies." + _part.name_checked("body", name) if name else "structure"
        if M is not None or K is not None:
            if structure is not None or M is None or K is None:
                raise errors.ModelError("bad-argument", "a structure by matrices needs both M and K, and no other type", path)
            keys = {"mass": M, "stiffness": K, **keys}
            structure = "matrices"
            if C is not None:
                if keys.get("damping") is not None:
                    raise errors.ModelError("bad-argument", "C and damping= are both given, but each is the damping", path)
                keys["damping"] = {"type": "matrix", "file": C}
        elif C is not None:
            raise errors.ModelError("bad-argument", "C is for a structure by matrices, with M and K", path,
                                    "other structures take damping=")
        if structure is None:
            raise errors.ModelError("missing-key", f"no type is given for {path}", path, "jd.structures has them")
        map_ = dict(structure) if isinstance(structure, dict) else {"type": structure}
        map_.update(keys)
        if isinstance(map_.get("damping"), (int, float, np.floating)):
            map_["damping"] = {"type": "ratio", "value": map_["damping"]}
        by_node = map_["type"] in ("matrices", "chain")
        points = map_.get("points")
        if points is not None and not isinstance(points, dict):
            raise errors.ModelError("wrong-type", f"points are named, but this is a {type(points).__name__}", path + ".points",
                                    'points={"tip": 146}')
        map_["points"] = {k: _point(v, by_node) for k, v in (points or {}).items()} or None
        self._change(path, map_, matrices=True)
        return self

    def contact(self, name: str, at: Union[str, dict], law: Union[Part, dict], against: Any = None,
                footprint: Optional[str] = None) -> "Model":
        """Adds a contact, or replaces that of the same name.

        at: a point, "body.point", or jd.span(from, to);  law: jd.coulomb(...), jd.stop(...), jd.laws
        against: "ground" (default), jd.moving(velocity), or a place of another body
        """
        self._change("contacts." + _part.name_checked("contact", name),
                     {"at": at, "against": against, "law": law, "footprint": footprint})
        return self

    def drive(self, name: str, at: Union[str, dict, None] = None, drive: Union[Part, str] = "harmonic",
              **keys: Any) -> "Model":
        """Adds a load, or replaces that of the same name.

        drive: jd.drives.pulse(...), or the name of one with its keys as keywords: harmonic (default) takes
        amplitude, frequency (a number, or jd.times(1.02, mode=1)) and phase
        """
        map_ = dict(drive) if isinstance(drive, dict) else {"type": drive}
        map_.update(keys)
        if at is not None:
            map_["at"] = at
        self._change("drives." + _part.name_checked("drive", name), map_)
        return self

    def start(self, start: Union[Part, str], **keys: Any) -> "Model":
        """How the motion starts: "rest", "static", jd.starts.lift(...), or a name with its keys."""
        map_ = dict(start) if isinstance(start, dict) else {"type": start}
        self._change("start", {**map_, **keys})
        return self

    def section(self, name: str, **keys: Any) -> "Model":
        """Sets keys of a section (`simulate`, `orbit`, `follow`, `nsm`, `kernel`, `sweep`, `output`) for good."""
        for key, value in keys.items():
            self._change(f"{name}.{key.rstrip('_')}", value)
        return self

    # ---- numbers by path

    def set(self, path: Union[str, dict], value: Any = None) -> "Model":
        """Changes a value by its path: a number (SI, or the model's own units), a text with a unit, a map.

        m.set("contacts.damper.law.limit", 2.0), m.set({"drives.shaker.amplitude": "3 N", ...})
        """
        self._set_all(_part.split(path) if value is None else [(path, value)])
        return self

    def get(self, path: str) -> float:
        """The number at a path, in SI or the model's own units."""
        context, problem = self._problem()
        out = ffi.new("double *")
        context.check(lib.jd_problem_get(problem.pointer, path.encode(), out))
        return out[0]

    def __getitem__(self, path: str) -> float:
        return self.get(path)

    def __setitem__(self, path: str, value: Any) -> None:
        self._set_all([(path, value)])

    def unit(self, path: str) -> str:
        """The SI unit of the number at a path; "" when it has none."""
        _, problem = self._problem()
        out = ffi.new("char[]", 64)
        lib.jd_problem_unit(problem.pointer, path.encode(), 64, out)
        return text(out)

    def paths(self) -> List[str]:
        """Every number of the model by its path."""
        _, problem = self._problem()
        found, i = [], 0
        while True:
            path = lib.jd_problem_path(problem.pointer, i)
            if not path:
                return found
            found.append(text(path))
            i += 1

    # ---- as a whole

    @property
    def title(self) -> str:
        """The title."""
        return text(lib.jd_problem_title(self._problem()[1].pointer))

    @property
    def si(self) -> bool:
        """True when the numbers are SI."""
        return bool(lib.jd_problem_is_si(self._problem()[1].pointer))

    def check(self) -> str:
        """What the model is and what will be done with it, in plain words."""
        _, problem = self._problem()
        size = lib.jd_model_explain(problem.pointer, NULL, 0) + 1
        out = ffi.new("char[]", size)
        lib.jd_model_explain(problem.pointer, out, size)
        return text(out)

    def text(self) -> str:
        """The model as YAML; matrices and long lists stand as "@name"."""
        return self._changed(dict(self._sets), self._name)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the model file; matrices go into Matrix Market files beside it. Comments are kept only where nothing
        was changed."""
        path = os.fspath(path)
        self._problem()  # what is not right is not saved
        folder = os.path.dirname(os.path.abspath(path))
        sets = dict(self._sets)
        if self._folder is not None and os.path.abspath(self._folder or ".") != folder:
            sets.update(self._files(folder))
        stem, written = os.path.splitext(os.path.basename(path))[0], []
        for name, array in self._arrays.items():
            mark = f'"@{name}"'
            if not any(mark in value for value in sets.values()):
                continue
            if isinstance(array, Matrix):
                file = f"{stem}-{name.split('.', 1)[-1].replace('.', '-')}.mtx"
                with _targets.writing(os.path.join(folder, file)):
                    array.write(os.path.join(folder, file))
                written.append(os.path.join(folder, file))
                new = file
            else:
                new = "[" + ", ".join(map(_part.number_text, array)) + "]"
            sets = {k: v.replace(mark, new) for k, v in sets.items()}
        whole = self._changed(sets, path)
        with _targets.writing(path):
            with open(path + ".part", "w", encoding="utf-8") as file:
                file.write(whole)
            os.replace(path + ".part", path)
        self._own = tuple(dict.fromkeys([*self._own, *written, os.path.abspath(path)]))

    def copy(self) -> "Model":
        """A model of its own with the same parts."""
        other = Model.__new__(type(self))
        with self._lock:
            self._open()
            other.__dict__.update({k: v for k, v in self.__dict__.items() if k not in ("_lock", "_built")})
            other._sets, other._arrays = dict(self._sets), dict(self._arrays)
            other._lock, other._built = threading.RLock(), None
            if self._built:
                other._built = self._copied()
        return other

    def close(self) -> None:
        """Frees it; results live on. Using it afterwards raises ClosedError."""
        with self._lock:
            self._closed, self._built = True, None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._closed:
            return "<judder.Model, closed>"
        return f"<judder.Model {self._sets.get('title') or self._name}>"

    def _repr_html_(self) -> str:
        from . import _shown
        return _shown.model(self)

    # ---- inside

    def _open(self) -> None:
        if self._closed:
            raise errors.ClosedError("bad-argument", "the model was closed")

    def _change(self, path: str, value: Any, matrices: bool = False) -> None:
        """Notes a change; the problem is made anew when it is needed next."""
        self._open()
        writer = Writer()
        if matrices:
            value = _with_matrices(writer, path, value)
        line = str(value) if isinstance(value, Raw) else writer.text(path, value)
        arrays = {k: a if isinstance(a, Matrix) else _list(k, a) for k, a in writer.arrays.items()}
        with self._lock:
            self._forget(path)
            self._sets[path] = line
            self._arrays.update(arrays)
            self._built = None

    def _forget(self, path: str) -> None:
        """Earlier changes at a path or below it."""
        for old in [p for p in self._sets if p == path or p.startswith(path + ".")]:
            del self._sets[old]

    def _set_all(self, pairs: List[tuple]) -> None:
        """Sets values; where one is refused, all of them. What stands for a number of a whole model is read at once."""
        with self._lock:
            self._open()
            sets, arrays = dict(self._sets), dict(self._arrays)
            at_once = any(not _is_number(value) and self._has_number(path) for path, value in pairs)
            try:
                for path, value in pairs:
                    self._set(path, value)
                if at_once:
                    self._problem()
            except Exception:
                if self._sets != sets:
                    self._sets, self._arrays, self._built = sets, arrays, None
                raise

    def _has_number(self, path: str) -> bool:
        """Whether the model is whole and has a number there."""
        try:
            self.get(path)
        except errors.JudderError:
            return False
        return True

    def _set(self, path: str, value: Any) -> None:
        if not _is_number(value):
            self._change(path, value)
            return
        with self._lock:
            self._open()
            try:
                context, problem = self._problem()
            except errors.ModelError:  # not whole yet: looked at when it is
                self._change(path, value)
                return
            context.check(lib.jd_problem_set(problem.pointer, path.encode(), float(value), NULL))
            line = _part.number_text(value)
            if self.si:
                line = f"{line} {self.unit(path)}".rstrip()
            self._forget(path)
            self._sets[path] = line

    def _definition(self, sets: Dict[str, str], name: str):
        """The jd_model_def, and what must live as long as it."""
        kept = [ffi.new("char[]", f"{p}={v}".encode()) for p, v in sets.items()]
        base, lists = self._base.encode(), ffi.new("const char *[]", kept)
        arrays = ffi.new("jd_model_array[]", max(1, len(self._arrays)))
        for place, (key, array) in zip(arrays, self._arrays.items()):
            kept.append(ffi.new("char[]", key.encode()))
            place.name = kept[-1]
            if isinstance(array, Matrix):
                kept.append(ffi.new("jd_matrix *"))
                array.fill(kept[-1])
                place.matrix = kept[-1]
            else:
                place.reals = {"n": len(array), "value": ffi.cast("double *", array.ctypes.data)}
        texts = [ffi.new("char[]", t) for t in (name.encode(), self._folder.encode(), base)]
        definition = ffi.new("jd_model_def *", {
            "name": texts[0], "folder": texts[1], "text": texts[2], "size": len(base), "n_set": len(sets),
            "set": lists, "n_array": len(self._arrays), "array": arrays})
        return definition, (kept, lists, arrays, texts, list(self._arrays.values()))

    def _made(self, sets: Dict[str, str]) -> tuple:
        """A context and a problem of the text with these changes."""
        definition, kept = self._definition(sets, self._name)
        context = Context()
        try:
            problem = _handles.made(context, lib.jd_problem_free, (), lib.jd_model_create, definition,
                                    keep=kept[-1])
        except errors.JudderError as error:
            if error.where.startswith("--set "):
                error.where = error.where[len("--set "):].partition("=")[0]
            if self._name == "model" and error.where.startswith("model:"):
                error.where = ""
            raise
        context.tell()
        return context, problem

    def _problem(self) -> tuple:
        """The context and the problem of this model, built."""
        with self._lock:
            self._open()
            if self._built is None:
                self._built = self._made(self._sets)
            return self._built

    def _copied(self) -> tuple:
        """A context and a copy of the problem, for one computation."""
        with self._lock:
            context, problem = self._problem()
            context.check(lib.jd_problem_build(problem.pointer))
            own = Context()
            copy = _handles.made(own, lib.jd_problem_free, (problem,), lib.jd_problem_copy, problem.pointer)
            own.check(lib.jd_problem_build(copy.pointer))  # structures are shared: cheap
            return own, copy

    def _changed(self, sets: Dict[str, str], name: str) -> str:
        """The text with changes made."""
        if not sets:
            return self._base
        definition, _kept = self._definition(sets, name)
        context, length = Context(), ffi.new("size_t *")
        context.check(lib.jd_model_change(context.pointer, definition, 0, NULL, length))
        out = ffi.new("char[]", length[0] + 1)
        context.check(lib.jd_model_change(context.pointer, definition, length[0] + 1, out, length))
        return text(out)

    def _files(self, folder: str) -> Dict[str, str]:
        """Files the model names, seen from another folder."""
        found = _named(self._problem()[1].pointer)
        return {path: Writer().text(path, os.path.relpath(file, folder)) for path, file in found.items()}

    def _own_files(self, problem) -> List[str]:
        """Files the model is read from. A result to go on from may be replaced by the next one."""
        found, start = _named(problem), lib.jd_problem_start(problem)
        if start.type and text(start.type.name) == "restart":
            found.pop("start.file", None)
        return [*self._own, *map(os.path.abspath, found.values())]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))


def _named(pointer) -> Dict[str, str]:
    """Files a problem names, by path."""
    found: Dict[str, str] = {}
    for i in range(lib.jd_problem_bodies(pointer)):
        body = lib.jd_problem_body(pointer, i)
        _walk(body, f"bodies.{text(body.name)}" if text(body.name) else "structure", found)
    for i in range(lib.jd_problem_drives(pointer)):
        drive = lib.jd_problem_drive(pointer, i)
        _walk(drive, f"drives.{text(drive.name)}", found)
    _walk(lib.jd_problem_start(pointer), "start", found)
    return found


def _walk(thing, path: str, found: Dict[str, str]) -> None:
    """Files in the definition of an object, and in objects within it."""
    i, table = 0, thing.type.params if thing.type else NULL
    while table and table[i].key:
        p, at = table[i], ffi.cast("char *", getattr(thing, "def"))
        key = f"{path}.{text(p.key)}"
        if p.kind == lib.JD_KIND_OBJECT:
            _walk(ffi.cast("jd_object *", at + p.offset), key, found)
        elif p.kind in (lib.JD_KIND_FILE, lib.JD_KIND_MATRIX):
            file = ffi.cast("const char **", at + p.offset)[0]  # a jd_matrix begins with its file
            if file:
                found[key] = text(file)
        i += 1


def _point(value, by_node: bool):
    """A point of a structure: a node (whole number, or node and dof), or a position."""
    if isinstance(value, (tuple, list)):
        return {"node": value[0], "dof": value[1]}
    if by_node and isinstance(value, (int, np.integer)):
        return {"node": int(value)}
    return value


def _with_matrices(writer: Writer, path: str, map_: dict) -> dict:
    """Matrices of a structure stand beside the text."""
    map_ = dict(map_)
    for key in ("mass", "stiffness"):
        value = map_.get(key)
        if map_["type"] == "matrices" and value is not None and not isinstance(value, str):
            writer.arrays[f"{path}.{key}"] = Matrix(f"{path}.{key}", value)
            map_[key] = f"@{path}.{key}"
    damping = map_.get("damping")
    if isinstance(damping, dict) and damping.get("type") == "matrix" and not isinstance(damping.get("file"), str):
        writer.arrays[f"{path}.damping"] = Matrix(f"{path}.damping", damping["file"])
        map_["damping"] = {**damping, "file": f"@{path}.damping"}
    return map_


def _list(path: str, values) -> np.ndarray:
    """A list of numbers that the model keeps for itself."""
    own = finite(path, values).copy()
    own.setflags(write=False)
    return own


def load(path: Union[str, os.PathLike], set: Any = None) -> Model:  # pylint: disable=redefined-builtin
    """Reads a model file; `set` changes values as the command's --set does: {"path": value} or ["path=value"]."""
    path = os.fspath(path)
    model = Model()
    model._name, model._folder, model._own = path, os.path.dirname(path), (os.path.abspath(path),)
    changes = _part.split(set)
    if not changes:
        context = Context()
        problem = _handles.made(context, lib.jd_problem_free, (), lib.jd_model_read, path.encode(), 0, NULL)
        context.tell()
        model._base, model._built = text(lib.jd_model_text(problem.pointer)), (context, problem)
        return model
    try:
        with open(path, encoding="utf-8") as file:
            model._base = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.FileError("cannot-read", f"cannot read `{path}`: {error}", path) from None
    for one, value in changes:
        model._change(one, value)
    model._problem()
    return model


def loads(model_text: str, name: str = "model", folder: str = "") -> Model:
    """A model from a text of YAML; relative files start at `folder`."""
    model = Model()
    model._name, model._folder, model._base = name, os.fspath(folder), model_text
    model._problem()
    return model
