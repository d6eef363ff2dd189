"""Judder: how elastic structures move when they rub and knock.

    import judder as jd
    m = jd.load("beam.yaml")                   # or jd.Model() with m.body, m.contact, m.drive
    r = m.run(until="200 periods", samples=64) # r.t, r["tip"].u, r.events, r.certificate, r.energy
    o = m.orbit(); b = m.follow(...); s = m.sweep(...); m.modes(); m.kernel(); m.nsm()
"""
from ._arrays import Record, Table
from ._handles import JudderWarning
from ._library import __version__, library_path
from ._part import Part, moving, span, times
from .batch import Batch, batch
from .errors import ClosedError, FileError, JudderError, MemoryShort, ModelError, NumericalError
from .model import Model, load, loads
from .parts import dampings, drives, laws, starts, structures
from .analyses import (Attractors, Backbone, Cases, Convergence, Fit, Follow, Kernel, Modes, Nsm, NsmOrbits,
                       Sweep)
from .results import Events, Orbit, Result, Run, Signals, merge, open

coulomb, affine, stop, stribeck, soil = laws.coulomb, laws.affine, laws.stop, laws.stribeck, laws.soil
friction_table = laws.table

__all__ = [
    "Attractors", "Backbone", "Batch", "Cases", "ClosedError", "Convergence", "Events", "FileError", "Fit", "Follow", "JudderError",
    "JudderWarning",
    "Kernel", "MemoryShort", "Model", "ModelError", "Modes", "Nsm", "NsmOrbits", "NumericalError", "Orbit", "Part", "Record", "Result",
    "Run", "Signals", "Sweep", "Table", "__version__", "affine", "batch", "coulomb", "dampings", "drives", "friction_table",
    "laws", "library_path", "load", "loads", "merge", "moving", "open", "soil", "span", "starts", "stop", "stribeck", "structures",
    "times",
]
