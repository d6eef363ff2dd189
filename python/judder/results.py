"""results.py -- what a computation came to: numpy arrays over the library's memory, tables, numbers, files, pictures."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import numpy as np

from . import _arrays, _handles, _targets, errors
from ._arrays import Record, Table, complex_of, record, table
from ._handles import Context, Handle
from ._library import NULL, ffi, lib, text

_PICTURES = {text(lib.jd_picture_name(i)): i for i in range(lib.JD_PICTURE_KIND_COUNT)}


def _picture(kind: str, window=None):
    """What is drawn: a jd_picture_def."""
    if kind not in _PICTURES:
        raise errors.ModelError("bad-usage", f"there is no picture {kind!r}", "picture", f"there are {', '.join(_PICTURES)}")
    definition = ffi.new("jd_picture_def *", lib.jd_default_picture_def())
    definition.kind = _PICTURES[kind]
    if window is not None:
        low, high = (window.split(":") if isinstance(window, str) else window)
        definition[0].__setattr__("from", float("nan") if low in (None, "") else float(low))
        definition.to = float("nan") if high in (None, "") else float(high)
    return definition


def show(context: Context, result: Handle, problem: Handle, orbit, picture: str, window) -> None:
    """Computes the stretch of motion that a picture shows once more, and keeps it with the result."""
    context.check(lib.jd_result_show(context.pointer, result.pointer, problem.pointer, orbit, _picture(picture, window)))


_KINDS: Dict[str, type] = {}


def kind(cls):
    """Says that results of the kind `cls.kind` are of this class."""
    _KINDS[cls.kind] = cls
    return cls


class Result:
    """A result of any kind; `kind` says which."""

    kind = ""
    complete = True

    def __init__(self, handle: Handle, context: Context):
        self._handle, self._context = handle, context
        self._cache: Dict[str, Any] = {}
        self._closed = False
        self._own: Sequence[str] = ()  # files that the model was read from

    # ---- what every result has

    def _pointer(self):
        if self._closed:
            raise errors.ClosedError("bad-argument", "the result was closed")
        return self._handle.pointer

    def _kept(self, name: str, make):
        if name not in self._cache:
            self._pointer()
            self._cache[name] = make()
        return self._cache[name]

    @property
    def _head(self):
        return lib.jd_result_look(self._pointer())

    @property
    def title(self) -> str:
        """Title of the model."""
        return text(self._head.title)

    @property
    def si(self) -> bool:
        """True when numbers are SI."""
        return bool(self._head.si)

    @property
    def model(self) -> str:
        """Text of the model file."""
        return text(self._head.model)

    @property
    def command(self) -> str:
        """The command that made the file it was read from; ""."""
        return text(self._head.command)

    @property
    def arrays(self) -> Dict[str, Any]:
        """Every array by its path in result files: "samples/tip.u"."""
        return self._kept("arrays", lambda: _arrays.of_result(self._handle))

    @property
    def units(self) -> Dict[str, Optional[str]]:
        """The unit of every array, by the same paths."""
        return self._kept("units", lambda: _arrays.units_of_result(self._handle))

    def table(self, name: str) -> Table:
        """The columns below a path: "samples", "event_list", "branch"."""
        return table(self.arrays, name)

    @property
    def tables(self) -> List[str]:
        """Names of the tables."""
        return sorted({path.rpartition("/")[0] for path in self.arrays if "/" in path})

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the result by the name's suffix, whole or not at all: HDF5 (.h5, .hdf5), JSON (.json), CSV (.csv),
        MATLAB (.mat), a universal file (.uff, .unv)."""
        known = (".h5", ".hdf5", ".json", ".csv", ".mat", ".uff", ".unv")
        if os.path.splitext(os.fspath(path))[1].lower() not in known:
            raise errors.ModelError("bad-usage", f"the name {os.fspath(path)!r} says no kind of file: it ends in one of "
                                    + ", ".join(known), "path")
        _targets.spare(path, self._own)
        with _handles.files:
            self._context.check(lib.jd_result_write(self._context.pointer, self._pointer(), os.fspath(path).encode()))

    def save_csv(self, path: Union[str, os.PathLike]) -> None:
        """Writes the rows of the kind as comma-separated values."""
        path = os.fspath(path)
        if not path.endswith(".csv"):
            raise errors.ModelError("bad-usage", f"the name of a table ends in .csv, not {path!r}", "csv")
        self.save(path)

    def draw(self, path: Union[str, os.PathLike], picture: str = "page", window=None) -> None:
        """Draws the command's own picture by gnuplot: SVG, PNG or PDF by the file's suffix, .csv: its numbers."""
        _targets.spare(path, self._own)
        self._context.check(lib.jd_picture_draw(self._context.pointer, self._pointer(), _picture(picture, window),
                                                os.fspath(path).encode()))

    def plot(self, picture: str = "page", axes=None):
        """A figure by matplotlib in the style of the command's own; returns the figure."""
        from . import plots
        return plots.draw(self, picture, axes)

    def close(self) -> None:
        """Lets go of the memory; arrays that are still used keep it."""
        self._closed, self._cache = True, {}
        self._handle.close()

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _facts(self) -> Dict[str, Any]:
        """What is told about it in a few lines."""
        return {}

    def __repr__(self) -> str:
        if self._closed:
            return f"<judder.{type(self).__name__}, closed>"
        lines = [f"<judder.{type(self).__name__}> {self.title}".rstrip()]
        return "\n".join(lines + [f"  {k:<12} {_short(v)}" for k, v in self._facts().items()])

    def _repr_html_(self) -> str:
        from . import _shown
        return _shown.result(self)


def _short(value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Signals:
    """A point or a contact of a run: u, v and force as arrays over the times `t`; None where not sampled."""

    def __init__(self, name: str, t, samples: Table):
        self.name, self.t = name, t
        self.u, self.v, self.force = (samples[f"{name}.{q}"] if f"{name}.{q}" in samples else None
                                      for q in ("u", "v", "force"))

    def __repr__(self) -> str:
        have = [q for q in ("u", "v", "force") if getattr(self, q) is not None]
        return f"<{self.name}: {', '.join(have)} at {len(self.t)} times>"


class Events(Table):
    """Changes of contact states: t, contact (its number), from, to (jd_contact_state), speed, impulse, cell."""

    def __init__(self, columns: Dict[str, Any], names: List[str]):
        super().__init__(columns)
        self.contact_names = names

    @property
    def names(self) -> List[str]:
        """The contact's name of each event."""
        return [self.contact_names[i] for i in self["contact"]]

    def _letters(self, column: str) -> List[str]:
        letters = [lib.jd_contact_letter(i).decode("latin-1") for i in range(lib.JD_CONTACT_STATE_COUNT)]
        return [letters[i] for i in self[column]]

    @property
    def before(self) -> List[str]:
        """The letter of the contact state before each event: H + - o |."""
        return self._letters("from")

    @property
    def after(self) -> List[str]:
        """The letter of the contact state after each event."""
        return self._letters("to")

    def to_pandas(self):
        """A pandas.DataFrame with names of contacts and letters of states."""
        pandas = _arrays.needed("pandas")
        columns = dict(self._columns)
        columns.update({"contact": self.names, "from": self.before, "to": self.after})
        return pandas.DataFrame(columns)


class _Sampled(Result):
    """Runs and orbits: samples of points and contacts over time."""

    def _content(self):
        raise NotImplementedError

    def _event_list(self) -> tuple:
        """How many events there are, and where."""
        raise NotImplementedError

    @property
    def samples(self) -> Table:
        """t, then u and v of every point and the force of every contact."""
        return self.table("samples")

    @property
    def t(self) -> np.ndarray:
        """Times of the samples."""
        return self.samples["t"] if "t" in self.samples else np.empty(0)

    @property
    def names(self) -> List[str]:
        """Points and contacts that were sampled."""
        return list(dict.fromkeys(c.rpartition(".")[0] for c in self.samples if c != "t"))

    def __getitem__(self, name: str) -> Signals:
        if name not in self.names:
            raise KeyError(f"{name!r} was not sampled; there are {', '.join(self.names) or 'no samples'}")
        return Signals(name, self.t, self.samples)

    @property
    def events(self) -> Events:
        """Every change of a contact state."""
        def make():
            c = self._content()
            names = [text(c.contact_name[i]) for i in range(c.n_name)]
            n, first = self._event_list()
            return Events({k: _arrays.column(self._handle, first, n, k)
                           for k in ("t", "contact", "from", "to", "speed", "impulse", "cell")}, names)
        return self._kept("events", make)

    @property
    def contacts(self) -> Dict[str, Record]:
        """Laws, extremes and losses of each contact, by name."""
        def make():
            c = self._content()
            return {text(c.contact[i].name): record(c.contact[i]) for i in range(c.n_contact)}
        return self._kept("contacts", make)

    def to_xarray(self):
        """The samples as an xarray.Dataset over t."""
        xarray = _arrays.needed("xarray")
        units = self.units
        data = {c: ("t", self.samples[c], {"units": units.get(f"samples/{c}") or ""}) for c in self.samples if c != "t"}
        return xarray.Dataset(data, {"t": ("t", self.t, {"units": units.get("samples/t") or ""})},
                              {"title": self.title})

    def to_pandas(self):
        """The samples as a pandas.DataFrame."""
        return self.samples.to_pandas()


@kind
class Run(_Sampled):
    """Motion in time."""

    kind = "run"

    def _content(self):
        return lib.jd_result_run(self._pointer())

    def _event_list(self) -> tuple:
        return self._content().lists.n_event, self._content().lists.event

    @property
    def engine(self) -> str:
        """The engine that computed it."""
        return text(self._content().engine)

    @property
    def stop(self) -> str:
        """Why it ended: "end", "interrupted", "event-budget", ..."""
        return text(lib.jd_stop_name(self._content().stop))

    @property
    def note(self) -> str:
        """Details of the reason to stop; ""."""
        return text(self._content().note)

    @property
    def interrupted(self) -> bool:
        """True after Ctrl-C."""
        return self.stop == "interrupted"

    @property
    def t_end(self) -> float:
        """The time it reached."""
        return self._content().t_end

    @property
    def count(self) -> Record:
        """Numbers of events by kind."""
        return record(self._content().count)

    @property
    def certificate(self) -> Record:
        """What is proved about the events: certified, undecided, margin, proved_until, ..."""
        return self._kept("certificate", lambda: record(self._content().certificate))

    @property
    def energy(self) -> Record:
        """The energy ledger: start, kinetic, strain, damping, work, residual; drives and contacts by name."""
        def make():
            c = self._content()
            ledger = record(c.ledger)
            ledger.known, ledger.why_none = bool(c.has_ledger), text(c.no_energy)
            ledger.drives = {text(c.drive[i].name): c.drive[i].value for i in range(c.n_drive)}
            for part in ("friction", "impacts", "belt", "wear"):
                setattr(ledger, part, {n: getattr(k, part) for n, k in self.contacts.items()})
            return ledger
        return self._kept("energy", make)

    @property
    def energies(self) -> Table:
        """Energies at the times of the samples."""
        return self.table("energies")

    @property
    def horizon(self) -> Record:
        """How a small change of the start grows; known where it was asked for."""
        return record(self._content().horizon)

    @property
    def grid(self) -> Record:
        """Engines on grids: nodes, steps."""
        return record(self._content().grid)

    @property
    def phases(self) -> Table:
        """Time spent in each discrete state."""
        return self.table("phases")

    def _facts(self) -> Dict[str, Any]:
        c = self.certificate
        proof = ("complete: proved that no event was missed" if c.certified else
                 f"{c.undecided} undecided" if c.undecided else f"none; method: {c.method}")
        residual = self.energy.residual
        facts = {"engine": self.engine, "t_end": self.t_end, "events": self.count.total, "certificate": proof}
        if self.stop != "end":
            facts["stopped"] = f"{self.stop}: {text(lib.jd_stop_text(self._content().stop))}"
        if self.energy.known and np.isfinite(residual):
            facts["energy"] = f"balance error {residual:.1e} of the work done"
        if len(self.t):
            facts["samples"] = f"{len(self.t)} of {', '.join(self.names)}"
        return facts


@kind
class Orbit(_Sampled):
    """A periodic orbit, or why none was found."""

    kind = "orbit"

    def _content(self):
        return lib.jd_result_orbit(self._pointer())

    def _event_list(self) -> tuple:
        return self._view.n_event, self._view.event

    @property
    def _view(self):
        return self._content().view

    found = property(lambda self: bool(self._view.found), doc="True when there is an orbit.")
    period = property(lambda self: self._view.period, doc="Its period [s].")
    periods = property(lambda self: self._view.periods, doc="Its period in drive periods; 0: there is no drive.")
    residual = property(lambda self: self._view.residual, doc="|P(s) - s|/|s| at the end of the search.")
    symmetric = property(lambda self: bool(self._view.symmetric), doc="Half a period later all signs are opposite.")
    stable = property(lambda self: bool(self._view.stability.stable), doc="Small perturbations die out.")
    reason = property(lambda self: text(lib.jd_orbit_reason_name(self._view.search.reason)), doc="How the search ended.")
    why = property(lambda self: text(self._view.search.why), doc="When not found: the reason in words.")
    stability = property(lambda self: record(self._view.stability), doc="What becomes of small perturbations.")
    search = property(lambda self: record(self._view.search), doc="How the search went.")

    @property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers, by falling magnitude."""
        return complex_of(self.arrays.get("multipliers", np.empty((0, 2))))

    @property
    def phases(self) -> List[str]:
        """Letters of all contacts before each event."""
        return self.arrays.get("phases", [])

    @property
    def state(self) -> np.ndarray:
        """The state at its beginning."""
        return self.arrays.get("state", np.empty(0))

    def _facts(self) -> Dict[str, Any]:
        if not self.found:
            return {"no orbit": f"{self.reason}: {self.why}"}
        mu = self.multipliers
        verdict = "stable" if self.stable else "not decided" if self._view.stability.marginal else "unstable"
        return {"period": f"{self.period:.10g}" + (f", {self.periods} of the drive" if self.periods else ""),
                "stability": verdict + (f", largest |μ| {abs(mu[0]):.6g}" if len(mu) else ""), "phases": " ".join(self.phases[:20])}


def of(handle: Handle, context: Context) -> Result:
    """The result of a handle, of its own class."""
    name = text(lib.jd_result_kind_name(lib.jd_result_look(handle.pointer).kind))
    return _KINDS.get(name, Result)(handle, context)


def open(path: Union[str, os.PathLike]) -> Result:  # pylint: disable=redefined-builtin
    """Reads a result file (HDF5) of the command or of Result.save."""
    context = Context()
    with _handles.files:
        handle = _handles.made(context, lib.jd_result_free, (), lib.jd_result_read, os.fspath(path).encode())
    return of(handle, context)


def merge(paths: Iterable[Union[str, os.PathLike]]) -> Result:
    """Shards of a sweep (`sweep(shard=(k, n), output=...)`, or of the command) put together, in any order: the bits of one run."""
    context = Context()
    with _handles.files:
        shards = _handles.made(context, lib.jd_merge_free, (), lib.jd_merge_create)
        for path in paths:
            name, part = os.fspath(path).encode(), ffi.new("jd_result **")
            context.check(lib.jd_result_read(context.pointer, name, part))
            context.check(lib.jd_merge_add(shards.pointer, part[0], name))  # it belongs to the merge, also when refused
        whole = ffi.new("jd_result **")
        context.check(lib.jd_merge_end(shards.pointer, whole))
        handle = Handle(whole[0], lib.jd_result_free, (context,))
    shards.close()
    return of(handle, context)
