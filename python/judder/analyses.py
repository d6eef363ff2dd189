"""analyses.py -- results of the analyses: attractors, branches, sweeps, modes, kernels, nonsmooth modes, convergence."""
from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from . import _arrays
from ._arrays import Record, Table, record
from ._library import lib, text
from .results import Result, kind


@kind
class Attractors(Result):
    """The orbits random starts lead to."""

    kind = "attractors"

    @property
    def shares(self) -> List[Record]:
        """Each orbit: starts that led to it, its share, whether it is a rest, its period and stability."""
        c = lib.jd_result_attractors(self._pointer())
        out = []
        for i in range(c.n):
            o = c.orbit[i]
            out.append(Record(starts=o.starts, share=o.share, rest=bool(o.rest), family=bool(o.family), mirror_of=o.mirror_of,
                              found=bool(o.view.found), period=o.view.period, periods=o.view.periods,
                              stable=bool(o.view.stability.stable), why=text(o.view.search.why)))
        return out

    @property
    def lost(self) -> int:
        """Starts that led to no orbit that was found."""
        return lib.jd_result_attractors(self._pointer()).lost

    def _facts(self) -> Dict[str, Any]:
        return {**{f"orbit {i + 1}": f"{s.starts} starts, {'rest' if s.rest else f'period {s.period:.6g}'}"
                   for i, s in enumerate(self.shares)}, "lost": self.lost}


@kind
class Follow(Result):
    """A branch of orbits along one number of the model."""

    kind = "follow"

    @property
    def _view(self):
        return lib.jd_result_follow(self._pointer())

    @property
    def points(self) -> Table:
        """Orbits along the branch: parameter, amplitude, period, stable, ..."""
        return self.table("branch")

    def __getattr__(self, name: str):
        if not name.startswith("_") and name in self.points:
            return self.points[name]
        raise AttributeError(name)

    @property
    def special(self) -> Table:
        """Folds, flips, grazings, ...: kind, parameter, amplitude, error, turns, ..."""
        def make():
            v = self._view
            kinds = [text(lib.jd_special_name(v.special[i].kind)) for i in range(v.n_special)]
            columns = {k: a for k, a in self.table("special")._columns.items() if k != "kind"}
            return Table({"kind": kinds, **columns})
        return self._kept("special", make)

    @property
    def phase_sequences(self) -> List[str]:
        """Sequences of phases that `phases` of the points, `before` and `after` count."""
        v = self._view
        return [text(v.phases[i]) for i in range(v.n_phases)]

    @property
    def beside(self) -> Dict[str, Table]:
        """The other branches: parameter, amplitude, period, stable."""
        v, out = self._view, {}
        for i in range(v.n_beside):
            other = v.beside[i].view
            out[text(v.beside[i].name)] = Table({n: _arrays.column(self._handle, other.point, other.n_point, n)
                                                 for n in ("parameter", "amplitude", "period", "stable")})
        return out

    @property
    def curve(self) -> Table:
        """The special point in two parameters, where it was asked for."""
        return self.table("curve")

    parameter_name = property(lambda self: text(self._view.parameter), doc="Path of the number that was varied.")
    measure = property(lambda self: text(self._view.measure), doc="What `amplitude` is.")
    end = property(lambda self: text(lib.jd_end_name(self._view.end)), doc="Why the branch ends.")
    why = property(lambda self: text(self._view.why), doc="The reason in more detail.")

    def _facts(self) -> Dict[str, Any]:
        v = self._view
        return {"follow": f"{self.parameter_name} from {v.__getattribute__('from'):.6g} to {v.to:.6g}", "points": v.n_point,
                "special": ", ".join(f"{k} at {p:.8g}" for k, p in zip(self.special["kind"][:6], self.special["parameter"][:6]))
                if v.n_special else "none", "end": f"{self.end}: {text(lib.jd_end_text(v.end))}"}


@kind
class Backbone(Result):
    """Frequency and damping of a mode over its amplitude."""

    kind = "backbone"

    @property
    def _view(self):
        return lib.jd_result_backbone(self._pointer())

    @property
    def points(self) -> Table:
        """Motions from the smallest amplitude on: amplitude, omega, damping, rate, ..."""
        v = self._view
        return self._kept("points", lambda: Table({n: _arrays.column(self._handle, v.point, v.n_point, n) for n in (
            "amplitude", "omega", "damping", "rate", "residual", "events")}))

    at = property(lambda self: text(self._view.at), doc="Place whose amplitude counts.")
    stuck = property(lambda self: self._view.stuck, doc="Frequency with contacts stuck [rad/s].")
    free = property(lambda self: self._view.free, doc="Frequency without contacts [rad/s].")
    end = property(lambda self: text(lib.jd_backbone_end_name(self._view.end)), doc="How the curve ended.")

    def _facts(self) -> Dict[str, Any]:
        v = self._view
        return {"backbone": f"mode {v.mode} at {self.at}", "points": v.n_point,
                "frequency": f"{v.stuck:.8g} stuck, {v.free:.8g} free rad/s", "end": self.end}


@kind
class Fit(Result):
    """Numbers of the model from measured displacements."""

    kind = "fit"

    @property
    def _view(self):
        return lib.jd_result_fit(self._pointer())

    @property
    def parameters(self) -> Dict[str, Record]:
        """By path: start (the model's value), value (fitted), deviation (standard deviation)."""
        v = self._view
        return {text(v.parameter[i].key): Record(start=v.parameter[i].start, value=v.parameter[i].value,
                                                 deviation=v.parameter[i].deviation) for i in range(v.n_parameter)}

    @property
    def correlation(self) -> np.ndarray:
        """Of the numbers, in their order."""
        v = self._view
        return np.array([[v.correlation[i * v.n_parameter + j] for j in range(v.n_parameter)] for i in range(v.n_parameter)])

    noise = property(lambda self: self._view.noise, doc="Standard deviation of the data [m].")
    rms = property(lambda self: self._view.rms, doc="What is left over, root mean square [m].")
    end = property(lambda self: text(lib.jd_fitting_end_name(self._view.end)), doc="How the fit ended.")

    def _facts(self) -> Dict[str, Any]:
        return {**{key: f"{p.value:.8g} ± {p.deviation:.2g}" for key, p in self.parameters.items()},
                "left over": f"{self.rms:.3g}", "end": self.end}


@kind
class Sweep(Result):
    """Settled motion on a grid."""

    kind = "sweep"

    @property
    def _view(self):
        return lib.jd_result_sweep(self._pointer())

    @property
    def parameters(self) -> List[str]:
        """Paths of the numbers that were varied."""
        return [text(self._view.parameter[k]) for k in range(self._view.n_parameter)]

    @property
    def values(self) -> Dict[str, np.ndarray]:
        """The values of each."""
        v = self._view
        return {p: _arrays.view(self._handle, v.values[k], (v.count[k],)) for k, p in enumerate(self.parameters)}

    @property
    def points(self) -> Table:
        """Every point: value of each parameter, amplitude, periods, period, settled, multiplier, phases, ..."""
        def make():
            v = self._view
            of = lambda name: _arrays.column(self._handle, v.point, v.n_point, name)  # noqa: E731
            columns = {name: of(name) for name in ("value", "direction", "start", "done")}
            columns["value"] = columns["value"][:, :v.n_parameter]
            columns.update({k: a for k, a in self.table("points")._columns.items() if k != "settled_by"})
            columns["settled_by"] = [text(lib.jd_settle_name(how)) for how in of("how")]
            columns["phases"] = [text(v.point[i].phases) for i in range(v.n_point)]
            return Table(columns)
        return self._kept("points", make)

    measure = property(lambda self: text(self._view.measure), doc="What `amplitude` is.")

    @property
    def samples(self) -> List[np.ndarray]:
        """Of each point: displacement and velocity of the measured contact at drive phase 0."""
        v = self._view
        return [_arrays.view(self._handle, v.point[i].sample, (v.n_sample, 2)) if v.point[i].sample else np.empty((0, 2))
                for i in range(v.n_point)]

    def to_pandas(self):
        """Every point as a row of a pandas.DataFrame; the parameters by their paths."""
        frame = self.points.to_pandas()
        return frame.rename(columns={f"value.{k + 1}": p for k, p in enumerate(self.parameters)})

    def to_xarray(self):
        """An xarray.Dataset over the parameters, with directions and starts where there are several."""
        xarray = _arrays.needed("xarray")
        v, points = self._view, self.points
        ways = {lib.JD_SWEEP_BOTH: ["up", "down"]}.get(v.direction, ["once"])
        dims = [("second", v.count[1]), ("direction", len(ways)), ("first", v.count[0]), ("start", v.starts)]
        shape = [n for _, n in dims]
        names = {"first": self.parameters[0], "second": self.parameters[1] if v.n_parameter > 1 else "second"}
        data = {}
        for key in points:
            column = points[key]
            if key in ("value", "direction", "start"):
                continue
            grid = np.asarray(column).reshape(shape)
            if len(ways) == 2:  # carried down: the last value comes first
                grid = np.stack([grid[:, 0], grid[:, 1, ::-1]], axis=1) if self._falls() else grid
            keep = [i for i, (d, n) in enumerate(dims) if n > 1 or d == "first"]
            data[key] = ([names.get(dims[i][0], dims[i][0]) for i in keep],
                         grid.reshape([shape[i] for i in keep]))
        coords: Dict[str, Any] = {p: a for p, a in self.values.items()}
        if len(ways) > 1:
            coords["direction"] = ways
        return xarray.Dataset(data, {k: c for k, c in coords.items()
                                     if any(k in d for d, _ in data.values())}, {"title": self.title, "measure": self.measure})

    def _falls(self) -> bool:
        """Whether points carried down are listed by falling values."""
        v = self._view
        n = v.count[0] * v.starts
        return v.count[0] > 1 and v.point[n].value[0] != v.point[0].value[0]

    def _facts(self) -> Dict[str, Any]:
        done, settled = np.asarray(self.points["settled"]), 0
        settled = int(done.sum())
        return {"parameters": ", ".join(f"{p} ({len(a)})" for p, a in self.values.items()), "measure": self.measure,
                "settled": f"{settled} of {len(done)} points"}


@kind
class Modes(Result):
    """Natural modes, free and with each contact stuck."""

    kind = "modes"

    @property
    def free(self) -> Table:
        """Free modes: omega, frequency_hz, damping_ratio, error (nan: not known), digits, static_shape, pole."""
        return self.table("modes")

    omega = property(lambda self: self.free["omega"], doc="Undamped natural frequencies [rad/s].")
    frequency_hz = property(lambda self: self.free["frequency_hz"], doc="Natural frequencies [Hz].")
    damping_ratio = property(lambda self: self.free["damping_ratio"], doc="-Re s/|s|.")

    @property
    def stuck(self) -> Dict[str, Table]:
        """Modes with one contact stuck, by its name."""
        c = lib.jd_result_modes(self._pointer())
        return {n: self.table(f"stuck/{n}") for n in (text(c.stuck[i].contact) for i in range(c.n_stuck))}

    @property
    def shapes(self) -> Dict[str, Record]:
        """Shapes of the first modes along each body: position, value[mode, place]."""
        c = lib.jd_result_modes(self._pointer())
        return {text(s.body): Record(position=_arrays.view(self._handle, s.position, (s.n,)),
                                     value=_arrays.view(self._handle, s.value, (s.n_mode, s.n)))
                for s in (c.shapes[i] for i in range(c.n_shapes))}

    def _facts(self) -> Dict[str, Any]:
        return {"modes": len(self.free), "frequency_hz": ", ".join(f"{f:.6g}" for f in self.frequency_hz[:6]) or "none"}


@kind
class Kernel(Result):
    """Memory kernels of contact points."""

    kind = "kernel"

    @property
    def _view(self):
        return lib.jd_result_kernel(self._pointer())

    def _over(self, name: str) -> np.ndarray:
        v = self._view
        return _arrays.view(self._handle, getattr(v, name), (v.n_tau, v.n, v.n))

    tau = property(lambda self: _arrays.view(self._handle, self._view.tau, (self._view.n_tau,)), doc="Times [s].")
    G = property(lambda self: self._over("G"), doc="Velocity by a unit step of force [tau, i, j], m/(s N).")
    L = property(lambda self: self._over("L"), doc="Kernel of the reduced equation.")
    L0 = property(lambda self: self._over("L0"), doc="Kernel of the reduced equation.")
    L1 = property(lambda self: self._over("L1"), doc="Kernel of the reduced equation, m/(s N).")
    contacts = property(lambda self: [text(self._view.contact[i]) for i in range(self._view.n)], doc="Names, as i and j count.")
    start = property(lambda self: text(lib.jd_kernel_start_name(self._view.start)), doc="smooth, jump or square-root.")

    def _facts(self) -> Dict[str, Any]:
        return {"contacts": ", ".join(self.contacts), "begins": f"{self.start}: {text(lib.jd_kernel_start_means(self._view.start))}",
                "times": len(self.tau)}


@kind
class Nsm(Result):
    """Families of nonsmooth modes."""

    kind = "nsm"

    @property
    def branches(self) -> List[Record]:
        """Each branch of one impact per period: mode, divisor, omega_start, omega_end, and orbits omega, energy, speed."""
        def make():
            c, out = lib.jd_result_nsm(self._pointer()), []
            for i in range(c.n_line):
                line = c.line[i]
                one = record(line.branch)
                for name in ("omega", "energy", "speed"):
                    setattr(one, name, _arrays.view(self._handle, getattr(line, name), (line.n,)))
                out.append(one)
            return out
        return self._kept("branches", make)

    certified = property(lambda self: bool(lib.jd_result_nsm(self._pointer()).certified), doc="All branches are proved.")

    def _facts(self) -> Dict[str, Any]:
        return {"branches": len(self.branches), "certified": self.certified}


@kind
class NsmOrbits(Result):
    """Orbits of nonsmooth modes in full."""

    kind = "nsm-orbits"

    @property
    def orbits(self) -> List[Record]:
        """Each: name, omega, period, energy, t, force, and of each point by name u and v."""
        def make():
            c, out = lib.jd_result_nsm_orbits(self._pointer()), []
            names = [text(c.contact), *(text(c.point[k]) for k in range(c.n_point))]
            for o in (c.orbit[i] for i in range(c.n)):
                motion = _arrays.view(self._handle, o.motion, (len(names), 2, o.n))
                points = {n: Record(u=motion[k, 0], v=motion[k, 1]) for k, n in enumerate(names)}
                out.append(Record(name=text(o.name), omega=o.omega, period=o.period, energy=o.energy, stable=o.stable,
                                  t=_arrays.view(self._handle, o.t, (o.n,)), points=points,
                                  force=_arrays.view(self._handle, o.force, (o.n,)) if o.force else None))
            return out
        return self._kept("orbits", make)

    def _facts(self) -> Dict[str, Any]:
        return {o.name: f"ω {o.omega:.8g}, energy {o.energy:.6g}" for o in self.orbits[:8]}


@kind
class Convergence(Result):
    """How a measure settles as nodes or modes are added."""

    kind = "convergence"

    @property
    def studies(self) -> Dict[str, Table]:
        """value, measure, ratio, order, events of each run, by the path refined."""
        c, out = lib.jd_result_convergence(self._pointer()), {}
        for s in (c.study[i] for i in range(c.n)):
            out[text(s.parameter)] = Table({name: _arrays.column(self._handle, s.point, s.n, name)
                                            for name in ("value", "measure", "ratio", "order", "events", "seconds")})
        return out

    def _facts(self) -> Dict[str, Any]:
        return {path: f"ratio {study['ratio'][-2]:.6g} before the last" for path, study in self.studies.items() if len(study) > 1}


@kind
class Cases(Result):
    """A batch of the command: the table of cases and what became of each."""

    kind = "batch"

    @property
    def _view(self):
        return lib.jd_result_batch(self._pointer())

    @property
    def parameters(self) -> Dict[str, List[str]]:
        """What was changed, by path: the texts of the table."""
        v = self._view
        return {text(c.name): [text(c.value[i]) for i in range(c.n)] for c in (v.parameter[k] for k in range(v.n_parameter))}

    @property
    def cases(self) -> Table:
        """What became of each: done, error, message, stop, t_end, events, undecided, certified, energy_residual."""
        def make():
            v = self._view
            items = [v.item[i] for i in range(v.n)]
            columns = {"done": _arrays.column(self._handle, v.item, v.n, "done"),
                       "error": [text(lib.jd_status_name(c.status)) for c in items],
                       "message": [text(c.message) for c in items],
                       "stop": [text(lib.jd_stop_name(c.stop)) for c in items]}
            for name in ("t_end", "events", "undecided", "certified", "residual"):
                columns[name] = _arrays.column(self._handle, v.item, v.n, name)
            return Table(columns)
        return self._kept("cases", make)

    @property
    def contacts(self) -> Table:
        """Extremes and losses of each contact: "tip.displacement.max", ..., "tip.friction"."""
        return self.table("contacts")

    failed = property(lambda self: self._view.failed, doc="How many cases were refused.")

    def to_pandas(self):
        """One row for each case."""
        pandas = _arrays.needed("pandas")
        return pandas.DataFrame({**self.parameters, **self.cases._columns, **self.contacts._columns})

    def _facts(self) -> Dict[str, Any]:
        return {"cases": self._view.n, "failed": self.failed, "changed": ", ".join(self.parameters)}
