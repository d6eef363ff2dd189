"""_verbs.py -- the verbs of the command as methods of a model.

Options of the command are keywords of the same name; keys of the verb's section are keywords, too, and hold for the one
call. Each call computes on a copy of the problem.
"""
from __future__ import annotations

import contextlib
import math
import os
import re
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _handles, _part, _sections, _targets, _work, analyses, errors, results
from ._handles import Handle
from ._library import NULL, ffi, lib, text
from .parts import SECTIONS

_COMMON = ("set", "output", "csv", "plot", "picture", "window", "threads", "quiet", "progress")


class _Call:
    """One computation: options that every verb has, keys by section, context and problem of its own."""

    def __init__(self, model, verb: str, sections: Sequence[str], options: Dict[str, Any]):
        self.model, self.verb = model, verb
        known = {key: s for s in sections for key in SECTIONS[s]}
        self.keys: Dict[str, Dict[str, Any]] = {s: {} for s in sections}
        self.common = dict.fromkeys(_COMMON)
        for key, value in options.items():
            bare = key[:-1] if key in ("from_",) else key
            if key in _COMMON:
                self.common[key] = value
            elif bare in known:
                if value is not None:
                    self.keys[known[bare]][bare] = value
            else:
                raise _sections.unknown_key(key, [*known, *_COMMON], f"{verb}()")
        self.common["threads"] = _work.threads_checked(self.common["threads"])
        self.context = self.problem = None
        self.own: Sequence[str] = ()

    def prepare(self, **files: Any) -> None:
        """A copy of the problem with the keys of this call; `files` are those it writes beside the common ones."""
        model, changes = self.model, _part.split(self.common["set"])
        if changes:
            model = model.copy()
            model._set_all(changes)
        try:
            self.context, self.problem = model._copied()
            for section, keys in self.keys.items():
                if keys:
                    _sections.apply(self.context, self.problem.pointer, section, keys)
        except _sections.NeedsText:
            sets = dict(model._sets)
            for section, keys in self.keys.items():
                for key, value in keys.items():
                    sets[f"{section}.{key}"] = _part.Writer().text(f"{section}.{key}", value)
            self.context, self.problem = model._made(sets)
        self.own = model._own_files(self.problem.pointer)
        self._check_targets(files)

    def _check_targets(self, files: Dict[str, Any]) -> None:
        """Files that cannot be written as asked are refused before anything is computed."""
        if self.common["plot"]:
            self.context.check(lib.jd_picture_check(self.context.pointer, os.fspath(self.common["plot"]).encode()))
            results._picture(self.common["picture"] or "page", self.common["window"])
        if self.common["csv"] and not os.fspath(self.common["csv"]).endswith(".csv"):
            raise errors.ModelError("bad-usage", f"the name of a table ends in .csv, not {self.common['csv']!r}", "csv")
        _targets.check({**{key: self.common[key] for key in ("output", "csv", "plot")}, **files}, self.own)

    def long(self, call):
        """call() while this thread shows progress and takes Ctrl-C."""
        quiet = self.common["quiet"]
        shown = self.common["progress"] if not quiet or callable(self.common["progress"]) else False
        locked = _handles.files if self.common["output"] else contextlib.nullcontext()
        with locked:
            value = _work.long(self.context, call, shown)
        if not quiet:
            self.context.tell()
        return value

    def make(self, free, function, *arguments, parents=()) -> Handle:
        """A thing made by a library function whose first argument is the context."""
        return _handles.made(self.context, free, (self.problem, *parents), function, *arguments)

    def result(self, handle: Handle, written: bool = False):
        """The result, with the files that were asked for."""
        made = results.of(handle, self.context)
        made._own = self.own
        common = self.common
        if common["output"] and not written:
            made.save(common["output"])
        if common["csv"]:
            made.save_csv(common["csv"])
        if common["plot"]:
            made.draw(common["plot"], picture=common["picture"] or "page", window=common["window"])
        return made




class Verbs:
    """What can be computed of a model."""

    def run(self, until: Optional[_part.Number] = None, samples: Optional[int] = None, *, horizon: bool = False,
            events: Optional[str] = None, wav: Optional[str] = None, rate: int = 0, signal: Optional[str] = None,
            **options: Any) -> "results.Run":
        """Motion in time, with every event.

        until:   time to stop at, or "200 periods" of the slowest harmonic drive
        samples: samples per drive period
        horizon: also gives the prediction horizon, the time up to which six digits are right (chaotic motion)
        events:  file for the events as comma-separated values
        wav, rate, signal: a sampled signal as sound
        """
        call = _Call(self, "run", ("simulate", "output"), {"until": until, "per_period": samples, **options})
        call.prepare(events=events, wav=wav)
        kept = [ffi.new("char[]", str(t).encode()) if t else NULL
                for t in (call.common["output"], events, wav, signal)]
        wanted = ffi.new("jd_record_options *", {"horizon": horizon, "file": kept[0], "events": kept[1],
                                                 "wav": kept[2], "signal": kept[3], "rate": rate})
        handle = call.long(lambda: call.make(lib.jd_result_free, lib.jd_result_of_run_with, call.problem.pointer, wanted))
        if call.common["plot"]:
            results.show(call.context, handle, call.problem, NULL, call.common["picture"] or "page", call.common["window"])
        return call.result(handle, written=True)

    def orbit(self, periods: Optional[int] = None, settle: Optional[_part.Number] = None, *,
              starts: Optional[int] = None, seed: int = 1, **options: Any) -> "results.Result":
        """A periodic orbit and whether it is stable; with `starts` the orbits that random starts lead to.

        starts, seed: number of random starts, and of their sequence
        """
        call = _Call(self, "orbit", ("orbit", "simulate", "output"), {"periods": periods, "settle": settle, **options})
        call.prepare()
        wanted = ffi.new("jd_orbit_options *", lib.jd_default_orbit_options())
        _kept = _take_up(call, wanted, as_state=False)

        def one():
            orbit = call.make(lib.jd_orbit_free, lib.jd_orbit_create, call.problem.pointer, wanted)
            made = call.make(lib.jd_result_free, lib.jd_result_of_orbit, call.problem.pointer, orbit.pointer, parents=(orbit,))
            return orbit, made

        def many():
            orbits = call.make(lib.jd_attractors_free, lib.jd_attractors_create, call.problem.pointer, wanted, starts, seed)
            made = call.make(lib.jd_result_free, lib.jd_result_of_attractors, call.problem.pointer, orbits.pointer,
                             lib.jd_attractors_starts(orbits.pointer), seed, parents=(orbits,))
            return orbits, made

        orbit, handle = call.long(many if starts else one)
        if call.common["plot"] and not starts and lib.jd_orbit_look(orbit.pointer).found:
            results.show(call.context, handle, call.problem, orbit.pointer, call.common["picture"] or "page", None)
        return call.result(handle)

    def follow(self, parameter: Optional[str] = None, from_: Optional[_part.Number] = None,
               to: Optional[_part.Number] = None, *, beside: Optional[Dict[str, Any]] = None,
               after: Optional[tuple] = None, **options: Any) -> "analyses.Follow":
        """Periodic orbits along one number of the model, with their stability and special points.

        beside: {"name": {"path": value, ...}}: the changed models are followed, too, and shown with this one
        after:  (branch, 17) or (branch, "flip1"): starts at a point or special point of an earlier branch of this model;
                from a flip along the doubled period, from a branch point along the first arm of the one that crosses
        """
        call = _Call(self, "follow", ("follow", "simulate", "orbit"),
                     {"parameter": parameter, "from_": from_, "to": to, **options})
        call.prepare()
        others = []
        for name, changes in (beside or {}).items():
            other = _Call(self, "follow", ("follow", "simulate", "orbit"),
                          {"parameter": parameter, "from_": from_, "to": to, **options,
                           "set": [*_part.split(call.common["set"]), *_part.split(changes)]})
            other.prepare()
            others.append((name, other))

        def branch(one):
            wanted = ffi.new("jd_follow_options *", lib.jd_default_follow_options())
            _kept = _take_up(one, wanted.orbit, as_state=True)
            if after and one is call:
                _kept = _start_after(one, wanted, *after)
            return one.make(lib.jd_follow_free, lib.jd_follow_create, one.problem.pointer, wanted)

        def all_of_them():
            first = branch(call)
            rest = [(name, branch(one)) for name, one in others]
            view = ffi.new("jd_follow_view *", lib.jd_follow_look(first.pointer)[0])
            names = [ffi.new("char[]", name.encode()) for name, _ in rest]
            list_ = ffi.new("jd_beside[]", [{"name": n, "view": lib.jd_follow_look(f.pointer)} for n, (_, f) in zip(names, rest)]
                            or 1)
            view.n_beside, view.beside = len(rest), list_ if rest else NULL
            made = call.make(lib.jd_result_free, lib.jd_result_of_follow, call.problem.pointer, view,
                             parents=(first, *(f for _, f in rest)))
            made.keep = (view, names, list_)
            return made

        return call.result(call.long(all_of_them))

    def backbone(self, **options: Any) -> "analyses.Backbone":
        """Frequency and damping of a mode over its amplitude: backbone(from_=1e-6, to=1e-3, at="tip")."""
        call = _Call(self, "backbone", ("backbone",), options)
        call.prepare()

        def compute():
            curve = call.make(lib.jd_backbone_free, lib.jd_backbone_create, call.problem.pointer)
            return call.make(lib.jd_result_free, lib.jd_result_of_backbone, call.problem.pointer, curve.pointer, parents=(curve,))

        return call.result(call.long(compute))

    def fit(self, parameters: Union[Sequence[str], str, None] = None, data: Optional[str] = None,
            **options: Any) -> "analyses.Fit":
        """Numbers of the model from measured displacements, by least squares: paths of the numbers, and a CSV file."""
        call = _Call(self, "fit", ("fit", "orbit"), {"parameters": parameters, "data": data, **options})
        call.prepare()

        def compute():
            fit = call.make(lib.jd_fitting_free, lib.jd_fitting_create, call.problem.pointer)
            return call.make(lib.jd_result_free, lib.jd_result_of_fit, call.problem.pointer, fit.pointer, parents=(fit,))

        return call.result(call.long(compute))

    def sweep(self, parameters: Union[Dict[str, Any], Sequence[str], str, None] = None, *,
              shard: Optional[Tuple[int, int]] = None, **options: Any) -> "analyses.Sweep":
        """Settled motion on a grid of one or two numbers of the model.

        parameters: {"path": values}, the values evenly spaced or by equal factors (np.linspace, np.geomspace); or paths,
        with from_=, to=, points=, spacing=
        shard: (k, n) computes only share k of n, from 1 on; with output=, and `judder.merge` puts the files together
        """
        grid = _grid(parameters) if isinstance(parameters, dict) else {"parameters": parameters}
        call = _Call(self, "sweep", ("sweep", "simulate"), {**grid, **options})
        call.prepare()
        wanted = ffi.new("jd_sweep_options *", lib.jd_default_sweep_options())
        wanted.threads = call.common["threads"]
        complete = ffi.new("bool *")

        def compute():
            sweep = call.make(lib.jd_sweep_free, lib.jd_sweep_create, call.problem.pointer)
            if shard is not None:
                call.context.check(lib.jd_sweep_take_shard(sweep.pointer, *map(int, shard)))
            call.context.check(lib.jd_sweep_run(sweep.pointer, wanted, complete))
            return call.make(lib.jd_result_free, lib.jd_result_of_sweep, call.problem.pointer, sweep.pointer, parents=(sweep,))

        made = call.result(call.long(compute))
        made.complete = bool(complete[0])
        return made

    def modes(self, count: Union[int, str, None] = None, **options: Any) -> "analyses.Modes":
        """Natural modes, free and with each contact stuck; at most `count` in each list."""
        call = _Call(self, "modes", (), options)
        call.prepare()
        most = 0 if count in (None, "all") else int(count)
        return call.result(call.long(lambda: call.make(lib.jd_result_free, lib.jd_result_of_modes, call.problem.pointer, most, True)))

    def kernel(self, **options: Any) -> "analyses.Kernel":
        """Memory kernels of the contacts: the step response of the structure there."""
        call = _Call(self, "kernel", ("kernel",), options)
        call.prepare()

        def compute():
            kernel = call.make(lib.jd_kernel_free, lib.jd_kernel_create, call.problem.pointer)
            return call.make(lib.jd_result_free, lib.jd_result_of_kernel, call.problem.pointer, kernel.pointer, parents=(kernel,))

        return call.result(call.long(compute))

    def nsm(self, *, orbit: Optional[str] = None, orbits_per_branch: int = 33, samples: int = 401,
            **options: Any) -> "results.Result":
        """Nonsmooth modes: families of periodic orbits against an elastic stop, without losses.

        orbit: "1:1.5,5/2:9.6" orbits of branches in full, by OMEGA; "5/2" some all along it; "s1" one that rests on the stop
        orbits_per_branch: computed along each branch, up to 400;  samples: of each orbit in full
        """
        call = _Call(self, "nsm", ("nsm",), options)
        call.prepare()
        wanted = ffi.new("jd_nsm_options *")

        def compute():
            call.context.check(lib.jd_nsm_options_of(call.problem.pointer, wanted))
            wanted.sustained = bool(wanted.sustained or (orbit and "s" in orbit))
            nsm = call.make(lib.jd_nsm_free, lib.jd_nsm_create, call.problem.pointer, wanted)
            if orbit:
                picks = _picks(nsm.pointer, orbit)
                return call.make(lib.jd_result_free, lib.jd_result_of_nsm_orbits, call.problem.pointer, nsm.pointer,
                                 len(picks), picks, samples, parents=(nsm,))
            return call.make(lib.jd_result_free, lib.jd_result_of_nsm, call.problem.pointer, nsm.pointer, orbits_per_branch,
                             parents=(nsm,))

        return call.result(call.long(compute))

    def converge(self, over: Dict[str, Sequence[float]], measure: str, **options: Any) -> "analyses.Convergence":
        """How a measure ("tip.max", "pile.tip.norm") settles as nodes or modes are added: over={"simulate.nodes": [...]}."""
        call = _Call(self, "converge", ("simulate",), options)
        call.prepare()
        names = [ffi.new("char[]", path.encode()) for path in over]
        values = [ffi.new("double[]", [float(v) for v in list_]) for list_ in over.values()]
        said = ffi.new("char[]", measure.encode())
        studies = ffi.new("jd_converge_def[]", [{"parameter": n, "n": len(v), "value": v, "measure": said}
                                                for n, v in zip(names, values)])
        points = [ffi.new("jd_converge_point[]", len(v)) for v in values]

        def compute():
            for study, out in zip(studies, points):
                address = ffi.addressof(study) if ffi.typeof(study).kind == "struct" else study
                call.context.check(lib.jd_converge(call.context.pointer, call.problem.pointer, address, out))
            lists = ffi.new("jd_converge_point *[]", points)
            made = call.make(lib.jd_result_free, lib.jd_result_of_convergence, call.problem.pointer, len(points), studies, lists)
            made.keep = (names, values, said, studies, points, lists)
            return made

        return call.result(call.long(compute))


def _take_up(call: _Call, options, as_state: bool):
    """A model that starts from the end of an earlier run: its state into the options of a search, as the command does.

    Returns what must live as long as the options.
    """
    start = lib.jd_problem_start(call.problem.pointer)
    if not start.type or text(start.type.name) != "restart":
        return None
    context, problem = call.context, call.problem.pointer
    file = ffi.cast("jd_start_restart_def *", getattr(start, "def")).file
    run = call.make(lib.jd_run_free, lib.jd_run_create, problem)
    with _handles.files:
        context.check(lib.jd_run_resume(context.pointer, run.pointer, file))
    if not as_state:
        size = lib.jd_run_state_size(run.pointer)
        block = ffi.new("char[]", size)
        context.check(lib.jd_run_state_save(run.pointer, block, size))
        options.block, options.block_size = block, size
        return block
    n = lib.jd_run_modal_size(run.pointer)
    if n == 0:
        raise errors.ModelError("not-supported", "the engine of this model has no states from which orbits are followed", "start")
    report, step, period = ffi.new("jd_report *"), ffi.new("jd_step *"), lib.jd_problem_period(problem)
    lib.jd_run_report(run.pointer, report)
    until = math.ceil(report.t / period - 1e-9) * period if period > 0 else report.t  # the drive begins a period
    step[0] = lib.JD_STEP_EVENT
    while step[0] == lib.JD_STEP_EVENT and report.t < until:
        context.check(lib.jd_run_advance(run.pointer, until, step))
    state = ffi.new("double[]", n)
    lib.jd_run_modal_state(run.pointer, state)
    phase = ffi.new("char[]", ffi.string(lib.jd_run_phase(run.pointer)))
    given, settle = ffi.new("bool *"), ffi.new("double *", 100 * period)
    section = ffi.cast("jd_orbit_def *", lib.jd_problem_section(problem, lib.JD_ORBIT, given))
    if given[0]:
        duration = ffi.new("jd_duration *", section.settle)
        context.check(lib.jd_problem_duration(problem, duration, settle))
    options.state, options.phase, options.settle = state, phase, settle[0]
    return state, phase


def _start_after(call: _Call, options, branch, point):
    """A point or special point of an earlier branch into the options; returns what must live as long as they."""
    v = branch._view
    kept, special = v.kept, None
    if not v.state or v.n == 0 or kept.n_start == 0:
        raise errors.ModelError("not-supported", "the branch keeps no states of its orbits: follow it again, or save it as .h5",
                                "after")
    if isinstance(point, str):
        match = re.fullmatch(r"([a-z-]+?)-?(\d*)", point)
        same = [v.special[i] for i in range(v.n_special) if match and text(lib.jd_special_name(v.special[i].kind)) == match[1]]
        number = int(match[2] or 1) if match else 0
        if not 1 <= number <= len(same):
            raise errors.ModelError("unknown-name", f"the branch has no special point {point!r}", "after")
        special = same[number - 1]
        index = min(max(special.point - 1, 0), v.n_point - 1)
    else:
        index = int(point)
        if not 0 <= index < v.n_point:
            raise errors.ModelError("out-of-range", f"the branch has points 0 to {v.n_point - 1}, not {index}", "after")
    p, given = v.point[index], ffi.new("bool *")
    section = ffi.cast("jd_follow_def *", lib.jd_problem_section(call.problem.pointer, lib.JD_FOLLOW, given))
    unit = ffi.new("char **")
    size = lib.jd_problem_shown_unit(call.problem.pointer, v.parameter, ffi.cast("const char **", unit))
    options.parameter, options.to = section.parameter, section.to
    setattr(options, "from", p.parameter * size)
    options.orbit.state = v.state + index * v.n
    options.orbit.phase = kept.start[max(p.start, 0)]
    options.orbit.settle, options.orbit.period = 0, p.period
    drive = lib.jd_problem_period(call.problem.pointer)
    if drive > 0:
        options.orbit.periods = max(1, round(p.period / drive))
    if special is not None:
        options.sense = math.copysign(1, special.parameter - p.parameter) if special.parameter != p.parameter else 0
        options.flip = 1 if special.kind == lib.JD_SPECIAL_FLIP else 0
        options.branch = options.arm = 1 if special.kind == lib.JD_SPECIAL_BRANCH else 0
    return branch


def _picks(nsm, orbit: str):
    """The orbits that a list such as "1:1.5,5/2,s1" names, as jd_nsm_pick[]."""
    picks = []
    for one in orbit.split(","):
        match = re.fullmatch(r"\s*(?:s(?P<rest>\d+)|ω?(?P<mode>\d+)(?:/(?P<divisor>\d+))?(?::(?P<omega>[-+0-9.eE]+))?)\s*", one)
        if not match:
            raise errors.ModelError("bad-usage", f"`orbit` wants J/K, J/K:OMEGA or sN, not {one!r}", "orbit")
        if match["rest"]:
            number = int(match["rest"])
            if not 1 <= number <= lib.jd_nsm_sustained_count(nsm):
                raise errors.ModelError("unknown-name", f"there is no orbit s{number}", "orbit")
            picks.append({"branch": -1, "sustained": number - 1})
            continue
        mode, divisor = int(match["mode"]), int(match["divisor"] or 1)
        branch = next((i for i in range(lib.jd_nsm_branches(nsm))
                       if (lib.jd_nsm_branch_at(nsm, i).mode, lib.jd_nsm_branch_at(nsm, i).divisor) == (mode, divisor)), None)
        if branch is None:
            raise errors.ModelError("unknown-name", f"there is no branch ω{mode}/{divisor} in the window", "orbit")
        view = lib.jd_nsm_branch_at(nsm, branch)
        omega = ffi.new("double[]", 24)
        lib.jd_nsm_points(nsm, branch, 24, omega)
        for w in [float(match["omega"])] if match["omega"] else list(omega):
            if not view.omega_start < w < view.omega_end:
                raise errors.ModelError("out-of-range", f"branch ω{mode}/{divisor} goes from {view.omega_start:.12g} to "
                                        f"{view.omega_end:.12g}, not through {w:.12g}", "orbit")
            picks.append({"branch": branch, "omega": w})
    return ffi.new("jd_nsm_pick[]", picks)


def _grid(parameters: Dict[str, Any]) -> Dict[str, Any]:
    """Values of a grid as from, to, points and spacing, as the section `sweep` has them."""
    grid: Dict[str, Any] = {"parameters": [], "from": [], "to": [], "points": [], "spacing": []}
    for path, values in parameters.items():
        try:
            values = np.atleast_1d(np.asarray(values, dtype=float))
        except (TypeError, ValueError):
            raise errors.ModelError("wrong-type", f"the values of a grid are numbers, not {values!r}", path) from None
        if values.ndim != 1 or len(values) == 0:
            raise errors.ModelError("size-mismatch", f"the values of a grid are a list, not of shape {values.shape}", path,
                                    "np.linspace(0.5, 1.5, 20)")
        grid["parameters"].append(path)
        grid["from"].append(float(values[0]))
        grid["to"].append(float(values[-1]))
        grid["points"].append(len(values))
        grid["spacing"].append(_spacing(path, values))
    return grid


def _spacing(path: str, values: np.ndarray) -> str:
    n, near = len(values), 1e-9
    if n < 3 or np.allclose(values, np.linspace(values[0], values[-1], n), rtol=0, atol=near * np.ptp(values)):
        return "linear"
    if (values > 0).all() and np.allclose(values, np.geomspace(values[0], values[-1], n), rtol=near, atol=0):
        return "log"
    raise errors.ModelError("not-supported", "the values are neither evenly spaced nor by equal factors", path,
                            "jd.batch takes any values: jd.batch(m, [{path: v} for v in values], do='orbit')")


def _documented() -> None:
    """Keys of the sections go into the docstrings."""
    for verb, sections in {"run": ("simulate", "output"), "orbit": ("orbit",), "follow": ("follow",), "sweep": ("sweep",),
                           "kernel": ("kernel",), "nsm": ("nsm",)}.items():
        function = getattr(Verbs, verb)
        lines = [f"        {key + '_' if key == 'from' else key}: {doc}" for s in sections for key, doc in SECTIONS[s].items()]
        function.__doc__ += ("\n        Keys of the model that may be given here, for this call:\n" + "\n".join(lines) +
                             "\n\n        set, output, csv, plot, picture, window, threads, quiet, progress: as with the command.\n")


_documented()
