"""plots.py -- figures by matplotlib in the style of the command's own: its colours, thin axes, stick phases shaded."""
from __future__ import annotations

from typing import Callable, Dict

import numpy as np

from . import errors
from ._arrays import needed
from ._library import lib

INKS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_BLACK, _GREY, _PALE, _AXIS = "#1a1a1a", "#8c8c8c", "#e4e4e4", "#4d4d4d"
_STYLE = {"axes.prop_cycle": None, "axes.edgecolor": _AXIS, "axes.linewidth": 0.75, "axes.spines.top": False,
          "axes.spines.right": False, "axes.grid": True, "grid.color": "#dadada", "grid.linewidth": 0.5, "lines.linewidth": 1.2,
          "xtick.color": _BLACK, "ytick.color": _BLACK, "font.size": 9, "legend.frameon": False, "figure.constrained_layout.use": True}


def _unit(r, unit: str) -> str:
    return f" [{unit}]" if r.si and unit else ""


def _stuck_spans(r, name: str):
    """Times between which a contact is stuck."""
    events = r.events
    if name not in events.contact_names:
        return []
    mine = np.flatnonzero(events["contact"] == events.contact_names.index(name))
    t, to, before = events["t"][mine], events["to"][mine], events["from"][mine]
    spans, begin = [], r.t[0] if len(mine) and before[0] == lib.JD_CONTACT_STUCK and len(r.t) else None
    for time, state in zip(t, to):
        if state == lib.JD_CONTACT_STUCK:
            begin = time
        elif begin is not None:
            spans.append((begin, time))
            begin = None
    if begin is not None and len(r.t):
        spans.append((begin, r.t[-1]))
    return spans


def _shade(ax, r, name: str) -> None:
    for low, high in _stuck_spans(r, name):
        ax.axvspan(low, high, color=_PALE, zorder=0, linewidth=0)


def _window(r):
    """The last few drive periods of a long run are shown, as by the command."""
    return (r.t[0], r.t[-1]) if len(r.t) <= 4000 else (r.t[-2001], r.t[-1])


def _history(r, ax, quantity: str) -> None:
    label = {"u": ("displacement", "m"), "v": ("velocity", "m/s"), "force": ("force", "N")}[quantity]
    for name, ink in zip((n for n in r.names if getattr(r[n], quantity) is not None), INKS * 10):
        ax.plot(r.t, getattr(r[name], quantity), color=ink, label=name)
    ax.set(xlabel="t" + _unit(r, "s"), ylabel=label[0] + _unit(r, label[1]), xlim=_window(r))
    contacts = list(r.contacts)
    if contacts:
        _shade(ax, r, contacts[0])
    ax.legend(loc="upper right")


def _force(r, ax) -> None:
    _history(r, ax, "force")
    for c in r.contacts.values():
        if np.isfinite(c.limit):
            for sign in (-1, 1):
                ax.axhline(sign * c.limit, color=_GREY, linewidth=0.8, linestyle="--")


def _portrait(r, ax) -> None:
    for name, ink in zip((n for n in r.names if r[n].u is not None and r[n].v is not None), INKS * 10):
        low, high = _window(r)
        part = (r.t >= low) & (r.t <= high)
        ax.plot(r[name].u[part], r[name].v[part], color=ink, label=name)
    ax.set(xlabel="displacement" + _unit(r, "m"), ylabel="velocity" + _unit(r, "m/s"))
    ax.legend(loc="upper right")


def _energy(r, ax) -> None:
    energies = r.table("energies")
    for name, ink in zip((n for n in energies if n not in ("t", "log_growth")), INKS):
        ax.plot(energies["t"], energies[name], color=ink, label=name)
    ax.set(xlabel="t" + _unit(r, "s"), ylabel="energy" + _unit(r, "J"))
    ax.legend(loc="upper left")


def _motion_page(r, axes) -> None:
    _history(r, axes[0], "u")
    _force(r, axes[1])
    _portrait(r, axes[2])


def _multipliers(r, ax) -> None:
    turn = np.linspace(0, 2 * np.pi, 400)
    ax.plot(np.cos(turn), np.sin(turn), color=_GREY, linewidth=0.8)
    ax.plot(r.multipliers.real, r.multipliers.imag, "o", color=INKS[0], markersize=4)
    ax.set(xlabel="Re μ", ylabel="Im μ", aspect="equal")


def _branch(ax, parameter, amplitude, stable, ink, label) -> None:
    for part, style in ((stable, "-"), (~stable, "--")):
        ax.plot(parameter, np.where(part, amplitude, np.nan), style, color=ink, label=label if style == "-" else None)


def _follow(r, ax) -> None:
    p = r.points
    _branch(ax, p["parameter"], p["amplitude"], np.asarray(p["stable"]), INKS[0], "stable" if not r.beside else "this model")
    for (name, other), ink in zip(r.beside.items(), INKS[1:] * 10):
        _branch(ax, other["parameter"], other["amplitude"], np.asarray(other["stable"]), ink, name)
    special = r.special
    for kind, ink in zip(dict.fromkeys(special["kind"]) if len(special) else (), INKS[1:] * 10):
        here = np.array([k == kind for k in special["kind"]])
        ax.plot(special["parameter"][here], special["amplitude"][here], "o", color=ink, fillstyle="none", label=kind)
    ax.set(xlabel=r.parameter_name, ylabel=r.measure)
    ax.legend()


def _sweep(r, ax) -> None:
    names, points = r.parameters, r.points
    x = points["value"][:, 0]
    if len(names) == 1:
        for way, ink in ((0, INKS[0]), (1, INKS[0]), (-1, INKS[1])):
            here = points["direction"] == way
            if here.any():
                ax.plot(x[here], points["amplitude"][here], ".-", color=ink, label={0: "settled", 1: "up", -1: "down"}[way])
        ax.set(ylabel=r.measure)
        ax.legend()
    else:
        first = points["direction"] != -1
        grid = points["amplitude"][first].reshape(len(r.values[names[1]]), -1)[:, ::max(1, r._view.starts)]
        mesh = ax.pcolormesh(r.values[names[0]], r.values[names[1]], grid, shading="nearest", cmap="viridis")
        ax.figure.colorbar(mesh, ax=ax, label=r.measure)
        ax.set(ylabel=names[1])
        if r._view.log[1]:
            ax.set_yscale("log")
    if r._view.log[0]:
        ax.set_xscale("log")
    ax.set(xlabel=names[0])


def _modes(r, ax) -> None:
    ax.plot(r.frequency_hz, r.damping_ratio, "o", color=INKS[0], label="free")
    for (name, stuck), ink in zip(r.stuck.items(), INKS[1:] * 10):
        ax.plot(stuck["frequency_hz"], stuck["damping_ratio"], "o", color=ink, fillstyle="none", label=f"{name} stuck")
    ax.set(xlabel="frequency" + _unit(r, "Hz"), ylabel="damping ratio")
    ax.legend()


def _shapes(r, ax) -> None:
    if not r.shapes:
        raise errors.ModelError("bad-usage", "the structure has no shapes along it", "picture")
    for body, s in r.shapes.items():
        for k, (row, ink) in enumerate(zip(s.value, INKS * 10)):
            ax.plot(s.position, row, color=ink, label=f"{body} {k + 1}" if len(r.shapes) > 1 else f"mode {k + 1}")
    ax.set(xlabel="position" + _unit(r, "m"), ylabel="shape")
    ax.legend()


def _kernel(r, ax) -> None:
    inks = iter(INKS * 100)
    for i, a in enumerate(r.contacts):
        for j, b in enumerate(r.contacts):
            ax.plot(r.tau, r.G[:, i, j], color=next(inks), label=a if len(r.contacts) == 1 else f"{a}, force at {b}")
    ax.set(xlabel="τ" + _unit(r, "s"), ylabel="G" + _unit(r, "m/(s N)"))
    ax.legend()


def _nsm(r, ax) -> None:
    for b, ink in zip(r.branches, INKS * 1000):
        ax.plot(b.omega, b.energy, color=ink)
    ax.set(xlabel="ω" + _unit(r, "rad/s"), ylabel="energy" + _unit(r, "J"), yscale="log")


def _convergence(r, ax) -> None:
    for (path, study), ink in zip(r.studies.items(), INKS * 10):
        ax.plot(study["value"], study["ratio"], "o-", color=ink, label=path)
    ax.axhspan(0.99, 1.01, color=_PALE, zorder=0)
    ax.set(xlabel="value", ylabel="measure over the last one")
    ax.legend()


def _attractors(r, ax) -> None:
    shares = r.shares
    ax.bar(range(1, len(shares) + 1), [s.share for s in shares], color=INKS[0])
    ax.set(xlabel="orbit", ylabel="share of the starts")


_MOTION: Dict[str, Callable] = {"history": lambda r, ax: _history(r, ax, "u"), "portrait": _portrait, "force": _force,
                                "energy": _energy}
_ONE = {"run": _MOTION, "orbit": {**_MOTION, "multipliers": _multipliers}, "follow": {"page": _follow},
        "sweep": {"page": _sweep}, "modes": {"page": _modes, "shapes": _shapes}, "kernel": {"page": _kernel},
        "nsm": {"page": _nsm}, "convergence": {"page": _convergence}, "attractors": {"page": _attractors}}


def draw(result, picture: str = "page", axes=None):
    """The figure of a result; `axes` to draw into one's own (three of them for the page of a run or an orbit)."""
    kinds = _ONE.get(result.kind)
    known = sorted({*kinds, "page"}) if kinds else []
    if picture not in known:
        raise errors.ModelError("bad-usage", f"there is no figure {picture!r} of this result", "picture",
                                f"there are {', '.join(known) or 'none; draw() calls gnuplot'}")
    motion = result.kind in ("run", "orbit")
    if motion and picture != "energy" and picture != "multipliers" and not len(result.t):
        raise errors.ModelError("bad-usage", "the result has no samples to draw", "samples", "run(samples=64) keeps 64 a period")
    pyplot = needed("matplotlib.pyplot")
    style = {**_STYLE, "axes.prop_cycle": needed("cycler").cycler(color=INKS)}
    with pyplot.rc_context(style):
        page = motion and picture == "page"
        figure = None
        if axes is None:
            figure, axes = pyplot.subplots(3, 1, figsize=(8, 9)) if page else pyplot.subplots(figsize=(8, 5))
        if page:
            _motion_page(result, axes)
        else:
            kinds[picture](result, axes)
        if figure is not None and result.title:
            figure.suptitle(result.title, color=_BLACK)
        return figure if figure is not None else np.ravel(axes)[0].figure
