"""lab_shape.py -- JUDDER SOURCE: what the moving shape of `judder lab` is drawn from, without a browser."""
import os
import shutil
import sys
import tempfile

from lab_client import Lab, installed

judder, source = sys.argv[1], os.path.abspath(sys.argv[2])
failed = 0


def check(claim, good, told=""):
    global failed
    if not good:
        failed += 1
        print(f"FAILED: {claim} {told}")


SPAN = """judder: 1
structure: {type: beam, length: 1, bending_stiffness: 10, mass_per_length: 1, supports: {left: clamped, right: free}, modes: 8,
  points: {a: 0.4, b: 0.6, tip: 1}, damping: {type: ratio, value: 0.02}}
contacts: {bed: {at: AT, against: ground, law: {type: coulomb, limit: 1, stiffness: 500}}}
drives: {push: {at: tip, type: harmonic, amplitude: 1, frequency: 8}}
start: rest
simulate: {engine: series, until: 2 periods}
output: {per_period: 100, points: [tip]}
"""


def check_cells(page, claim, least, most, **keys):
    """Cells reach from `least` to `most` [m] without a hole, and do what the mean over them says where they all do the same."""
    head, arrays = page.ask("motion", shape=True, samples=400, **keys)
    cells = head["cells"][0]
    n, ends, at = cells["n"], arrays["shape.ends"][0], arrays["shape.at"][0][::3]
    where = [at[int(e)] + (e - int(e)) * (at[min(int(e) + 1, len(at) - 1)] - at[int(e)]) for e in ends]
    check(f"{claim}: cells cover the span", abs(where[0] - least) < 1e-5 * most and abs(where[-1] - most) < 1e-5 * most
        and (ends[1:-1:2] == ends[2::2] or least == most), (where[:3], where[-3:]))
    frames, t, v = len(arrays["shape.t"][0]), arrays["t"][0], arrays["contact.0"][1]
    states = [set(cells["states"][k * n:(k + 1) * n]) for k in range(frames)]
    check(f"{claim}: a letter for every cell and frame", len(cells["states"]) == n * frames and set().union(*states) == set("H+-"), states)
    mean = dict(zip(t, v))
    for now, time_ in zip(states, arrays["shape.t"][0]):
        sign = 1 if now == {"+"} else -1 if now == {"-"} else 0
        check(f"{claim}: all sliding one way is seen in the mean", sign * mean[time_] >= -1e-3 * max(map(abs, v)), (now, time_,
            mean[time_]))
    check(f"{claim}: some frames are all of one kind", any(s in ({"+"}, {"-"}) for s in states))


def test_cells(lab):
    page = lab.connect()
    page.ask("open", what="template/two-rods")
    check_cells(page, "two rods", 25, 50)
    check_cells(page, "two rods by modes", 25, 50, set=["simulate.engine=taylor", "simulate.nodes=76"])
    check_cells(page, "a beam", 0.3, 0.9, text=SPAN.replace("AT", "{span: [0.3, 0.9]}"))
    head, arrays = page.ask("motion", shape=True, text=SPAN.replace("AT", "{points: [a, b]}"))
    places = [round(arrays["shape.at"][0][3 * int(e)], 2) for e in arrays["shape.ends"][0]]
    check("of several points each is a cell at its place", places == [0.4, 0.4, 0.6, 0.6] and head["cells"][0]["n"] == 2, places)
    check("a beam moves across itself, also with springs in its contacts", max(map(abs, arrays["shape.u"][0][2::3])) > 1e-3
        and max(map(abs, arrays["shape.u"][0][::3])) == 0)
    page.close()


def test_endless(lab):
    """Infinitely many modes: a line, still at its ends, through the contact, the same in a stretch that is zoomed into."""
    page = lab.connect()
    page.ask("open", what="gallery/bowed-string/string.yaml")
    for change in ([], ["structure.points.bow=0.31", "structure.damping=none"], ["structure.damping.value=0.02"]):
        head, arrays = page.ask("motion", shape=True, samples=400, set=change)
        n, u, t = head["shape"]["n"], arrays["shape.u"][0], arrays["shape.t"][0]
        check("a string of all its modes is a line", n > 100 and len(arrays["shape.lines"][0]) == 2 * (n - 1), head.get("shape"))
        check("still at its ends", all(u[3 * n * k + 2] == u[3 * n * (k + 1) - 1] == 0 for k in range(len(t))))
        contact, largest = head["shape"]["contacts"][0], max(map(abs, u))
        own = dict(zip(arrays["t"][0], arrays["point.0"][0]))
        off = max(abs(u[3 * (n * k + contact) + 2] - own[time_]) for k, time_ in enumerate(t) if time_ in own)
        check("through its contact", off < 0.02 * largest, (off, largest))
        k = len(t) // 2
        inner = page.ask("motion", shape=True, samples=400, set=change, **{"from": t[k], "to": t[-1]})[1]["shape.u"][0]
        check("the same where it is zoomed into", max(abs(a - b) for a, b in zip(inner[:3 * n],
            u[3 * n * k:3 * n * (k + 1)])) < 1e-5 * largest)
    page.ask("open", what="gallery/bowed-string/lasting.yaml")
    head, arrays = page.ask("orbit", shape=True, samples=400)
    n, u = head["shape"]["n"], arrays["shape.u"][0]
    check("an orbit's line closes", max(abs(a - b) for a, b in zip(u[:3 * n], u[-3 * n:])) < 2e-3 * max(map(abs, u)))
    page.close()


MODES = """judder: 1
structure: {type: modes, omega: [1, 2.3], shapes: {tip: [1, 0.4], root: [0.2, -0.7], mid: [0.6, 1.1]}, damping: {type: ratio, value: 0.02}}
contacts: {rub: {at: mid, against: ground, law: {type: coulomb, limit: 0.2}}}
drives: {push: {at: tip, type: harmonic, amplitude: 1, frequency: 1.4}}
simulate: {until: 20}
"""


def check_row(claim, answer, n, names, contact):
    """Points without a place: one after the other, moving as their curves say."""
    head, arrays = answer
    shape, u, t = head["shape"], arrays["shape.u"][0], arrays["shape.t"][0]
    check(f"{claim}: in a row", shape["rows"] == [[0, n]] and shape["n"] == n, shape)
    check(f"{claim}: by name", dict(map(reversed, shape["names"])) == names, shape["names"])
    check(f"{claim}: its contact", shape["contacts"] == [contact], shape["contacts"])
    x = arrays["shape.at"][0][::3]
    check(f"{claim}: evenly from left to right", all(abs(x[i] - (i + 0.5) / n) < 1e-6 for i in range(n)))
    for i, name in enumerate(head["points"]):
        own = dict(zip(arrays["t"][0], arrays[f"point.{i}"][0]))
        largest = max(map(abs, own.values()))
        off = max(abs(u[3 * (n * k + names[name]) + 2] - own[time_]) for k, time_ in enumerate(t) if time_ in own)
        check(f"{claim}: {name} moves as its curve says", off < 1e-6 * largest, (off, largest))


def test_rows(lab):
    page = lab.connect()
    page.ask("open", what="gallery/measured-beam/beam.yaml")
    check_row("a measured beam", page.ask("motion", shape=True, samples=400), 2, {"tip": 0, "mid": 1}, 0)
    check_row("a table of modes", page.ask("motion", shape=True, samples=400, text=MODES), 3, {"tip": 0, "root": 1, "mid": 2}, 2)
    page.ask("open", what="template/matrices")
    answer = page.ask("motion", shape=True, samples=400)
    names = dict(map(reversed, answer[0]["shape"]["names"]))
    check_row("matrices without a mesh, every row", answer, answer[0]["shape"]["n"], names, names[answer[0]["points"][0]])
    page.close()


def main():
    work = tempfile.mkdtemp()
    try:
        lab = Lab(installed(work, judder, source, "bowed-string", "measured-beam"))
        for test in (test_cells, test_endless, test_rows):
            test(lab)
        code, errors = lab.end()
        check("Ctrl-C ends it cleanly", code == 0 and not errors, (code, errors[:2000]))
    except RuntimeError as told:
        if "built without" not in str(told):
            raise
        print("skipped: no libcivetweb")
        sys.exit(77)
    finally:
        shutil.rmtree(work)
    sys.exit(failed > 0)


main()
